//! The sums of an ad account, which take less memory than its rows.

use super::sums::Numbers;
use super::wire::Account;
use jiff::civil::Date;
use std::collections::BTreeMap;

/// The sums of an ad account in some days.
#[derive(Clone, Debug)]
pub(crate) struct AccountSums {
    /// In the enveloped shape.
    pub(crate) platform: String,
    pub(crate) connection_id: String,
    /// The ad account on the platform.
    pub(crate) id: String,
    pub(crate) currency: String,
    pub(crate) total: Numbers,
    /// By day; empty if the total alone was read.
    pub(crate) days: BTreeMap<Date, Numbers>,
    /// By the id of a campaign.
    pub(crate) campaigns: BTreeMap<String, Numbers>,
}

impl AccountSums {
    /// Whether it is the same ad account.
    pub(crate) fn is(&self, other: &AccountSums) -> bool {
        (&self.platform, &self.id) == (&other.platform, &other.id)
    }

    /// Adds a part of an account to those that are known. The pages of the API may bring an account several times.
    pub(super) fn add_to(known: &mut Vec<AccountSums>, part: Account) {
        let Account { platform, connection_id, organization_id: id, currency, rows, time_zone: _, attribution: _ } =
            part;
        let at = known.iter().position(|sums| (&sums.platform, &sums.id) == (&platform, &id));
        let at = at.unwrap_or_else(|| {
            let total = Numbers::default();
            let (days, campaigns) = (BTreeMap::new(), BTreeMap::new());
            known.push(AccountSums { platform, connection_id, id, currency, total, days, campaigns });
            known.len() - 1
        });
        let sums = &mut known[at];
        for row in &rows {
            sums.total.add(row);
            sums.campaigns.entry(row.campaign_id.clone()).or_default().add(row);
            if let Some(day) = row.date {
                sums.days.entry(day).or_default().add(row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::Decimal;

    #[test]
    fn parts_of_an_account_are_added_and_accounts_stay_apart() {
        let part = |account: &str, spend: u8, campaign: &str| -> Account {
            let json = serde_json::json!({
                "platform": "ALPHA", "connection_id": "c", "organization_id": account, "currency": "USD",
                "time_zone": "UTC", "attribution": "", "rows": [{ "campaign_id": campaign, "date": "2026-11-22",
                "spend": spend, "impressions": 1, "clicks": 1, "is_final": true }],
            });
            serde_json::from_str(&json.to_string()).unwrap()
        };
        let mut known = Vec::new();
        for part in [part("1", 1, "a"), part("2", 10, "b"), part("1", 2, "c")] {
            AccountSums::add_to(&mut known, part);
        }
        let spend = |sums: &AccountSums| sums.total.spend.known;
        assert_eq!(known.iter().map(spend).collect::<Vec<_>>(), [Some(Decimal::from(3)), Some(Decimal::TEN)]);
        assert_eq!((known[0].days.len(), known[0].campaigns.len()), (1, 2));
        assert!(known[0].is(&known[0]) && !known[0].is(&known[1]));
    }
}

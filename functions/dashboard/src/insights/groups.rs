//! Sums by day of each platform and currency. Amounts of two currencies are never added.

use super::range::Range;
use super::sums::Numbers;
use super::wire::{Account, Row};
use jiff::civil::Date;
use std::collections::BTreeMap;

/// The ad accounts of a platform with the same currency.
#[derive(Debug)]
pub(crate) struct Group {
    /// In the enveloped shape.
    pub(crate) platform: String,
    pub(crate) currency: String,
    /// The days of the range in order; `None` without a row.
    pub(super) days: Vec<(Date, Option<Numbers>)>,
    pub(super) total: Numbers,
    /// The accounts' time zones, sorted.
    pub(super) time_zones: Vec<String>,
    /// The platform's words on conversions.
    pub(super) attributions: Vec<String>,
    /// Ad accounts, sorted.
    pub(super) accounts: Vec<String>,
}

impl Group {
    /// The sums of one ad account.
    pub(crate) fn of(account: Account, range: Range) -> Group {
        let (platform, currency) = (account.platform.clone(), account.currency.clone());
        group(platform, currency, &[account], range)
    }

    /// Whether the platform reports nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.days.iter().all(|(_, numbers)| numbers.is_none())
    }
}

/// Groups ad accounts, in their order. The pages of the API may bring an account several times.
pub(crate) fn groups(accounts: Vec<Account>, range: Range) -> Vec<Group> {
    let mut found: Vec<((String, String), Vec<Account>)> = Vec::new();
    for account in accounts {
        let key = (account.platform.clone(), account.currency.clone());
        match found.iter_mut().find(|(known, _)| *known == key) {
            Some((_, accounts)) => accounts.push(account),
            None => found.push((key, vec![account])),
        }
    }
    let group = |((platform, currency), accounts): (_, Vec<Account>)| group(platform, currency, &accounts, range);
    found.into_iter().map(group).collect()
}

fn group(platform: String, currency: String, accounts: &[Account], range: Range) -> Group {
    let mut by_day: BTreeMap<Date, Numbers> = BTreeMap::new();
    let mut total = Numbers::default();
    for (day, row) in accounts.iter().flat_map(|account| &account.rows).filter_map(|row| day_of(row, range)) {
        by_day.entry(day).or_default().add(row);
        total.add(row);
    }
    Group {
        platform,
        currency,
        days: range.days().into_iter().map(|day| (day, by_day.remove(&day))).collect(),
        total,
        time_zones: distinct(accounts, |account| &account.time_zone),
        attributions: distinct(accounts, |account| &account.attribution),
        accounts: distinct(accounts, |account| &account.organization_id),
    }
}

/// The day of a row in the range.
fn day_of(row: &Row, range: Range) -> Option<(Date, &Row)> {
    row.date.filter(|day| (range.from..=range.to).contains(day)).map(|day| (day, row))
}

fn distinct(accounts: &[Account], text: fn(&Account) -> &String) -> Vec<String> {
    let mut all: Vec<String> = accounts.iter().map(text).filter(|text| !text.is_empty()).cloned().collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::Decimal;

    fn account(platform: &str, id: &str, currency: &str, spends: &[(&str, &str)]) -> Account {
        let row = |(date, spend): &(&str, &str)| {
            format!(r#"{{"date":"{date}","spend":{spend},"impressions":10,"clicks":1,"is_final":true}}"#)
        };
        let rows: Vec<String> = spends.iter().map(row).collect();
        let json = format!(
            r#"{{"platform":"{platform}","organization_id":"{id}","currency":"{currency}","time_zone":"UTC",
                "attribution":"","rows":[{}]}}"#,
            rows.join(",")
        );
        serde_json::from_str(&json).unwrap()
    }

    fn range() -> Range {
        Range::read(&[], "2026-11-23T00:00:00Z".parse().unwrap())
    }

    #[test]
    fn currencies_and_platforms_stay_apart_and_accounts_are_added() {
        let day = "2026-11-22";
        let groups = groups(
            vec![
                account("ALPHA", "2", "USD", &[(day, "0.1")]),
                account("ALPHA", "1", "EUR", &[(day, "0.3")]),
                account("BETA", "1", "USD", &[(day, "0.4")]),
                account("ALPHA", "1", "USD", &[(day, "0.2"), ("2026-11-16", "1")]),
                account("ALPHA", "2", "USD", &[]),
            ],
            range(),
        );
        let shown: Vec<_> = groups.iter().map(|group| (group.platform.as_str(), group.currency.as_str())).collect();
        assert_eq!(shown, [("ALPHA", "USD"), ("ALPHA", "EUR"), ("BETA", "USD")]);
        let (_, last) = groups[0].days.last().unwrap();
        assert_eq!(last.as_ref().unwrap().spend.known, Some(Decimal::new(3, 1)));
        assert_eq!(groups[0].total.spend.known, Some(Decimal::new(13, 1)));
        assert_eq!(groups[0].accounts, ["1", "2"]);
        assert_eq!((groups[0].days.len(), groups[0].attributions.len()), (7, 0));
    }

    #[test]
    fn a_day_outside_the_range_does_not_count() {
        let groups = groups(vec![account("ALPHA", "1", "USD", &[("2026-11-23", "1"), ("2026-11-15", "1")])], range());
        assert!(groups[0].is_empty() && groups[0].total == Numbers::default());
    }
}

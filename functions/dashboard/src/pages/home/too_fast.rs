//! Campaigns that have spent more than their daily budget today.

use crate::client::readings::{CampaignRow, Overview};
use crate::kit::addresses::{self, TO_HOME};
use crate::kit::money;
use crate::kit::pace::{Pace, rule_words};
use shared::domain::Platform;
use std::cmp::Reverse;

/// Campaigns that the page shows; the list of campaigns shows all.
const MOST: usize = 5;

/// The part of the page; there is none without such a campaign.
pub(super) struct TooFast {
    /// The fastest ones, worst first.
    pub(super) rows: Vec<TooFastRow>,
    pub(super) count: usize,
    /// What the platforms may spend on a day.
    pub(super) rules: Vec<String>,
}

/// A campaign.
pub(super) struct TooFastRow {
    pub(super) name: String,
    pub(super) id: String,
    pub(super) path: String,
    /// The list with the form of its budget, which leads back to this page.
    pub(super) lower: String,
    pub(super) platform: &'static str,
    pub(super) account: String,
    /// `182%`
    pub(super) share: String,
    /// `364.91 USD`
    pub(super) spent: String,
    /// `200.00 USD a day`
    pub(super) budget: String,
}

impl TooFast {
    pub(super) fn of(overview: &Overview) -> Option<TooFast> {
        let fast = overview.rows.iter().filter(|row| row.is_too_fast(overview.now));
        let mut fast: Vec<(&CampaignRow, Pace)> = fast.filter_map(|row| Some((row, row.pace()?))).collect();
        fast.sort_by_key(|(_, pace)| Reverse(pace.share));
        let shown = &fast[..fast.len().min(MOST)];
        let is_shown = |platform: &Platform| shown.iter().any(|(row, _)| row.campaign.id.platform() == *platform);
        (!fast.is_empty()).then(|| TooFast {
            rows: shown.iter().map(|(row, pace)| TooFastRow::of(row, *pace)).collect(),
            count: fast.len(),
            rules: Platform::ALL.into_iter().filter(is_shown).map(|platform| rule_words(platform, None)).collect(),
        })
    }
}

impl TooFastRow {
    fn of(row: &CampaignRow, pace: Pace) -> TooFastRow {
        let CampaignRow { campaign, account, numbers, .. } = row;
        let id = campaign.id.to_string();
        TooFastRow {
            name: campaign.name.clone(),
            path: addresses::campaign(&id),
            lower: addresses::edit_budget(&id, &campaign.name, None, (TO_HOME, None)),
            id,
            platform: campaign.id.platform().display_name(),
            account: account.clone(),
            share: pace.text(),
            spent: numbers.spend.today.text(|amount| money::in_currency(amount, campaign.currency)),
            budget: campaign.budget(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::{RecentNumbers, RecentSpend};
    use crate::kit::campaign::tests::campaign;
    use crate::kit::total::Total;
    use rust_decimal::Decimal;
    use shared::domain::CampaignStatus;

    /// A campaign with 10 USD a day that has spent this today.
    fn row(number: usize, spent: i64, status: CampaignStatus) -> CampaignRow {
        let mut row = CampaignRow::without_numbers(campaign(&format!("alpha_1_{number}"), status));
        let spend = RecentSpend { today: Total::of(Some(Decimal::new(spent, 2))), ..RecentSpend::UNKNOWN };
        row.numbers = RecentNumbers { spend, ..RecentNumbers::UNKNOWN };
        row
    }

    #[test]
    fn the_fastest_campaigns_are_shown_worst_first() {
        use CampaignStatus::{Active, Paused};
        let mut rows = vec![row(0, 1_000, Active), row(1, 1_200, Active), row(2, 9_000, Paused), row(3, 1_825, Active)];
        let shown = |rows: &[CampaignRow]| {
            TooFast::of(&Overview { rows: rows.to_vec(), ..Overview::default() }).map(|fast| {
                let rows = fast.rows.into_iter();
                let rows: Vec<String> =
                    rows.map(|row| format!("{}: {} of {}", row.share, row.spent, row.budget)).collect();
                (rows, fast.count, fast.rules)
            })
        };
        let rule = "Google Ads may spend up to 2 times the daily budget on a day.".to_owned();
        let worst = ["182%: 18.25 USD of 10.00 USD a day", "120%: 12.00 USD of 10.00 USD a day"].map(str::to_owned);
        assert_eq!(shown(&rows), Some((worst.to_vec(), 2, vec![rule])));
        assert!(shown(&rows[..1]).is_none(), "all of the budget is no more than the budget");
        let fast = TooFast::of(&Overview { rows: rows.clone(), ..Overview::default() }).unwrap();
        let id = rows[3].campaign.id.to_string();
        let lower = format!("/dashboard/campaigns?edit={id}&q=Spring&back=home#c-{id}");
        assert_eq!((&fast.rows[0].id, &fast.rows[0].lower), (&id, &lower));
        rows.extend((4..9).map(|number| row(number, 1_100, Active)));
        assert_eq!(shown(&rows).map(|(rows, count, _)| (rows.len(), count)), Some((MOST, 7)));
    }
}

//! Campaigns that have spent more than their daily budget today.

use crate::client::readings::{CampaignRow, Overview};
use crate::kit::addresses::{self, TO_HOME};
use crate::kit::campaign::CampaignSummary;
use crate::kit::changes::is_tried;
use crate::kit::money;
use crate::kit::pace::{Pace, rule_words};
use crate::kit::text::when;
use jiff::{SignedDuration, Timestamp};
use shared::domain::{Action, Change, ChangeStatus, Platform};
use std::cmp::Reverse;

/// For how long a row says that its budget was lowered: not on the next morning.
const RECENT: SignedDuration = SignedDuration::from_hours(12);
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
    /// That its budget was lowered since; `None` if nothing was done.
    pub(super) lowered: Option<String>,
}

impl TooFast {
    /// `changes` are the latest ones, newest first. A campaign that was lowered comes after those that wait for a person.
    pub(super) fn of(overview: &Overview, changes: &[Change]) -> Option<TooFast> {
        let now = overview.now;
        let fast = overview.rows.iter().filter(|row| row.is_too_fast(overview.now));
        let mut fast: Vec<(&CampaignRow, Pace)> = fast.filter_map(|row| Some((row, row.pace()?))).collect();
        let lowered = |row: &CampaignRow| lowered(&row.campaign, changes, now);
        fast.sort_by_key(|(row, pace)| (lowered(row).is_some(), Reverse(pace.share)));
        let shown = &fast[..fast.len().min(MOST)];
        let is_shown = |platform: &Platform| shown.iter().any(|(row, _)| row.campaign.id.platform() == *platform);
        (!fast.is_empty()).then(|| TooFast {
            rows: shown.iter().map(|(row, pace)| TooFastRow::of(row, *pace, lowered(row))).collect(),
            count: fast.len(),
            rules: Platform::ALL.into_iter().filter(is_shown).map(|platform| rule_words(platform, None)).collect(),
        })
    }
}

impl TooFastRow {
    fn of(row: &CampaignRow, pace: Pace, lowered: Option<String>) -> TooFastRow {
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
            lowered,
        }
    }
}

/// `Lowered to 40.00 USD a day at 09:12 UTC`, and that its platform has not confirmed it. `None` if the latest change of the
/// budget in these hours is none that lowers it, or was not made.
fn lowered(campaign: &CampaignSummary, changes: &[Change], now: Timestamp) -> Option<String> {
    let is_recent = |change: &&Change| now.duration_since(change.created_at()) < RECENT;
    let of_campaign = changes.iter().filter(is_recent).filter(|change| change.campaign.as_ref() == Some(&campaign.id));
    let asks = of_campaign.filter_map(|change| match &change.action {
        Action::Update(asked) if !change.is_step => Some((change, asked.budget_amount?)),
        Action::Update(_) | Action::Create(_) | Action::Delete => None,
    });
    let word = |change: &Change| match change.status(now) {
        ChangeStatus::Applied | ChangeStatus::PartlyApplied => Some(true),
        ChangeStatus::Sending | ChangeStatus::Unknown => Some(false),
        ChangeStatus::Scheduled if is_tried(change, now) => Some(false),
        ChangeStatus::Scheduled
        | ChangeStatus::AwaitingApproval
        | ChangeStatus::Failed
        | ChangeStatus::Canceled
        | ChangeStatus::Rejected
        | ChangeStatus::Expired => None,
    };
    let made = asks.filter_map(|(change, amount)| Some((change, amount, word(change)?)));
    let (change, amount, is_confirmed) = made.max_by_key(|(change, ..)| change.id)?;
    if change.values_before()?.budget_amount? <= amount {
        return None;
    }
    let budget = money::budget_of(Some(amount), campaign.currency, campaign.budget_period);
    let waits =
        if is_confirmed { String::new() } else { format!(", waits for {}", campaign.id.platform().display_name()) };
    Some(format!("Lowered to {budget} {}{waits}", when(change.created_at(), now)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::{RecentNumbers, RecentSpend};
    use crate::kit::campaign::tests::campaign;
    use crate::kit::changes::sample::{update, values};
    use crate::kit::text::TODAY;
    use crate::kit::total::Total;
    use rust_decimal::Decimal;
    use shared::domain::{CampaignChanges, CampaignId, CampaignStatus, CampaignValues, ChangeError, ChangeState};

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
            TooFast::of(&Overview { rows: rows.to_vec(), ..Overview::default() }, &[]).map(|fast| {
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
        let fast = TooFast::of(&Overview { rows: rows.clone(), ..Overview::default() }, &[]).unwrap();
        let id = rows[3].campaign.id.to_string();
        let lower = format!("/dashboard/campaigns?edit={id}&q=Spring&back=home#budget_amount");
        assert_eq!((&fast.rows[0].id, &fast.rows[0].lower), (&id, &lower));
        rows.extend((4..9).map(|number| row(number, 1_100, Active)));
        assert_eq!(shown(&rows).map(|(rows, count, _)| (rows.len(), count)), Some((MOST, 7)));
    }

    #[test]
    fn a_campaign_that_was_lowered_says_so_and_comes_last() {
        let lowered = |number: usize, from: u32, state: ChangeState| {
            let asked = CampaignChanges { budget_amount: Some(Decimal::TEN), ..CampaignChanges::default() };
            let before = CampaignValues { budget_amount: Some(from.into()), ..values("Spring") };
            let campaign = CampaignId::parse(&format!("alpha_1_{number}"));
            Change { campaign, before: Some(before), state, ..update(asked) }
        };
        let rows = || vec![row(1, 9_000, CampaignStatus::Active), row(2, 1_825, CampaignStatus::Active)];
        let told = |change: Change, now: &str| -> Vec<Option<String>> {
            let overview = Overview { rows: rows(), now: now.parse().unwrap(), ..Overview::default() };
            let fast = TooFast::of(&overview, &[change]).unwrap();
            fast.rows.into_iter().map(|row| row.lowered.map(|words| words.replace(TODAY, ""))).collect()
        };
        let (soon, next_day) = ("2026-12-01T09:00:20Z", "2026-12-02T09:00:20Z");
        let words = "Lowered to 10.00 USD a day at 1 Dec 2026, 09:00 UTC".to_owned();
        assert_eq!(
            told(lowered(1, 50, ChangeState::Applied), soon),
            [None, Some(words.clone())],
            "the worst was lowered"
        );
        let waits = format!("{words}, waits for Google Ads");
        assert_eq!(told(lowered(1, 50, ChangeState::Sending), soon), [None, Some(waits)]);
        for (change, now) in [
            (lowered(1, 5, ChangeState::Applied), soon),
            (lowered(1, 50, ChangeState::Failed(ChangeError::default())), soon),
            (lowered(1, 50, ChangeState::Applied), next_day),
        ] {
            assert_eq!(told(change, now), [None, None]);
        }
    }
}

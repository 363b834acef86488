//! Monthly budgets in a line: how many months end over their budget, and how many behind. It needs nothing that the page has
//! not read: what is spent is of the last look of maintenance.

use crate::client::readings::{CampaignRow, Overview};
use crate::kit::month_end::{MonthEnd, Running, Verdict};
use crate::kit::total::Total;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use shared::domain::monthly::{Month, day_in};

/// `November: 2 campaigns over, 2 behind`; `None` if there is none.
pub(super) fn line(overview: &Overview) -> Option<String> {
    let month = Month::of(day_in(&TimeZone::UTC, overview.now));
    let verdicts: Vec<Verdict> = overview.rows.iter().filter_map(|row| verdict(row, overview, month)).collect();
    let of = |verdict: Verdict| verdicts.iter().filter(|one| **one == verdict).count();
    let counts = [Verdict::Over, Verdict::Behind].map(|verdict| (of(verdict), verdict.word().to_lowercase()));
    let mut parts: Vec<String> = Vec::new();
    for (count, word) in counts.into_iter().filter(|(count, _)| *count > 0) {
        let noun = match (parts.is_empty(), count) {
            (true, 1) => "campaign ",
            (true, _) => "campaigns ",
            (false, _) => "",
        };
        parts.push(format!("{count} {noun}{word}"));
    }
    let name = month.first().strftime("%B");
    (!parts.is_empty()).then(|| format!("{name}: {}", parts.join(", ")))
}

/// How this month of a campaign ends. On an ad account where it is another month already, nothing is known of it.
fn verdict(row: &CampaignRow, overview: &Overview, this: Month) -> Option<Verdict> {
    let month = row.campaign.monthly?;
    let account = overview.accounts.iter().find(|account| account.connection == row.connection)?;
    let clock = account.month.filter(|clock| clock.month == this && month.month == this)?;
    let totals = [Total::of(Some(month.spent)), row.numbers.spend.week];
    let running = running(row, overview.now);
    Some(MonthEnd::of(month.amount, totals, running, (clock, row.campaign.currency)).verdict())
}

fn running(row: &CampaignRow, now: Timestamp) -> Running {
    if row.campaign.is_active(now) {
        Running::Yes
    } else if row.campaign.is_month_spent {
        Running::MonthSpent
    } else {
        Running::No
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::readings::{AccountState, RecentNumbers, RecentSpend};
    use crate::kit::campaign::CampaignSummary;
    use crate::kit::campaign::tests::campaign;
    use crate::kit::forecast::MonthClock;
    use rust_decimal::Decimal;
    use shared::domain::{CampaignStatus, MonthSpend};

    fn now() -> Timestamp {
        "2026-11-16T00:00:00Z".parse().unwrap()
    }

    /// A campaign with 3,000 a month, which has spent this in the month and in the last seven days.
    fn row(month: &str, spent: i64, week: Total) -> CampaignRow {
        let month = MonthSpend {
            amount: Decimal::from(3_000),
            spent: Decimal::from(spent),
            remaining: Decimal::from(3_000 - spent),
            daily_now: Decimal::TEN,
            month: Month::parse(month).unwrap(),
            is_halted: false,
        };
        let summary = CampaignSummary { monthly: Some(month), ..campaign("beta_1_1", CampaignStatus::Active) };
        let numbers = RecentNumbers { spend: RecentSpend { week, ..RecentSpend::UNKNOWN }, ..RecentNumbers::UNKNOWN };
        CampaignRow { numbers, ..CampaignRow::without_numbers(summary) }
    }

    fn told(rows: Vec<CampaignRow>) -> Option<String> {
        let account = AccountState { month: MonthClock::at(now(), &TimeZone::UTC), ..AccountState::default() };
        line(&Overview { rows, accounts: vec![account], now: now(), ..Overview::default() })
    }

    #[test]
    fn months_that_end_over_or_behind_are_counted() {
        let week = |amount: i64| Total::of(Some(Decimal::from(amount)));
        let (over, behind) = (|| row("2026-11", 3_100, week(700)), || row("2026-11", 600, week(280)));
        let fine = || row("2026-11", 1_500, week(700));
        let all = vec![over(), over(), behind(), fine()];
        assert_eq!(told(all).as_deref(), Some("November: 2 campaigns over, 1 behind"));
        assert_eq!(told(vec![behind(), fine()]).as_deref(), Some("November: 1 campaign behind"));
        assert_eq!(told(vec![over()]).as_deref(), Some("November: 1 campaign over"));
        let unknown = row("2026-11", 600, Total::UNKNOWN);
        let before = row("2026-10", 3_100, week(700));
        assert_eq!(told(vec![fine(), unknown, before]), None);
    }
}

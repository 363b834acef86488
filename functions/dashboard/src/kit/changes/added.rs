//! What a change that waits adds to what its platform may spend, and when its campaign runs.

use crate::kit::money;
use crate::kit::text::readable;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::{Action, BudgetPeriod, CampaignStatus, CampaignValues, Change, Currency, Moment, NewCampaign};

/// An amount that a change adds, above 0, or that a budget has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Added {
    amount: Decimal,
    currency: Currency,
    period: Option<BudgetPeriod>,
}

impl Added {
    /// What a change adds by the values with which it was asked for; `None` if it adds nothing, or if that is not known.
    pub(crate) fn of(change: &Change, now: Timestamp) -> Option<Added> {
        let before = change.values_before();
        let after = change.values_after(before, now)?;
        let same = before.filter(|before| before.budget_period == after.budget_period);
        let amount = spends(&after)?.saturating_sub(same.and_then(spends).unwrap_or_default());
        let added = Added { amount, currency: after.currency, period: after.budget_period };
        (amount > Decimal::ZERO).then_some(added)
    }

    /// The budget of a campaign, which is added up in the same way.
    pub(crate) fn budget(amount: Decimal, currency: Currency, period: Option<BudgetPeriod>) -> Added {
        Added { amount, currency, period }
    }

    /// `60.00 USD a day`
    pub(crate) fn words(&self) -> String {
        money::budget_of(Some(self.amount), self.currency, self.period)
    }

    /// ` USD a day`, after an amount.
    pub(crate) fn unit(&self) -> String {
        format!("{}{}", self.currency.code(), money::span_of(self.period))
    }

    /// The decimals of the currency.
    pub(crate) fn decimals(&self) -> u32 {
        self.currency.decimals()
    }

    /// The amount in millionths, which the script adds up without a float.
    pub(crate) fn millionths(&self) -> String {
        money::millionths(self.amount)
    }
}

/// The sums of what is added, one for each currency and period, in the order in which they come.
pub(crate) fn sums(all: impl Iterator<Item = Added>) -> Vec<String> {
    let mut sums: Vec<Added> = Vec::new();
    for one in all {
        match sums.iter_mut().find(|sum| (sum.currency, sum.period) == (one.currency, one.period)) {
            Some(sum) => sum.amount = sum.amount.saturating_add(one.amount),
            None => sums.push(one),
        }
    }
    sums.iter().map(Added::words).collect()
}

/// The budget of a campaign that runs; `None` for one that spends nothing.
fn spends(values: &CampaignValues) -> Option<Decimal> {
    if values.status == CampaignStatus::Active { values.budget_amount } else { None }
}

/// When the campaign runs after a change, from these values before it; `None` after a removal, and where it is not known.
pub(crate) fn runs(change: &Change, before: Option<&CampaignValues>, now: Timestamp) -> Option<String> {
    if let Action::Create(NewCampaign { draft, .. }) = &change.action {
        return Some(span(false, draft.start_at.map(moment), draft.end_at.map(moment)));
    }
    let CampaignValues { status, start_at, end_at, .. } = change.values_after(before, now)?;
    if let Some(end) = end_at.filter(|end| *end <= now) {
        return Some(format!("no more: it has ended on {}", readable(end)));
    }
    let start = start_at.filter(|start| *start > now);
    Some(span(status == CampaignStatus::Active, start.map(readable), end_at.map(readable)))
}

/// `1 Dec 2026, 09:00 UTC to 24 Dec 2026, 09:00 UTC`
fn span(is_active: bool, start: Option<String>, end: Option<String>) -> String {
    let from = match (is_active, start) {
        (true, Some(start)) => start,
        (true, None) => "from now".to_owned(),
        (false, Some(start)) => format!("once it is activated, from {start}"),
        (false, None) => "once it is activated".to_owned(),
    };
    match end {
        Some(end) if is_active => format!("{from} to {end}"),
        Some(end) => format!("{from}, until {end}"),
        None => format!("{from}, without an end"),
    }
}

/// A time, or a day of the ad account.
pub(crate) fn moment(moment: Moment) -> String {
    match moment {
        Moment::Instant(at) => readable(at),
        Moment::Day(day) => day.strftime("%-d %b %Y").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{at, create, draft, now, update, values};
    use super::*;
    use shared::domain::{CampaignChanges, CampaignDraft};

    fn active(amount: i64) -> CampaignValues {
        CampaignValues { status: CampaignStatus::Active, budget_amount: Some(Decimal::from(amount)), ..values("A") }
    }

    fn raised(before: CampaignValues, amount: i64, status: Option<CampaignStatus>) -> Change {
        let budget_amount = Some(Decimal::from(amount));
        let changes = CampaignChanges { status, budget_amount, ..CampaignChanges::default() };
        Change { before: Some(before), ..update(changes) }
    }

    #[test]
    fn a_change_adds_what_the_campaign_may_spend_more() {
        let words = |change: &Change| Added::of(change, now()).map(|added| added.words());
        assert_eq!(words(&raised(active(50), 80, None)).as_deref(), Some("30.00 USD a day"));
        let activation = raised(values("A"), 80, Some(CampaignStatus::Active));
        assert_eq!(words(&activation).as_deref(), Some("80.00 USD a day"), "all of it: it was paused");
        assert_eq!(words(&raised(active(80), 50, None)), None, "less");
        assert_eq!(words(&raised(values("A"), 80, None)), None, "it stays paused");
        assert_eq!(words(&create(draft("A"))), None, "a new campaign is paused");
        assert_eq!(words(&update(CampaignChanges::of_status(CampaignStatus::Active))), None, "not known");
    }

    #[test]
    fn sums_are_by_currency_and_period() {
        let of = |amount, code, period| Added {
            amount: Decimal::from(amount),
            currency: Currency::from_code(code).unwrap(),
            period: Some(period),
        };
        let all = [
            of(30, "USD", BudgetPeriod::Daily),
            of(1_000, "JPY", BudgetPeriod::Daily),
            of(12, "USD", BudgetPeriod::Daily),
            of(5, "USD", BudgetPeriod::Monthly),
        ];
        assert_eq!(sums(all.into_iter()), ["42.00 USD a day", "1,000 JPY a day", "5.00 USD a month"]);
        assert_eq!((all[0].millionths().as_str(), all[0].unit().as_str()), ("30000000", "USD a day"));
        assert_eq!((all[1].decimals(), all[0].decimals()), (0, 2));
    }

    #[test]
    fn a_campaign_says_when_it_runs() {
        let dates = |status, start_at: Option<&str>, end_at: Option<&str>| {
            let values = CampaignValues { status, start_at: start_at.map(at), end_at: end_at.map(at), ..values("A") };
            runs(&update(CampaignChanges::default()), Some(&values), now()).unwrap()
        };
        let (start, end) = (Some("2026-12-02T06:00:00Z"), Some("2026-12-24T12:00:00Z"));
        let (active, paused) = (CampaignStatus::Active, CampaignStatus::Paused);
        assert_eq!(dates(active, start, end), "2 Dec 2026, 06:00 UTC to 24 Dec 2026, 12:00 UTC");
        assert_eq!(dates(active, None, None), "from now, without an end");
        assert_eq!(dates(paused, None, None), "once it is activated, without an end");
        assert_eq!(dates(paused, None, end), "once it is activated, until 24 Dec 2026, 12:00 UTC");
        let begun = Some("2026-11-02T06:00:00Z");
        assert_eq!(dates(active, begun, end), "from now to 24 Dec 2026, 12:00 UTC");
        assert_eq!(dates(active, None, begun), "no more: it has ended on 2 Nov 2026, 06:00 UTC");
        let new = create(CampaignDraft { end_at: Moment::parse("2026-12-24"), ..draft("A") });
        assert_eq!(runs(&new, None, now()).as_deref(), Some("once it is activated, until 24 Dec 2026"));
        assert_eq!(runs(&update(CampaignChanges::default()), None, now()), None, "not known");
    }
}

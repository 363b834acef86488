//! The words of the notice after a change: the fields that have really changed.

use crate::kit::addresses;
use crate::kit::money;
use crate::kit::text::{isolated, readable};
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::{Action, BudgetPeriod, CampaignId, CampaignStatus, CampaignValues, Change, ChangeState, Currency};

/// A value before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BeforeAfter<T> {
    before: T,
    after: T,
}

/// The fields that an applied update has changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SavedFields<'a> {
    name: Option<BeforeAfter<&'a str>>,
    status: Option<BeforeAfter<CampaignStatus>>,
    budget: Option<BeforeAfter<Decimal>>,
    /// The period of the budget.
    period: Option<BeforeAfter<BudgetPeriod>>,
    /// Whether the campaign was paused before.
    was_paused: bool,
    currency: Currency,
    /// The campaign after it, for people: its name, and its budget.
    campaign: &'a str,
    spends: String,
}

impl<T: PartialEq> BeforeAfter<T> {
    /// A requested field that differs.
    fn of(is_requested: bool, before: Option<T>, after: Option<T>) -> Option<BeforeAfter<T>> {
        let (before, after) = (before?, after?);
        (is_requested && before != after).then_some(BeforeAfter { before, after })
    }
}

impl<'a> SavedFields<'a> {
    /// Reads a change; `None` for one that is no update, or that is not applied.
    pub(super) fn of(change: &'a Change) -> Option<SavedFields<'a>> {
        let before = change.values_before()?;
        let after = change.after.as_ref()?;
        let (Action::Update(requested), ChangeState::Applied) = (&change.action, &change.state) else { return None };
        let status = |values: &CampaignValues| Some(values.status.switched());
        Some(SavedFields {
            name: BeforeAfter::of(requested.name.is_some(), Some(before.name.as_str()), Some(after.name.as_str())),
            status: BeforeAfter::of(requested.status.is_some(), status(before), status(after)),
            budget: BeforeAfter::of(requested.names_budget(), before.budget_amount, after.budget_amount),
            period: before.budget_period.zip(after.budget_period).map(|(before, after)| BeforeAfter { before, after }),
            was_paused: before.status == CampaignStatus::Paused,
            currency: after.currency,
            campaign: &after.name,
            spends: match after.budget_amount {
                Some(_) => money::budget_of(after.budget_amount, after.currency, after.budget_period),
                None => "its budget".to_owned(),
            },
        })
    }

    /// What is saved: `Saved: name, budget 10.00 to 12.50 USD.` In a list it names the campaign.
    pub(super) fn words(&self, is_in_list: bool) -> String {
        let name = if is_in_list { format!(" {}", isolated(self.campaign)) } else { String::new() };
        let status = self.status.map(|status| match status.after {
            CampaignStatus::Paused => format!("Paused{name}: nothing is spent until you activate it."),
            CampaignStatus::Active => format!("Activated{name}: its platform may spend {}.", self.spends),
            CampaignStatus::Ended
            | CampaignStatus::Draft
            | CampaignStatus::Archived
            | CampaignStatus::ScheduledForDeletion
            | CampaignStatus::Unspecified => format!("Saved{name}: status."),
        });
        let fields: Vec<String> = self.name.map(|_| "name".to_owned()).into_iter().chain(self.budget_words()).collect();
        let fields = (!fields.is_empty()).then(|| format!("Saved{name}: {}.", fields.join(", ")));
        let sentences: Vec<String> = status.into_iter().chain(fields).collect();
        if sentences.is_empty() { "Nothing to save: the values are the same.".to_owned() } else { sentences.join(" ") }
    }

    /// The first of these changes that raises the budget again, for a budget that was lowered.
    pub(super) fn raise_after<'b>(&self, open: &'b [Change]) -> Option<&'b Change> {
        let after = self.budget.filter(|_| self.is_lowered())?.after;
        let raises = |change: &&Change| match &change.action {
            Action::Update(changes) => !change.is_step && changes.budget_amount.is_some_and(|amount| amount > after),
            Action::Create(_) | Action::Delete => false,
        };
        open.iter().find(raises)
    }

    /// Whether the budget of the same period is lower now.
    pub(super) fn is_lowered(&self) -> bool {
        self.other_period().is_none() && self.budget.is_some_and(|budget| budget.after < budget.before)
    }

    /// Whether the monthly budget of a paused campaign is higher now, so that it may go on.
    pub(super) fn raises_paused_month(&self) -> bool {
        let is_month = self.period.is_some_and(|period| period.after == BudgetPeriod::Monthly);
        self.was_paused && is_month && self.budget.is_some_and(|budget| budget.after > budget.before)
    }

    /// `budget 10.00 to 12.50 USD`, `budget 2,000.00 to 15,000.00 CAD a month`
    fn budget_words(&self) -> Option<String> {
        let BeforeAfter { before, after } = self.budget?;
        let of = |amount, period| money::budget_of(Some(amount), self.currency, period);
        Some(match self.other_period() {
            Some(other) => format!("budget {} to {}", of(before, Some(other.before)), of(after, Some(other.after))),
            None => {
                let month = self.period.map(|period| period.after).filter(|period| *period == BudgetPeriod::Monthly);
                format!("budget {} to {}", money::amount_text(before, self.currency.code()), of(after, month))
            }
        })
    }

    /// The periods of a budget that has another one.
    fn other_period(&self) -> Option<BeforeAfter<BudgetPeriod>> {
        self.period.filter(|period| period.before != period.after)
    }
}

/// The words for a change that will raise a budget which is lowered now, with the address and the words of a link to it.
pub(super) fn raise_words(raise: &Change, list: &str) -> (String, (String, String)) {
    let Action::Update(changes) = &raise.action else { return (String::new(), Default::default()) };
    let amount = money::budget_of(changes.budget_amount, raise.currency, None);
    match raise.apply_at.filter(|_| raise.state == ChangeState::Scheduled) {
        Some(at) => {
            let campaign = raise.campaign.as_ref().map(CampaignId::to_string).unwrap_or_default();
            let page = format!("{}#activity", addresses::campaign_of_list(&campaign, list));
            let words = format!("But a raise to {amount} is scheduled for {}.", readable(at));
            (words, (page, "Look at the raise, or cancel it".to_owned()))
        }
        None => {
            let words = format!("But a raise to {amount} waits for approval.");
            (words, (addresses::approval(&raise.id.to_string()), "Look at the raise, or reject it".to_owned()))
        }
    }
}

/// The words for a change that waits: for the time of its form, or for the start of its campaign.
pub(super) fn waiting_words(at: Timestamp, has_time: bool) -> String {
    let at = readable(at);
    let why = if has_time {
        format!("The change is scheduled for {at}.")
    } else {
        format!("The campaign starts at {at}, and the change waits for that.")
    };
    format!("{why} Until then you can cancel it under Activity.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::campaign_sample::values;
    use crate::kit::changes::sample::update;
    use shared::domain::CampaignChanges;

    fn decimal(text: &str) -> Option<Decimal> {
        Some(Decimal::from_str_exact(text).unwrap())
    }

    /// An update that was applied, with the campaign before and after it.
    fn change(requested: CampaignChanges, before: CampaignValues, after: CampaignValues) -> Change {
        Change { state: ChangeState::Applied, before: Some(before), after: Some(after), ..update(requested) }
    }

    fn renamed() -> Change {
        let budget_amount = decimal("12.5");
        let requested =
            CampaignChanges { name: Some("Summer".to_owned()), budget_amount, ..CampaignChanges::default() };
        change(requested, values(), CampaignValues { name: "Summer".to_owned(), budget_amount, ..values() })
    }

    fn switched_to(before: CampaignStatus, after: CampaignStatus) -> Change {
        let with = |status| CampaignValues { status, ..values() };
        change(CampaignChanges::of_status(after), with(before), with(after))
    }

    #[test]
    fn only_what_differs_is_told() {
        let words = |change: &Change| SavedFields::of(change).unwrap().words(false);
        assert_eq!(words(&renamed()), "Saved: name, budget 10.00 to 12.50 USD.");
        let budget_amount = decimal("12");
        let requested =
            CampaignChanges { name: Some("Spring".to_owned()), budget_amount, ..CampaignChanges::default() };
        let same = change(requested, values(), CampaignValues { budget_amount, ..values() });
        assert_eq!(words(&same), "Saved: budget 10.00 to 12.00 USD.");
        let activated = switched_to(CampaignStatus::Paused, CampaignStatus::Active);
        assert_eq!(words(&activated), "Activated: its platform may spend 10.00 USD a day.");
        let paused = switched_to(CampaignStatus::Active, CampaignStatus::Paused);
        let in_list = SavedFields::of(&paused).unwrap().words(true);
        assert_eq!(in_list, "Paused “\u{2068}Spring\u{2069}”: nothing is spent until you activate it.");
        let nothing = switched_to(CampaignStatus::Active, CampaignStatus::Active);
        assert_eq!(words(&nothing), "Nothing to save: the values are the same.");
    }

    #[test]
    fn a_lowered_budget_names_the_raise_that_waits() {
        let budget = |amount| CampaignChanges { budget_amount: decimal(amount), ..CampaignChanges::default() };
        let with = |amount| CampaignValues { budget_amount: decimal(amount), ..values() };
        let lowered = change(budget("5"), with("10"), with("5"));
        let at = "2026-12-24T17:00:00Z".parse().ok();
        let scheduled = |amount| Change { state: ChangeState::Scheduled, apply_at: at, ..update(budget(amount)) };
        let saved = SavedFields::of(&lowered).unwrap();
        let open = [scheduled("4"), Change { is_step: true, ..scheduled("80") }, scheduled("90")];
        let raise = saved.raise_after(&open).unwrap();
        let (words, (path, _)) = raise_words(raise, "status=ACTIVE");
        assert_eq!(words, "But a raise to 90.00 USD is scheduled for 24 Dec 2026, 17:00 UTC.");
        assert!(path.ends_with("&list=status%3DACTIVE#activity"), "{path}");
        let asked = Change { state: ChangeState::AwaitingApproval, apply_at: None, ..update(budget("90")) };
        let (words, (path, _)) = raise_words(&asked, "");
        assert!(words.ends_with("waits for approval.") && path.starts_with("/dashboard/approvals/one?id="), "{path}");
        let raised = change(budget("20"), with("10"), with("20"));
        assert_eq!(SavedFields::of(&raised).unwrap().raise_after(&open), None, "it was not lowered");
    }

    #[test]
    fn a_change_that_waits_names_its_time() {
        let at = "2026-12-24T17:00:00Z".parse().unwrap();
        let cancel = "Until then you can cancel it under Activity.";
        assert_eq!(waiting_words(at, true), format!("The change is scheduled for 24 Dec 2026, 17:00 UTC. {cancel}"));
        let start = "The campaign starts at 24 Dec 2026, 17:00 UTC, and the change waits for that.";
        assert_eq!(waiting_words(at, false), format!("{start} {cancel}"));
    }

    #[test]
    fn another_period_is_told_with_both() {
        let of = |amount: &str, period| (decimal(amount), Some(period));
        let budget = |before: (Option<Decimal>, Option<BudgetPeriod>),
                      after: (Option<Decimal>, Option<BudgetPeriod>)| {
            let with = |(budget_amount, budget_period)| CampaignValues { budget_amount, budget_period, ..values() };
            let (budget_amount, budget_period) = after;
            let requested = CampaignChanges { budget_amount, budget_period, ..CampaignChanges::default() };
            change(requested, with(before), with(after))
        };
        let begun = budget(of("20", BudgetPeriod::Daily), of("3000", BudgetPeriod::Monthly));
        let saved = SavedFields::of(&begun).unwrap();
        assert_eq!(saved.words(false), "Saved: budget 20.00 USD a day to 3,000.00 USD a month.");
        assert!(saved.raises_paused_month(), "it was paused");
        let raised = budget(of("2000", BudgetPeriod::Monthly), of("15000", BudgetPeriod::Monthly));
        let saved = SavedFields::of(&raised).unwrap();
        assert_eq!(saved.words(false), "Saved: budget 2,000.00 to 15,000.00 USD a month.");
        assert!(saved.raises_paused_month());
        let lowered = budget(of("15000", BudgetPeriod::Monthly), of("2000", BudgetPeriod::Monthly));
        assert!(!SavedFields::of(&lowered).unwrap().raises_paused_month());
    }
}

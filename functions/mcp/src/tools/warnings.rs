//! The campaign after a change, and what a person should know before it.

use super::lists::{CAMPAIGN_FIELDS, pick_members};
use super::waiting_budgets::WaitingBudget;
use crate::json::{amount_text, monthly_budget_text, period_text};
use crate::object::{Object, json_text, object};
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::{ChangeKind, Currency, SpendingLimit};

/// An amount of so many times the present budget may be a misread unit.
const SUSPICIOUS: u32 = 10;

/// A change that was checked.
pub(super) struct CheckedChange<'a> {
    pub(super) kind: ChangeKind,
    /// The campaign as it is now; `None` for a create.
    pub(super) before: Option<&'a Object<'a>>,
    pub(super) arguments: &'a Object<'a>,
    pub(super) limit: Option<&'a SpendingLimit>,
    pub(super) now: Timestamp,
    pub(super) needs_approval: bool,
    /// Whether a campaign that does not run may run after the change, now or at its start.
    pub(super) activates: bool,
    /// What waits and sets the budget.
    pub(super) waiting: Vec<WaitingBudget>,
    /// Whether the campaign has all of the change already.
    pub(super) changes_nothing: bool,
}

impl CheckedChange<'_> {
    /// The campaign after the change, as a JSON object.
    pub(super) fn after(&self) -> String {
        let Some(before) = self.before else { return self.arguments.with("status", "PAUSED") };
        let changed = |name: &str| match self.kind {
            ChangeKind::Delete => (name == "status").then(|| json_text("REMOVED")),
            ChangeKind::Update if name == "status" && self.is_restarted() => Some(json_text("ACTIVE")),
            ChangeKind::Create | ChangeKind::Update => self.arguments.json(name).map(str::to_owned),
        };
        let before = pick_members(before, &CAMPAIGN_FIELDS, usize::MAX);
        let kept = before.iter().map(|(name, json)| (*name, changed(name).unwrap_or_else(|| json.clone())));
        let dates = ["start_at", "end_at"].into_iter().filter(|name| !before.iter().any(|(known, _)| known == name));
        object(kept.chain(dates.filter_map(|name| Some((name, changed(name)?)))))
    }

    fn before_text(&self, name: &str) -> Option<String> {
        self.before?.text(name)
    }

    fn before_amount(&self) -> Option<Decimal> {
        self.before?.amount("budget_amount")
    }

    fn after_amount(&self) -> Option<Decimal> {
        self.arguments.amount("budget_amount").or_else(|| self.before_amount())
    }

    fn after_text(&self, name: &str) -> Option<String> {
        if self.arguments.json(name).is_some() { self.arguments.text(name) } else { self.before_text(name) }
    }

    /// The budget before the change, in words.
    fn before_budget(&self) -> String {
        budget(self.before_amount(), self.before_text("currency"), self.before_text("budget_period"))
    }

    /// The budget after the change, in words.
    fn budget(&self) -> String {
        budget(self.after_amount(), self.after_text("currency"), self.after_text("budget_period"))
    }

    /// Whether a campaign that has ended runs again.
    fn is_restarted(&self) -> bool {
        self.activates && self.before_text("status").as_deref() == Some("ENDED")
    }

    fn is_active(&self) -> bool {
        self.after_text("status").as_deref() == Some("ACTIVE")
    }
}

fn budget(amount: Option<Decimal>, currency: Option<String>, period: Option<String>) -> String {
    match (amount, currency) {
        (Some(amount), Some(currency)) => amount_text(amount, &currency) + period_text(period.as_deref()),
        _ => "a budget that is not its own".to_owned(),
    }
}

/// What a person should know before the change.
pub(super) fn warnings(change: &CheckedChange<'_>) -> Vec<String> {
    if change.changes_nothing {
        return vec!["Nothing would change: the campaign has all of this already.".to_owned()];
    }
    let mut warnings: Vec<String> = match change.kind {
        ChangeKind::Create => created(change),
        ChangeKind::Delete => vec![removed(change)],
        ChangeKind::Update => {
            let all = [
                suspicious_amount(change),
                other_period(change),
                ended_month(change),
                running(change),
                moved_end(change),
            ];
            all.into_iter().flatten().collect()
        }
    };
    let budget = change.arguments.amount("budget_amount");
    let waiting = change
        .before
        .into_iter()
        .flat_map(|before| change.waiting.iter().filter_map(move |waiting| waiting.warning(before, budget)));
    warnings.extend(waiting);
    if change.needs_approval {
        warnings.push("A person has to approve this change on the dashboard. It waits until they do.".to_owned());
    }
    warnings
}

fn created(change: &CheckedChange<'_>) -> Vec<String> {
    let budget = change.budget();
    let mut warnings =
        vec![format!("The campaign is created paused, with {budget}. It spends nothing until it is started.")];
    let currency = change.after_text("currency").and_then(|code| Currency::from_code(&code));
    let amounts =
        change.limit.and_then(|limit| limit.amounts.iter().find(|amounts| Some(amounts.currency) == currency));
    let is_daily = change.after_text("budget_period").as_deref() == Some("DAILY");
    let most = amounts.map(|amounts| if is_daily { amounts.daily } else { amounts.lifetime });
    if most.zip(change.after_amount()).is_some_and(|(most, amount)| amount > most) {
        warnings
            .push("This key can never start it: the budget is larger than its whole limit (get_limits).".to_owned());
    }
    warnings
}

fn removed(change: &CheckedChange<'_>) -> String {
    let runs = if change.is_active() { format!("The campaign runs with {}. ", change.budget()) } else { String::new() };
    format!("{runs}It is removed for good; pause_campaign stops it for a while.")
}

/// A new budget of ten times the present one, or more.
fn suspicious_amount(change: &CheckedChange<'_>) -> Option<String> {
    let (before, after) = (change.before_amount()?, change.after_amount()?);
    let threshold = before.checked_mul(SUSPICIOUS.into())?;
    (after >= threshold && before > Decimal::ZERO).then(|| {
        format!(
            "The new budget is {SUSPICIOUS} times the present one or more. Amounts are whole units: is {} really meant?",
            change.budget()
        )
    })
}

/// The same amount means another spend under another period.
fn other_period(change: &CheckedChange<'_>) -> Option<String> {
    let (before, after) = (change.before_text("budget_period")?, change.after_text("budget_period")?);
    let (budget, old) = (change.budget(), change.before_budget());
    (before != after).then(|| format!("The budget is {budget} then, instead of {old}."))
}

/// A budget_period in the request ends a monthly budget, because the tools have no MONTHLY.
fn ended_month(change: &CheckedChange<'_>) -> Option<String> {
    let month = monthly_budget_text(change.before?, change.before_text("currency").as_deref())?;
    change.arguments.has("budget_period").then(|| {
        format!(
            "This ends the monthly budget of {month}, which this service holds: from then on nothing keeps a month within it."
        )
    })
}

/// What spends money after the change.
fn running(change: &CheckedChange<'_>) -> Option<String> {
    let budget = change.budget();
    if change.activates {
        let start = change.after_text("start_at").and_then(|start| start.parse::<Timestamp>().ok());
        return Some(match start.filter(|start| *start > change.now) {
            Some(start) => format!("The campaign starts at {start:.0}, and spends up to {budget} from then on."),
            None => format!("The campaign starts, and spends up to {budget} from now on."),
        });
    }
    let names_budget = change.arguments.has("budget_amount") || change.arguments.has("budget_period");
    let old = change.before_budget();
    (change.is_active() && names_budget)
        .then(|| format!("The campaign runs: its budget is {budget} at once, instead of {old}."))
}

/// A campaign without its end runs until somebody pauses it.
fn moved_end(change: &CheckedChange<'_>) -> Option<String> {
    let (before, after) = (change.before_text("end_at")?, change.arguments.json("end_at")?);
    let end_of = |text: &str| text.parse::<Timestamp>().ok();
    let after = if after == "null" { None } else { change.arguments.text("end_at") };
    Some(match after {
        None => format!("The campaign does not end at {before} any more: it runs until somebody pauses it."),
        Some(_) if end_of(&before).is_some_and(|end| end <= change.now) => {
            format!("The campaign ended at {before} before this change: compare the new end.")
        }
        Some(after) if end_of(&after).zip(end_of(&before)).is_some_and(|(after, before)| after > before) => {
            format!("The campaign ends at {after} instead of {before}: it may spend for longer.")
        }
        Some(_) => return None,
    })
}

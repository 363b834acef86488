//! The campaign after a change, and what a person should know before it.

use super::ChangeKind;
use crate::arguments::{Arguments, object};
use crate::json::{shown, span};
use rust_decimal::Decimal;
use serde::Deserialize;
use shared::domain::money::decimal_from_number;
use shared::envelope::Members;

/// An amount of so many times the present budget may be a misread unit.
const SUSPICIOUS: u32 = 10;

/// A change that was checked.
pub(super) struct Planned<'a> {
    pub(super) kind: ChangeKind,
    /// The campaign as it is now; `None` for a create.
    pub(super) before: Option<&'a Members<'a>>,
    pub(super) arguments: &'a Arguments<'a>,
    pub(super) needs_approval: bool,
    /// Whether the campaign has all of the change already.
    pub(super) changes_nothing: bool,
}

impl Planned<'_> {
    /// The campaign after the change, as a JSON object.
    pub(super) fn after(&self) -> String {
        match self.kind {
            ChangeKind::Create => self.arguments.with("status", "PAUSED"),
            ChangeKind::Update => {
                let before = self.before.into_iter().flatten();
                let changed = |name: &str, json| self.arguments.json(name).map_or_else(|| json_of(json), str::to_owned);
                object(before.map(|(name, json)| (name.as_str(), changed(name, json))))
            }
            ChangeKind::Delete => {
                let before = self.before.into_iter().flatten();
                let removed =
                    |name: &str, json| if name == "status" { "\"REMOVED\"".to_owned() } else { json_of(json) };
                object(before.map(|(name, json)| (name.as_str(), removed(name, json))))
            }
        }
    }

    fn before_text(&self, name: &str) -> Option<String> {
        read(self.before?, name)
    }

    fn before_amount(&self) -> Option<Decimal> {
        let json = self.before?.iter().find(|(known, _)| known == "budget_amount")?.1.get();
        decimal_from_number(json).ok()
    }

    fn after_amount(&self) -> Option<Decimal> {
        self.arguments
            .json("budget_amount")
            .and_then(|json| decimal_from_number(json).ok())
            .or_else(|| self.before_amount())
    }

    fn after_text(&self, name: &str) -> Option<String> {
        self.arguments.text(name).or_else(|| self.before_text(name))
    }

    /// The budget after the change, in words.
    fn budget(&self) -> String {
        match (self.after_amount(), self.after_text("currency")) {
            (Some(amount), Some(currency)) => {
                shown(amount, &currency) + span(self.after_text("budget_period").as_deref())
            }
            _ => "a budget that is not the campaign's own".to_owned(),
        }
    }
}

fn json_of(json: &serde_json::value::RawValue) -> String {
    json.get().to_owned()
}

fn read<'a, T: Deserialize<'a>>(members: &'a Members<'a>, name: &str) -> Option<T> {
    serde_json::from_str(members.iter().find(|(known, _)| known == name)?.1.get()).ok()
}

/// What a person should know before the change.
pub(super) fn warnings(planned: &Planned<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    if planned.changes_nothing {
        warnings.push("Nothing would change: the campaign has all of this already.".to_owned());
    }
    if planned.kind == ChangeKind::Delete {
        warnings.push("The campaign is removed for good. pause_campaign stops it for a while.".to_owned());
        return warnings;
    }
    warnings.extend(suspicious_amount(planned));
    warnings.extend(running(planned));
    if planned.needs_approval {
        warnings.push("A person has to approve this change on the dashboard. It waits until they do.".to_owned());
    }
    warnings
}

/// A new budget of ten times the present one, or more.
fn suspicious_amount(planned: &Planned<'_>) -> Option<String> {
    let (before, after) = (planned.before_amount()?, planned.after_amount()?);
    let threshold = before.checked_mul(SUSPICIOUS.into())?;
    (after >= threshold && before > Decimal::ZERO).then(|| {
        format!(
            "The new budget is {SUSPICIOUS} times the present one or more. Amounts are whole units: is {} really meant?",
            planned.budget()
        )
    })
}

/// What spends money after the change.
fn running(planned: &Planned<'_>) -> Option<String> {
    let was_active = planned.before_text("status").as_deref() == Some("ACTIVE");
    let is_active = planned.after_text("status").as_deref() == Some("ACTIVE");
    let budget = planned.budget();
    match (planned.kind, was_active, is_active) {
        (ChangeKind::Create, ..) => {
            Some("The campaign is created paused, and spends nothing until it is started.".to_owned())
        }
        (_, false, true) => Some(format!("The campaign starts, and spends up to {budget} from then on.")),
        (_, true, true) if planned.arguments.json("budget_amount").is_some() => {
            Some(format!("The campaign runs: its budget is {budget} at once."))
        }
        _ => None,
    }
}

//! Reads the request fields that are equal in both shapes.

use super::fields::Fields;
use super::request::DateRequest;
use crate::domain::{
    AmountRule, BudgetPeriod, CampaignDraft, ChoiceRule, Currency, Goal, MAX_NAME_CHARS, Moment, Reference, TextRule,
    TimeRule,
};
use rust_decimal::Decimal;

/// The required fields of a campaign to create, as far as they could be read.
pub(super) struct RequiredFields {
    name: Option<String>,
    goal: Option<Goal>,
    budget_amount: Option<Decimal>,
    budget_period: Option<BudgetPeriod>,
}

impl RequiredFields {
    /// Reads them, with the shape's goals and periods.
    pub(super) fn read(
        fields: &mut Fields<'_>,
        goals: &[(&'static str, Goal)],
        periods: &[BudgetPeriod],
    ) -> RequiredFields {
        let starts_paused = "cannot be chosen: a campaign starts PAUSED; activate it with PATCH /v1/campaigns/{id}";
        fields.refuse("status", starts_paused);
        RequiredFields {
            name: name(fields),
            goal: goal(fields, goals),
            budget_amount: budget_amount(fields),
            budget_period: budget_period(fields, periods),
        }
    }

    /// The draft with these fields and with dates. Each field that is missing becomes an error.
    pub(super) fn draft(
        self,
        fields: &mut Fields<'_>,
        start_at: Option<Moment>,
        end_at: Option<Moment>,
    ) -> Option<CampaignDraft> {
        let name = fields.require("name", self.name);
        let goal = fields.require("goal", self.goal);
        let amount = fields.require("budget_amount", self.budget_amount);
        let period = fields.require("budget_period", self.budget_period);
        Some(CampaignDraft { start_at, end_at, ..CampaignDraft::new(name?, goal?, amount?, period?) })
    }
}

/// Reads `name`.
pub(super) fn name(fields: &mut Fields<'_>) -> Option<String> {
    let name = fields.string("name")?;
    if !fields.check_text("name", &name, MAX_NAME_CHARS) {
        return None;
    }
    // Platforms trim names. Reconciliation could not find the campaign by its name.
    if name.trim() != name {
        fields.add_error("name", TextRule::Trimmed);
        return None;
    }
    Some(name)
}

/// Reads `budget_amount`.
pub(super) fn budget_amount(fields: &mut Fields<'_>) -> Option<Decimal> {
    let amount = fields.decimal("budget_amount")?;
    if amount <= Decimal::ZERO {
        fields.add_error("budget_amount", AmountRule::Positive);
        return None;
    }
    Some(amount)
}

/// Reads `budget_period`, one of the shape's periods. The flat shape has no months, and says which has.
pub(super) fn budget_period(fields: &mut Fields<'_>, allowed: &[BudgetPeriod]) -> Option<BudgetPeriod> {
    let names: Vec<&str> = allowed.iter().map(|period| period.as_str()).collect();
    let names = names.join(", ");
    let text = fields.choice("budget_period", || names.clone())?;
    let period = allowed.iter().copied().find(|period| period.as_str() == text);
    if period.is_none() {
        let elsewhere = if text == BudgetPeriod::Monthly.as_str() {
            "; MONTHLY is one of the enveloped shape: send X-API-Shape: enveloped with its names"
        } else {
            ""
        };
        fields.add_error("budget_period", ChoiceRule::OneOf(format!("{names}{elsewhere}")));
    }
    period
}

/// Reads `currency`: the one that the caller expects.
pub(super) fn currency(fields: &mut Fields<'_>) -> Option<Currency> {
    let code = fields.string("currency")?;
    let currency = Currency::from_code(&code);
    if currency.is_none() {
        fields.add_error("currency", "must be an ISO 4217 currency code, such as USD");
    }
    currency
}

/// Reads `reference`: the caller's own.
pub(super) fn reference(fields: &mut Fields<'_>) -> Option<Reference> {
    let text = fields.string("reference")?;
    let reference = Reference::parse(&text);
    if reference.is_none() {
        fields.add_error("reference", Reference::RULE);
    }
    reference
}

/// Reads `goal`, one of the shape's goals.
fn goal(fields: &mut Fields<'_>, goals: &[(&'static str, Goal)]) -> Option<Goal> {
    let names: Vec<&str> = goals.iter().map(|(name, _)| *name).collect();
    fields.one_of("goal", &names, |name| goals.iter().find(|(known, _)| *known == name).map(|(_, goal)| *goal))
}

/// Reads `start_at` and `end_at`. The end must be after the start.
pub(super) fn dates(fields: &mut Fields<'_>) -> (Option<Moment>, Option<Moment>) {
    let start = moment(fields, "start_at");
    let end = moment(fields, "end_at");
    let is_reversed = match (start, end) {
        (Some(Moment::Instant(start)), Some(Moment::Instant(end))) => end <= start,
        (Some(Moment::Day(start)), Some(Moment::Day(end))) => end < start,
        // A date and an instant compare in the account's time zone, which the adapter knows.
        _ => false,
    };
    if is_reversed {
        fields.add_error("end_at", TimeRule::AfterStart);
    }
    (start, end)
}

/// Refuses what a campaign keeps for its life.
pub(super) fn refuse_fixed(fields: &mut Fields<'_>) {
    for name in ["goal", "platform"] {
        fields.refuse(name, "cannot be changed; create another campaign with POST /v1/campaigns");
    }
}

/// Reads the new dates of an update. A null takes one away.
pub(super) fn new_dates(fields: &mut Fields<'_>) -> DateRequest {
    let (has_start, has_end) = (fields.has("start_at"), fields.has("end_at"));
    let (start, end) = dates(fields);
    DateRequest { start_at: has_start.then_some(start), end_at: has_end.then_some(end) }
}

fn moment(fields: &mut Fields<'_>, field: &str) -> Option<Moment> {
    let text = fields.nullable_string(field)?;
    let moment = Moment::parse(&text);
    if moment.is_none() {
        fields.add_error(field, moment_error(&text));
    }
    moment
}

/// The requirement for a moment, as an error.
fn moment_error(text: &str) -> TimeRule {
    let digits: String =
        text.chars().map(|character| if character.is_ascii_digit() { '0' } else { character }).collect();
    if digits == "0000-00-00" { TimeRule::CalendarDay } else { TimeRule::Moment }
}

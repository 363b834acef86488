//! What a change has really changed: the notice tells it, and its button undoes it.

use super::sent::{Changes, named_period};
use super::wire::Campaign;
use crate::kit::amount::Amount;
use crate::kit::money;
use crate::pages::layout::isolated;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use shared::domain::money::decimal_from_number;
use shared::domain::{Action, BudgetPeriod, CampaignStatus, CampaignValues, Change, ChangeState};

/// A value before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair<T> {
    before: T,
    after: T,
}

/// The fields that an applied update has changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Saved<'a> {
    name: Option<Pair<&'a str>>,
    status: Option<Pair<&'a str>>,
    budget: Option<Pair<Decimal>>,
    /// The period of the budget.
    period: Option<Pair<&'a str>>,
    currency: &'a str,
    /// The campaign after it, for people: its name, and its budget.
    campaign: &'a str,
    spends: String,
}

impl<T: PartialEq> Pair<T> {
    /// A requested field that differs.
    fn of(is_requested: bool, before: Option<T>, after: Option<T>) -> Option<Pair<T>> {
        let (before, after) = (before?, after?);
        (is_requested && before != after).then_some(Pair { before, after })
    }

    fn reversed(self) -> Pair<T> {
        Pair { before: self.after, after: self.before }
    }
}

impl<'a> Saved<'a> {
    /// Reads a change; `None` for one that is no update, or that is not applied.
    pub(super) fn of(change: &'a Change) -> Option<Saved<'a>> {
        let Change { action: Action::Update(requested), state: ChangeState::Applied, .. } = change else { return None };
        let (before, after) = (change.values_before()?, change.after.as_ref()?);
        let period = |values: &CampaignValues| values.budget_period.map(BudgetPeriod::as_str);
        let currency = after.currency.code();
        Some(Saved {
            name: Pair::of(requested.name.is_some(), Some(before.name.as_str()), Some(after.name.as_str())),
            status: Pair::of(requested.status.is_some(), Some(status(before)), Some(status(after))),
            budget: Pair::of(requested.names_budget(), before.budget_amount, after.budget_amount),
            period: period(before).zip(period(after)).map(|(before, after)| Pair { before, after }),
            currency,
            campaign: &after.name,
            spends: match after.budget_amount {
                Some(amount) => money::exact_budget(amount, currency, period(after)),
                None => "its budget".to_owned(),
            },
        })
    }

    /// What is saved: `Saved: name, budget 10.00 to 12.50 USD.` In a list it names the campaign.
    pub(super) fn words(&self, is_in_list: bool) -> String {
        let name = if is_in_list { format!(" {}", isolated(self.campaign)) } else { String::new() };
        let status = self.status.map(|status| match status.after {
            "PAUSED" => format!("Paused{name}: nothing is spent until you activate it."),
            "ACTIVE" => format!("Activated{name}: its platform may spend {}.", self.spends),
            _ => format!("Saved{name}: status."),
        });
        let budget = self.budget.map(|Pair { before, after }| {
            let of = |amount, period| money::exact_budget(amount, self.currency, period);
            match self.other_period() {
                Some(other) => format!("budget {} to {}", of(before, Some(other.before)), of(after, Some(other.after))),
                None => format!("budget {} to {}", money::shown(before, self.currency), of(after, None)),
            }
        });
        let fields: Vec<String> = self.name.map(|_| "name".to_owned()).into_iter().chain(budget).collect();
        let fields = (!fields.is_empty()).then(|| format!("Saved{name}: {}.", fields.join(", ")));
        let sentences: Vec<String> = status.into_iter().chain(fields).collect();
        if sentences.is_empty() {
            "Nothing is changed: the values are as before.".to_owned()
        } else {
            sentences.join(" ")
        }
    }

    /// The change that undoes this one. A platform takes no status back but a pause and an activation, and a budget of
    /// another period is chosen on the campaign's page.
    pub(super) fn undone(&self) -> Option<Saved<'a>> {
        let status = match self.status {
            None => None,
            Some(Pair { before: "ACTIVE", after }) => Some(Pair { before: after, after: "ACTIVE" }),
            Some(Pair { before: "PAUSED" | "DRAFT", after }) => Some(Pair { before: after, after: "PAUSED" }),
            Some(_) => return None,
        };
        if self.budget.is_some() && self.other_period().is_some() {
            return None;
        }
        let (name, budget) = (self.name.map(Pair::reversed), self.budget.map(Pair::reversed));
        if (name, status, budget) == (None, None, None) {
            return None;
        }
        let campaign = name.map_or(self.campaign, |name| name.after);
        Some(Saved { name, status, budget, campaign, spends: "its budget".to_owned(), ..*self })
    }

    /// The periods of a budget that has another one.
    fn other_period(&self) -> Option<Pair<&'a str>> {
        self.period.filter(|period| period.before != period.after)
    }

    /// The body of the request for it.
    pub(super) fn changes(&self) -> Changes<'a> {
        Changes {
            name: self.name.map(|name| name.after),
            status: self.status.map(|status| status.after),
            budget_amount: self.budget.map(|budget| Amount::typed(&budget.after.normalize().to_string())),
            budget_period: self.budget.and(named_period(self.period.map(|period| period.after))),
        }
    }

    /// Whether a campaign has the values from before it.
    pub(super) fn is_ahead_of(&self, campaign: &Campaign) -> bool {
        self.is_at(campaign, |pair| pair.before, |pair| pair.before)
    }

    /// Whether a campaign has the values from after it.
    pub(super) fn holds_in(&self, campaign: &Campaign) -> bool {
        self.is_at(campaign, |pair| pair.after, |pair| pair.after)
    }

    fn is_at(
        &self,
        campaign: &Campaign,
        text: impl Fn(Pair<&'a str>) -> &'a str,
        amount: impl Fn(Pair<Decimal>) -> Decimal,
    ) -> bool {
        self.name.is_none_or(|name| text(name) == campaign.name)
            && self.status.is_none_or(|status| text(status) == campaign.status)
            && self.budget.is_none_or(|budget| campaign.amount() == Some(amount(budget)))
    }
}

/// The status as the enveloped shape names it, which has no name for an ended campaign.
fn status(values: &CampaignValues) -> &'static str {
    match values.status {
        CampaignStatus::Ended => CampaignStatus::Active.as_str(),
        status => status.as_str(),
    }
}

/// An amount of the API; `None` for a number that no decimal holds.
pub(super) fn decimal(number: &RawValue) -> Option<Decimal> {
    decimal_from_number(number.get()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::sample;
    use shared::domain::CampaignChanges;

    /// The change of a paused campaign with 10 a day, which is read with these values before and after it.
    fn change(requested: CampaignChanges, before: CampaignValues, after: CampaignValues) -> Change {
        let (before, after) = (Some(before), Some(after));
        Change { state: ChangeState::Applied, before, after, ..sample::update(requested) }
    }

    fn spring() -> CampaignValues {
        CampaignValues { budget_amount: Some(10.into()), ..sample::values("Spring") }
    }

    fn with_status(status: CampaignStatus) -> CampaignValues {
        CampaignValues { status, ..spring() }
    }

    fn with_budget(amount: i64, period: BudgetPeriod) -> CampaignValues {
        CampaignValues { budget_amount: Some(amount.into()), budget_period: Some(period), ..spring() }
    }

    fn named(name: &str) -> CampaignChanges {
        CampaignChanges { name: Some(name.to_owned()), ..CampaignChanges::default() }
    }

    fn budget(amount: i64) -> CampaignChanges {
        CampaignChanges { budget_amount: Some(amount.into()), ..CampaignChanges::default() }
    }

    fn campaign(name: &str, status: &str, budget: &str) -> Campaign {
        let text = format!(
            r#"{{"id":"alpha_1_2","platform":"ALPHA","organization_id":"1","name":"{name}","status":"{status}",
                "goal":"LEADS","budget_amount":{budget},"budget_period":"DAILY","currency":"USD"}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    fn renamed() -> Change {
        let amount = Some(Decimal::new(125, 1));
        let after = CampaignValues { name: "Summer".to_owned(), budget_amount: amount, ..spring() };
        change(CampaignChanges { budget_amount: amount, ..named("Summer") }, spring(), after)
    }

    #[test]
    fn only_what_differs_is_told() {
        let words = |change: &Change| Saved::of(change).unwrap().words(false);
        assert_eq!(words(&renamed()), "Saved: name, budget 10.00 to 12.50 USD.");
        let same = CampaignChanges { budget_amount: Some(12.into()), ..named("Spring") };
        let same = change(same, spring(), with_budget(12, BudgetPeriod::Daily));
        assert_eq!(words(&same), "Saved: budget 10.00 to 12.00 USD.");
        let (active, paused) = (CampaignStatus::Active, CampaignStatus::Paused);
        let activated = change(CampaignChanges::of_status(active), spring(), with_status(active));
        assert_eq!(words(&activated), "Activated: its platform may spend 10.00 USD a day.");
        let paused = change(CampaignChanges::of_status(paused), with_status(active), spring());
        let in_list = Saved::of(&paused).unwrap().words(true);
        assert_eq!(in_list, "Paused “\u{2068}Spring\u{2069}”: nothing is spent until you activate it.");
        let nothing = change(CampaignChanges::of_status(active), with_status(active), with_status(active));
        assert_eq!(words(&nothing), "Nothing is changed: the values are as before.");
    }

    #[test]
    fn an_undo_is_the_inverse_of_what_differs() {
        let change = renamed();
        let undone = Saved::of(&change).unwrap().undone().unwrap();
        assert_eq!(serde_json::to_string(&undone.changes()).unwrap(), r#"{"name":"Spring","budget_amount":10}"#);
        assert_eq!(undone.words(false), "Saved: name, budget 12.50 to 10.00 USD.");
    }

    #[test]
    fn a_monthly_budget_keeps_its_period_and_another_period_is_not_undone() {
        let (daily, monthly) = (BudgetPeriod::Daily, BudgetPeriod::Monthly);
        let raised = change(budget(3_500), with_budget(3_000, monthly), with_budget(3_500, monthly));
        let undone = Saved::of(&raised).unwrap().undone().unwrap();
        let body = serde_json::to_string(&undone.changes()).unwrap();
        assert_eq!(body, r#"{"budget_amount":3000,"budget_period":"MONTHLY"}"#);
        let begun = CampaignChanges { budget_period: Some(monthly), ..budget(3_000) };
        let begun = change(begun, with_budget(20, daily), with_budget(3_000, monthly));
        let saved = Saved::of(&begun).unwrap();
        assert_eq!(saved.words(false), "Saved: budget 20.00 USD a day to 3,000.00 USD a month.");
        assert_eq!(saved.undone(), None);
    }

    #[test]
    fn an_activation_of_a_draft_is_undone_by_a_pause_and_a_removal_by_nothing() {
        let active = CampaignStatus::Active;
        let activated = |from| change(CampaignChanges::of_status(active), with_status(from), with_status(active));
        let draft = activated(CampaignStatus::Draft);
        let undone = Saved::of(&draft).unwrap().undone().unwrap();
        assert_eq!(serde_json::to_string(&undone.changes()).unwrap(), r#"{"status":"PAUSED"}"#);
        assert_eq!(Saved::of(&activated(CampaignStatus::Archived)).unwrap().undone(), None);
        let nothing = change(named("Spring"), spring(), spring());
        assert_eq!(Saved::of(&nothing).unwrap().undone(), None);
    }

    #[test]
    fn a_campaign_is_compared_by_the_changed_fields_alone() {
        let change = renamed();
        let undone = Saved::of(&change).unwrap().undone().unwrap();
        assert!(undone.is_ahead_of(&campaign("Summer", "ACTIVE", "12.50")), "another status");
        assert!(!undone.is_ahead_of(&campaign("Summer", "PAUSED", "13")), "another budget");
        assert!(!undone.is_ahead_of(&campaign("Autumn", "PAUSED", "12.5")), "another name");
        assert!(undone.holds_in(&campaign("Spring", "PAUSED", "10.0")));
    }
}

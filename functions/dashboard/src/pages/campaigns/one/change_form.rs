//! The form that changes a campaign. It carries the values that the page showed, so that only a difference is sent.

use crate::client::campaigns::{CampaignEdit, MONTHLY};
use crate::kit::amount::{Amount, decimal};
use crate::kit::campaign::period_word;
use crate::kit::campaign_forms::{PERIOD_FIELD, TIME_FIELD};
use crate::kit::choice::{Choice, choices};
use crate::kit::form_errors::FormError;
use crate::kit::form_fields::pick;
use crate::kit::large_budget::{ASKED_FIELD, a_day, times};
use crate::kit::moment::moment;
use crate::kit::money;
use crate::kit::text::readable;
use crate::pages::campaigns::filter::Filter;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::BudgetPeriod;
use shared::envelope::query::value;

/// The fields that a preview shows again.
const FIELDS: [&str; 10] = [
    "id",
    "name",
    "was_name",
    "budget_amount",
    "was_budget_amount",
    PERIOD_FIELD,
    WAS_PERIOD_FIELD,
    "currency",
    TIME_FIELD,
    "list",
];
/// The period that the page showed.
pub(super) const WAS_PERIOD_FIELD: &str = "was_budget_period";
/// The periods that a campaign can be given.
const DAY_OR_MONTH: [BudgetPeriod; 2] = [BudgetPeriod::Daily, BudgetPeriod::Monthly];

/// The values of the form.
pub(super) struct ChangeForm {
    pub(super) id: String,
    pub(super) was_name: String,
    pub(super) name: String,
    /// `None` for a campaign without a budget of its own.
    pub(super) budget: Option<Budget>,
    /// The time of the change as a person filled it in; empty for now.
    pub(super) apply_at: String,
    /// The query string of the list that the person came from.
    pub(super) list: String,
}

/// The budget in the form.
pub(super) struct Budget {
    pub(super) currency: String,
    pub(super) was_amount: String,
    pub(super) amount: String,
    pub(super) was_period: String,
    pub(super) period: String,
}

impl Budget {
    /// The form with this daily budget in place of the monthly one; as it is for another budget.
    pub(super) fn with_daily(self, daily: Option<Decimal>) -> Budget {
        let daily = daily.filter(|daily| self.was_period == MONTHLY && *daily > Decimal::ZERO);
        let Some(daily) = daily else { return self };
        let amount = money::form_amount(daily, &self.currency);
        Budget { amount, period: BudgetPeriod::Daily.as_str().to_owned(), ..self }
    }

    /// Whether saving it ends a monthly budget.
    pub(super) fn ends_month(&self) -> bool {
        self.was_period == MONTHLY && self.period != MONTHLY
    }

    /// The id of what stands below the field; empty if nothing does.
    pub(super) fn hint_id(&self) -> &'static str {
        if self.ends_month() { "budget-hint" } else { "" }
    }

    /// The periods that can be chosen; none for a budget of the whole run.
    pub(super) fn periods(&self) -> Vec<Choice> {
        let known = DAY_OR_MONTH.map(|period| (period.as_str(), period_word(period)));
        let has_choice = known.iter().any(|(period, _)| *period == self.was_period);
        if has_choice { choices(&known, &self.period) } else { Vec::new() }
    }
}

impl ChangeForm {
    /// Whether more than the budget is filled in, which the page then does not fold.
    pub(super) fn has_more(&self) -> bool {
        self.name != self.was_name || !self.apply_at.is_empty()
    }

    /// The form as a person filled it in.
    pub(super) fn from_form(form: &[(String, String)]) -> ChangeForm {
        let field = |name| value(form, name).unwrap_or_default().to_owned();
        let budget = |was: &str| Budget {
            currency: field("currency"),
            was_amount: was.to_owned(),
            amount: field("budget_amount"),
            was_period: field(WAS_PERIOD_FIELD),
            period: field(PERIOD_FIELD),
        };
        ChangeForm {
            id: field("id"),
            was_name: field("was_name"),
            name: field("name"),
            budget: value(form, "was_budget_amount").map(budget),
            apply_at: field(TIME_FIELD),
            list: Filter::of_form(form).list(),
        }
    }
}

/// The values that a preview shows again. What a preview has shown is asked about no more.
pub(super) fn fields_to_keep(form: &[(String, String)]) -> Vec<(String, String)> {
    let period = value(form, PERIOD_FIELD).or(value(form, WAS_PERIOD_FIELD)).unwrap_or_default();
    let asked = value(form, "budget_amount").map(|amount| (ASKED_FIELD.to_owned(), format!("{amount} {period}")));
    pick(form, &FIELDS).into_iter().chain(asked).collect()
}

/// The fields that differ from what the page showed, which the form carries as `was_…`.
pub(super) fn edit(form: &[(String, String)]) -> CampaignEdit<'_> {
    let changed = |name: &str, shown: &str| {
        let typed = value(form, name)?.trim();
        (typed != value(form, shown).unwrap_or_default().trim()).then_some(typed)
    };
    let budget_amount = changed("budget_amount", "was_budget_amount").filter(|typed| !is_same_amount(typed, form));
    let budget_amount = budget_amount.map(Amount::parse);
    let of_month = value(form, PERIOD_FIELD).filter(|period| *period == MONTHLY && budget_amount.is_some());
    CampaignEdit {
        name: changed("name", "was_name"),
        status: value(form, "status").filter(|status| !status.is_empty()),
        budget_period: changed(PERIOD_FIELD, WAS_PERIOD_FIELD).or(of_month),
        budget_amount,
    }
}

/// Whether an amount is the one that the page showed, however it is written.
fn is_same_amount(typed: &str, form: &[(String, String)]) -> bool {
    let shown = value(form, "was_budget_amount").and_then(decimal);
    shown.is_some() && decimal(typed) == shown
}

/// The error of a form with another budget period and no new amount.
pub(super) fn lacks_amount(form: &[(String, String)]) -> Option<FormError> {
    let CampaignEdit { budget_amount, budget_period, .. } = edit(form);
    let per = if budget_period? == MONTHLY { "monthly" } else { "daily" };
    budget_amount.is_none().then(|| FormError::new("budget_amount", format!("Write the {per} budget.")))
}

/// The question about a budget that is many times what the page showed. The same amount sent again is the answer.
pub(super) fn leaps(form: &[(String, String)]) -> Option<FormError> {
    let amount = |field| decimal(value(form, field)?);
    let period = |field| BudgetPeriod::parse(value(form, field)?);
    let (typed, shown) = (amount("budget_amount")?, amount("was_budget_amount")?);
    let was = period(WAS_PERIOD_FIELD);
    let sent = period(PERIOD_FIELD).or(was);
    let (asked, asked_period) =
        value(form, ASKED_FIELD).map_or(("", ""), |asked| asked.split_once(' ').unwrap_or((asked, "")));
    if decimal(asked) == Some(typed) && BudgetPeriod::parse(asked_period).or(was) == sent {
        return None;
    }
    // A month is its days.
    let times = times(a_day(typed, sent)?, a_day(shown, was)?)?;
    let question = format!("That is {times} times the current budget. Save again if you mean it.");
    Some(FormError::new("budget_amount", question))
}

/// The time of the form for the API; `None` for now.
pub(super) fn time(form: &[(String, String)]) -> Option<String> {
    moment(value(form, TIME_FIELD).unwrap_or_default().trim())
}

/// The time of the form for people; `None` for now.
pub(super) fn readable_time(form: &[(String, String)]) -> Option<String> {
    let at = time(form)?;
    Some(at.parse::<Timestamp>().map_or(at, readable))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields::form;

    fn sent(fields: &[(&str, &str)]) -> String {
        serde_json::to_string(&edit(&form(fields))).unwrap()
    }

    #[test]
    fn only_what_differs_is_sent() {
        let shown = [("was_name", "Spring"), ("was_budget_amount", "25.5")];
        assert_eq!(sent(&[&shown[..], &[("name", "Spring"), ("budget_amount", "25.5")]].concat()), "{}");
        let both = [&shown[..], &[("name", "Summer"), ("budget_amount", "60.25")]].concat();
        assert_eq!(sent(&both), r#"{"name":"Summer","budget_amount":60.25}"#);
        assert_eq!(sent(&[&shown[..], &[("budget_amount", "")]].concat()), r#"{"budget_amount":""}"#);
        assert_eq!(sent(&[("status", "ACTIVE")]), r#"{"status":"ACTIVE"}"#);
        assert_eq!(sent(&[&shown[..], &[("budget_amount", "25,50")]].concat()), "{}", "the same amount");
        assert_eq!(sent(&[&shown[..], &[("budget_amount", "60,25")]].concat()), r#"{"budget_amount":60.25}"#);
    }

    #[test]
    fn a_monthly_budget_names_its_period_and_another_period_needs_its_amount() {
        let shown = [("was_budget_amount", "3000"), ("was_budget_period", "MONTHLY")];
        let typed =
            |amount, period| form(&[&shown[..], &[("budget_amount", amount), ("budget_period", period)]].concat());
        let sent = |amount, period| serde_json::to_string(&edit(&typed(amount, period))).unwrap();
        assert_eq!(sent("3000", "MONTHLY"), "{}");
        assert_eq!(sent("3500", "MONTHLY"), r#"{"budget_amount":3500,"budget_period":"MONTHLY"}"#);
        assert_eq!(sent("100", "DAILY"), r#"{"budget_amount":100,"budget_period":"DAILY"}"#);
        let error = lacks_amount(&typed("3000", "DAILY")).unwrap();
        assert_eq!((error.id.as_str(), error.message.as_str()), ("budget_amount", "Write the daily budget."));
        assert!(lacks_amount(&typed("3000.00", "DAILY")).is_some(), "the same amount");
        assert_eq!(lacks_amount(&typed("100", "DAILY")), None);
        assert_eq!(lacks_amount(&typed("3000", "MONTHLY")), None);
    }

    #[test]
    fn a_form_has_a_time_or_none() {
        assert_eq!(time(&form(&[("apply_at", "2026-12-24T17:00")])).as_deref(), Some("2026-12-24T17:00:00Z"));
        assert_eq!(time(&form(&[("apply_at", " ")])), None);
    }

    #[test]
    fn a_budget_of_many_times_the_former_is_asked_about_once() {
        let asked = |typed: &str, more: &[(&str, &str)]| {
            let fields =
                [&[("budget_amount", typed), ("was_budget_amount", "20.00"), ("currency", "USD")], more].concat();
            leaps(&form(&fields)).map(|error| error.message)
        };
        assert_eq!(asked("199.99", &[]), None);
        let question = "That is 10 times the current budget. Save again if you mean it.";
        assert_eq!(asked("200", &[]).as_deref(), Some(question));
        assert_eq!(asked("200", &[("asked_budget_amount", "200.00")]), None, "sent again");
        assert_eq!(asked("200,50", &[]).as_deref(), Some(question), "with a comma");
        assert_eq!(asked("200,50", &[("asked_budget_amount", "200,50")]), None);
        let a_day = [("was_budget_period", "MONTHLY"), ("budget_period", "DAILY")];
        let of_a_month = [a_day[0], a_day[1], ("asked_budget_amount", "200 MONTHLY")];
        assert!(asked("200", &of_a_month).is_some(), "a day was not asked about");
        assert_eq!(asked("200", &[a_day[0], a_day[1], ("asked_budget_amount", "200 DAILY")]), None);
        assert!(asked("20000", &[("asked_budget_amount", "200")]).is_some(), "another amount is another question");
        let of_month = [("budget_period", "MONTHLY"), ("was_budget_period", "DAILY")];
        assert_eq!(asked("600", &of_month), None, "a month has many days");
        assert!(asked("6080", &of_month).is_some(), "ten times as much on each of them");
        assert_eq!(asked("ten", &[]), None, "the API refuses it");
        let kept = fields_to_keep(&form(&[("budget_amount", "200"), ("was_budget_amount", "20")]));
        assert_eq!(leaps(&kept).map(|error| error.message), None, "a preview has shown it");
    }
}

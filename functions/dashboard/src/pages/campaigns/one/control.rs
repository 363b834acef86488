//! The budget and the status of a campaign, which a person opens its page to change: they stand first on it.

use super::change_form::{Budget, ChangeForm};
use crate::client::notice::Notice;
use crate::kit::campaign::{CampaignSummary, Switch};
use crate::kit::campaign_forms::{PERIOD_FIELD, TIME_FIELD};
use crate::kit::form_errors::FormError;
use crate::kit::large_budget::{ASKED_FIELD, KnownBudgets, SomeBudget};
use crate::kit::money;
use crate::kit::text::isolated;
use crate::pages::campaigns::form_page;
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, Campaign};
use shared::envelope::query::value;

/// The ids of the button that changes the status, and of the time at which another one does.
const SWITCH: &str = "switch";
const LATER: &str = "later-at";

/// What stands beside the form of a change.
#[derive(Default)]
pub(super) struct Control {
    /// The budget with which the page has asked whether the campaign is to be activated.
    pub(super) asked: Option<String>,
    /// The time of the form for a later time, as a person filled it in.
    pub(super) later_at: String,
    /// What its activation means.
    pub(super) words: Option<String>,
}

impl Control {
    /// That of a campaign. The notice may be the question about it.
    pub(super) fn of(campaign: &Campaign, notice: Option<&Notice>) -> Control {
        let notice = notice.filter(|notice| is_about(notice, &campaign.id.to_string()));
        // The form of a change has a name.
        let asked = notice.filter(|notice| notice.value("name").is_none());
        let of_notice = |field| asked.and_then(|notice| notice.value(field)).map(str::to_owned);
        Control {
            asked: of_notice(ASKED_FIELD),
            later_at: of_notice(TIME_FIELD).unwrap_or_default(),
            words: activation_words(campaign),
        }
    }
}

fn is_about(notice: &Notice, id: &str) -> bool {
    notice.value("id") == Some(id)
}

/// What the activation of a paused campaign means, and when it is of use.
fn activation_words(campaign: &Campaign) -> Option<String> {
    let summary = CampaignSummary::from(campaign);
    if summary.switch() != Some(Switch::Activate) || summary.is_month_spent {
        return None;
    }
    let has_spent = campaign.total_spend_amount.is_some_and(|spent| spent > Decimal::ZERO);
    let platform = campaign.id.platform().display_name();
    let when = if has_spent { String::new() } else { format!(" Activate it when its ads are ready at {platform}.") };
    let sums = SomeBudget::from(&summary).sums();
    let sums = sums.map(|sums| format!(" It may then spend {sums}.")).unwrap_or_default();
    Some(format!("It is paused: nothing is spent until you activate it.{when}{sums}"))
}

/// The question about an activation with a budget that is many times that of the other campaigns. A campaign that has
/// spent lately is not asked about, and an answer is the same form with the budget that was asked about (D200).
pub(super) fn activation_question(known: &KnownBudgets, form: &[(String, String)]) -> Option<Notice> {
    let id = form_page::id(form);
    let campaign = known.campaign(id).filter(|_| !known.spends(id))?;
    let amount = campaign.budget_amount?.normalize().to_string();
    if value(form, ASKED_FIELD) == Some(amount.as_str()) {
        return None;
    }
    let leap = known.leap(Some(id), campaign.into())?;
    let at = value(form, TIME_FIELD).map(str::trim).filter(|at| !at.is_empty());
    let (control, again) = match at {
        Some(_) => (LATER, "Send it again if you mean it."),
        None => (SWITCH, "Press Activate again if you mean it."),
    };
    let question = format!("Its budget of {} is {leap}. {again}", campaign.budget());
    let values = [("id", id), (ASKED_FIELD, amount.as_str())].into_iter().chain(at.map(|at| (TIME_FIELD, at)));
    Some(Notice {
        message: format!("{} is not activated yet:", isolated(&campaign.name)),
        errors: vec![FormError::new(control, question)],
        values: values.map(|(name, text)| (name.to_owned(), text.to_owned())).collect(),
        ..Notice::default()
    })
}

/// The form with the values of the campaign, or as a person filled it in before a failure.
pub(super) fn form(notice: Option<&Notice>, campaign: &Campaign, list: String) -> ChangeForm {
    let id = campaign.id.to_string();
    let filled = notice.filter(|notice| is_about(notice, &id));
    let typed = |name: &str, current: &str| filled.and_then(|notice| notice.value(name)).unwrap_or(current).to_owned();
    // The other forms of the page have no name.
    let apply_at = filled.filter(|notice| notice.value("name").is_some()).and_then(|notice| notice.value(TIME_FIELD));
    let period = campaign.budget_period.map_or("", BudgetPeriod::as_str);
    let currency = campaign.currency.code();
    let amount = campaign.budget_amount.map(|amount| money::form_amount(amount, currency));
    ChangeForm {
        was_name: campaign.name.clone(),
        name: typed("name", &campaign.name),
        budget: amount.map(|amount| Budget {
            amount: typed("budget_amount", &amount),
            was_amount: amount,
            period: typed(PERIOD_FIELD, period),
            was_period: period.to_owned(),
            currency: currency.to_owned(),
        }),
        apply_at: apply_at.unwrap_or_default().to_owned(),
        list,
        id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::campaign_sample::campaign;
    use crate::kit::form_fields::form as fields;
    use crate::kit::large_budget::tests::known;

    #[test]
    fn an_activation_with_a_very_large_budget_is_asked_about_once() {
        let known = known(&[1_000_000_000, 50]);
        let asked = |form: &[(&str, &str)]| activation_question(&known, &fields(form));
        let question = asked(&[("id", "alpha_1_0"), ("status", "ACTIVE")]).unwrap();
        assert_eq!(question.message, "“\u{2068}Spring\u{2069}” is not activated yet:");
        assert_eq!(
            (question.errors[0].id.as_str(), question.errors[0].message.as_str()),
            (
                "switch",
                "Its budget of 1,000,000,000.00 USD a day is 20,000,000 times the largest daily budget of your other \
                 campaigns in USD, 50.00. Press Activate again if you mean it."
            )
        );
        let control = Control::of(&campaign("alpha_1_0"), Some(&question));
        assert_eq!(control.asked.as_deref(), Some("1000000000"));
        assert!(asked(&[("id", "alpha_1_0"), ("asked_budget_amount", "1000000000")]).is_none(), "the answer");
        assert!(asked(&[("id", "alpha_1_0"), ("asked_budget_amount", "20")]).is_some(), "of another budget");
        assert!(asked(&[("id", "alpha_1_1")]).is_none() && asked(&[("id", "alpha_1_9")]).is_none());
        assert!(Control::of(&campaign("alpha_1_1"), Some(&question)).asked.is_none(), "of another campaign");
    }

    #[test]
    fn a_campaign_that_spends_is_activated_without_a_question() {
        let mut known = known(&[1_000_000_000, 50]);
        known.spending.insert(campaign("alpha_1_0").id);
        assert!(activation_question(&known, &fields(&[("id", "alpha_1_0")])).is_none());
    }

    #[test]
    fn a_later_activation_keeps_its_time_when_it_is_asked_about() {
        let form = fields(&[("id", "alpha_1_0"), ("apply_at", "2026-12-24T17:00")]);
        let question = activation_question(&known(&[900, 50]), &form).unwrap();
        let control = Control::of(&campaign("alpha_1_0"), Some(&question));
        assert_eq!((question.errors[0].id.as_str(), control.later_at.as_str()), ("later-at", "2026-12-24T17:00"));
        assert_eq!(super::form(Some(&question), &campaign("alpha_1_0"), String::new()).apply_at, "", "of another form");
    }

    #[test]
    fn what_an_activation_may_spend_is_said_before_it() {
        let words = |campaign: &Campaign| Control::of(campaign, None).words;
        let new = "It is paused: nothing is spent until you activate it. Activate it when its ads are ready at Google Ads. \
                   It may then spend 10.00 USD a day, 304.00 USD a month (30.4 days).";
        assert_eq!(words(&campaign("alpha_1_2")).as_deref(), Some(new));
        let spent = Campaign { total_spend_amount: Some(Decimal::ONE), ..campaign("alpha_1_2") };
        assert!(!words(&spent).unwrap().contains("ads"));
        let active = Campaign { status: shared::domain::CampaignStatus::Active, ..campaign("alpha_1_2") };
        assert_eq!(words(&active), None);
    }
}

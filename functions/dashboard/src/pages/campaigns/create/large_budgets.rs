//! What the budgets of the create form come to, and the question about one that is many times those of the team's other
//! campaigns (D200).

use crate::client::accounts::{Connection, of_target, target_name};
use crate::kit::amount::decimal;
use crate::kit::campaign_forms::{AccountValues, PERIOD_FIELD, own_field};
use crate::kit::form_errors::FormError;
use crate::kit::large_budget::{self, ASKED_FIELD, KnownBudgets, SomeBudget};
use crate::kit::money;
use shared::domain::BudgetPeriod;
use shared::envelope::query::value;

const AMOUNT_FIELD: &str = "budget_amount";

/// The questions about budgets, at their fields. One that the form has been asked about is answered.
pub(super) fn questions(
    accounts: &[AccountValues],
    connections: &[Connection],
    form: &[(String, String)],
    known: &KnownBudgets,
) -> Vec<FormError> {
    let mut questions: Vec<FormError> = Vec::new();
    for account in accounts {
        let is_asked = form.iter().any(|field| *field == answer(account, form));
        let Some(leap) = budget(account, connections, form).and_then(|budget| known.leap(None, budget)) else {
            continue;
        };
        let is_for_all = account.own(AMOUNT_FIELD).is_empty() && value(form, AMOUNT_FIELD).is_some();
        let question = format!("This is {leap}.");
        let question = if is_for_all {
            FormError::new(AMOUNT_FIELD, question)
        } else {
            let error = FormError::new(own_field(AMOUNT_FIELD, &account.target), question);
            FormError { at: target_name(&account.target, connections), ..error }
        };
        if !is_asked && !questions.contains(&question) {
            questions.push(question);
        }
    }
    questions
}

/// The values of a form with the answers to the questions about its budgets.
pub(super) fn with_answers(mut values: Vec<(String, String)>, accounts: &[AccountValues]) -> Vec<(String, String)> {
    values.retain(|(name, _)| name != ASKED_FIELD);
    let answers: Vec<_> = accounts.iter().map(|account| answer(account, &values)).collect();
    values.into_iter().chain(answers).collect()
}

/// The field that answers the question about the budget of an account.
fn answer(account: &AccountValues, form: &[(String, String)]) -> (String, String) {
    let [amount, period] = [AMOUNT_FIELD, PERIOD_FIELD].map(|field| account.value(field, form));
    (ASKED_FIELD.to_owned(), format!("{} {amount} {period}", account.target))
}

/// The budget of an account; `None` for one whose currency is not known.
fn budget(account: &AccountValues, connections: &[Connection], form: &[(String, String)]) -> Option<SomeBudget> {
    Some(SomeBudget {
        amount: decimal(account.value(AMOUNT_FIELD, form)),
        period: BudgetPeriod::parse(account.value(PERIOD_FIELD, form)),
        currency: of_target(&account.target, connections)?.currency?,
    })
}

/// The budget of an account for people: `25.50 USD a day`; `None` for one that is not known.
pub(super) fn budget_words(
    account: &AccountValues,
    connections: &[Connection],
    form: &[(String, String)],
) -> Option<String> {
    let SomeBudget { amount, period, currency } = budget(account, connections, form)?;
    amount.map(|amount| money::budget_of(Some(amount), currency, period))
}

/// What the budgets come to, for each currency and period.
pub(super) fn sums(accounts: &[AccountValues], connections: &[Connection], form: &[(String, String)]) -> Vec<String> {
    large_budget::sums(accounts.iter().filter_map(|account| budget(account, connections, form)))
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::connection;
    use super::*;
    use crate::kit::campaign_forms::{kept_create, ticked_accounts};
    use crate::kit::form_fields::form;
    use crate::kit::large_budget::tests::known;
    use shared::domain::Currency;

    fn connections() -> [Connection; 3] {
        let euro = Connection { currency: Currency::from_code("EUR"), ..connection("gamma_ads", "3", "ACTIVE") };
        [connection("alpha_ads", "1", "ACTIVE"), connection("beta_ads", "2", "ACTIVE"), euro]
    }

    fn asked(form: &[(String, String)]) -> Vec<FormError> {
        questions(&ticked_accounts(form), &connections(), form, &known(&[50]))
    }

    #[test]
    fn a_new_campaign_with_a_very_large_budget_is_asked_about_once() {
        let typed = |amount| {
            form(&[("targets", "ALPHA:1"), ("budget_amount.ALPHA:1", amount), ("budget_period.ALPHA:1", "DAILY")])
        };
        assert_eq!(asked(&typed("499")), []);
        let [question] = asked(&typed("1000000000")).try_into().unwrap();
        assert_eq!(
            (question.id.as_str(), question.message.as_str()),
            (
                "budget_amount.ALPHA:1",
                "This is 20,000,000 times the largest daily budget of your other campaigns in USD, 50.00."
            )
        );
        let sent_again = with_answers(kept_create(&typed("1000000000")), &ticked_accounts(&typed("1000000000")));
        assert_eq!(asked(&kept_create(&sent_again)), [], "the same form is the answer");
        let other = form(&[("targets", "ALPHA:1"), ("budget_amount", "2000000000"), ("budget_period", "DAILY")]);
        let answers = sent_again.into_iter().filter(|(name, _)| name == ASKED_FIELD);
        let other: Vec<_> = other.into_iter().chain(answers).collect();
        assert_eq!(asked(&other)[0].id, "budget_amount", "another amount is another question");
    }

    #[test]
    fn one_amount_for_all_is_one_question_and_another_currency_none() {
        let all = [("targets", "ALPHA:1"), ("targets", "BETA:2"), ("budget_amount", "900"), ("budget_period", "DAILY")];
        assert_eq!(asked(&form(&all)).len(), 1);
        let euro = [("targets", "GAMMA:3"), ("budget_amount", "900000"), ("budget_period", "DAILY")];
        assert_eq!(asked(&form(&euro)), [], "no other campaign is in EUR");
    }

    #[test]
    fn a_preview_says_what_the_budgets_come_to() {
        let form = form(&[
            ("targets", "ALPHA:1"),
            ("targets", "BETA:2"),
            ("targets", "GAMMA:3"),
            ("budget_amount", "600"),
            ("budget_period", "DAILY"),
            ("budget_amount.GAMMA:3", "1000000000"),
        ]);
        assert_eq!(
            sums(&ticked_accounts(&form), &connections(), &form),
            [
                "1,000,000,000.00 EUR a day, 30,400,000,000.00 EUR a month (30.4 days)",
                "1,200.00 USD a day, 36,480.00 USD a month (30.4 days)"
            ]
        );
    }
}

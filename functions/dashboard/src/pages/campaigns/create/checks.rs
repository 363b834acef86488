//! What is wrong with a create form before anything is sent: the accounts that are chosen, and for each account what the
//! body of a request and the platform's capabilities tell. So a mistake in one account creates nothing in the others.

use super::fields::choice_id;
use crate::client::accounts::{Connection, of_target};
use crate::kit::campaign_forms::{AccountValues, OWN_FIELDS, TARGETS_FIELD, own_field};
use crate::kit::form_errors::FormError;
use crate::kit::words::{Subject, requirement};
use shared::changes::require_amount;
use shared::domain::{BudgetPeriod, CampaignDraft, ChoiceRule, Currency, FieldError, Plan, Platform, Rule};
use shared::envelope::query::value;
use shared::envelope::request::MAX_TARGETS;
use shared::envelope::{Shape, read_create};
use shared::error::Error;
use shared::platforms::adapter;

const AMOUNT_FIELD: &str = "budget_amount";

/// What is wrong with the choice of accounts.
pub(super) fn choice_error(ticked: &[AccountValues], plan: Plan) -> Option<FormError> {
    let message = match ticked.len() {
        0 => "Choose an ad account.".to_owned(),
        1 => return None,
        _ if !plan.limits().has_targets => {
            "Your plan creates campaigns in one ad account at a time. Choose one.".to_owned()
        }
        count if count > MAX_TARGETS => format!("Choose at most {MAX_TARGETS} ad accounts. You chose {count}."),
        _ => return None,
    };
    Some(FormError::new(TARGETS_FIELD, message))
}

/// The accounts that have a budget and no tick. A person who types one means the account, or has left it there.
pub(super) fn without_tick(accounts: &[AccountValues]) -> Vec<&AccountValues> {
    accounts.iter().filter(|account| !account.is_ticked && !account.own(AMOUNT_FIELD).is_empty()).collect()
}

/// What is wrong with an account that has a budget and no tick.
pub(super) fn tick_error(account: &AccountValues, name: &str, plan: Plan) -> FormError {
    let verb = if plan.limits().has_targets { "Tick" } else { "Choose" };
    FormError::new(own_field(AMOUNT_FIELD, &account.target), format!("{verb} {name} or clear its budget."))
}

/// What is wrong with one amount for all accounts: those that have none of their own are not of one currency, and nothing
/// is converted. Without connections, which could not be read, no currency is known.
pub(super) fn shared_amount_error(
    ticked: &[AccountValues],
    connections: &[Connection],
    form: &[(String, String)],
) -> Option<FormError> {
    value(form, AMOUNT_FIELD).filter(|amount| !amount.trim().is_empty())?;
    let without_own: Vec<_> = ticked.iter().filter(|account| account.own(AMOUNT_FIELD).is_empty()).collect();
    if connections.is_empty() && without_own.len() > 1 {
        let message =
            "The currencies of the accounts could not be read. Give each account an amount, or send the form again.";
        return Some(FormError::new(AMOUNT_FIELD, message));
    }
    let currency = |account: &&AccountValues| of_target(&account.target, connections)?.currency.map(Currency::code);
    let mut currencies: Vec<&str> = without_own.iter().filter_map(currency).collect();
    currencies.sort_unstable();
    currencies.dedup();
    let message = format!(
        "The accounts without an amount of their own are in {}, and nothing is converted. Give each of them an amount.",
        currencies.join(" and ")
    );
    (currencies.len() > 1).then(|| FormError::new(AMOUNT_FIELD, message))
}

/// What is wrong with the request for an account, by the field in the API.
pub(super) fn field_errors(body: &str, platform: Platform, currency: Option<Currency>) -> Vec<FieldError> {
    let draft = match read_create(Shape::Enveloped, body.as_bytes()) {
        Ok(request) => request.draft,
        Err(error) => return error.details,
    };
    if draft.budget_period == BudgetPeriod::Monthly {
        return month_errors(draft, platform, currency);
    }
    let checked = adapter(platform).facts().capabilities.draft_errors(currency, &draft).into_result();
    details(checked)
}

/// The same for a monthly budget, which this service holds by a daily one.
fn month_errors(draft: CampaignDraft, platform: Platform, currency: Option<Currency>) -> Vec<FieldError> {
    let adapter = adapter(platform);
    let amount = match currency {
        Some(currency) => require_amount(adapter, &adapter.daily_budget_rule(currency), draft.budget_amount, currency),
        None => Ok(()),
    };
    let draft = CampaignDraft { budget_period: BudgetPeriod::Daily, ..draft };
    // Without a currency, so that no amount is checked here: the amount of the draft is that of a month.
    let others = adapter.facts().capabilities.draft_errors(None, &draft).into_result();
    [details(amount), details(others)].concat()
}

fn details(checked: Result<(), Error>) -> Vec<FieldError> {
    checked.map_or_else(|error| error.details, |()| Vec::new())
}

/// The sentence for an error of an account, at the control that mends it.
pub(super) fn form_error(
    account: &AccountValues,
    name: &str,
    form: &[(String, String)],
    error: &FieldError,
) -> FormError {
    let FieldError { field, rule } = error;
    let target = &account.target;
    let is_own = OWN_FIELDS.contains(&field.as_str());
    let label = match field.as_str() {
        "name" => "Name",
        "budget_amount" => "Budget",
        "budget_period" => "Period",
        "start_at" => "Start",
        "end_at" => "End",
        _ => "The ad account",
    };
    let typed = if is_own { account.value(field, form) } else { "" };
    let sentence = requirement(&Subject { field, label, typed }, rule);
    match field.as_str() {
        _ if is_own && is_for_all(account, error, form) => FormError::new(field.clone(), sentence),
        "name" => FormError::new("name", sentence),
        "goal" if !matches!(rule, Rule::Choice(ChoiceRule::Offered { .. })) => FormError::new("goal", sentence),
        _ if is_own => FormError { at: name.to_owned(), ..FormError::new(own_field(field, target), sentence) },
        _ => FormError { at: name.to_owned(), ..FormError::new(choice_id(target), sentence) },
    }
}

/// Whether an error lies with the value for all accounts: the account has none of its own, and no platform is named.
fn is_for_all(account: &AccountValues, error: &FieldError, form: &[(String, String)]) -> bool {
    let FieldError { field, rule } = error;
    let platform = Platform::from_upper(account.parts().0).map_or("", Platform::display_name);
    account.own(field).is_empty() && value(form, field).is_some() && !rule.to_string().contains(platform)
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::connection;
    use super::*;
    use crate::kit::campaign_forms::{accounts, ticked_accounts};
    use crate::kit::form_fields::form;
    use rust_decimal::Decimal;
    use shared::domain::AmountRule;

    fn account(own: [&str; 4]) -> AccountValues {
        AccountValues::of("BETA:2", own.map(str::to_owned))
    }

    fn found(platform: Platform, currency: &str, json: &str) -> Vec<String> {
        let body = format!(r#"{{"name":"Spring","platform":"{}","organization_id":"2",{json}}}"#, platform.as_upper());
        let errors = field_errors(&body, platform, Currency::from_code(currency));
        let account = account(["0.5", "", "", ""]);
        let shown = errors.iter().map(|error| form_error(&account, "Meta: 2", &[], error));
        shown.map(|error| format!("{} {}", error.id, error.message)).collect()
    }

    #[test]
    fn a_budget_below_the_platforms_minimum_is_told_at_its_field() {
        let json = r#""goal":"LEADS","budget_amount":0.5,"budget_period":"DAILY""#;
        assert_eq!(found(Platform::Beta, "USD", json), ["budget_amount.BETA:2 Meta needs at least 1.00 USD a day."]);
        assert!(found(Platform::Zeta, "USD", json).is_empty(), "no minimum is known");
    }

    #[test]
    fn a_monthly_budget_is_31_days_of_the_smallest() {
        let json = |amount: u32| format!(r#""goal":"LEADS","budget_amount":{amount},"budget_period":"MONTHLY""#);
        let month = "budget_amount.BETA:2 Meta needs at least 31.00 USD a month.";
        assert_eq!(found(Platform::Beta, "USD", &json(30)), [month]);
        assert!(found(Platform::Beta, "USD", &json(31)).is_empty());
        assert!(found(Platform::Alpha, "USD", &json(31).replace("LEADS", "APP_PROMOTION"))[0].contains("this goal"));
    }

    #[test]
    fn a_goal_that_is_missing_is_told_at_the_account() {
        let json = r#""goal":"APP_PROMOTION","budget_amount":50,"budget_period":"LIFETIME""#;
        assert_eq!(
            found(Platform::Alpha, "USD", json),
            [
                "targets.BETA:2 Google Ads does not have this goal.",
                "end_at.BETA:2 Google Ads needs an end for a budget of the whole run."
            ]
        );
    }

    #[test]
    fn what_the_body_lacks_is_told_at_its_fields() {
        let json = r#""goal":"X","budget_amount":"0,5","budget_period":"DAILY","start_at":"soon""#;
        let errors = found(Platform::Beta, "USD", json);
        for line in ["goal Choose a goal.", "start_at.BETA:2 Choose a date."] {
            assert!(errors.iter().any(|error| error == line), "{errors:?}");
        }
        let amount = FieldError::new("budget_amount", AmountRule::Number);
        let error = form_error(&account(["1,234", "", "", ""]), "Meta: 2", &[], &amount);
        let message = "1,234 can be read two ways: write 1234 or 1.234.";
        assert_eq!((error.message.as_str(), error.at.as_str()), (message, "Meta: 2"));
    }

    #[test]
    fn a_mistake_in_the_line_for_all_is_told_there() {
        let form = [("budget_amount".to_owned(), "1,234".to_owned())];
        let (amount, currency, platform) = (Decimal::ONE, Currency::from_code("USD").unwrap(), Platform::Beta);
        let at_least = AmountRule::AtLeast { amount, currency, per: BudgetPeriod::Daily, platform };
        let id = |own: [&str; 4], form: &[(String, String)], rule: AmountRule| {
            let error = FieldError::new("budget_amount", rule);
            form_error(&account(own), "Meta: 2", form, &error).id
        };
        assert_eq!(id([""; 4], &form, AmountRule::Number), "budget_amount");
        assert_eq!(id([""; 4], &form, at_least), "budget_amount.BETA:2");
        assert_eq!(id(["x", "", "", ""], &form, AmountRule::Number), "budget_amount.BETA:2");
        assert_eq!(id([""; 4], &[], AmountRule::Number), "budget_amount.BETA:2", "there is no such line");
    }

    #[test]
    fn an_amount_for_all_is_one_of_one_currency() {
        let yen = Connection { currency: Currency::from_code("JPY"), ..connection("gamma_ads", "3", "ACTIVE") };
        let connections = [connection("alpha_ads", "1", "ACTIVE"), connection("beta_ads", "2", "ACTIVE"), yen];
        let found = |others: &[(&str, &str)]| {
            let form = form(&[&[("targets", "ALPHA:1"), ("targets", "GAMMA:3")], others].concat());
            shared_amount_error(&ticked_accounts(&form), &connections, &form).map(|error| (error.id, error.message))
        };
        let (id, message) = found(&[("budget_amount", "50")]).unwrap();
        assert_eq!(id, "budget_amount");
        assert!(message.contains("are in JPY and USD"), "{message}");
        assert_eq!(found(&[("budget_amount", "50"), ("budget_amount.GAMMA:3", "6000"), ("targets", "BETA:2")]), None);
        assert_eq!(found(&[("budget_amount", " ")]), None, "it is missing");
        let unread = form(&[("budget_amount", "50"), ("targets", "ALPHA:1"), ("targets", "BETA:2")]);
        assert!(shared_amount_error(&ticked_accounts(&unread), &[], &unread).is_some(), "no currency is known");
    }

    #[test]
    fn a_budget_without_a_tick_asks_for_one() {
        let fields = [("targets", "ALPHA:1"), ("budget_amount.BETA:2", "7"), ("start_at.GAMMA:3", "2026-12-01")];
        let accounts = accounts(&form(&fields));
        let untold = without_tick(&accounts);
        assert_eq!(untold.iter().map(|account| account.target.as_str()).collect::<Vec<_>>(), ["BETA:2"]);
        let error = tick_error(untold[0], "Meta: 2", Plan::Pro);
        assert_eq!(
            (error.id.as_str(), error.message.as_str()),
            ("budget_amount.BETA:2", "Tick Meta: 2 or clear its budget.")
        );
        assert!(tick_error(untold[0], "Meta: 2", Plan::Starter).message.starts_with("Choose Meta: 2 or"));
    }

    #[test]
    fn the_choice_of_accounts_fits_the_plan() {
        let ticked = |count: usize| vec![account(Default::default()); count];
        assert!(choice_error(&ticked(1), Plan::Starter).is_none() && choice_error(&ticked(10), Plan::Pro).is_none());
        let message = |count, plan| choice_error(&ticked(count), plan).map(|error| error.message).unwrap_or_default();
        assert_eq!(message(0, Plan::Pro), "Choose an ad account.");
        assert!(message(2, Plan::Starter).starts_with("Your plan creates campaigns in one ad account"));
        assert!(message(11, Plan::Pro).starts_with("Choose at most 10"));
    }
}

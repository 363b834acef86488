//! The rows of the create form: each ad account with its currency, its smallest budgets, and the goals that it lacks.

use super::fields::{BudgetFields, Field, choice_id};
use crate::client::accounts::{Connection, target_name};
use crate::client::notice::Notice;
use crate::kit::campaign::{GOALS, PERIODS, goal_word, lacks_goal, period_word};
use crate::kit::campaign_forms::{AccountValues, accounts, own_field};
use crate::kit::choice::choices;
use crate::kit::money::budget_of;
use shared::domain::{BudgetPeriod, Currency, Platform};
use shared::envelope::query::value;
use shared::platforms::adapter;

/// Most ad accounts with a row each, so that the page stays small. With more, the person first chooses some.
pub(super) const MAX_ROWS: usize = 20;
/// What an account with the values for all has in its own fields.
const AS_ABOVE: (&str, &str) = ("", "As above");

/// An ad account.
pub(super) struct AccountRow {
    /// The value of the field that chooses it.
    pub(super) target: String,
    pub(super) name: String,
    pub(super) platform: Option<Platform>,
    pub(super) currency: &'static str,
    /// Its smallest budgets, and the goals that it lacks.
    pub(super) facts: Vec<String>,
    pub(super) is_chosen: bool,
    /// The control that chooses it.
    pub(super) choice: Field,
    pub(super) line: BudgetFields,
}

/// The ad accounts that a form names.
pub(super) fn named_accounts(values: &[(String, String)]) -> Vec<String> {
    accounts(values).into_iter().map(|account| account.target).collect()
}

/// The accounts of the form: all, or of many those that the form names. Those that cannot be chosen have no row.
pub(super) fn offered_accounts(connections: Vec<Connection>, values: &[(String, String)]) -> Vec<Connection> {
    if connections.iter().filter(|known| known.is_active()).count() <= MAX_ROWS {
        return connections;
    }
    let named = named_accounts(values);
    connections.into_iter().filter(|known| named.contains(&known.target()) || !known.is_active()).collect()
}

/// The rows of the accounts that can have a campaign. A chosen one stays in the form even if its connection is no
/// longer active: without it the form would be another request.
pub(super) fn rows(
    values: &[(String, String)],
    notice: Option<&Notice>,
    connections: &[Connection],
    has_targets: bool,
) -> Vec<AccountRow> {
    let typed = accounts(values);
    let active: Vec<&Connection> = connections.iter().filter(|known| known.is_active()).collect();
    let is_active = |target: &str| active.iter().any(|known| known.target() == target);
    let missing: Vec<&AccountValues> = typed.iter().filter(|account| !is_active(&account.target)).collect();
    let has_line_for_all = has_targets && active.len() + missing.len() > 1;
    let row = |target: String, known: Option<&Connection>| {
        let account = typed.iter().find(|account| account.target == target);
        row(target, known, &|field| own_text(account, field, values, has_line_for_all), has_line_for_all, notice)
    };
    let mut rows: Vec<AccountRow> = active.iter().map(|known| row(known.target(), Some(known))).collect();
    rows.extend(missing.iter().map(|account| row(account.target.clone(), None)));
    let only = rows.len() == 1;
    for row in &mut rows {
        let is_ticked = typed.iter().any(|account| account.target == row.target && account.is_ticked);
        row.is_chosen = is_ticked || only;
    }
    rows
}

/// The text in a field of an account. Without a line for all, the values for all are those of each account.
fn own_text(account: Option<&AccountValues>, field: &str, values: &[(String, String)], has_line: bool) -> String {
    let own = account.map(|account| account.own(field)).unwrap_or_default();
    if own.is_empty() && !has_line { value(values, field).unwrap_or_default().to_owned() } else { own.to_owned() }
}

fn row(
    target: String,
    known: Option<&Connection>,
    text: &dyn Fn(&str) -> String,
    has_line_for_all: bool,
    notice: Option<&Notice>,
) -> AccountRow {
    let platform = target.split_once(':').and_then(|(platform, _)| Platform::from_upper(platform));
    let currency = known.and_then(|known| known.currency);
    let first = has_line_for_all.then_some(AS_ABOVE);
    let periods = PERIODS.map(|period| (period.as_str(), period_word(period)));
    let periods: Vec<(&str, &str)> = first.into_iter().chain(periods).collect();
    let periods = choices(&periods, &text("budget_period"));
    AccountRow {
        name: known.map_or_else(|| format!("{} (not active now)", target_name(&target, &[])), Connection::name),
        facts: platform.map(|platform| facts(platform, currency)).unwrap_or_default(),
        is_chosen: false,
        choice: Field::new(choice_id(&target), "", notice),
        line: BudgetFields::new(|field| own_field(field, &target), text, periods, notice),
        platform,
        currency: currency.map(Currency::code).unwrap_or_default(),
        target,
    }
}

/// `At least 1.00 USD a day.`, `No app promotion.`
fn facts(platform: Platform, currency: Option<Currency>) -> Vec<String> {
    let capabilities = adapter(platform).facts().capabilities;
    let minimum = |period: BudgetPeriod| {
        let currency = currency?;
        let amount = match period {
            BudgetPeriod::Monthly => adapter(platform).daily_budget_rule(currency).minimum_amount()?,
            BudgetPeriod::Daily | BudgetPeriod::Lifetime | BudgetPeriod::Total => {
                capabilities.minimum_budget(period, currency)?
            }
        };
        Some(budget_of(Some(amount), currency, Some(period)))
    };
    let minima: Vec<String> = PERIODS.into_iter().filter_map(minimum).collect();
    let lacking = GOALS.into_iter().filter(|goal| lacks_goal(platform, *goal));
    let lacking: Vec<String> = lacking.map(|goal| goal_word(goal).to_lowercase()).collect();
    let end = capabilities.lifetime_needs_end.then(|| "The whole run needs an end.".to_owned());
    let minima = (!minima.is_empty()).then(|| format!("At least {}.", minima.join(", ")));
    let lacking = (!lacking.is_empty()).then(|| format!("Not for {}.", lacking.join(", ")));
    [minima, end, lacking].into_iter().flatten().collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::client::accounts::tests::known;
    use crate::kit::form_fields::form as values;
    use shared::domain::ConnectionStatus;

    pub(in super::super) fn connection(platform: &str, account: &str, status: &str) -> Connection {
        Connection { status: ConnectionStatus::parse(status).unwrap(), ..known(platform, account) }
    }

    #[test]
    fn only_active_accounts_are_offered_and_a_single_one_is_chosen() {
        let connections = [connection("alpha_ads", "1", "ACTIVE"), connection("beta_ads", "2", "REVOKED")];
        let rows = rows(&[], None, &connections, true);
        let shown: Vec<_> = rows.iter().map(|row| (row.target.as_str(), row.name.as_str(), row.is_chosen)).collect();
        assert_eq!(shown, [("ALPHA:1", "Google Ads: 1", true)]);
        let typed = super::rows(&values(&[("budget_amount.ALPHA:1", "7")]), None, &connections, true);
        assert!(typed[0].is_chosen, "with a budget, too");
    }

    #[test]
    fn a_row_has_its_own_values_and_the_only_account_those_for_all() {
        let connections = [connection("alpha_ads", "1", "ACTIVE"), connection("beta_ads", "2", "ACTIVE")];
        let form = values(&[("budget_amount", "50"), ("targets", "ALPHA:1"), ("budget_amount.BETA:2", "7")]);
        let amounts = |connections: &[Connection], has_targets| -> Vec<(String, bool)> {
            let rows = rows(&form, None, connections, has_targets).into_iter();
            rows.map(|row| (row.line.amount.value, row.is_chosen)).collect()
        };
        assert_eq!(amounts(&connections, true), [(String::new(), true), ("7".to_owned(), false)]);
        assert_eq!(amounts(&connections, false), [("50".to_owned(), true), ("7".to_owned(), false)]);
    }

    #[test]
    fn the_facts_are_those_of_the_platform_in_the_accounts_currency() {
        let facts = |platform, currency| facts(platform, Currency::from_code(currency));
        let tiktok = facts(Platform::Gamma, "JPY");
        assert_eq!(tiktok, ["At least 5,000 JPY a day, 155,000 JPY a month, 5,000 JPY in all."]);
        let google = facts(Platform::Alpha, "USD");
        assert_eq!(
            google,
            ["At least 1.00 USD a day, 31.00 USD a month.", "The whole run needs an end.", "Not for app promotion."]
        );
        assert_eq!(facts(Platform::Alpha, "").len(), 2, "a currency that is not known yet");
    }

    #[test]
    fn of_many_accounts_those_that_the_form_names_have_a_row() {
        let many = |count: usize| -> Vec<Connection> {
            (0..count).map(|at| connection("gamma_ads", &format!("70{at}"), "ACTIVE")).collect()
        };
        let form = values(&[("targets", "GAMMA:7030")]);
        assert_eq!((offered_accounts(many(50), &[]).len(), offered_accounts(many(50), &form).len()), (0, 1));
        assert_eq!(offered_accounts(many(MAX_ROWS), &form).len(), MAX_ROWS);
    }
}

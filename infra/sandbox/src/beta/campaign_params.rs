//! Parameters that creates and updates share.
//!
//! Marketing API: Campaign reference, Creating and Updating; Ad Campaign Optimization, Budgets. `start_time` and
//! `stop_time` are read-only on a campaign: any value is accepted and ignored (v21.0 recorded live, 2026-08; reference
//! of v25.0; not verified for v26.0).

use super::account::Account;
use super::campaign::Budget;
use super::currency;
use super::error::GraphError;
use super::params::Params;

pub(crate) const BID_STRATEGIES: &[&str] =
    &["COST_CAP", "LOWEST_COST_WITHOUT_CAP", "LOWEST_COST_WITH_BID_CAP", "LOWEST_COST_WITH_MIN_ROAS"];
pub(crate) const STATUSES: &[&str] = &["ACTIVE", "ARCHIVED", "DELETED", "PAUSED"];

const CATEGORIES: &[&str] = &[
    "CREDIT",
    "EMPLOYMENT",
    "FINANCIAL_PRODUCTS_SERVICES",
    "HOUSING",
    "ISSUES_ELECTIONS_POLITICS",
    "NONE",
    "ONLINE_GAMBLING_AND_GAMING",
];

/// Parameters that Meta accepts and the sandbox does not support. To ignore them would change the meaning of a call.
const UNSUPPORTED: &[&str] = &[
    "adlabels",
    "adset_bid_amounts",
    "adset_budgets",
    "budget_rebalance_flag",
    "budget_schedule_specs",
    "frequency_control_specs",
    "iterative_split_test_configs",
    "migrate_to_advantage_plus",
    "pacing_type",
    "promoted_object",
    "smart_promotion_type",
    "source_campaign_id",
    "spend_cap",
    "topline_id",
];

pub(crate) fn check_supported(params: &Params) -> Result<(), GraphError> {
    match params.first_present(UNSUPPORTED) {
        Some(name) => Err(GraphError::unsupported(name)),
        None => Ok(()),
    }
}

/// Whether the call validates without a write.
pub(crate) fn is_validate_only(params: &Params) -> Result<bool, GraphError> {
    let options = params.choices("execution_options", &["include_recommendations", "validate_only"])?;
    let Some(options) = options.filter(|options| !options.is_empty()) else { return Ok(false) };
    if options.contains(&"validate_only") {
        return Ok(true);
    }
    Err(GraphError::parameter("Param execution_options: include_recommendations cannot be used by itself"))
}

/// The special ad categories, without `NONE`.
pub(crate) fn categories(params: &Params) -> Result<Option<Vec<String>>, GraphError> {
    let categories = params.choices("special_ad_categories", CATEGORIES)?;
    let without_none = |list: Vec<&str>| list.into_iter().filter(|one| *one != "NONE").map(str::to_owned).collect();
    Ok(categories.map(without_none))
}

/// The countries of the special ad categories, as ISO 3166 codes.
pub(crate) fn category_countries(params: &Params) -> Result<Option<Vec<String>>, GraphError> {
    const NAME: &str = "special_ad_category_country";
    let Some(text) = params.string(NAME) else { return Ok(None) };
    let countries: Vec<String> =
        serde_json::from_str(text).map_err(|_| GraphError::parameter(format!("Param {NAME} must be an array")))?;
    match countries.iter().find(|code| code.len() != 2 || !code.bytes().all(|byte| byte.is_ascii_uppercase())) {
        Some(other) => Err(GraphError::parameter(format!("Param {NAME} must be a country - got \"{other}\"."))),
        None => Ok(Some(countries)),
    }
}

/// Categories need a country (Special Ad Categories: "you must also set a special_ad_category_country"). The words of
/// the refusal are not verified.
pub(crate) fn check_countries(categories: &[String], countries: &[String]) -> Result<(), GraphError> {
    if categories.is_empty() || !countries.is_empty() {
        return Ok(());
    }
    let why = "Select at least one country for the special ad categories.";
    Err(GraphError::rule_violation("special_ad_category_country", "Country is required", why))
}

/// At most one budget, not below the account's minimum.
pub(crate) fn budget(params: &Params, account: &Account) -> Result<Option<Budget>, GraphError> {
    let budget = match (params.unsigned("daily_budget")?, params.unsigned("lifetime_budget")?) {
        (None, None) => return Ok(None),
        (Some(daily), None) => Budget::Daily(daily),
        (None, Some(lifetime)) => Budget::Lifetime(lifetime),
        (Some(_), Some(_)) => {
            let why = "A campaign has either a daily or a lifetime budget.";
            return Err(GraphError::rule_violation("lifetime_budget", "Two budgets", why));
        }
    };
    if budget.amount() < account.min_daily_budget {
        let min = currency::format(account.min_daily_budget, &account.currency);
        let why = format!("The budget must be at least {min} {}.", account.currency);
        let error = GraphError::rule_violation(budget.parameter(), "Budget is too low", why);
        return Err(error.with_subcode(1_885_272));
    }
    Ok(Some(budget))
}

/// Whether ad sets share their budgets. The parameter is required without a campaign budget.
pub(crate) fn budget_sharing(params: &Params, budget: Option<Budget>) -> Result<bool, GraphError> {
    const NAME: &str = "is_adset_budget_sharing_enabled";
    match (params.boolean(NAME)?, budget) {
        (None, None) => {
            let title = "Must specify True or False in is_adset_budget_sharing_enabled field";
            let why = "Without a campaign budget it has to be said whether ad sets share part of theirs.";
            Err(GraphError::rule_violation(NAME, title, why).with_subcode(4_834_011))
        }
        (Some(true), Some(_)) => {
            let why = "Ad sets of a campaign with a budget have none of their own to share.";
            Err(GraphError::rule_violation(NAME, "No ad set budgets", why))
        }
        (enabled, _) => Ok(enabled.unwrap_or(false)),
    }
}

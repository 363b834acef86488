//! Campaign budgets and the rules of changing them.
//!
//! Google Ads API reference v26: `CampaignBudget`, `CampaignBudgetError`.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::accounts::{Account, Cell};
use super::currency::{billable_unit, per_day_minimum};
use super::error::AdsError;
use super::given::{boolean, constant, int, refuse_output, text};
use super::names::Resource;
use super::schema;

/// More than this in micros is too much for any currency.
const MOST: i64 = 1_000_000_000_000_000_000;

/// What a campaign may spend.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Budget {
    pub(crate) id: i64,
    pub(crate) name: Option<String>,
    pub(crate) amount: Amount,
    pub(crate) shared: bool,
    pub(crate) removed: bool,
}

/// Micros of the account's currency. The period is decided for good when the budget is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Amount {
    Daily(i64),
    Total(i64),
}

impl Amount {
    pub(crate) fn period(self) -> &'static str {
        match self {
            Self::Daily(_) => "DAILY",
            Self::Total(_) => "CUSTOM_PERIOD",
        }
    }

    pub(crate) fn micros(self) -> i64 {
        match self {
            Self::Daily(micros) | Self::Total(micros) => micros,
        }
    }
}

impl Budget {
    /// A field of `campaign_budget`.
    pub(crate) fn cell(&self, field: &str, account: &Account) -> Option<Cell> {
        Some(match (field, self.amount) {
            ("resource_name", _) => Cell::Text(Resource::Budget.name(account.id, self.id)),
            ("id", _) => Cell::Int(self.id),
            ("name", _) => Cell::Text(self.name.clone()?),
            ("amount_micros", Amount::Daily(micros)) => Cell::Int(micros),
            ("total_amount_micros", Amount::Total(micros)) => Cell::Int(micros),
            ("period", amount) => Cell::text(amount.period()),
            ("explicitly_shared", _) => Cell::Bool(self.shared),
            ("delivery_method" | "type", _) => Cell::text("STANDARD"),
            ("status", _) => Cell::text(if self.removed { "REMOVED" } else { "ENABLED" }),
            ("reference_count", _) => Cell::Int(users(account, self.id)),
            _ => return None,
        })
    }
}

/// How many campaigns that are not removed use a budget.
pub(crate) fn users(account: &Account, budget: i64) -> i64 {
    let uses = account.campaigns.values().filter(|one| one.budget == budget && !one.is_removed());
    i64::try_from(uses.count()).unwrap_or(i64::MAX)
}

/// Makes a budget of what was sent; its id comes later.
pub(crate) fn create(account: &Account, given: &Value) -> Result<Budget, Vec<AdsError>> {
    let mut errors = Vec::new();
    refuse_output(given, &schema::BUDGET, &mut errors);
    let shared = boolean(given, "explicitly_shared").unwrap_or(true);
    let name = check_name(account, 0, text(given, "name"), shared);
    let delivery = check_delivery(given);
    let amount = amount_of(given, shared, &account.currency);
    let kind = constant(given, "type").and_then(|kind| match kind {
        None | Some("STANDARD") => Ok(()),
        Some(other) => {
            let code = ("campaignBudgetError", "CAMPAIGN_BUDGET_PERIOD_NOT_AVAILABLE");
            Err(AdsError::new(code, "The budget type is not available.").at("type").on(other))
        }
    });
    errors.extend([delivery.err(), kind.err()].into_iter().flatten());
    match (name, amount) {
        (Ok(name), Ok(amount)) if errors.is_empty() => Ok(Budget { id: 0, name, amount, shared, removed: false }),
        (name, amount) => {
            errors.extend(name.err());
            errors.extend(amount.err());
            Err(errors)
        }
    }
}

/// The name, trimmed: 1 to 255 bytes; a shared budget needs one of its own.
pub(crate) fn check_name(
    account: &Account,
    own_id: i64,
    name: Option<&str>,
    shared: bool,
) -> Result<Option<String>, AdsError> {
    let Some(name) = name.map(str::trim) else {
        return if shared { Err(AdsError::required("name")) } else { Ok(None) };
    };
    if name.is_empty() {
        return Err(AdsError::new(("stringLengthError", "EMPTY"), "The name is empty.").at("name"));
    }
    if name.len() > 255 {
        let why = "The name has more than 255 bytes.";
        return Err(AdsError::new(("stringLengthError", "TOO_LONG"), why).at("name").on(name));
    }
    let taken =
        |other: &Budget| other.shared && !other.removed && other.id != own_id && other.name.as_deref() == Some(name);
    if shared && account.budgets.values().any(taken) {
        let code = ("campaignBudgetError", "DUPLICATE_NAME");
        let why = "A campaign budget with this name already exists.";
        return Err(AdsError::new(code, why).at("name").on(name));
    }
    Ok(Some(name.to_owned()))
}

fn check_delivery(given: &Value) -> Result<(), AdsError> {
    if constant(given, "delivery_method")? == Some("ACCELERATED") {
        let code = ("campaignBudgetError", "CANNOT_USE_ACCELERATED_DELIVERY_MODE");
        let why = "Accelerated delivery cannot be used on this budget.";
        return Err(AdsError::new(code, why).at("delivery_method").on("ACCELERATED"));
    }
    Ok(())
}

fn amount_of(given: &Value, shared: bool, currency: &str) -> Result<Amount, AdsError> {
    let daily = int(given, "amount_micros");
    let total = int(given, "total_amount_micros");
    let budget_error =
        |value, why: &str, field: &str| Err(AdsError::new(("campaignBudgetError", value), why).at(field));
    match (constant(given, "period")?, daily, total) {
        (None | Some("DAILY"), _, Some(_)) => budget_error(
            "TOTAL_BUDGET_AMOUNT_MUST_BE_UNSET_FOR_BUDGET_PERIOD_DAILY",
            "A daily budget has no total amount.",
            "total_amount_micros",
        ),
        (None | Some("DAILY"), None, None) => Err(AdsError::required("amount_micros")),
        (None | Some("DAILY"), Some(micros), None) => {
            check_amount(micros, "amount_micros", currency).map(|()| Amount::Daily(micros))
        }
        (_, Some(_), _) => budget_error(
            "BUDGET_AMOUNT_MUST_BE_UNSET_FOR_CUSTOM_BUDGET_PERIOD",
            "A total budget has no daily amount.",
            "amount_micros",
        ),
        (_, None, None) => Err(AdsError::required("total_amount_micros")),
        (_, None, Some(_)) if shared => {
            budget_error("CAMPAIGN_BUDGET_CANNOT_BE_SHARED", "A total budget cannot be shared.", "explicitly_shared")
        }
        (_, None, Some(micros)) => {
            check_amount(micros, "total_amount_micros", currency).map(|()| Amount::Total(micros))
        }
    }
}

/// An amount has to be positive, billable, enough for a day and not absurd.
pub(crate) fn check_amount(micros: i64, field: &str, currency: &str) -> Result<(), AdsError> {
    let error = |value, why: &str| {
        let code = ("campaignBudgetError", value);
        Err(AdsError::new(code, why).at(field).on(micros.to_string()))
    };
    match micros {
        ..0 => error("NEGATIVE_MONEY_AMOUNT", "A money amount was negative."),
        0 => error("MONEY_AMOUNT_LESS_THAN_CURRENCY_MINIMUM_CPC", "A money amount was zero."),
        MOST.. => error("MONEY_AMOUNT_TOO_LARGE", "A money amount was too large."),
        _ if micros % billable_unit(currency) != 0 => {
            error("NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT", "A money amount was not a multiple of a minimum unit.")
        }
        _ => check_days(micros, field, currency, 1),
    }
}

/// The amount has to reach the account's minimum on each of so many days.
pub(crate) fn check_days(micros: i64, field: &str, currency: &str, days: i64) -> Result<(), AdsError> {
    let per_day = per_day_minimum(currency);
    let least = per_day.saturating_mul(days);
    if micros >= least {
        return Ok(());
    }
    let [minimum, failed] = match field {
        "amount_micros" => ["minimumBudgetAmountMicros", "failedBudgetAmountMicros"],
        _ => ["minimumBudgetTotalAmountMicros", "failedBudgetTotalAmountMicros"],
    };
    let details = json!({ "budgetPerDayMinimumErrorDetails": {
        "currencyCode": currency,
        "budgetPerDayMinimumMicros": per_day.to_string(),
        minimum: least.to_string(),
        failed: micros.to_string(),
    } });
    let code = ("campaignBudgetError", "BUDGET_BELOW_PER_DAY_MINIMUM");
    let why = "The budget is below the minimum per day; see the details.";
    Err(AdsError::new(code, why).at(field).on(micros.to_string()).with_details(details))
}

/// Changes the fields that the mask names.
pub(crate) fn update(account: &Account, old: &Budget, given: &Value, mask: &[&str]) -> Result<Budget, Vec<AdsError>> {
    let mut new = old.clone();
    let mut errors = Vec::new();
    for path in mask {
        errors.extend(change(account, &mut new, given, mask, path).err());
    }
    if errors.is_empty() { Ok(new) } else { Err(errors) }
}

fn change(account: &Account, budget: &mut Budget, given: &Value, mask: &[&str], path: &str) -> Result<(), AdsError> {
    match path {
        "name" => rename(account, budget, given, mask.contains(&"explicitly_shared")),
        "amount_micros" | "total_amount_micros" => change_amount(account, budget, given, path),
        "delivery_method" => check_delivery(given),
        "explicitly_shared" => share(budget, given, mask.contains(&"name")),
        _ => Ok(()),
    }
}

fn rename(account: &Account, budget: &mut Budget, given: &Value, becomes_shared: bool) -> Result<(), AdsError> {
    if !budget.shared && !becomes_shared {
        let code = ("campaignBudgetError", "CANNOT_MODIFY_FIELD_OF_IMPLICITLY_SHARED_CAMPAIGN_BUDGET");
        let why = "A budget that is not shared is named after its campaign.";
        return Err(AdsError::new(code, why).at("name"));
    }
    budget.name = check_name(account, budget.id, text(given, "name"), true)?;
    Ok(())
}

fn share(budget: &mut Budget, given: &Value, named: bool) -> Result<(), AdsError> {
    let error = |value, why: &str| Err(AdsError::new(("campaignBudgetError", value), why).at("explicitly_shared"));
    match (budget.shared, boolean(given, "explicitly_shared").unwrap_or(true)) {
        (true, false) => error("CANNOT_UPDATE_CAMPAIGN_BUDGET_TO_IMPLICITLY_SHARED", "A shared budget stays shared."),
        (false, true) if !named => error(
            "CANNOT_UPDATE_CAMPAIGN_BUDGET_TO_EXPLICITLY_SHARED_WITHOUT_NAME",
            "The budget needs a name to be shared.",
        ),
        (false, true) if matches!(budget.amount, Amount::Total(_)) => {
            error("CAMPAIGN_BUDGET_CANNOT_BE_SHARED", "A total budget cannot be shared.")
        }
        (_, shared) => {
            budget.shared = shared;
            Ok(())
        }
    }
}

fn change_amount(account: &Account, budget: &mut Budget, given: &Value, field: &str) -> Result<(), AdsError> {
    let wrong = |value, why: &str| Err(AdsError::new(("campaignBudgetError", value), why).at(field));
    let micros = match (field, budget.amount) {
        ("amount_micros", Amount::Total(_)) => {
            return wrong(
                "BUDGET_AMOUNT_MUST_BE_UNSET_FOR_CUSTOM_BUDGET_PERIOD",
                "A total budget has no daily amount.",
            );
        }
        ("total_amount_micros", Amount::Daily(_)) => {
            return wrong(
                "TOTAL_BUDGET_AMOUNT_MUST_BE_UNSET_FOR_BUDGET_PERIOD_DAILY",
                "A daily budget has no total amount.",
            );
        }
        _ => int(given, field).ok_or_else(|| AdsError::required(field))?,
    };
    check_amount(micros, field, &account.currency)?;
    budget.amount = match budget.amount {
        Amount::Daily(_) => Amount::Daily(micros),
        Amount::Total(_) => Amount::Total(micros),
    };
    let campaigns = account.campaigns.values().filter(|one| one.budget == budget.id);
    for days in campaigns.filter(|one| !one.is_removed()).filter_map(|one| one.days()) {
        if matches!(budget.amount, Amount::Total(_)) {
            check_days(micros, field, &account.currency, days)?;
        }
    }
    Ok(())
}

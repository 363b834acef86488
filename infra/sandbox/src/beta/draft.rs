//! The rules for making and changing a campaign.
//!
//! Marketing API: Campaign reference, Creating and Updating; Manage Your Ad Object's Status;
//! Ad Campaign Optimization, Budgets.
//!
//! `start_time` and `stop_time` are read-only on a campaign: they are taken and change nothing, whatever they say (v21.0
//! recorded live, 2026-08; reference of v25.0; not verified for v26.0, as is the default bid strategy).

use jiff::Timestamp;

use super::accounts::Account;
use super::campaign::{Budget, Campaign, Status};
use super::currency;
use super::error::GraphError;
use super::params::Params;

/// What new campaigns take.
const OBJECTIVES: &[&str] = &[
    "OUTCOME_APP_PROMOTION",
    "OUTCOME_AWARENESS",
    "OUTCOME_ENGAGEMENT",
    "OUTCOME_LEADS",
    "OUTCOME_SALES",
    "OUTCOME_TRAFFIC",
];
/// What only campaigns of former years have.
const LEGACY: &[&str] = &[
    "APP_INSTALLS",
    "BRAND_AWARENESS",
    "CONVERSIONS",
    "EVENT_RESPONSES",
    "LEAD_GENERATION",
    "LINK_CLICKS",
    "LOCAL_AWARENESS",
    "MESSAGES",
    "OFFER_CLAIMS",
    "PAGE_LIKES",
    "POST_ENGAGEMENT",
    "PRODUCT_CATALOG_SALES",
    "REACH",
    "STORE_VISITS",
    "VIDEO_VIEWS",
];
const CATEGORIES: &[&str] = &[
    "CREDIT",
    "EMPLOYMENT",
    "FINANCIAL_PRODUCTS_SERVICES",
    "HOUSING",
    "ISSUES_ELECTIONS_POLITICS",
    "NONE",
    "ONLINE_GAMBLING_AND_GAMING",
];
const BID_STRATEGIES: &[&str] =
    &["COST_CAP", "LOWEST_COST_WITHOUT_CAP", "LOWEST_COST_WITH_BID_CAP", "LOWEST_COST_WITH_MIN_ROAS"];
/// The strategy of a campaign that has a budget and names none. Each of its ad sets then needs a bid.
const DEFAULT_BID_STRATEGY: &str = "LOWEST_COST_WITH_BID_CAP";
/// The parameters whose change moves `updated_time`; that of a budget does not (recorded live, 2026-08).
const UPDATES: &[&str] = &["bid_strategy", "name", "special_ad_categories", "status"];
const STATUSES: &[&str] = &["ACTIVE", "ARCHIVED", "DELETED", "PAUSED"];

/// Parameters that exist and are not imitated; to ignore them would change what they mean.
const UNIMITATED: &[&str] = &[
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
    "special_ad_category_country",
    "spend_cap",
    "topline_id",
];

/// Whether the call only asks if it would succeed.
pub(crate) fn validates_only(params: &Params) -> Result<bool, GraphError> {
    let options = params.choices("execution_options", &["include_recommendations", "validate_only"])?;
    Ok(options.is_some_and(|options| options.contains(&"validate_only")))
}

fn check_imitated(params: &Params) -> Result<(), GraphError> {
    params.any_of(UNIMITATED).map_or(Ok(()), |name| Err(GraphError::unimitated(name)))
}

/// A campaign as it is asked for.
pub(crate) fn create(params: &Params, account: &Account, id: u64, now: Timestamp) -> Result<Campaign, GraphError> {
    check_imitated(params)?;
    let name = params.required("name")?.to_owned();
    let objective = objective(params)?;
    let categories = params.choices("special_ad_categories", CATEGORIES)?;
    let categories = categories.ok_or_else(|| GraphError::missing("special_ad_categories"))?;
    let budget = budget(params, account)?;
    let bid_strategy = params.choice("bid_strategy", BID_STRATEGIES)?;
    let bid_strategy = bid_strategy.or_else(|| budget.map(|_| DEFAULT_BID_STRATEGY));
    Ok(Campaign {
        id,
        name,
        objective: objective.to_owned(),
        status: first_status(params)?,
        special_ad_categories: categories.into_iter().filter(|one| *one != "NONE").map(str::to_owned).collect(),
        budget,
        bid_strategy: bid_strategy.map(str::to_owned),
        buying_type: params.choice("buying_type", &["AUCTION", "RESERVED"])?.unwrap_or("AUCTION").to_owned(),
        shares_ad_set_budgets: sharing(params, budget)?,
        created: now,
        updated: now,
        spent: std::collections::BTreeMap::new(),
    })
}

fn objective(params: &Params) -> Result<&'static str, GraphError> {
    let known: Vec<&'static str> = OBJECTIVES.iter().chain(LEGACY).copied().collect();
    let objective = params.choice("objective", &known)?.ok_or_else(|| GraphError::missing("objective"))?;
    if LEGACY.contains(&objective) {
        let why = format!("Objective {objective} is invalid. Use one of: {}.", OBJECTIVES.join(", "));
        return Err(GraphError::rule("objective", "Objective is invalid", why));
    }
    Ok(objective)
}

/// What happens to a status that is left out is nowhere published; a campaign that runs at once is
/// the dangerous reading, and so the one that shows a forgotten status.
fn first_status(params: &Params) -> Result<Status, GraphError> {
    let status = params.choice("status", STATUSES)?.and_then(Status::named).unwrap_or(Status::Active);
    if status.is_listed() {
        return Ok(status);
    }
    let why = "A new campaign is either active or paused.";
    Err(GraphError::rule("status", "Status is invalid", why))
}

/// At most one budget, of at least what the account asks for.
fn budget(params: &Params, account: &Account) -> Result<Option<Budget>, GraphError> {
    let budget = match (params.unsigned("daily_budget")?, params.unsigned("lifetime_budget")?) {
        (None, None) => return Ok(None),
        (Some(daily), None) => Budget::Daily(daily),
        (None, Some(lifetime)) => Budget::Lifetime(lifetime),
        (Some(_), Some(_)) => {
            let why = "A campaign has either a daily or a lifetime budget.";
            return Err(GraphError::rule("lifetime_budget", "Two budgets", why));
        }
    };
    if budget.amount() < account.min_daily_budget {
        let least = currency::decimal(account.min_daily_budget, &account.currency);
        let why = format!("The budget must be at least {least} {}.", account.currency);
        return Err(GraphError::rule(budget.parameter(), "Budget is too low", why).with_subcode(1_885_272));
    }
    Ok(Some(budget))
}

/// Whether ad sets may share their budgets has to be said exactly when they have their own.
fn sharing(params: &Params, budget: Option<Budget>) -> Result<bool, GraphError> {
    const NAME: &str = "is_adset_budget_sharing_enabled";
    match (params.boolean(NAME)?, budget) {
        (None, None) => {
            let title = "Must specify True or False in is_adset_budget_sharing_enabled field";
            let why = "Without a campaign budget it has to be said whether ad sets share part of theirs.";
            Err(GraphError::rule(NAME, title, why).with_subcode(4_834_011))
        }
        (Some(true), Some(_)) => {
            let why = "Ad sets of a campaign with a budget have none of their own to share.";
            Err(GraphError::rule(NAME, "No ad set budgets", why))
        }
        (said, _) => Ok(said.unwrap_or(false)),
    }
}

/// The campaign with the parameters that were sent changed; all or nothing.
pub(crate) fn update(
    params: &Params,
    account: &Account,
    campaign: &Campaign,
    now: Timestamp,
) -> Result<Campaign, GraphError> {
    check_imitated(params)?;
    let mut changed = campaign.clone();
    let status = params.choice("status", STATUSES)?.and_then(Status::named);
    check_open(params, campaign.status, status)?;
    if let Some(name) = params.text("name") {
        name.clone_into(&mut changed.name);
    }
    if params.text("objective").is_some_and(|objective| objective != campaign.objective) {
        let why = "The objective of a campaign stays as it is.";
        return Err(GraphError::rule("objective", "Objective cannot be changed", why));
    }
    if let Some(categories) = params.choices("special_ad_categories", CATEGORIES)? {
        let kept = categories.into_iter().filter(|one| *one != "NONE");
        changed.special_ad_categories = kept.map(str::to_owned).collect();
    }
    if let Some(budget) = budget(params, account)? {
        check_period(campaign.budget, budget)?;
        changed.budget = Some(budget);
    }
    if changed.budget.is_some() {
        sharing(params, changed.budget)?;
    }
    if let Some(strategy) = params.choice("bid_strategy", BID_STRATEGIES)? {
        changed.bid_strategy = Some(strategy.to_owned());
    }
    changed.status = status.unwrap_or(campaign.status);
    if params.any_of(UPDATES).is_some() {
        changed.updated = now;
    }
    Ok(changed)
}

/// Whether one may go to the other is nowhere published: no.
fn check_period(old: Option<Budget>, new: Budget) -> Result<(), GraphError> {
    if old.is_none_or(|old| old.parameter() == new.parameter()) {
        return Ok(());
    }
    let why = "A campaign keeps its kind of budget: daily or lifetime.";
    Err(GraphError::rule(new.parameter(), "Budget type cannot be changed", why))
}

/// Nothing of a deleted campaign changes; an archived one can be renamed and deleted.
fn check_open(params: &Params, old: Status, new: Option<Status>) -> Result<(), GraphError> {
    const REST: &[&str] = &["daily_budget", "lifetime_budget", "bid_strategy", "special_ad_categories"];
    let refuse = |blame, why| Err(GraphError::rule(blame, "Campaign cannot be edited", why));
    match (old, new) {
        (Status::Deleted, _) => refuse("status", "The campaign is deleted."),
        (Status::Archived, Some(Status::Active | Status::Paused)) => {
            refuse("status", "An archived campaign can only be deleted.")
        }
        (Status::Archived, _) => params
            .any_of(REST)
            .map_or(Ok(()), |blame| refuse(blame, "Of an archived campaign only name and status can be changed.")),
        _ => Ok(()),
    }
}

//! Updates campaigns.
//!
//! Marketing API: Campaign reference, Updating; Manage Your Ad Object's Status.

use super::account::Account;
use super::campaign::{Budget, Campaign, Status};
use super::campaign_params::{
    BID_STRATEGIES, STATUSES, budget, budget_sharing, categories, category_countries, check_countries, check_supported,
};
use super::error::GraphError;
use super::params::Params;
use jiff::Timestamp;

/// Parameters that change `updated_time`. Budgets do not (recorded live, 2026-08).
const TRACKED_PARAMS: &[&str] = &["bid_strategy", "name", "special_ad_categories", "status"];

/// Returns the campaign with the sent parameters applied.
pub(crate) fn update(
    params: &Params,
    account: &Account,
    campaign: &Campaign,
    now: Timestamp,
) -> Result<Campaign, GraphError> {
    check_supported(params)?;
    let mut updated = campaign.clone();
    let status = params.choice("status", STATUSES)?.and_then(Status::parse);
    check_editable(params, campaign.status, status)?;
    if let Some(name) = params.string("name") {
        name.clone_into(&mut updated.name);
    }
    if params.string("objective").is_some_and(|objective| objective != campaign.objective) {
        let why = "The objective of a campaign stays as it is.";
        return Err(GraphError::rule_violation("objective", "Objective cannot be changed", why));
    }
    if let Some(categories) = categories(params)? {
        updated.special_ad_categories = categories;
    }
    if let Some(countries) = category_countries(params)? {
        updated.special_ad_category_country = countries;
    }
    check_countries(&updated.special_ad_categories, &updated.special_ad_category_country)?;
    if let Some(budget) = budget(params, account)? {
        check_period(campaign.budget, budget)?;
        updated.budget = Some(budget);
    }
    if updated.budget.is_some() {
        budget_sharing(params, updated.budget)?;
    }
    if let Some(strategy) = params.choice("bid_strategy", BID_STRATEGIES)? {
        updated.bid_strategy = Some(strategy.to_owned());
    }
    updated.status = status.unwrap_or(campaign.status);
    if params.first_present(TRACKED_PARAMS).is_some() {
        updated.updated = now;
    }
    Ok(updated)
}

/// Rejects a change between daily and lifetime budget, which Meta does not document.
fn check_period(old: Option<Budget>, new: Budget) -> Result<(), GraphError> {
    if old.is_none_or(|old| old.parameter() == new.parameter()) {
        return Ok(());
    }
    let why = "A campaign keeps its kind of budget: daily or lifetime.";
    Err(GraphError::rule_violation(new.parameter(), "Budget type cannot be changed", why))
}

/// A deleted campaign is read-only. An archived campaign can only be renamed or deleted.
fn check_editable(params: &Params, old: Status, new: Option<Status>) -> Result<(), GraphError> {
    const OTHER_PARAMS: &[&str] = &["daily_budget", "lifetime_budget", "bid_strategy", "special_ad_categories"];
    let reject = |blame, why| Err(GraphError::rule_violation(blame, "Campaign cannot be edited", why));
    match (old, new) {
        (Status::Deleted, _) => reject("status", "The campaign is deleted."),
        (Status::Archived, Some(Status::Active | Status::Paused)) => {
            reject("status", "An archived campaign can only be deleted.")
        }
        (Status::Archived, _) => match params.first_present(OTHER_PARAMS) {
            Some(blame) => reject(blame, "Of an archived campaign only name and status can be changed."),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

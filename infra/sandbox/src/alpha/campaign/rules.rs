//! Rules that hold for every create and update of a campaign.
//!
//! Google Ads API reference v26: `Campaign`, `CampaignError`.

use super::Campaign;
use crate::alpha::account::Account;
use crate::alpha::bidding::supports_total_budget;
use crate::alpha::budget::rules::check_days;
use crate::alpha::budget::{Amount, Budget};
use crate::alpha::error::AdsError;

fn campaign_error(value: &'static str, why: &str, field: &str) -> AdsError {
    AdsError::new(("campaignError", value), why).at(field)
}

/// A name is not empty, on one line, and unique among campaigns that are not removed.
pub(super) fn check_name(account: &Account, own_id: i64, name: Option<&str>) -> Result<String, AdsError> {
    let name = name.ok_or_else(|| AdsError::required("name"))?;
    if name.trim().is_empty() {
        return Err(AdsError::new(("stringLengthError", "EMPTY"), "The name is empty.").at("name"));
    }
    if name.contains(['\0', '\n', '\r']) {
        let why = "The name may not hold NUL, line feed or carriage return.";
        return Err(campaign_error("INVALID_CAMPAIGN_NAME", why, "name").with_trigger(name));
    }
    let is_taken = |other: &Campaign| !other.is_removed() && other.id != own_id && other.name == name;
    if account.campaigns.values().any(is_taken) {
        let why = "The name is already assigned to another active or paused campaign.";
        return Err(campaign_error("DUPLICATE_CAMPAIGN_NAME", why, "name").with_trigger(name));
    }
    Ok(name.to_owned())
}

/// A budget that is not shared takes the campaign's name, which then has at most 255 bytes.
pub(super) fn check_name_as_budget(name: &str, budget: &Budget) -> Result<(), AdsError> {
    if budget.shared || name.trim().len() <= 255 {
        return Ok(());
    }
    let why = "The name has more than the 255 bytes that a budget's name may have.";
    Err(AdsError::new(("stringLengthError", "TOO_LONG"), why).at("name").with_trigger(name))
}

/// The budget is available to the campaign and compatible with its channel and dates.
pub(super) fn check_budget(account: &Account, campaign: &Campaign, budget: &Budget) -> Result<(), AdsError> {
    let field = "campaign_budget";
    let budget_error = |value, why: &str| Err(AdsError::new(("campaignBudgetError", value), why).at(field));
    if budget.removed {
        return budget_error("CAMPAIGN_BUDGET_REMOVED", "The campaign budget no longer exists.");
    }
    let uses_it = |other: &Campaign| other.budget == budget.id && other.id != campaign.id && !other.is_removed();
    if !budget.shared && account.campaigns.values().any(uses_it) {
        return budget_error(
            "CANNOT_USE_IMPLICITLY_SHARED_CAMPAIGN_BUDGET_WITH_MULTIPLE_CAMPAIGNS",
            "Only a shared campaign budget can be used with several campaigns.",
        );
    }
    let Amount::Total(micros) = budget.amount else { return Ok(()) };
    if !supports_total_budget(&campaign.channel) {
        let why = "This channel takes no total budget.";
        return Err(campaign_error("INCOMPATIBLE_BUDGET_TYPE", why, field));
    }
    let Some(days) = campaign.days() else {
        let why = "A campaign with a total budget needs an end.";
        return Err(campaign_error("END_DATE_TIME_REQUIRED_FOR_TOTAL_BUDGET", why, "end_date_time"));
    };
    check_days(micros, "total_amount_micros", &account.currency, days).map_err(|error| error.at(field))
}

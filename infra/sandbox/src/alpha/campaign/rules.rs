//! Rules that hold for a campaign whenever it is made or changed.
//!
//! Google Ads API reference v26: `Campaign`, `CampaignError`.

use super::Campaign;
use crate::alpha::accounts::Account;
use crate::alpha::bidding::takes_total_budget;
use crate::alpha::budget::{self, Amount, Budget};
use crate::alpha::error::AdsError;

fn campaign_error(value: &'static str, why: &str, field: &str) -> AdsError {
    AdsError::new(("campaignError", value), why).at(field)
}

/// The name: something, in one line, and no other campaign's that is not removed.
pub(super) fn check_name(account: &Account, own_id: i64, name: Option<&str>) -> Result<String, AdsError> {
    let name = name.ok_or_else(|| AdsError::required("name"))?;
    if name.trim().is_empty() {
        return Err(AdsError::new(("stringLengthError", "EMPTY"), "The name is empty.").at("name"));
    }
    if name.contains(['\0', '\n', '\r']) {
        let why = "The name may not hold NUL, line feed or carriage return.";
        return Err(campaign_error("INVALID_CAMPAIGN_NAME", why, "name").on(name));
    }
    let taken = |other: &Campaign| !other.is_removed() && other.id != own_id && other.name == name;
    if account.campaigns.values().any(taken) {
        let why = "The name is already assigned to another active or paused campaign.";
        return Err(campaign_error("DUPLICATE_CAMPAIGN_NAME", why, "name").on(name));
    }
    Ok(name.to_owned())
}

/// A budget that is not shared takes the campaign's name, and a budget's name has 255 bytes at
/// most.
pub(super) fn check_name_as_budget(name: &str, budget: &Budget) -> Result<(), AdsError> {
    if budget.shared || name.trim().len() <= 255 {
        return Ok(());
    }
    let why = "The name has more than the 255 bytes that a budget's name may have.";
    Err(AdsError::new(("stringLengthError", "TOO_LONG"), why).at("name").on(name))
}

/// The budget may be used by this campaign, and fits its channel and dates.
pub(super) fn check_budget(account: &Account, campaign: &Campaign, budget: &Budget) -> Result<(), AdsError> {
    let field = "campaign_budget";
    let budget_error = |value, why: &str| Err(AdsError::new(("campaignBudgetError", value), why).at(field));
    if budget.removed {
        return budget_error("CAMPAIGN_BUDGET_REMOVED", "The campaign budget no longer exists.");
    }
    let used = |other: &Campaign| other.budget == budget.id && other.id != campaign.id && !other.is_removed();
    if !budget.shared && account.campaigns.values().any(used) {
        return budget_error(
            "CANNOT_USE_IMPLICITLY_SHARED_CAMPAIGN_BUDGET_WITH_MULTIPLE_CAMPAIGNS",
            "Only a shared campaign budget can be used with several campaigns.",
        );
    }
    let Amount::Total(micros) = budget.amount else { return Ok(()) };
    if !takes_total_budget(&campaign.channel) {
        let why = "This channel takes no total budget.";
        return Err(campaign_error("INCOMPATIBLE_BUDGET_TYPE", why, field));
    }
    let Some(days) = campaign.days() else {
        let why = "A campaign with a total budget needs an end.";
        return Err(campaign_error("END_DATE_TIME_REQUIRED_FOR_TOTAL_BUDGET", why, "end_date_time"));
    };
    budget::check_days(micros, "total_amount_micros", &account.currency, days).map_err(|error| error.at(field))
}

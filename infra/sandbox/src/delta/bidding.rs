//! The bid of a campaign, the organization that it promotes, and the conditions of delivery.
//!
//! Marketing API: "Create and Manage Campaigns" (`optimizationTargetType`, `unitCost`, `associatedEntity`);
//! campaigns recorded live. Not verified: that the platform accepts a campaign without a bid or without an
//! entity and then never delivers it, and which other pairs of cost type and target it accepts. Every
//! recorded row with automatic bidding is billed by impressions (`MAX_CLICK` with `CPM` too). The sandbox
//! rejects other pairs, so that no client depends on one.

use super::accounts::Account;
use super::currency;
use super::entity::{Entity, Fields, text};
use super::error::InputError;
use super::rules::Errors;

/// The fields that are validated together.
const BIDDING: &[&str] = &["costType", "optimizationTargetType", "unitCost"];

/// Checks the bid of a new campaign or of a changed bid. An older campaign without a bid can still be
/// renamed.
pub(crate) fn check_bid(fields: &Fields, old: Option<&Fields>, errors: &mut Errors) {
    let is_unchanged = |name: &&str| old.is_some_and(|old| old.get(*name) == fields.get(*name));
    if BIDDING.iter().all(is_unchanged) || !fields.contains_key("costType") {
        return;
    }
    match (text(fields, "costType"), text(fields, "optimizationTargetType")) {
        (_, "" | "NONE") if fields.contains_key("unitCost") => {}
        (_, "" | "NONE") => errors.push(InputError::missing("/unitCost")),
        ("CPM", "MAX_REACH" | "MAX_IMPRESSION" | "MAX_CLICK") => {}
        (cost, target) => {
            let why = format!("{target} does not go with the cost type {cost}");
            errors.push(InputError::invalid("/optimizationTargetType", why));
        }
    }
}

/// The error for an entity that is not the account's own.
pub(crate) fn entity_error(account: &Account, fields: &Fields) -> Option<InputError> {
    let given = fields.get("associatedEntity")?.as_str()?;
    if account.reference.as_deref() == Some(given) {
        return None;
    }
    Some(InputError::invalid("/associatedEntity", format!("{given} is not the reference of the account")))
}

/// The missing fields that prevent delivery. The campaign still looks as if it ran.
pub(crate) fn missing_for_delivery(campaign: &Entity, currency: &str) -> Vec<&'static str> {
    let is_manual = matches!(campaign.text("optimizationTargetType"), "" | "NONE");
    let bid = campaign.fields.get("unitCost").and_then(|bid| bid.get("amount")?.as_str());
    let bids = bid.is_some_and(|amount| currency::minor_units(amount, currency).is_ok_and(|coins| coins > 0));
    let missing =
        [(is_manual && !bids, "unitCost"), (!campaign.fields.contains_key("associatedEntity"), "associatedEntity")];
    missing.into_iter().filter(|(is_missing, _)| *is_missing).map(|(_, field)| field).collect()
}

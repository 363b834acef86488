//! How a campaign bids, whom it promotes, and whether it can deliver at all.
//!
//! Marketing API: "Create and Manage Campaigns" (`optimizationTargetType`, `unitCost`,
//! `associatedEntity`); campaigns recorded live. Not verified: that a campaign without a bid
//! or without an entity is taken and then never delivers, and which other pairs of cost type and
//! target are taken. Automatic bidding is billed by impressions in every row that was recorded
//! (`MAX_CLICK` with `CPM` too), so other pairs are refused here and no client rests on one.

use super::accounts::Account;
use super::currency;
use super::entity::{Entity, Fields, text};
use super::error::InputError;
use super::rules::Errors;

/// The fields that belong together.
const BIDDING: &[&str] = &["costType", "optimizationTargetType", "unitCost"];

/// Checks the bid of a new campaign, or of one whose bid changes: an older campaign without a bid
/// can still be renamed.
pub(crate) fn check(fields: &Fields, before: Option<&Fields>, errors: &mut Errors) {
    let kept = |name: &&str| before.is_some_and(|before| before.get(*name) == fields.get(*name));
    if BIDDING.iter().all(kept) || !fields.contains_key("costType") {
        return;
    }
    match (text(fields, "costType"), text(fields, "optimizationTargetType")) {
        (_, "" | "NONE") if fields.contains_key("unitCost") => {}
        (_, "" | "NONE") => errors.push(InputError::missing("/unitCost")),
        ("CPM", "MAX_REACH" | "MAX_IMPRESSION" | "MAX_CLICK") => {}
        (cost, target) => {
            let why = format!("{target} does not go with the cost type {cost}");
            errors.push(InputError::value("/optimizationTargetType", why));
        }
    }
}

/// The entity is the account's own, if the campaign names one.
pub(crate) fn entity(account: &Account, fields: &Fields) -> Option<InputError> {
    let given = fields.get("associatedEntity")?.as_str()?;
    if account.reference.as_deref() == Some(given) {
        return None;
    }
    Some(InputError::value("/associatedEntity", format!("{given} is not the reference of the account")))
}

/// The fields for whose lack the campaign never delivers, though it looks as if it ran.
pub(crate) fn undelivered(campaign: &Entity, currency: &str) -> Vec<&'static str> {
    let is_manual = matches!(campaign.text("optimizationTargetType"), "" | "NONE");
    let bid = campaign.fields.get("unitCost").and_then(|bid| bid.get("amount")?.as_str());
    let bids = bid.is_some_and(|amount| currency::coins(amount, currency).is_ok_and(|coins| coins > 0));
    let lacks =
        [(is_manual && !bids, "unitCost"), (!campaign.fields.contains_key("associatedEntity"), "associatedEntity")];
    lacks.into_iter().filter(|(lacks, _)| *lacks).map(|(_, field)| field).collect()
}

//! Idempotency of creates.
//!
//! TikTok API for Business v1.3: "Create a campaign", field `request_id`.

use super::account::Account;
use super::campaign::{Campaign, Kind};
use super::error::{ApiError, DUPLICATE_REQUEST};
use super::params::Body;

/// Deduplicates by `request_id`, which Smart+ requires: one call of each id succeeds. With an id, a campaign may reuse
/// a name. TikTok does not publish the code of a duplicate; the sandbox uses the one for duplicate requests.
pub(crate) fn check(account: &mut Account, body: &Body, kind: Kind, name: &str) -> Result<(), ApiError> {
    let field = "request_id";
    let Some(id) = body.string(field)? else {
        if kind == Kind::SmartPlus {
            return Err(ApiError::missing(field));
        }
        let taken = |other: &Campaign| !other.deleted && other.name == name;
        if account.campaigns.values().any(taken) {
            return Err(ApiError::parameter("campaign_name", "Campaign name already exists."));
        }
        return Ok(());
    };
    let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    let (true, Ok(number)) = (is_number, id.parse::<i64>()) else {
        return Err(ApiError::parameter(field, "Must be a 64-bit integer in a string."));
    };
    // Ids compare as integers: 07 equals 7.
    if account.request_ids.insert(number.to_string()) {
        return Ok(());
    }
    Err(ApiError::new(DUPLICATE_REQUEST, "Duplicated request: this request_id was used before."))
}

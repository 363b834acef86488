//! Whether another change may wait, for its time or for approval.

use crate::domain::{ApiKeys, CapacityError, CustomerId, ExternalRef, KeyId, Reason, WaitRequest, check_capacity};
use crate::error::{Error, Kind};
use crate::store::Store;

/// Refuses another waiting change if the customer, the key with a limit that asks for it, or the user of its connection has
/// too many. For callers without a limit the error names the one of `keys` that has asked for most, unless `keys` is `None`,
/// because the caller acts for one user.
pub async fn require_capacity(
    store: &Store,
    customer: CustomerId,
    keys: Option<&ApiKeys>,
    request: WaitRequest<'_>,
) -> Result<(), Error> {
    let waiting = store.counted_changes(customer).await?;
    let Err(full) = check_capacity(&waiting, &request) else { return Ok(()) };
    let keys = match keys {
        Some(keys) => Some(keys.clone().with_assistants_of(&store.assistant_keys(customer).await?)),
        None => None,
    };
    let message = message(&full, &request, keys.as_ref());
    Err(Error::new(Kind::Conflict, message).because(Reason::LimitReached))
}

fn message(full: &CapacityError, request: &WaitRequest<'_>, keys: Option<&ApiKeys>) -> String {
    let of_key = |key: Option<&KeyId>| key.map_or_else(String::new, |key| format!("&api_key_id={key}"));
    let (user, limited) = (request.user.map_or("", ExternalRef::as_str), request.limited);
    match full {
        CapacityError::Share(count) => format!(
            "{count} changes of this API key wait for their time or for approval, and with a spending limit it has no room \
             for more. Cancel one of them (GET /v1/changes?state=scheduled{} lists them), wait until one is applied, or \
             ask a person to cancel some.",
            of_key(limited)
        ),
        CapacityError::ShareOfApprovals(count) => format!(
            "{count} changes of this API key wait for approval, and with a spending limit it has no room for more. Wait \
             until a person has decided on them, or cancel one (GET /v1/changes?state=awaiting_approval{} lists them).",
            of_key(limited)
        ),
        CapacityError::Reserved(count) => format!(
            "{count} changes wait for their time or for approval, and what is left is for people and for API keys without \
             a spending limit. Wait until one is applied, or ask a person to cancel some."
        ),
        CapacityError::Approvals(count) => format!(
            "{count} changes wait for approval, and more are not possible. Wait until a person has decided on them, or \
             cancel one (GET /v1/changes?state=awaiting_approval lists them)."
        ),
        CapacityError::UserShare(count) => format!(
            "{count} changes of the user {user} wait for their time or for approval, and the rest is for other users. Cancel \
             one of them (GET /v1/changes?state=scheduled&external_ref={user} lists them), or wait until one is applied."
        ),
        CapacityError::UserShareOfApprovals(count) => format!(
            "{count} changes of the user {user} wait for approval, and the rest is for other users. Wait until a person has \
             decided on them, or cancel one (GET /v1/changes?state=awaiting_approval&external_ref={user} lists them)."
        ),
        CapacityError::All(count, busiest) => {
            let named = keys.zip(busiest.as_ref());
            let most = named.map_or_else(String::new, |(keys, (key, of_them))| {
                let known = keys.all().iter().find(|known| known.id == *key);
                let name = known.map_or_else(String::new, |known| format!(" \"{}\"", known.name));
                format!(" {of_them} of them are of the API key{name} ({key}).")
            });
            let busiest = named.map(|(_, (key, _))| key);
            format!(
                "{count} changes wait for their time or for approval, and more are not possible.{most} Cancel one (GET \
                 /v1/changes?state=scheduled{} lists them), or wait until one is applied.",
                of_key(busiest)
            )
        }
    }
}

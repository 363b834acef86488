//! The ad accounts that a user reaches.
//!
//! `test` and `servingStatuses` are not read. A test account, or one that LinkedIn holds back because of its bill,
//! stays connected: its campaigns can be read and changed, and an account that is left out would turn its connection
//! into an error.

use super::api::{self, API};
use super::{query, wire};
use crate::platforms::engine::accounts::{by_id, known_currency};
use crate::platforms::prelude::*;
use tokio::time::{Instant, sleep};

/// The platform may refuse a new token as revoked. Five seconds later it was not refused any more (recorded live,
/// 2024-09).
pub(super) const TOKEN_DELAY: Duration = Duration::from_secs(5);
/// Time that the second attempt needs before the deadline.
const MIN_ATTEMPT: Duration = Duration::from_secs(2);

/// Accounts that can hold campaigns, by id. A token that is refused as revoked is tried once more after `delay`. This
/// is the first call after the exchange of a code, and its refusal would end a consent that was only just given.
pub(super) async fn accounts(
    call: &CallContext,
    token: &SecretString,
    delay: Duration,
) -> Result<Vec<AdAccount>, Error> {
    let has_time = || call.deadline.saturating_duration_since(Instant::now()) > delay + MIN_ATTEMPT;
    match all(call, token).await {
        Err(error) if is_revoked(&error) && has_time() => {
            sleep(delay).await;
            all(call, token).await
        }
        outcome => outcome,
    }
}

fn is_revoked(error: &Error) -> bool {
    error.kind == Kind::TokenExpired && matches!(error.platform_code(), Some("REVOKED_ACCESS_TOKEN" | "65601"))
}

async fn all(call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
    let client = Client::new(&API, call, Some(token));
    let rows = api::search(query::accounts()).all(&client).await?;
    Ok(by_id(readable(Platform::Delta, &rows, account)?.into_iter().flatten().flatten().collect()))
}

/// The session's ad account; `None` for one that is not active.
pub(super) async fn of_session(session: &AccountSession) -> Result<Option<AdAccount>, Error> {
    let response = api::fetch(session, query::account(&session.account.id)?).await;
    let response = response.map_err(|error| errors::account_error(Platform::Delta, error))?;
    let found = account(&read_object::<Box<RawValue>>(Platform::Delta, &response.body)?)?;
    Ok(found.filter(|account| account.id == session.account.id))
}

/// An account; `None` for one that is not active or has an unknown currency.
fn account(row: &RawValue) -> Result<Option<AdAccount>, Error> {
    let found: wire::Account = read_object(Platform::Delta, row.get().as_bytes())?;
    let id = found.id.to_string();
    query::number(&id).ok_or_else(|| unreadable(Platform::Delta, "an ad account without an id"))?;
    if found.status.as_deref() != Some("ACTIVE") {
        return Ok(None);
    }
    let Some(currency) = known_currency(Platform::Delta, &id, found.currency.as_deref()) else { return Ok(None) };
    // The platform has no time zone of an account: its days are those of UTC.
    let name = found.name.unwrap_or_default();
    let time_zone = "UTC".to_owned();
    Ok(Some(AdAccount { id, name, currency, time_zone, manager_id: None }))
}

/// The URN of the page or person that the session's ad account advertises for; `None` for an account without one.
pub(super) async fn reference(session: &AccountSession) -> Result<Option<String>, Error> {
    let response = api::fetch(session, query::account(&session.account.id)?).await.map_err(errors::referenced_error)?;
    let found: wire::AccountReference = read_object(Platform::Delta, &response.body)?;
    Ok(found.reference.filter(|reference| reference.starts_with("urn:li:")))
}

#[cfg(test)]
mod tests;

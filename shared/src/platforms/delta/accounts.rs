//! The ad accounts that a user reaches.
//!
//! `test` and `servingStatuses` are not read. A test account, or one that LinkedIn holds back because of its bill,
//! stays connected: its campaigns can be read and changed, and an account that is left out would turn its connection
//! into an error.

use super::client::{Client, without_campaign};
use super::fault::{is_revoked, read, unreadable};
use super::{query, wire};
use crate::domain::{AdAccount, Currency, Platform};
use crate::error::Error;
use crate::platforms::rows::readable;
use crate::platforms::{CallContext, Session};
use secrecy::SecretString;
use serde_json::value::RawValue;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long the platform may refuse a new token as revoked: callers who waited five seconds met no refusal (recorded
/// live, 2024-09).
const TOKEN_DELAY: Duration = Duration::from_secs(5);
/// Time that the second attempt needs before the deadline.
const MIN_ATTEMPT: Duration = Duration::from_secs(2);

/// Accounts that can hold campaigns, by id.
pub(super) async fn accounts(call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
    after_a_pause(call, token, TOKEN_DELAY).await
}

/// The same, once more after a pause where the token is refused as revoked: this call is the first one after a code was
/// exchanged, and a refusal that is believed too soon would end a consent that was only just given.
pub(super) async fn after_a_pause(
    call: &CallContext,
    token: &SecretString,
    pause: Duration,
) -> Result<Vec<AdAccount>, Error> {
    match all(call, token).await {
        Err(error) if is_revoked(&error) && has_time(call, pause) => {
            sleep(pause).await;
            all(call, token).await
        }
        outcome => outcome,
    }
}

fn has_time(call: &CallContext, pause: Duration) -> bool {
    call.deadline.saturating_duration_since(Instant::now()) > pause + MIN_ATTEMPT
}

async fn all(call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
    let rows = Client::new(call, token).all(query::ACCOUNTS).await?;
    let accounts = readable(Platform::Delta, &rows, account)?;
    let mut accounts: Vec<AdAccount> = accounts.into_iter().flatten().flatten().collect();
    accounts.sort_by(|one, other| one.id.cmp(&other.id));
    accounts.dedup_by(|one, kept| one.id == kept.id);
    Ok(accounts)
}

/// An account, or `None` for one that is not active, or whose currency is not known here: no budget of it could be read
/// or written.
fn account(row: &RawValue) -> Result<Option<AdAccount>, Error> {
    let found: wire::Account = read(row.get().as_bytes())?;
    let id = found.id.to_string();
    query::number(&id).ok_or_else(|| unreadable("an ad account without an id"))?;
    if found.status.as_deref() != Some("ACTIVE") {
        return Ok(None);
    }
    let Some(currency) = found.currency.as_deref().and_then(Currency::from_code) else {
        tracing::warn!(platform = %Platform::Delta, account = %id, "an account in an unknown currency was left out");
        return Ok(None);
    };
    // The platform has no time zone of an account: its days are those of UTC.
    Ok(Some(AdAccount {
        id,
        name: found.name.unwrap_or_default(),
        currency,
        time_zone: "UTC".to_owned(),
        manager_id: None,
    }))
}

/// The page or person that the session's ad account advertises for, a URN; `None` for an account without one.
pub(super) async fn reference(session: &Session) -> Result<Option<String>, Error> {
    let path = query::account(&session.account.id)?;
    let found: wire::AccountReference = Client::of(session).get_as(&path).await.map_err(without_campaign)?;
    Ok(found.reference.filter(|reference| reference.starts_with("urn:li:")))
}

#[cfg(test)]
mod tests;

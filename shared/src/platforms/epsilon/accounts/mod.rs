//! The ad accounts that a user has, and those that others share with the user.

use super::api::{self, API};
use super::wire::{self, number};
use crate::platforms::engine::accounts::{by_id, known_currency};
use crate::platforms::prelude::*;

/// All ad accounts, sorted by id, each once.
pub(super) async fn accounts(call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
    let rows = api::ad_accounts().all(&Client::new(&API, call, Some(token))).await?;
    Ok(by_id(readable(Platform::Epsilon, &rows, account)?.into_iter().flatten().flatten().collect()))
}

/// The session's ad account.
pub(super) async fn of_session(session: &AccountSession) -> Result<Option<AdAccount>, Error> {
    let response = Client::of(&API, session).read(get(api::ad_account(&session.account.id)?)).await;
    let response = response.map_err(|error| errors::account_error(Platform::Epsilon, error))?;
    let found = account(&read_object::<Box<RawValue>>(Platform::Epsilon, &response.body)?)?;
    Ok(found.filter(|account| account.id == session.account.id))
}

/// An account, or `None` for one in an unknown currency.
fn account(row: &RawValue) -> Result<Option<AdAccount>, Error> {
    let theirs: wire::AdAccount = read_object(Platform::Epsilon, row.get().as_bytes())?;
    number(&theirs.id).ok_or_else(|| unreadable(Platform::Epsilon, "an ad account without an id"))?;
    let currency = known_currency(Platform::Epsilon, &theirs.id, theirs.currency.as_deref());
    let Some(currency) = currency else { return Ok(None) };
    let name = theirs.name.unwrap_or_default();
    let time_zone = zone(theirs.time_zone);
    Ok(Some(AdAccount { id: theirs.id, name, currency, time_zone, manager_id: None }))
}

/// The time zone of plain dates (recorded live, 2026). UTC for an account without a known zone: times are sent as
/// instants, so no campaign depends on it.
fn zone(named: Option<String>) -> String {
    named.filter(|zone| TimeZone::get(zone).is_ok()).unwrap_or_else(|| "UTC".to_owned())
}

#[cfg(test)]
mod tests;

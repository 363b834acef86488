//! The ad accounts that a user has, and those that others share with the user.

use super::api::{self, API};
use super::fault::{self, unreadable};
use super::wire::{self, number};
use crate::domain::{AdAccount, Currency, Platform};
use crate::error::Error;
use crate::platforms::engine::call::{CallContext, Client};
use crate::platforms::rows::readable;
use jiff::tz::TimeZone;
use secrecy::SecretString;
use serde_json::value::RawValue;

/// All ad accounts, sorted by id, each once.
pub(super) async fn accounts(call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
    let rows = api::ad_accounts().all(&Client::new(&API, call, Some(token))).await?;
    let mut found: Vec<AdAccount> =
        readable(Platform::Epsilon, &rows, account)?.into_iter().flatten().flatten().collect();
    found.sort_by(|one, other| one.id.cmp(&other.id));
    found.dedup_by(|one, kept| one.id == kept.id);
    Ok(found)
}

/// An account, or `None` for one whose currency is not known here: no budget of it could be read or written.
fn account(row: &RawValue) -> Result<Option<AdAccount>, Error> {
    let theirs: wire::AdAccount = fault::read(row.get().as_bytes())?;
    number(&theirs.id).ok_or_else(|| unreadable("an ad account without an id"))?;
    let Some(currency) = theirs.currency.as_deref().and_then(Currency::from_code) else {
        let (platform, account) = (Platform::Epsilon, &theirs.id);
        tracing::warn!(%platform, account, "an account in an unknown currency was left out");
        return Ok(None);
    };
    let (name, time_zone) = (theirs.name.unwrap_or_default(), zone(theirs.time_zone));
    Ok(Some(AdAccount { id: theirs.id, name, currency, time_zone, manager_id: None }))
}

/// The account's time zone (recorded live, 2026), which plain dates are read in. UTC where the platform names none, or
/// one that is not known here: times go out as instants, so that no campaign depends on it.
fn zone(named: Option<String>) -> String {
    named.filter(|zone| TimeZone::get(zone).is_ok()).unwrap_or_else(|| "UTC".to_owned())
}

#[cfg(test)]
mod tests;

//! The ad accounts that a user reaches: those of every business of theirs.

use super::api::{self, API};
use super::wire::{self, id};
use crate::platforms::engine::accounts::{by_id, known_currency};
use crate::platforms::prelude::*;
use futures_util::{StreamExt, TryStreamExt, stream};

/// Businesses that are read at the same time.
const CONCURRENCY: usize = 8;

/// All accounts, by id, each once.
pub(super) async fn accounts(call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
    let client = &Client::new(&API, call, Some(token));
    let rows = api::listing(api::businesses("me/businesses")).all(client).await?;
    let businesses = readable(Platform::Zeta, &rows, business)?.into_iter().flatten();
    let reads = stream::iter(businesses.map(|business| of_business(client, business)));
    #[expect(clippy::disallowed_methods, reason = "pure reads, outside of an ad account")]
    let found: Vec<Vec<AdAccount>> = reads.buffer_unordered(CONCURRENCY).try_collect().await?;
    Ok(by_id(found.into_iter().flatten().collect()))
}

async fn of_business(client: &Client<'_>, business: String) -> Result<Vec<AdAccount>, Error> {
    let rows = api::listing(api::businesses(&format!("businesses/{business}/ad_accounts"))).all(client).await?;
    Ok(readable(Platform::Zeta, &rows, account)?.into_iter().flatten().flatten().collect())
}

/// The session's ad account.
pub(super) async fn of_session(session: &AccountSession) -> Result<Option<AdAccount>, Error> {
    let address = api::ad_account(&session.account.id)?;
    let response = Client::of(&API, session).read(get(address)).await;
    let response = response.map_err(|error| errors::account_error(Platform::Zeta, error))?;
    let found = account(&api::read_data(&response)?)?;
    Ok(found.filter(|account| account.id == session.account.id))
}

/// The id of a business. Ids of businesses are UUIDs; the platform sent it, and still it becomes part of a path.
fn business(row: &RawValue) -> Result<String, Error> {
    let wire::Identified { id } = read_object(Platform::Zeta, row.get().as_bytes())?;
    let is_id = !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    is_id.then_some(id).ok_or_else(|| unreadable(Platform::Zeta, "a business without a usable id"))
}

/// An account, or `None` for one in an unknown currency.
fn account(row: &RawValue) -> Result<Option<AdAccount>, Error> {
    let found: wire::AdAccount = read_object(Platform::Zeta, row.get().as_bytes())?;
    id(&found.id).map_err(|_| unreadable(Platform::Zeta, "an ad account without a usable id"))?;
    let currency = known_currency(Platform::Zeta, &found.id, found.currency.as_deref());
    let Some(currency) = currency else { return Ok(None) };
    Ok(Some(AdAccount {
        id: found.id,
        name: found.name.unwrap_or_default(),
        currency,
        time_zone: found.time_zone_id.filter(|zone| !zone.is_empty()).unwrap_or_else(|| "UTC".to_owned()),
        manager_id: None,
    }))
}

#[cfg(test)]
mod tests;

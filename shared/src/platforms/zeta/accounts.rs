//! The ad accounts that a user reaches: those of every business of theirs.

use super::client::Client;
use super::wire::{self, id};
use crate::domain::{AdAccount, Currency, Platform};
use crate::error::Error;
use crate::platforms::answers::unreadable;
use futures_util::{StreamExt, TryStreamExt, stream};

/// How many businesses are asked at the same time.
const AT_ONCE: usize = 8;

/// All accounts, by id, each once.
pub(super) async fn accounts(client: &Client<'_>) -> Result<Vec<AdAccount>, Error> {
    let businesses: Vec<wire::Business> = client.all("/me/businesses").await?;
    let asked = stream::iter(businesses.into_iter().map(|business| of_business(client, business)));
    let found: Vec<Vec<wire::AdAccount>> = asked.buffer_unordered(AT_ONCE).try_collect().await?;
    let mut accounts: Vec<AdAccount> = found.into_iter().flatten().filter_map(account).collect();
    accounts.sort_by(|one, other| one.id.cmp(&other.id));
    accounts.dedup_by(|one, other| one.id == other.id);
    Ok(accounts)
}

async fn of_business(client: &Client<'_>, business: wire::Business) -> Result<Vec<wire::AdAccount>, Error> {
    // Ids of businesses are UUIDs; the platform sent it, and still it becomes part of a path.
    let is_id = !business.id.is_empty() && business.id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    if !is_id {
        return Err(unreadable(Platform::Zeta, "a business without a usable id"));
    }
    client.all(&format!("/businesses/{}/ad_accounts", business.id)).await
}

/// An account, or `None` for one whose id or currency is not known here: nothing of it could be read or written.
fn account(found: wire::AdAccount) -> Option<AdAccount> {
    let currency = found.currency.as_deref().and_then(Currency::from_code);
    let (Ok(_), Some(currency)) = (id(&found.id), currency) else {
        tracing::warn!(platform = %Platform::Zeta, "an account with an unknown id or currency was left out");
        return None;
    };
    Some(AdAccount {
        id: found.id,
        name: found.name.unwrap_or_default(),
        currency,
        time_zone: found.time_zone_id.filter(|zone| !zone.is_empty()).unwrap_or_else(|| "UTC".to_owned()),
        manager_id: None,
    })
}

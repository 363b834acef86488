//! The ad accounts that a token reaches.

use super::client::Client;
use super::wire::{Advertiser, AdvertiserInfo, Page};
use crate::domain::{AdAccount, Currency, Platform};
use crate::error::Error;
use crate::platforms::Peer;
use futures_util::{StreamExt, TryStreamExt, stream};
use secrecy::{ExposeSecret, SecretString};

/// How many accounts are asked for in one call.
const PER_CALL: usize = 100;
/// How many calls are made at the same time.
const AT_ONCE: usize = 4;
/// What is read of an account. <https://business-api.tiktok.com/portal/docs?id=1739593083610113>
const FIELDS: &str = r#"["advertiser_id","name","currency","timezone","display_timezone"]"#;

/// Accounts by id, each once.
pub(super) async fn accounts(peer: &Peer, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
    let client = Client::new(peer, Some(token));
    let ours = &peer.site.client;
    let query = [("app_id", ours.client_id.as_str()), ("secret", ours.client_secret.expose_secret())];
    let page: Page<Advertiser> = client.get("oauth2/advertiser/get", &query).await?;
    let ids: Vec<String> = page.list.into_iter().flatten().map(|reached| reached.advertiser_id.to_string()).collect();
    let calls: Vec<_> = ids.chunks(PER_CALL).map(|ids| details(client, ids.to_vec())).collect();
    let calls = stream::iter(calls);
    let infos: Vec<Vec<AdvertiserInfo>> = calls.buffer_unordered(AT_ONCE).try_collect().await?;
    let mut found: Vec<AdAccount> = infos.into_iter().flatten().filter_map(account).collect();
    found.sort_by(|one, other| one.id.cmp(&other.id));
    found.dedup_by(|one, kept| one.id == kept.id);
    Ok(found)
}

async fn details(client: Client<'_>, ids: Vec<String>) -> Result<Vec<AdvertiserInfo>, Error> {
    let ids = serde_json::to_string(&ids).map_err(Error::internal)?;
    let page: Page<AdvertiserInfo> =
        client.get("advertiser/info", &[("advertiser_ids", ids.as_str()), ("fields", FIELDS)]).await?;
    Ok(page.list.unwrap_or_default())
}

/// An account, or `None` for one whose currency is not known here: no budget of it could be read or written.
fn account(info: AdvertiserInfo) -> Option<AdAccount> {
    let id = info.advertiser_id.to_string();
    let Some(currency) = info.currency.as_deref().and_then(Currency::from_code) else {
        tracing::warn!(platform = %Platform::Gamma, account = %id, "an account in an unknown currency was left out");
        return None;
    };
    let zones = [info.display_timezone, info.timezone].into_iter().flatten();
    Some(AdAccount {
        id,
        name: info.name.unwrap_or_default(),
        currency,
        time_zone: zones.into_iter().find(|zone| zone.contains('/')).unwrap_or_else(|| "UTC".to_owned()),
        manager_id: None,
    })
}

#[cfg(test)]
mod tests;

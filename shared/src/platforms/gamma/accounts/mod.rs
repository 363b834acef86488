//! The ad accounts that a token reaches.
//!
//! The list of a token keeps deleted advertisers, and a deleted one fails the description of all accounts in the same
//! call (recorded live, 2026-07-08). The others are then requested without it.
//!
//! `status` is not requested. An account that is suspended (STATUS_LIMIT) or not confirmed yet stays connected: TikTok
//! refuses the operations that it does not permit, and an omitted account would turn its connection into an error.

use super::api::{self, API};
use super::error::is_deleted_advertiser;
use super::wire::{Advertiser, AdvertiserInfo};
use crate::platforms::engine::accounts::{by_id, known_currency};
use crate::platforms::prelude::*;
use futures_util::{StreamExt, stream};

const BATCH_SIZE: usize = 100;
const CONCURRENCY: usize = 4;
/// The most calls for descriptions. Each refusal names one deleted account or halves the list.
const MAX_CALLS: usize = 200;
/// In so many rounds the rest of a list is requested whole, then in halves: that takes fewer rounds where many accounts
/// are deleted.
const WHOLE_ROUNDS: usize = 2;
/// The fields of an account that are read. <https://business-api.tiktok.com/portal/docs?id=1739593083610113>
const FIELDS: &str = r#"["advertiser_id","name","currency","timezone","display_timezone"]"#;

pub(super) async fn accounts(call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
    let client = Client::new(&API, call, Some(token));
    let ours = &call.config.client;
    let parameters = [("app_id", ours.client_id.as_str()), ("secret", ours.client_secret.expose_secret())];
    let response = client.read(api::query("oauth2/advertiser/get", &parameters)).await?;
    let listed: Vec<Box<RawValue>> = api::read_rows(&response)?;
    let listed = readable(Platform::Gamma, &listed, |row| api::parse::<Advertiser>(row.get()))?;
    let ids: Vec<String> = listed.into_iter().flatten().map(|listed| listed.advertiser_id.to_string()).collect();
    // The rows of all calls together: an unreadable row that is alone in its call does not fail the other calls.
    let infos = describe(client, &ids).await?;
    let infos = readable(Platform::Gamma, &infos, |row| api::parse::<AdvertiserInfo>(row.get()))?;
    Ok(by_id(infos.into_iter().flatten().filter_map(account).collect()))
}

/// The session's ad account; `None` for one that is deleted.
pub(super) async fn of_session(session: &AccountSession) -> Result<Option<AdAccount>, Error> {
    let client = Client::new(&API, &session.call, Some(&session.token));
    let infos = describe(client, std::slice::from_ref(&session.account.id)).await?;
    let info = infos.first().map(|row| api::parse::<AdvertiserInfo>(row.get())).transpose()?;
    Ok(info.and_then(account).filter(|account| account.id == session.account.id))
}

/// The descriptions of all accounts but deleted ones, in rounds. A round requests the accounts that remain after the
/// refusals of the round before.
async fn describe(client: Client<'_>, ids: &[String]) -> Result<Vec<Box<RawValue>>, Error> {
    let mut found = Vec::new();
    let mut calls = 0;
    let mut lists: Vec<Vec<String>> = ids.chunks(BATCH_SIZE).map(<[String]>::to_vec).collect();
    for round in 0.. {
        calls += lists.len();
        if lists.is_empty() {
            break;
        }
        if calls > MAX_CALLS {
            // Retryable and not Forbidden: it says nothing about the accounts that were not described.
            return Err(unreadable(Platform::Gamma, "too many deleted accounts in the list of a token"));
        }
        let calls = lists.drain(..).map(|ids| async move { (details(client, &ids).await, ids) });
        let calls = stream::iter(calls.collect::<Vec<_>>()).buffer_unordered(CONCURRENCY);
        for (outcome, ids) in calls.collect::<Vec<_>>().await {
            match outcome {
                Ok(infos) => found.extend(infos),
                Err(error) => {
                    let message = deleted(&error).ok_or(error)?;
                    lists.extend(remaining(ids, &message, round));
                }
            }
        }
    }
    Ok(found)
}

/// The platform's message, where it says that one of the requested advertisers is deleted.
fn deleted(error: &Error) -> Option<String> {
    let message = &error.platform_error.as_ref()?.message;
    (error.platform_code() == Some("40001") && is_deleted_advertiser(message)).then(|| message.to_lowercase())
}

/// The lists to request after a refusal: without the accounts that it names, in halves where it names none. A single
/// account that is refused is the deleted one.
fn remaining(ids: Vec<String>, message: &str, round: usize) -> Vec<Vec<String>> {
    let named: Vec<&str> = message.split(|character: char| !character.is_ascii_digit()).collect();
    let before = ids.len();
    let rest: Vec<String> = ids.into_iter().filter(|id| !named.contains(&id.as_str())).collect();
    let is_named = rest.len() < before;
    if rest.is_empty() || (!is_named && before == 1) {
        return Vec::new();
    }
    let size = if is_named && round < WHOLE_ROUNDS { rest.len() } else { rest.len().div_ceil(2) };
    rest.chunks(size).map(<[String]>::to_vec).collect()
}

async fn details(client: Client<'_>, ids: &[String]) -> Result<Vec<Box<RawValue>>, Error> {
    let ids = serde_json::to_string(ids).map_err(Error::internal)?;
    let parameters = [("advertiser_ids", ids.as_str()), ("fields", FIELDS)];
    api::read_rows(&client.read(api::query("advertiser/info", &parameters)).await?)
}

/// An account; `None` for an account in an unknown currency.
fn account(info: AdvertiserInfo) -> Option<AdAccount> {
    let id = info.advertiser_id.to_string();
    let currency = known_currency(Platform::Gamma, &id, info.currency.as_deref())?;
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

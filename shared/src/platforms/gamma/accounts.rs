//! The ad accounts that a token reaches.
//!
//! The list of a token keeps advertisers that were deleted since, and a deleted one fails the description of all
//! accounts in the same call (recorded live, 2026-07-08). The others are then requested without it.
//!
//! `status` is not requested. An account that is suspended (STATUS_LIMIT) or not confirmed yet stays connected: TikTok
//! itself refuses an operation that such an account does not permit, and an omitted account would turn its connection
//! into an error.

use super::api::{self, API};
use super::fault::{is_deleted_advertiser, unreadable};
use super::wire::{Advertiser, AdvertiserInfo};
use crate::domain::{AdAccount, Platform};
use crate::error::Error;
use crate::platforms::engine::accounts::{by_id, known_currency};
use crate::platforms::engine::call::{CallContext, Client};
use crate::platforms::rows::readable;
use futures_util::{StreamExt, stream};
use secrecy::{ExposeSecret, SecretString};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// Accounts of one call.
const BATCH_SIZE: usize = 100;
/// Calls at the same time.
const CONCURRENCY: usize = 4;
/// The most calls for descriptions. Each refusal names one deleted account or halves the list.
const MAX_CALLS: usize = 200;
/// In so many rounds the rest of a list is requested whole. After that it is requested in halves, which takes fewer
/// rounds where many accounts are deleted.
const WHOLE_ROUNDS: usize = 2;
/// The fields of an account that are read. <https://business-api.tiktok.com/portal/docs?id=1739593083610113>
const FIELDS: &str = r#"["advertiser_id","name","currency","timezone","display_timezone"]"#;

/// All accounts, sorted by id, each once.
pub(super) async fn accounts(call: &CallContext, token: &SecretString) -> Result<Vec<AdAccount>, Error> {
    let client = Client::new(&API, call, Some(token));
    let ours = &call.config.client;
    let parameters = [("app_id", ours.client_id.as_str()), ("secret", ours.client_secret.expose_secret())];
    let answer = client.read(api::query("oauth2/advertiser/get", &parameters)).await?;
    let listed = readable(Platform::Gamma, &api::read_rows::<Box<RawValue>>(&answer)?, read::<Advertiser>)?;
    let ids: Vec<String> = listed.into_iter().flatten().map(|listed| listed.advertiser_id.to_string()).collect();
    // The rows of all calls together: an unreadable row that is alone in its call does not fail the other calls.
    let infos = readable(Platform::Gamma, &describe(client, &ids).await?, read::<AdvertiserInfo>)?;
    Ok(by_id(infos.into_iter().flatten().filter_map(account).collect()))
}

fn read<T: DeserializeOwned>(row: &RawValue) -> Result<T, Error> {
    serde_json::from_str(row.get()).map_err(unreadable)
}

/// The descriptions of all accounts except deleted ones, in rounds. A round requests the accounts that remain after the
/// refusals of the round before.
async fn describe(client: Client<'_>, ids: &[String]) -> Result<Vec<Box<RawValue>>, Error> {
    let (mut found, mut calls) = (Vec::new(), 0);
    let mut lists: Vec<Vec<String>> = ids.chunks(BATCH_SIZE).map(<[String]>::to_vec).collect();
    for round in 0.. {
        calls += lists.len();
        if lists.is_empty() {
            break;
        }
        if calls > MAX_CALLS {
            // Retryable and not Forbidden: it says nothing about the accounts that were not described.
            return Err(unreadable("too many deleted accounts in the list of a token"));
        }
        let calls = stream::iter(lists.into_iter().map(|ids| details(client, ids)).collect::<Vec<_>>());
        lists = Vec::new();
        for (ids, outcome) in calls.buffer_unordered(CONCURRENCY).collect::<Vec<_>>().await {
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

/// The platform's message, where it says that one of the requested advertisers is deleted: `advertiser 7… doesn't exist
/// or has been deleted.`
fn deleted(error: &Error) -> Option<String> {
    let fault = error.platform_fault.as_ref().filter(|fault| fault.code.as_deref() == Some("40001"))?;
    is_deleted_advertiser(&fault.message).then(|| fault.message.to_lowercase())
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

/// The descriptions of one call, and the accounts that it requested.
async fn details(client: Client<'_>, ids: Vec<String>) -> (Vec<String>, Result<Vec<Box<RawValue>>, Error>) {
    let listed = match serde_json::to_string(&ids) {
        Ok(listed) => listed,
        Err(error) => return (ids, Err(Error::internal(error))),
    };
    let parameters = [("advertiser_ids", listed.as_str()), ("fields", FIELDS)];
    let answer = client.read(api::query("advertiser/info", &parameters)).await;
    (ids, answer.and_then(|answer| api::read_rows(&answer)))
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

//! The protocol of the Graph API v26.0: credentials, addresses and pages.
//!
//! A list is paged by `limit` and `after` in the address. `paging.next` alone says that there is another page: a page
//! may be short, or empty, and not be the last.

use super::ads::wire::Ad;
use super::error::classify;
use super::wire::{self, CampaignParameters, is_id};
use crate::platforms::engine::dry_run::with_flag;
use crate::platforms::prelude::*;
use http::header::AUTHORIZATION;
use ring::hmac;
use serde::de::DeserializeOwned;
use url::form_urlencoded::Serializer;

pub(super) static API: Api = Api { platform: Platform::Beta, authenticate, classify };

/// With the version that the messages in [`wire`] are of.
const BASE: &str = "https://graph.facebook.com/v26.0";
/// The widest range of a report: 37 months.
pub(super) const WIDEST_RANGE: (&str, &str) = ("date_preset", "maximum");

/// Graph API: Secure requests. The proof shows that the caller has the app's secret, and not the token alone.
fn authenticate(access: &Access<'_>, request: &mut OutboundRequest) -> Result<(), Error> {
    request.headers.insert(AUTHORIZATION, access.bearer()?);
    let token = access.token.ok_or_else(|| Error::internal("a call without an access token"))?;
    let key = hmac::Key::new(hmac::HMAC_SHA256, access.config.client.client_secret.expose_secret().as_bytes());
    let proof = hex::encode(hmac::sign(&key, token.expose_secret().as_bytes()));
    let separator = if request.url.contains('?') { '&' } else { '?' };
    request.url = format!("{}{separator}appsecret_proof={proof}", request.url);
    Ok(())
}

/// The pages of the ad accounts that the user reaches.
pub(super) fn ad_accounts() -> Pages<'static> {
    let request = |after: Option<&str>| {
        let fields = ("fields", "id,account_id,name,currency,timezone_name,account_status");
        Ok(query("me/adaccounts", [fields, ("limit", "100")].into_iter().chain(cursor(after))))
    };
    Pages::new(request, |_, response| read_page(response))
}

/// The address of an account's campaigns, which is also that of a create.
pub(super) fn campaigns(account: &str) -> Result<String, Error> {
    Ok(format!("{BASE}/{}", of_account(account, "campaigns")?))
}

/// The request for a page of an account's campaigns in some of the platform's states.
pub(super) fn listing(
    account: &str,
    statuses: &str,
    limit: usize,
    after: Option<&str>,
) -> Result<OutboundRequest, Error> {
    let limit = limit.to_string();
    let parameters = [("fields", wire::CAMPAIGN_FIELDS), ("effective_status", statuses), ("limit", &limit)];
    Ok(query(&of_account(account, "campaigns")?, parameters.into_iter().chain(cursor(after))))
}

/// The request for one campaign, in any state.
pub(super) fn campaign(id: &str) -> Result<OutboundRequest, Error> {
    Ok(query(campaign_id(id)?, [("fields", wire::CAMPAIGN_FIELDS)]))
}

/// The fields of an ad that are requested.
const AD_FIELDS: &str =
    "id,name,campaign_id,effective_status,ad_review_feedback,issues_info,adset{id,name,start_time,end_time}";

/// The pages of the ads of campaigns of an account. The platform leaves archived and deleted ones out (Marketing API:
/// Manage your ad object's status).
pub(super) fn ads<'a>(account: &'a str, campaigns: &'a [&str]) -> Pages<'a, Ad> {
    let request = move |after: Option<&str>| {
        let parameters = [("fields", AD_FIELDS), ("limit", "200")].into_iter().chain(cursor(after));
        if let [id] = campaigns {
            return Ok(query(&format!("{}/ads", campaign_id(id)?), parameters));
        }
        let filter = in_list("campaign.id", campaigns);
        Ok(query(&of_account(account, "ads")?, parameters.chain([("filtering", filter.as_str())])))
    };
    Pages::new(request, |_, response| read_page(response))
}

/// The request for the state of an ad account.
pub(super) fn account_state(account: &str) -> Result<OutboundRequest, Error> {
    Ok(query(&account_id(account)?, [("fields", "account_status,disable_reason")]))
}

pub(super) fn update(id: &str, parameters: &CampaignParameters) -> Result<OutboundRequest, Error> {
    json(Method::POST, format!("{BASE}/{}", campaign_id(id)?), parameters)
}

pub(super) fn deletion(id: &str) -> Result<OutboundRequest, Error> {
    Ok(delete(campaign_id(id)?))
}

/// The request for the permissions that the user has granted and declined (Graph API: User, Permissions).
pub(super) fn permissions() -> OutboundRequest {
    get(format!("{BASE}/me/permissions"))
}

/// The request that takes from our app all permissions that the user granted (Graph API: User, Permissions).
pub(super) fn deauthorization() -> OutboundRequest {
    delete("me/permissions")
}

/// The request for a report on one campaign, in any state.
pub(super) fn campaign_report(id: &str, parameters: &[(&str, &str)]) -> Result<OutboundRequest, Error> {
    Ok(query(&format!("{}/insights", campaign_id(id)?), parameters.iter().copied()))
}

/// The request for a report on those of an account's campaigns that have one of the values in a field.
pub(super) fn account_report(
    account: &str,
    field: &str,
    values: &[&str],
    parameters: &[(&str, &str)],
) -> Result<OutboundRequest, Error> {
    let filter = in_list(field, values);
    let of_campaigns = [("level", "campaign"), ("filtering", &filter)];
    Ok(query(&of_account(account, "insights")?, of_campaigns.into_iter().chain(parameters.iter().copied())))
}

/// The same write with the option that only checks it, which answers success (Marketing API: Campaign reference,
/// `execution_options`). Every value stays as it is written. `None` for anything but a create or an update.
pub(super) fn validation(request: &OutboundRequest) -> Result<Option<OutboundRequest>, Error> {
    if request.method != Method::POST {
        return Ok(None);
    }
    with_flag(request, &serde_json::json!({"execution_options": ["validate_only"]})).map(Some)
}

/// `effective_status` for our states (Marketing API: Ad account, campaigns); `None` for states that Meta lacks.
///
/// A campaign in review or with issues keeps its own switch, so it may be on or off. Deleted ones are not requested:
/// the platform refuses to list them (Marketing API: Manage your ad object's status).
pub(super) fn effective_statuses(statuses: StatusSet) -> Option<String> {
    let is_on = statuses.contains(CampaignStatus::Active) || statuses.contains(CampaignStatus::Ended);
    let is_off = statuses.contains(CampaignStatus::Paused);
    let wanted = [
        ("ACTIVE", is_on),
        ("PAUSED", is_off),
        ("IN_PROCESS", is_on || is_off),
        ("WITH_ISSUES", is_on || is_off),
        ("ARCHIVED", statuses.contains(CampaignStatus::Archived)),
    ];
    let wanted: Vec<&str> = wanted.into_iter().filter_map(|(status, wanted)| wanted.then_some(status)).collect();
    if wanted.is_empty() { None } else { serde_json::to_string(&wanted).ok() }
}

pub(super) fn read_page<T: DeserializeOwned>(response: &OutboundResponse) -> Result<Page<T>, Error> {
    let page: wire::Page<T> = read_object(Platform::Beta, &response.body)?;
    let Some(paging) = page.paging.filter(|paging| paging.next.is_some()) else {
        return Ok(Page { rows: page.data, next: None });
    };
    let after = paging.cursors.and_then(|cursors| cursors.after);
    let after = after.ok_or_else(|| unreadable(Platform::Beta, "another page without a cursor"))?;
    Ok(Page { rows: page.data, next: Some(after) })
}

/// Reads the confirmation of a change, which shows nothing of the campaign.
pub(super) fn read_done(response: &OutboundResponse) -> Result<(), Error> {
    let done: wire::Done = read_object(Platform::Beta, &response.body)?;
    if done.success { Ok(()) } else { Err(unreadable(Platform::Beta, "a change without success")) }
}

/// Reads the response to a check, which says only that the write is valid. One with an id comes from a create that took
/// place.
pub(super) fn read_validated(response: &OutboundResponse) -> Result<(), Error> {
    let created: wire::Created = read_object(Platform::Beta, &response.body)?;
    if created.id.is_some() {
        return Err(errors::carried_out(Platform::Beta));
    }
    read_done(response)
}

fn delete(path: &str) -> OutboundRequest {
    OutboundRequest { method: Method::DELETE, ..get(format!("{BASE}/{path}")) }
}

fn query<'a>(path: &str, parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> OutboundRequest {
    get(format!("{BASE}/{path}?{}", Serializer::new(String::new()).extend_pairs(parameters).finish()))
}

fn cursor(after: Option<&str>) -> Option<(&str, &str)> {
    after.map(|after| ("after", after))
}

/// A filter for rows with one of the values in a field.
fn in_list(field: &str, values: &[&str]) -> String {
    serde_json::json!([{"field": field, "operator": "IN", "value": values}]).to_string()
}

/// The path of an ad account's edge.
fn of_account(account: &str, edge: &str) -> Result<String, Error> {
    Ok(format!("{}/{edge}", account_id(account)?))
}

/// The id of an ad account, which becomes part of a path.
fn account_id(id: &str) -> Result<String, Error> {
    if is_id(id) { Ok(format!("act_{id}")) } else { Err(Error::internal("the ad account's id is not a number")) }
}

/// The id of a campaign, which becomes part of a path.
fn campaign_id(id: &str) -> Result<&str, Error> {
    if is_id(id) { Ok(id) } else { Err(Error::not_found("campaign")) }
}

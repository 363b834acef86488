//! The versioned API under `/rest/`: authentication, authorization and dispatch.
//!
//! Marketing API: "Versioning", "Error Responses"; LinkedIn API guide: "Rest.li methods".

use super::accounts::Account;
use super::entity::{Entity, Fields};
use super::error::{
    access_denied, error_response, invalid_param, not_found, schema_error, service_error, unknown_resource,
};
use super::restli::{Query, is_protocol_2};
use super::route::{self, Route};
use super::state::Delta;
use super::{analytics, campaign, creatives, group, search, version};
use crate::ads::Ads;
use crate::http::{Request, Response};
use crate::oauth::{Consent, TokenError, bearer};
use crate::service::RequestContext;
use jiff::Timestamp;
use serde_json::{Value, json};

/// Handles a request of the API.
pub(crate) fn handle(delta: &mut Delta, request: &Request, context: &RequestContext<'_>) -> Result<Response, Response> {
    let consent = authenticate(delta, request, context.now)?;
    version::check(request, context.now)?;
    let protocol_2 = is_protocol_2(request)?;
    let route = route::parse(request).ok_or_else(|| unknown_resource(&request.path))?;
    if !consent.scopes.iter().any(|scope| route.scopes().contains(&scope.as_str())) {
        return Err(access_denied(&request.path));
    }
    route.check_restli_method(request)?;
    let Some(account_id) = route.account() else { return read_accounts(delta, request, context, route, &consent) };
    let Delta { accounts, ads, last_id, .. } = delta;
    let account = accounts.iter_mut().find(|account| account.id == account_id).ok_or_else(not_found)?;
    if !is_granted(&consent, account) || (route.writes() && !account.is_active()) {
        return Err(access_denied(&request.path));
    }
    let now = context.now.as_millisecond();
    match route {
        Route::CreateGroup(_) | Route::CreateCampaign(_) => create(account, last_id, request, route, now, protocol_2),
        Route::Update(_, id) => update(account, id, request, now),
        Route::Delete(_, id) => delete(account, id, request),
        Route::FindCreatives(_) => creatives::find(account, ads, request, context),
        _ => read(account, ads, request, context, route),
    }
}

/// The consent behind the access token.
fn authenticate(delta: &Delta, request: &Request, now: Timestamp) -> Result<Consent, Response> {
    if request.header("authorization").unwrap_or_default().trim().is_empty() {
        return Err(service_error(401, 401, "EMPTY_ACCESS_TOKEN", "Empty oauth2_access_token"));
    }
    let invalid = |why| service_error(401, 65_600, "INVALID_ACCESS_TOKEN", why);
    let token = bearer(request).ok_or_else(|| invalid("Unknown authentication schema"))?;
    match delta.grants.find_by_access_token(token, now.as_second()) {
        Ok(grant) => Ok(grant.consent.clone()),
        Err(TokenError::Unknown) => Err(invalid("Invalid access token")),
        Err(TokenError::Revoked) => {
            let why = "The token used in the request has been revoked by the user";
            Err(service_error(401, 65_601, "REVOKED_ACCESS_TOKEN", why))
        }
        Err(TokenError::Expired) => {
            Err(service_error(401, 65_602, "EXPIRED_ACCESS_TOKEN", "The token used in the request has expired"))
        }
    }
}

fn is_granted(consent: &Consent, account: &Account) -> bool {
    consent.accounts.iter().any(|chosen| *chosen == account.id.to_string())
}

/// Handles the routes that span every granted account.
fn read_accounts(
    delta: &Delta,
    request: &Request,
    context: &RequestContext<'_>,
    route: Route,
    consent: &Consent,
) -> Result<Response, Response> {
    let granted: Vec<&Account> = delta.accounts.iter().filter(|account| is_granted(consent, account)).collect();
    match route {
        Route::Users => users(request, &granted),
        Route::Report => analytics::report(request, &granted, context),
        _ => {
            let accounts = granted.iter().map(|account| account.json(&delta.ads)).collect();
            Ok(search::search(request, context, search::ACCOUNTS, accounts)?.response())
        }
    }
}

/// The account users of the authenticated member. This finder pages by index, ten at a time.
fn users(request: &Request, granted: &[&Account]) -> Result<Response, Response> {
    let query = Query::read(request, &["q", "start", "count"])?;
    query.check_finder("authenticatedUser")?;
    let number = |name: &str, default: usize| match query.text(name)? {
        Some(text) => text.parse().map_err(|_| invalid_param(name, "Invalid value for parameter")),
        None => Ok(default),
    };
    let (start, count) = (number("start", 0)?, number("count", 10)?);
    let page: Vec<Value> = granted.iter().skip(start).take(count).map(|account| account.user_json()).collect();
    let paging = json!({ "start": start, "count": count, "links": [], "total": granted.len() });
    Ok(Response::json(200, &json!({ "paging": paging, "elements": page })))
}

fn read(
    account: &Account,
    ads: &Ads,
    request: &Request,
    context: &RequestContext<'_>,
    route: Route,
) -> Result<Response, Response> {
    let now = context.now.as_millisecond();
    let group = |one: &Entity| one.json(&group::serving_statuses(one, now), now);
    let campaign = |one: &Entity| one.json(&campaign::serving_statuses(account, one, ads, now), now);
    let found = match route {
        Route::FindGroups(_) => {
            let groups = account.groups.values().map(group).collect();
            return Ok(search::search(request, context, search::GROUPS, groups)?.response());
        }
        Route::FindCampaigns(_) => {
            let campaigns = account.campaigns.values().map(campaign).collect();
            let mut page = search::search(request, context, search::CAMPAIGNS, campaigns)?;
            page.elements.iter_mut().for_each(|one| show_words(one, ads, context));
            return Ok(page.response());
        }
        Route::Group(_, id) => account.groups.get(&id).map(group),
        Route::Campaign(_, id) => {
            let mut campaign = account.campaigns.get(&id).map(campaign);
            campaign.iter_mut().for_each(|one| show_words(one, ads, context));
            campaign
        }
        _ => Some(account.json(ads)),
    };
    Query::read(request, &[])?;
    found.map(|body| Response::json(200, &body)).ok_or_else(not_found)
}

/// Puts the words of delivery that a read shows into a campaign.
fn show_words(campaign: &mut Value, ads: &Ads, context: &RequestContext<'_>) {
    let words = campaign["servingStatuses"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let words = words.map(str::to_owned).collect();
    campaign["servingStatuses"] = json!(ads.words(&campaign["id"].to_string(), words, context));
}

/// The JSON object in the body.
fn body(request: &Request) -> Result<Fields, Response> {
    Query::read(request, &[])?;
    if !request.is_json() {
        return Err(error_response(415, "UNSUPPORTED_MEDIA_TYPE", "The content type must be application/json"));
    }
    serde_json::from_str(&request.body)
        .map_err(|_| error_response(400, "BAD_REQUEST", "Unable to parse the request body"))
}

/// 201 without a body. A header carries the new id; its name depends on the protocol version.
fn create(
    account: &mut Account,
    last_id: &mut i64,
    request: &Request,
    route: Route,
    now: i64,
    protocol_2: bool,
) -> Result<Response, Response> {
    let fields = body(request)?;
    let id = *last_id + 1;
    if route == Route::CreateGroup(account.id) {
        account.groups.insert(id, group::create(account, id, fields, now)?);
    } else {
        account.campaigns.insert(id, campaign::create(account, id, fields, now)?);
    }
    *last_id = id;
    let id_header = if protocol_2 { "x-restli-id" } else { "x-linkedin-id" };
    let collection = request.path.strip_prefix("/rest").unwrap_or_default();
    let created = Response { status: 201, headers: Vec::new(), body: String::new() };
    Ok(created.with("location", format!("{collection}/{id}")).with(id_header, id.to_string()))
}

fn update(account: &mut Account, id: i64, request: &Request, now: i64) -> Result<Response, Response> {
    let body = body(request)?;
    let (1, Some(patch)) = (body.len(), body.get("patch").and_then(Value::as_object)) else {
        return Err(schema_error("/patch", "field is required but not found"));
    };
    let old = account.campaigns.get(&id).ok_or_else(not_found)?;
    let fields = campaign::update(account, old, patch, now)?;
    if let Some(campaign) = account.campaigns.get_mut(&id) {
        campaign.set_fields(fields, now);
    }
    Ok(no_content())
}

fn delete(account: &mut Account, id: i64, request: &Request) -> Result<Response, Response> {
    Query::read(request, &[])?;
    campaign::check_deletable(account.campaigns.get(&id).ok_or_else(not_found)?)?;
    account.campaigns.remove(&id);
    Ok(no_content())
}

fn no_content() -> Response {
    Response { status: 204, headers: Vec::new(), body: String::new() }
}

//! The versioned addresses under `/rest/`: who may call them, and what each does.
//!
//! Marketing API: "Versioning", "Error Responses"; LinkedIn API guide: "Rest.li methods".

use jiff::Timestamp;
use serde_json::{Value, json};

use super::accounts::Account;
use super::address::{Call, call};
use super::entity::{Entity, Fields};
use super::error::{denied, not_found, nowhere, numbered, param, refused, schema};
use super::restli::{Query, speaks_two};
use super::{Delta, analytics, campaign, group, listing, version};
use crate::http::{Reply, Request};
use crate::oauth::{Consent, Dead, bearer};
use crate::platform::RequestContext;

/// Answers a call of the API.
pub(crate) fn answer(delta: &mut Delta, request: &Request, moment: &RequestContext<'_>) -> Result<Reply, Reply> {
    let consent = authenticate(delta, request, moment.now)?;
    version::check(request, moment.now)?;
    let two = speaks_two(request)?;
    let call = call(request).ok_or_else(|| nowhere(&request.path))?;
    if !consent.scopes.iter().any(|scope| call.scopes().contains(&scope.as_str())) {
        return Err(denied(&request.path));
    }
    call.check_method(request)?;
    let Some(wanted) = call.account() else { return overview(delta, request, moment, call, &consent) };
    let at = delta.accounts.iter().position(|account| account.id == wanted).ok_or_else(not_found)?;
    let Delta { accounts, last_id, .. } = delta;
    let account = accounts.get_mut(at).ok_or_else(not_found)?;
    if !reaches(&consent, account) || (call.writes() && !account.is_active()) {
        return Err(denied(&request.path));
    }
    let now = moment.now.as_millisecond();
    match call {
        Call::CreateGroup(_) | Call::CreateCampaign(_) => create(account, last_id, request, call, now, two),
        Call::Update(_, id) => update(account, id, request, now),
        Call::Delete(_, id) => delete(account, id, request),
        _ => read(account, request, moment, call),
    }
}

/// What the bearer of the access token was let in to.
fn authenticate(delta: &Delta, request: &Request, now: Timestamp) -> Result<Consent, Reply> {
    if request.header("authorization").unwrap_or_default().trim().is_empty() {
        return Err(numbered(401, 401, "EMPTY_ACCESS_TOKEN", "Empty oauth2_access_token"));
    }
    let invalid = |why| numbered(401, 65_600, "INVALID_ACCESS_TOKEN", why);
    let token = bearer(request).ok_or_else(|| invalid("Unknown authentication schema"))?;
    match delta.grants.by_access(token, now.as_second()) {
        Ok(grant) => Ok(grant.consent.clone()),
        Err(Dead::Unknown) => Err(invalid("Invalid access token")),
        Err(Dead::Revoked) => {
            let why = "The token used in the request has been revoked by the user";
            Err(numbered(401, 65_601, "REVOKED_ACCESS_TOKEN", why))
        }
        Err(Dead::Expired) => {
            Err(numbered(401, 65_602, "EXPIRED_ACCESS_TOKEN", "The token used in the request has expired"))
        }
    }
}

fn reaches(consent: &Consent, account: &Account) -> bool {
    consent.accounts.iter().any(|chosen| *chosen == account.id.to_string())
}

/// The calls that look at every account of the consent.
fn overview(
    delta: &Delta,
    request: &Request,
    moment: &RequestContext<'_>,
    call: Call,
    consent: &Consent,
) -> Result<Reply, Reply> {
    let reached: Vec<&Account> = delta.accounts.iter().filter(|account| reaches(consent, account)).collect();
    match call {
        Call::Users => users(request, &reached),
        Call::Report => analytics::answer(request, &reached, moment),
        _ => {
            let accounts = reached.iter().map(|account| account.json()).collect();
            listing::search(request, moment, listing::ACCOUNTS, accounts)
        }
    }
}

/// The accounts of the person who consented. This finder still pages by index, ten at a time.
fn users(request: &Request, reached: &[&Account]) -> Result<Reply, Reply> {
    let query = Query::read(request, &["q", "start", "count"])?;
    query.finder("authenticatedUser")?;
    let number = |name: &str, usual: usize| {
        let text = query.text(name)?;
        text.map_or(Ok(usual), |text| text.parse().map_err(|_| param(name, "Invalid value for parameter")))
    };
    let (start, count) = (number("start", 0)?, number("count", 10)?);
    let page: Vec<Value> = reached.iter().skip(start).take(count).map(|account| account.user()).collect();
    let paging = json!({ "start": start, "count": count, "links": [], "total": reached.len() });
    Ok(Reply::json(200, &json!({ "paging": paging, "elements": page })))
}

fn read(account: &Account, request: &Request, moment: &RequestContext<'_>, call: Call) -> Result<Reply, Reply> {
    let now = moment.now.as_millisecond();
    let group = |one: &Entity| one.json(&group::serving(one, now), now);
    let campaign = |one: &Entity| one.json(&campaign::serving(account, one, now), now);
    let found = match call {
        Call::FindGroups(_) => {
            let groups = account.groups.values().map(group).collect();
            return listing::search(request, moment, listing::GROUPS, groups);
        }
        Call::FindCampaigns(_) => {
            let campaigns = account.campaigns.values().map(campaign).collect();
            return listing::search(request, moment, listing::CAMPAIGNS, campaigns);
        }
        Call::Group(_, id) => account.groups.get(&id).map(group),
        Call::Campaign(_, id) => account.campaigns.get(&id).map(campaign),
        _ => Some(account.json()),
    };
    Query::read(request, &[])?;
    found.map(|shown| Reply::json(200, &shown)).ok_or_else(not_found)
}

/// The JSON object that was sent.
fn body(request: &Request) -> Result<Fields, Reply> {
    Query::read(request, &[])?;
    let kind = request.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(refused(415, "UNSUPPORTED_MEDIA_TYPE", "The content type has to be application/json"));
    }
    serde_json::from_str(&request.body).map_err(|_| refused(400, "BAD_REQUEST", "Unable to parse the request body"))
}

/// 201 without a body: the id of what was made is in a header, whose name goes by the protocol.
fn create(
    account: &mut Account,
    last_id: &mut i64,
    request: &Request,
    call: Call,
    now: i64,
    two: bool,
) -> Result<Reply, Reply> {
    let fields = body(request)?;
    let id = *last_id + 1;
    if call == Call::CreateGroup(account.id) {
        account.groups.insert(id, group::create(account, id, fields, now)?);
    } else {
        account.campaigns.insert(id, campaign::create(account, id, fields, now)?);
    }
    *last_id = id;
    let name = if two { "x-restli-id" } else { "x-linkedin-id" };
    let place = request.path.strip_prefix("/rest").unwrap_or_default();
    let created = Reply { status: 201, headers: Vec::new(), body: String::new() };
    Ok(created.with("location", format!("{place}/{id}")).with(name, id.to_string()))
}

fn update(account: &mut Account, id: i64, request: &Request, now: i64) -> Result<Reply, Reply> {
    let sent = body(request)?;
    let Some(patch) = sent.get("patch").and_then(Value::as_object).filter(|_| sent.len() == 1) else {
        return Err(schema("/patch", "field is required but not found"));
    };
    let old = account.campaigns.get(&id).ok_or_else(not_found)?;
    let fields = campaign::update(account, old, patch, now)?;
    if let Some(campaign) = account.campaigns.get_mut(&id) {
        campaign.change(fields, now);
    }
    Ok(no_content())
}

fn delete(account: &mut Account, id: i64, request: &Request) -> Result<Reply, Reply> {
    Query::read(request, &[])?;
    campaign::may_be_deleted(account.campaigns.get(&id).ok_or_else(not_found)?)?;
    account.campaigns.remove(&id);
    Ok(no_content())
}

fn no_content() -> Reply {
    Reply { status: 204, headers: Vec::new(), body: String::new() }
}

//! The addresses of the API: who may call them, and what each does.
//!
//! Reddit Ads API v3 reference: "Businesses", "Ad Accounts", "Pixels", "Campaigns", "Reports".

use serde_json::{Map, Value, json};

use super::accounts::{Account, BUSINESSES};
use super::error::Refusal;
use super::limit::{self, Left};
use super::query::Query;
use super::schema::{self, Kind};
use super::{Zeta, agent, reports, write};
use crate::http::{Reply, Request};
use crate::oauth::{Consent, bearer};
use crate::platform::RequestContext;

/// The quirk that drops the label of every campaign.
pub(crate) const LABEL_QUIRK: &str = "drop_label";

/// What an address asks for; ids as they stand in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method<'r> {
    Businesses,
    Accounts(&'r str),
    Account(&'r str),
    Pixels(&'r str),
    List(&'r str),
    Create(&'r str),
    Get(&'r str),
    Update(&'r str),
    Report(&'r str),
}

/// What a request asks for. A wrong verb is a wrong address.
pub(crate) fn address(request: &Request) -> Result<Method<'_>, Refusal> {
    let path = request.path.strip_prefix("/api/v3/").unwrap_or_default();
    let parts: Vec<&str> = path.split('/').collect();
    Ok(match (parts.as_slice(), request.method.as_str()) {
        (["me", "businesses"], "GET") => Method::Businesses,
        (["businesses", business, "ad_accounts"], "GET") => Method::Accounts(business),
        (["ad_accounts", account], "GET") => Method::Account(account),
        (["ad_accounts", account, "pixels"], "GET") => Method::Pixels(account),
        (["ad_accounts", account, "campaigns"], "GET") => Method::List(account),
        (["ad_accounts", account, "campaigns"], "POST") => Method::Create(account),
        (["ad_accounts", account, "reports"], "POST") => Method::Report(account),
        (["campaigns", id], "GET") => Method::Get(id),
        (["campaigns", id], "PATCH") => Method::Update(id),
        _ => return Err(Refusal::not_found()),
    })
}

/// Answers a call of the API; every answer tells how much of the limit is left.
pub(crate) fn answer(zeta: &mut Zeta, request: &Request, moment: &RequestContext<'_>) -> Reply {
    if let Some(throttled) = zeta.reports.count(request, moment) {
        return throttled;
    }
    let reply = match serve(zeta, request, moment) {
        Ok((status, body)) => Reply::json(status, &body),
        Err(refusal) => refusal.reply(),
    };
    let left = if reply.status == 429 { Left::Nothing(30) } else { Left::Most };
    limit::tell(reply, request, left)
}

fn serve(zeta: &mut Zeta, request: &Request, moment: &RequestContext<'_>) -> Result<(u16, Value), Refusal> {
    if !agent::is_descriptive(request) {
        return Err(Refusal::new(429, "Too Many Requests"));
    }
    let method = address(request)?;
    let writes = matches!(method, Method::Create(_) | Method::Update(_));
    let consent = authenticate(zeta, request, moment, if writes { "adsedit" } else { "adsread" })?;
    let now = moment.now.as_second();
    let body = match method {
        Method::Create(id) => {
            let account = reach(zeta, &consent, id)?.id.clone();
            Query::read(request, &[])?;
            let fields = given(request, Kind::Create, moment)?;
            let Zeta { accounts, last_campaign, .. } = zeta;
            let account = accounts.iter_mut().find(|one| one.id == account).ok_or_else(Refusal::not_found)?;
            let made = write::create(account, last_campaign, fields, now)?;
            return Ok((201, json!({ "data": made.json(&account.id, now) })));
        }
        Method::Update(id) => {
            let (account, id) = owner(zeta, &consent, id)?;
            let account = account.id.clone();
            Query::read(request, &[])?;
            let changes = given(request, Kind::Update, moment)?;
            let account = zeta.accounts.iter_mut().find(|one| one.id == account).ok_or_else(Refusal::not_found)?;
            let changed = write::update(account, id, changes, now)?;
            json!({ "data": changed.json(&account.id, now) })
        }
        _ => read(zeta, &consent, method, request, moment)?,
    };
    Ok((200, body))
}

/// The properties that a body sets. The platform ignores the label of invoices where a credit card
/// pays, and under the quirk a card pays everywhere.
fn given(request: &Request, kind: Kind, moment: &RequestContext<'_>) -> Result<Map<String, Value>, Refusal> {
    let mut fields = schema::campaign(request, kind)?;
    if moment.quirk(LABEL_QUIRK) {
        fields.remove("invoice_label");
    }
    Ok(fields)
}

fn read(
    zeta: &Zeta,
    consent: &Consent,
    method: Method<'_>,
    request: &Request,
    moment: &RequestContext<'_>,
) -> Result<Value, Refusal> {
    let now = moment.now.as_second();
    let paged = |rows: Vec<(String, Value)>| {
        Query::read(request, &["page.size", "page.token"])?.page(rows, moment.settings.page_size)
    };
    match method {
        Method::Businesses => paged(businesses(zeta, consent)),
        Method::Accounts(business) => paged(accounts(zeta, consent, business)?),
        Method::Account(id) => Ok(json!({ "data": reach(zeta, consent, id)?.json() })),
        Method::Pixels(id) => {
            let pixels = reach(zeta, consent, id)?.pixels();
            paged(pixels.into_iter().map(|pixel| (pixel["id"].to_string(), pixel)).collect())
        }
        Method::List(id) => list(reach(zeta, consent, id)?, request, moment),
        Method::Report(id) => reports::report(reach(zeta, consent, id)?, request, moment),
        Method::Get(id) => {
            Query::read(request, &[])?;
            let (account, id) = owner(zeta, consent, id)?;
            let campaign = account.campaigns.get(&id).ok_or_else(Refusal::not_found)?;
            Ok(json!({ "data": campaign.json(&account.id, now) }))
        }
        Method::Create(_) | Method::Update(_) => Err(Refusal::not_found()),
    }
}

/// What the bearer of the access token was let in to. An unknown, an expired and a withdrawn
/// token are answered alike.
fn authenticate(zeta: &Zeta, request: &Request, moment: &RequestContext<'_>, scope: &str) -> Result<Consent, Refusal> {
    let token = bearer(request).ok_or_else(Refusal::unauthenticated)?;
    let grant = zeta.grants.by_access(token, moment.now.as_second());
    let consent = &grant.map_err(|_| Refusal::unauthenticated())?.consent;
    if !consent.scopes.iter().any(|given| given == scope) {
        return Err(Refusal::forbidden(&format!("The token lacks the scope {scope}.")));
    }
    Ok(consent.clone())
}

fn chose(consent: &Consent, account: &Account) -> bool {
    consent.accounts.contains(&account.id)
}

/// The account of a path. The platform lets a client in to all that its user reaches; what was
/// not chosen on the consent page is here as if the user did not reach it.
fn reach<'z>(zeta: &'z Zeta, consent: &Consent, id: &str) -> Result<&'z Account, Refusal> {
    let account = zeta.accounts.iter().find(|account| account.id == id).ok_or_else(Refusal::not_found)?;
    if !chose(consent, account) {
        return Err(Refusal::forbidden("The user has no access to the ad account."));
    }
    Ok(account)
}

/// The account that a campaign is in; the path does not name it.
fn owner<'z>(zeta: &'z Zeta, consent: &Consent, id: &str) -> Result<(&'z Account, i64), Refusal> {
    let number = super::number(id).ok_or_else(Refusal::not_found)?;
    let holds = |account: &&Account| account.campaigns.contains_key(&number);
    let account = zeta.accounts.iter().find(holds).ok_or_else(Refusal::not_found)?;
    reach(zeta, consent, &account.id).map(|account| (account, number))
}

fn businesses(zeta: &Zeta, consent: &Consent) -> Vec<(String, Value)> {
    let reached = |id: &str| zeta.accounts.iter().any(|account| account.business == id && chose(consent, account));
    let held = BUSINESSES.iter().filter(|(id, _)| reached(id));
    held.map(|(id, name)| ((*id).to_owned(), json!({ "id": id, "name": name }))).collect()
}

fn accounts(zeta: &Zeta, consent: &Consent, business: &str) -> Result<Vec<(String, Value)>, Refusal> {
    if !BUSINESSES.iter().any(|(id, _)| *id == business) {
        return Err(Refusal::not_found());
    }
    let held = zeta.accounts.iter().filter(|account| account.business == business && chose(consent, account));
    Ok(held.map(|account| (account.id.clone(), account.json())).collect())
}

/// Newest first, whatever their status.
fn list(account: &Account, request: &Request, moment: &RequestContext<'_>) -> Result<Value, Refusal> {
    let query = Query::read(request, &["page.size", "page.token", "id"])?;
    let ids = query.ids()?;
    let asked = |id: &i64| ids.as_ref().is_none_or(|ids| ids.contains(&id.to_string().as_str()));
    let found = account.campaigns.iter().rev().filter(|(id, _)| asked(id));
    let rows = found.map(|(id, campaign)| (*id, campaign.json(&account.id, moment.now.as_second())));
    query.page(rows.collect(), moment.settings.page_size)
}

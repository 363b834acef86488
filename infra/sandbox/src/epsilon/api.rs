//! The addresses of the API: who may call them, and what each does.
//!
//! Pinterest API v5 reference: "Authentication", `ad_accounts`, `campaigns`.

use serde_json::{Value, json};

use super::accounts::Account;
use super::campaign::Status;
use super::error::Refusal;
use super::items::{self, Kind};
use super::query::{Query, wrong};
use super::{Epsilon, analytics, write};
use crate::http::{Reply, Request};
use crate::oauth::{Consent, bearer};
use crate::platform::RequestContext;

/// What an address asks for; ids as they stand in the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method<'r> {
    Accounts,
    Account(&'r str),
    List(&'r str),
    Get(&'r str, &'r str),
    Analytics(&'r str),
    Write(&'r str, Kind),
}

/// What a request asks for, if there is such an address.
pub(crate) fn address(request: &Request) -> Result<Method<'_>, Refusal> {
    let path = request.path.strip_prefix("/v5/").unwrap_or_default();
    let parts: Vec<&str> = path.split('/').collect();
    let verb = request.method.as_str();
    let method = match (parts.as_slice(), verb) {
        (["ad_accounts"], "GET") => Method::Accounts,
        (["ad_accounts", account], "GET") if !account.is_empty() => Method::Account(account),
        (["ad_accounts", account, "campaigns"], "GET") => Method::List(account),
        (["ad_accounts", account, "campaigns"], "POST") => Method::Write(account, Kind::Create),
        (["ad_accounts", account, "campaigns"], "PATCH") => Method::Write(account, Kind::Update),
        (["ad_accounts", account, "campaigns", "analytics"], "GET") => Method::Analytics(account),
        (["ad_accounts", account, "campaigns", id], "GET") if !id.is_empty() => Method::Get(account, id),
        (["ad_accounts"] | ["ad_accounts", _, "campaigns"], _) => {
            return Err(Refusal::new(405, 405, format!("{verb} is not allowed on this address.")));
        }
        _ => return Err(Refusal::new(404, 404, "There is no such address.")),
    };
    Ok(method)
}

/// Answers a call of the API.
pub(crate) fn answer(epsilon: &mut Epsilon, request: &Request, moment: &RequestContext<'_>) -> Reply {
    match serve(epsilon, request, moment) {
        Ok(body) => Reply::json(200, &body),
        Err(refusal) => refusal.reply(),
    }
}

fn serve(epsilon: &mut Epsilon, request: &Request, moment: &RequestContext<'_>) -> Result<Value, Refusal> {
    let method = address(request)?;
    let scope = if matches!(method, Method::Write(..)) { "ads:write" } else { "ads:read" };
    let consent = authenticate(epsilon, request, moment, scope)?;
    let now = moment.now.as_second();
    match method {
        Method::Accounts => accounts(epsilon, &consent, request, moment),
        Method::Account(id) => Ok(reach(epsilon, &consent, id)?.json()),
        Method::List(account) => list(reach(epsilon, &consent, account)?, request, moment),
        Method::Get(account, id) => {
            Query::read(request, &[], &[])?;
            let account = reach(epsilon, &consent, account)?;
            let id = items::id(id).ok_or_else(|| wrong("campaign_id", id))?;
            let campaign = account.campaigns.get(&id).ok_or_else(Refusal::campaign_not_found)?;
            Ok(campaign.json(account.id, now))
        }
        Method::Analytics(account) => analytics::report(reach(epsilon, &consent, account)?, request, moment.now),
        Method::Write(account, kind) => {
            let id = reach(epsilon, &consent, account)?.id;
            let items = writable(epsilon, id, request, kind)?;
            let Epsilon { accounts, last_campaign, .. } = epsilon;
            let account = accounts.iter_mut().find(|account| account.id == id).ok_or_else(no_account)?;
            Ok(write::apply(account, last_campaign, &items, moment))
        }
    }
}

/// The items of a write into an account in which the user may write.
fn writable(epsilon: &Epsilon, account: i64, request: &Request, kind: Kind) -> Result<Vec<items::Given>, Refusal> {
    if !epsilon.accounts.iter().any(|one| one.id == account && one.may_write()) {
        return Err(Refusal::forbidden());
    }
    Query::read(request, &[], &[])?;
    let content = request.header("content-type").unwrap_or_default();
    let content = content.split(';').next().unwrap_or_default().trim();
    if !content.eq_ignore_ascii_case("application/json") {
        return Err(Refusal::invalid("Invalid request: the content type has to be application/json"));
    }
    items::parse(&request.body, kind)
}

/// What the bearer of the access token was let in to. An unknown, an expired and a withdrawn
/// token are answered alike.
fn authenticate(
    epsilon: &Epsilon,
    request: &Request,
    moment: &RequestContext<'_>,
    scope: &str,
) -> Result<Consent, Refusal> {
    let token = bearer(request).ok_or_else(Refusal::unauthenticated)?;
    let grant = epsilon.grants.by_access(token, moment.now.as_second());
    let consent = &grant.map_err(|_| Refusal::unauthenticated())?.consent;
    if !consent.scopes.iter().any(|given| given == scope) {
        return Err(Refusal::new(401, 3, format!("Authorization failed: the token lacks the scope {scope}.")));
    }
    Ok(consent.clone())
}

fn no_account() -> Refusal {
    Refusal::new(404, 2, "AdAccount not found.")
}

fn chose(consent: &Consent, account: &Account) -> bool {
    consent.accounts.iter().any(|chosen| *chosen == account.id.to_string())
}

/// The account of a path. The platform lets a client in to all that its user reaches; what was
/// not chosen on the consent page is here as if the user did not reach it.
fn reach<'e>(epsilon: &'e Epsilon, consent: &Consent, id: &str) -> Result<&'e Account, Refusal> {
    let id = items::id(id).ok_or_else(|| wrong("ad_account_id", id))?;
    let account = epsilon.accounts.iter().find(|account| account.id == id).ok_or_else(no_account)?;
    if !chose(consent, account) {
        return Err(Refusal::new(403, 7, "Not authorized to access the ad account."));
    }
    Ok(account)
}

fn accounts(
    epsilon: &Epsilon,
    consent: &Consent,
    request: &Request,
    moment: &RequestContext<'_>,
) -> Result<Value, Refusal> {
    let query = Query::read(request, &["include_shared_accounts", "page_size", "bookmark"], &[])?;
    let shared = match query.get("include_shared_accounts") {
        None | Some("true") => true,
        Some("false") => false,
        Some(odd) => return Err(wrong("include_shared_accounts", odd)),
    };
    let seen = |account: &&Account| chose(consent, account) && (shared || !account.is_shared());
    let held: Vec<&Account> = epsilon.accounts.iter().filter(seen).collect();
    let (page, bookmark) = query.page(held, |account| account.id, moment.settings.page_size)?;
    let page: Vec<Value> = page.into_iter().map(Account::json).collect();
    Ok(json!({ "items": page, "bookmark": bookmark }))
}

/// Archived campaigns and drafts are left out unless they are asked for by name. In which order
/// they come when none is asked for is not published; here it is by growing id.
fn list(account: &Account, request: &Request, moment: &RequestContext<'_>) -> Result<Value, Refusal> {
    let query = Query::read(request, &["page_size", "order", "bookmark"], &["campaign_ids", "entity_statuses"])?;
    let named = |name| Status::named(name).ok_or_else(|| wrong("entity_statuses", name));
    let mut statuses: Vec<Status> = query.all("entity_statuses").map(named).collect::<Result<_, _>>()?;
    if statuses.is_empty() {
        statuses = vec![Status::Active, Status::Paused];
    }
    let ids = query.campaigns()?;
    let asked = account.campaigns.values().filter(|campaign| statuses.contains(&campaign.status));
    let mut found: Vec<_> = asked.filter(|campaign| ids.is_empty() || ids.contains(&campaign.id)).collect();
    match query.get("order") {
        None | Some("ASCENDING") => {}
        Some("DESCENDING") => found.reverse(),
        Some(odd) => return Err(wrong("order", odd)),
    }
    let (page, bookmark) = query.page(found, |campaign| campaign.id, moment.settings.page_size)?;
    let now = moment.now.as_second();
    let page: Vec<Value> = page.into_iter().map(|campaign| campaign.json(account.id, now)).collect();
    Ok(json!({ "items": page, "bookmark": bookmark }))
}

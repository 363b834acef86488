//! The API: authentication, access to ad accounts, and the endpoints.
//!
//! Reddit Ads API v3 reference: "Businesses", "Ad Accounts", "Pixels", "Campaigns", "Ads", "Reports".

use super::accounts::{Account, BUSINESSES};
use super::campaign::{Campaign, parse_id};
use super::error::ApiError;
use super::query::Query;
use super::rate_limit::{self, Remaining};
use super::route::{self, Route};
use super::schema::{self, WriteKind};
use super::state::Zeta;
use super::{ads, reports, user_agent, write};
use crate::ads::Ads;
use crate::http::{Request, Response};
use crate::oauth::{Consent, bearer};
use crate::service::RequestContext;
use serde_json::{Map, Value, json};

/// The quirk that drops the label of every campaign.
pub(crate) const LABEL_QUIRK: &str = "drop_label";

/// Handles a request of the API. Every response has rate-limit headers.
pub(crate) fn handle(zeta: &mut Zeta, request: &Request, context: &RequestContext<'_>) -> Response {
    if let Some(throttled) = rate_limit::check(&mut zeta.reports, request, context) {
        return throttled;
    }
    let response = match execute(zeta, request, context) {
        Ok((status, body)) => Response::json(status, &body),
        Err(error) => error.response(),
    };
    let remaining = if response.status == 429 { Remaining::None(30) } else { Remaining::AllButOne };
    rate_limit::add_headers(response, request, remaining)
}

fn execute(zeta: &mut Zeta, request: &Request, context: &RequestContext<'_>) -> Result<(u16, Value), ApiError> {
    if !user_agent::is_descriptive(request) {
        return Err(ApiError::new(429, "Too Many Requests"));
    }
    let route = route::parse(request)?;
    let writes = matches!(route, Route::Create(_) | Route::Update(_));
    let consent = authenticate(zeta, request, context, if writes { "adsedit" } else { "adsread" })?;
    match route {
        Route::Create(account) => Ok((201, create(zeta, &consent, account, request, context)?)),
        Route::Update(id) => Ok((200, update(zeta, &consent, id, request, context)?)),
        _ => Ok((200, read(zeta, &consent, route, request, context)?)),
    }
}

fn create(
    zeta: &mut Zeta,
    consent: &Consent,
    account: &str,
    request: &Request,
    context: &RequestContext<'_>,
) -> Result<Value, ApiError> {
    granted_account(zeta, consent, account)?;
    Query::read(request, &[])?;
    let fields = campaign_fields(request, WriteKind::Create, context)?;
    let Zeta { accounts, ads, last_campaign_id, .. } = zeta;
    let account = accounts.iter_mut().find(|one| one.id == account).ok_or_else(ApiError::not_found)?;
    let now = context.now.as_second();
    let campaign = write::create(account, last_campaign_id, fields, now)?;
    Ok(json!({ "data": campaign.json(&account.id, campaign.effective_status(ads, now)) }))
}

fn update(
    zeta: &mut Zeta,
    consent: &Consent,
    id: &str,
    request: &Request,
    context: &RequestContext<'_>,
) -> Result<Value, ApiError> {
    let (account, id) = campaign_account(zeta, consent, id)?;
    let account = account.id.clone();
    Query::read(request, &[])?;
    let changes = campaign_fields(request, WriteKind::Update, context)?;
    let Zeta { accounts, ads, .. } = zeta;
    let account = accounts.iter_mut().find(|one| one.id == account).ok_or_else(ApiError::not_found)?;
    let now = context.now.as_second();
    let before = account.campaigns.get(&id).cloned();
    let changed = write::update(account, id, changes, now)?;
    let campaign = match before {
        Some(before) if context.is_ignored => before,
        _ => changed,
    };
    Ok(json!({ "data": campaign.json(&account.id, campaign.effective_status(ads, now)) }))
}

/// The properties in the body. The platform ignores the invoice label of accounts paid by credit
/// card; under the quirk, this applies to every account.
fn campaign_fields(
    request: &Request,
    kind: WriteKind,
    context: &RequestContext<'_>,
) -> Result<Map<String, Value>, ApiError> {
    let mut fields = schema::campaign(request, kind)?;
    if context.quirk(LABEL_QUIRK) {
        fields.remove("invoice_label");
    }
    Ok(fields)
}

fn read(
    zeta: &Zeta,
    consent: &Consent,
    route: Route<'_>,
    request: &Request,
    context: &RequestContext<'_>,
) -> Result<Value, ApiError> {
    let paged = |rows: Vec<(String, Value)>| {
        Query::read(request, &["page.size", "page.token"])?.page(rows, context.settings.page_size)
    };
    match route {
        Route::Businesses => paged(businesses(zeta, consent)),
        Route::Accounts(business) => paged(accounts(zeta, consent, business)?),
        Route::Account(id) => Ok(json!({ "data": granted_account(zeta, consent, id)?.json(&zeta.ads) })),
        Route::Pixels(id) => {
            let pixels = granted_account(zeta, consent, id)?.pixels();
            paged(pixels.into_iter().map(|pixel| (pixel["id"].to_string(), pixel)).collect())
        }
        Route::List(id) => list(granted_account(zeta, consent, id)?, &zeta.ads, request, context),
        Route::Ads(id) => ads::list(granted_account(zeta, consent, id)?, &zeta.ads, request, context),
        Route::Report(id) => reports::report(granted_account(zeta, consent, id)?, request, context),
        Route::Get(id) => {
            Query::read(request, &[])?;
            let (account, id) = campaign_account(zeta, consent, id)?;
            let campaign = account.campaigns.get(&id).ok_or_else(ApiError::not_found)?;
            Ok(json!({ "data": campaign_json(account, campaign, &zeta.ads, context) }))
        }
        Route::Create(_) | Route::Update(_) => Err(ApiError::not_found()),
    }
}

/// The consent behind the access token. Unknown, expired and revoked tokens get the same response.
fn authenticate(
    zeta: &Zeta,
    request: &Request,
    context: &RequestContext<'_>,
    scope: &str,
) -> Result<Consent, ApiError> {
    let token = bearer(request).ok_or_else(ApiError::unauthenticated)?;
    let grant = zeta.grants.find_by_access_token(token, context.now.as_second());
    let consent = &grant.map_err(|_| ApiError::unauthenticated())?.consent;
    if !consent.scopes.iter().any(|granted| granted == scope) {
        return Err(ApiError::forbidden(&format!("The token lacks the scope {scope}.")));
    }
    Ok(consent.clone())
}

fn is_granted(consent: &Consent, account: &Account) -> bool {
    consent.accounts.contains(&account.id)
}

/// The account in the path. The platform grants every account of the user; the sandbox treats
/// accounts that were not chosen on the consent page as inaccessible to the user.
fn granted_account<'z>(zeta: &'z Zeta, consent: &Consent, id: &str) -> Result<&'z Account, ApiError> {
    let account = zeta.accounts.iter().find(|account| account.id == id).ok_or_else(ApiError::not_found)?;
    if !is_granted(consent, account) {
        return Err(ApiError::forbidden("The user has no access to the ad account."));
    }
    Ok(account)
}

/// The account of a campaign, which the path does not name.
fn campaign_account<'z>(zeta: &'z Zeta, consent: &Consent, id: &str) -> Result<(&'z Account, i64), ApiError> {
    let id = parse_id(id).ok_or_else(ApiError::not_found)?;
    let holds = |account: &&Account| account.campaigns.contains_key(&id);
    let account = zeta.accounts.iter().find(holds).ok_or_else(ApiError::not_found)?;
    granted_account(zeta, consent, &account.id).map(|account| (account, id))
}

fn businesses(zeta: &Zeta, consent: &Consent) -> Vec<(String, Value)> {
    let is_listed = |id: &str| {
        let mut accounts = zeta.accounts.iter();
        accounts.any(|account| account.business == id && is_granted(consent, account))
    };
    let listed = BUSINESSES.iter().filter(|(id, _)| is_listed(id));
    listed.map(|(id, name)| ((*id).to_owned(), json!({ "id": id, "name": name }))).collect()
}

fn accounts(zeta: &Zeta, consent: &Consent, business: &str) -> Result<Vec<(String, Value)>, ApiError> {
    if !BUSINESSES.iter().any(|(id, _)| *id == business) {
        return Err(ApiError::not_found());
    }
    let is_listed = |account: &&Account| account.business == business && is_granted(consent, account);
    let listed = zeta.accounts.iter().filter(is_listed);
    Ok(listed.map(|account| (account.id.clone(), account.json(&zeta.ads))).collect())
}

/// Lists campaigns of any status, newest first.
fn list(account: &Account, ads: &Ads, request: &Request, context: &RequestContext<'_>) -> Result<Value, ApiError> {
    let query = Query::read(request, &["page.size", "page.token", "id"])?;
    let ids = query.list("id")?;
    let is_listed = |id: &i64| ids.as_ref().is_none_or(|ids| ids.contains(&id.to_string().as_str()));
    let listed = account.campaigns.iter().rev().filter(|(id, _)| is_listed(id));
    let rows = listed.map(|(id, campaign)| (*id, campaign_json(account, campaign, ads, context)));
    query.page(rows.collect(), context.settings.page_size)
}

/// A campaign as reads show it.
fn campaign_json(account: &Account, campaign: &Campaign, ads: &Ads, context: &RequestContext<'_>) -> Value {
    let word = campaign.effective_status(ads, context.now.as_second());
    if campaign.status() == "DELETED" {
        return campaign.json(&account.id, word);
    }
    campaign.json(&account.id, &ads.word(&campaign.id.to_string(), word, context))
}

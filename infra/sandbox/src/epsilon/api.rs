//! The API: authentication, access to ad accounts, and the endpoints.
//!
//! Pinterest API v5 reference: "Authentication", `ad_accounts`, `campaigns`, `ad_groups`, `ads`.

use super::accounts::Account;
use super::campaign::{Campaign, parse_id};
use super::campaign_input::{self, CampaignInput, WriteKind};
use super::error::ApiError;
use super::query::{Query, invalid_param};
use super::route::{self, Route};
use super::state::Epsilon;
use super::{ads, analytics, write};
use crate::ads::Ads;
use crate::http::{Request, Response};
use crate::oauth::{Consent, bearer};
use crate::service::RequestContext;
use serde_json::{Value, json};

/// Handles a request of the API.
pub(crate) fn handle(epsilon: &mut Epsilon, request: &Request, context: &RequestContext<'_>) -> Response {
    match execute(epsilon, request, context) {
        Ok(body) => Response::json(200, &body),
        Err(error) => error.response(),
    }
}

fn execute(epsilon: &mut Epsilon, request: &Request, context: &RequestContext<'_>) -> Result<Value, ApiError> {
    let route = route::parse(request)?;
    let scope = if matches!(route, Route::Write(..)) { "ads:write" } else { "ads:read" };
    let consent = authenticate(epsilon, request, context, scope)?;
    match route {
        Route::Accounts => accounts(epsilon, &consent, request, context),
        Route::Account(id) => Ok(granted_account(epsilon, &consent, id)?.json()),
        Route::List(account) => list(granted_account(epsilon, &consent, account)?, &epsilon.ads, request, context),
        Route::AdGroups(account) => {
            ads::groups(granted_account(epsilon, &consent, account)?, &epsilon.ads, request, context)
        }
        Route::Ads(account) => ads::ads(granted_account(epsilon, &consent, account)?, &epsilon.ads, request, context),
        Route::Get(account, id) => {
            Query::read(request, &[], &[])?;
            let account = granted_account(epsilon, &consent, account)?;
            let id = parse_id(id).ok_or_else(|| invalid_param("campaign_id", id))?;
            let campaign = account.campaigns.get(&id).ok_or_else(ApiError::campaign_not_found)?;
            Ok(campaign_json(account, campaign, &epsilon.ads, context))
        }
        Route::Analytics(account) => {
            analytics::report(granted_account(epsilon, &consent, account)?, request, context.now)
        }
        Route::Write(account, kind) => {
            let account = granted_account(epsilon, &consent, account)?;
            let inputs = inputs(account, request, kind)?;
            let id = account.id;
            let is_disabled = ads::is_disabled(account, &epsilon.ads);
            let Epsilon { accounts, last_campaign_id, .. } = epsilon;
            let account = accounts.iter_mut().find(|account| account.id == id).ok_or_else(account_not_found)?;
            Ok(write::apply(account, last_campaign_id, &inputs, is_disabled, context))
        }
    }
}

/// The campaigns in the body of a write. The user needs a role with write access.
fn inputs(account: &Account, request: &Request, kind: WriteKind) -> Result<Vec<CampaignInput>, ApiError> {
    if !account.may_write() {
        return Err(ApiError::forbidden());
    }
    Query::read(request, &[], &[])?;
    if !request.is_json() {
        return Err(ApiError::invalid("Invalid request: the content type must be application/json"));
    }
    campaign_input::parse(&request.body, kind)
}

/// The consent behind the access token. Unknown, expired and revoked tokens get the same response.
fn authenticate(
    epsilon: &Epsilon,
    request: &Request,
    context: &RequestContext<'_>,
    scope: &str,
) -> Result<Consent, ApiError> {
    let token = bearer(request).ok_or_else(ApiError::unauthenticated)?;
    let grant = epsilon.grants.find_by_access_token(token, context.now.as_second());
    let consent = &grant.map_err(|_| ApiError::unauthenticated())?.consent;
    if !consent.scopes.iter().any(|granted| granted == scope) {
        return Err(ApiError::new(401, 3, format!("Authorization failed: the token lacks the scope {scope}.")));
    }
    Ok(consent.clone())
}

fn account_not_found() -> ApiError {
    ApiError::new(404, 2, "AdAccount not found.")
}

fn is_granted(consent: &Consent, account: &Account) -> bool {
    consent.accounts.iter().any(|chosen| *chosen == account.id.to_string())
}

/// The account in the path. The platform grants every account of the user; the sandbox treats
/// accounts that were not chosen on the consent page as inaccessible to the user.
fn granted_account<'e>(epsilon: &'e Epsilon, consent: &Consent, id: &str) -> Result<&'e Account, ApiError> {
    let id = parse_id(id).ok_or_else(|| invalid_param("ad_account_id", id))?;
    let account = epsilon.accounts.iter().find(|account| account.id == id).ok_or_else(account_not_found)?;
    if !is_granted(consent, account) {
        return Err(ApiError::new(403, 7, "Not authorized to access the ad account."));
    }
    Ok(account)
}

fn accounts(
    epsilon: &Epsilon,
    consent: &Consent,
    request: &Request,
    context: &RequestContext<'_>,
) -> Result<Value, ApiError> {
    let query = Query::read(request, &["include_shared_accounts", "page_size", "bookmark"], &[])?;
    let include_shared = match query.get("include_shared_accounts") {
        None | Some("true") => true,
        Some("false") => false,
        Some(invalid) => return Err(invalid_param("include_shared_accounts", invalid)),
    };
    let is_listed = |account: &&Account| is_granted(consent, account) && (include_shared || !account.is_shared());
    let listed: Vec<&Account> = epsilon.accounts.iter().filter(is_listed).collect();
    let (page, bookmark) = query.page(listed, |account| account.id, context.settings.page_size)?;
    let page: Vec<Value> = page.into_iter().map(Account::json).collect();
    Ok(json!({ "items": page, "bookmark": bookmark }))
}

/// Lists campaigns. Archived campaigns and drafts need an explicit `entity_statuses`. The default
/// order is not documented; the sandbox takes ascending ids.
fn list(account: &Account, ads: &Ads, request: &Request, context: &RequestContext<'_>) -> Result<Value, ApiError> {
    let query = Query::read(request, &["page_size", "order", "bookmark"], &["campaign_ids", "entity_statuses"])?;
    let (statuses, ids) = (query.statuses()?, query.ids("campaign_ids")?);
    let campaigns = account.campaigns.values().filter(|campaign| statuses.contains(&campaign.status));
    let found: Vec<&Campaign> = campaigns.filter(|campaign| ids.is_empty() || ids.contains(&campaign.id)).collect();
    let (page, bookmark) = query.page(query.order(found)?, |campaign| campaign.id, context.settings.page_size)?;
    let page: Vec<Value> = page.into_iter().map(|campaign| campaign_json(account, campaign, ads, context)).collect();
    Ok(json!({ "items": page, "bookmark": bookmark }))
}

/// A campaign as reads show it.
fn campaign_json(account: &Account, campaign: &Campaign, ads: &Ads, context: &RequestContext<'_>) -> Value {
    let word = campaign.summary_status(ads::is_disabled(account, ads), context.now.as_second());
    if campaign.status.is_final() {
        return campaign.json(account.id, word);
    }
    campaign.json(account.id, &ads.word(&campaign.id.to_string(), word, context))
}

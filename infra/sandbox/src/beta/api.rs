//! Handles the API calls: authenticates, then dispatches by route.
//!
//! Marketing API: Ad Account, Ad Insights; Graph API: User, Adaccounts and Permissions edges.

use super::account::{self, Account};
use super::api_call::{ApiCall, ApiResult};
use super::error::{GraphError, VERSION};
use super::fields::{Selection, object, select};
use super::insights::{Level, Report};
use super::paging::page;
use super::params::Params;
use super::route::{Route, USER};
use super::state::Beta;
use super::{ad_edge, auth, campaigns, held, oauth, quirks, times};
use crate::http::{Request, Response};
use crate::service::RequestContext;
use serde_json::{Value, json};

/// Handles one call of the API.
pub(crate) fn handle(beta: &mut Beta, request: &Request, context: &RequestContext<'_>) -> Response {
    match execute(beta, request, context) {
        Ok(body) => Response::json(200, &body).with("facebook-api-version", VERSION),
        Err(error) => quirks::reworded(error, context).response(),
    }
}

fn execute(beta: &mut Beta, request: &Request, context: &RequestContext<'_>) -> ApiResult {
    let route = Route::parse(&request.path)?;
    quirks::check_version(&request.path, context)?;
    let params = Params::read(request)?;
    match (request.method.as_str(), route) {
        ("GET" | "POST", Route::Token) => return oauth::token(beta, &params, context),
        ("GET", Route::DebugToken) => return oauth::debug_token(beta, request, &params, context),
        _ => {}
    }
    let caller = auth::caller(beta, request, &params, context.now)?;
    let call = ApiCall { request, params, caller, context };
    match (request.method.as_str(), route) {
        ("GET", Route::Me) => Ok(json!({ "id": USER, "name": "Robin Harbour" })),
        ("GET", Route::MyPermissions) => Ok(oauth::permissions(&call.caller)),
        ("DELETE", Route::MyPermissions) => oauth::revoke(beta, &call.caller, &call.params),
        ("GET", Route::MyAccounts) => my_accounts(beta, &call),
        ("GET", Route::Account(act)) => account(beta, &call, act),
        ("GET", Route::Campaigns(act)) => campaigns::list(beta, &call, act),
        ("POST", Route::Campaigns(act)) => campaigns::create(beta, &call, act),
        ("GET", Route::AccountInsights(act)) => account_insights(beta, &call, act),
        ("GET", Route::Node(id)) => campaigns::get(beta, &call, id),
        ("GET", Route::AccountAds(act)) => ad_edge::of_account(beta, &call, act),
        ("GET", Route::NodeAds(id)) => ad_edge::of_campaign(beta, &call, id),
        ("GET", Route::NodeInsights(id)) => campaign_insights(beta, &call, id),
        ("POST", Route::Node(id)) => campaigns::update(beta, &call, id),
        ("DELETE", Route::Node(id)) => campaigns::delete(beta, &call, id),
        (method, _) => Err(GraphError::not_found(method, request.path.rsplit('/').next().unwrap_or_default())),
    }
}

fn my_accounts(beta: &Beta, call: &ApiCall<'_>) -> ApiResult {
    call.caller.check_read()?;
    let selection = account_fields(call)?;
    let granted = beta.accounts.iter().filter(|account| call.caller.has_account(&account.act()));
    let rows = granted.map(|account| (account.id, account_object(beta, account, &selection, call)));
    page(&rows.collect::<Vec<_>>(), &call.page_request())
}

fn account(beta: &Beta, call: &ApiCall<'_>, act: &str) -> ApiResult {
    let account = call.account(beta, act)?;
    Ok(account_object(beta, account, &account_fields(call)?, call))
}

fn account_fields<'c>(call: &'c ApiCall<'_>) -> Result<Selection<'c>, GraphError> {
    select(call.params.string("fields").or(Some("account_id")), account::FIELDS, "AdAccount")
}

fn account_object(beta: &Beta, account: &Account, selection: &Selection<'_>, call: &ApiCall<'_>) -> Value {
    let (status, disable_reason) = held::account_status(&beta.ads, account);
    object(selection, |name| match name {
        "account_status" => Some(json!(status)),
        "disable_reason" => Some(json!(disable_reason)),
        name => account.field(name, call.context.now),
    })
}

fn account_insights(beta: &Beta, call: &ApiCall<'_>, act: &str) -> ApiResult {
    let account = call.account_with_campaigns(beta, act)?;
    page(&report(call, account, Level::Account)?.of_account(account), &call.page_request())
}

fn campaign_insights(beta: &Beta, call: &ApiCall<'_>, id: &str) -> ApiResult {
    let (account, campaign) = call.campaign(beta, id)?;
    page(&report(call, account, Level::Campaign)?.of_campaign(account, campaign), &call.page_request())
}

fn report<'c>(call: &'c ApiCall<'_>, account: &Account, level: Level) -> Result<Report<'c>, GraphError> {
    Report::read(&call.params, level, times::date(call.context.now, &account.time_zone))
}

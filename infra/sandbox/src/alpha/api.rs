//! Handles the API calls: authenticates, then dispatches by method.
//!
//! Google Ads API: REST interface overview.

use super::account::Account;
use super::failure::{Failure, Status, Violation};
use super::mutate::{self, MutateContext};
use super::operation;
use super::route::{Method, Route, error_version};
use super::rows::SearchContext;
use super::state::Alpha;
use super::{auth, dates, quirks, search};
use crate::http::{Pairs, Request, Response};
use crate::oauth::{Consent, random_token};
use crate::service::RequestContext;
use serde_json::{Value, json};

/// The message of a Cloud project that has not enabled the API.
const DISABLED: &str = "Google Ads API has not been used in project 1002003000 before or it is disabled.";

/// A new id for the `request-id` header.
pub(crate) fn request_id() -> String {
    random_token().chars().take(22).collect()
}

/// Handles one call of the API.
pub(crate) fn handle(alpha: &mut Alpha, request: &Request, context: &RequestContext<'_>) -> Response {
    let id = request_id();
    let version = error_version(request);
    match execute(alpha, request, context, &version, &id) {
        Ok(body) => Response::json(200, &body).with("request-id", id),
        Err(failure) => failure.response(&version, &id),
    }
}

fn execute(
    alpha: &mut Alpha,
    request: &Request,
    context: &RequestContext<'_>,
    version: &str,
    request_id: &str,
) -> Result<Value, Failure> {
    let route = Route::parse(request).ok_or(Failure::NotFound)?;
    if !route.is_supported() {
        let why = format!("Version v{} is deprecated. Requests to this version will be blocked.", route.version);
        return Err(Failure::invalid(("requestError", "UNSUPPORTED_VERSION"), why));
    }
    let consent = auth::authenticate(alpha, request, context.now)?;
    if context.quirk(quirks::SERVICE_DISABLED) {
        return Err(Failure::Gateway(Status::PermissionDenied, DISABLED, "SERVICE_DISABLED"));
    }
    check_query(request)?;
    let index = match &route.method {
        Method::ListAccessible => return Ok(accessible_customers(alpha, &consent)),
        Method::Search(customer) | Method::SearchStream(customer) | Method::Mutate(customer, _) => {
            auth::authorize(alpha, &consent, customer, request.header("login-customer-id"))?
        }
    };
    match route.method {
        Method::Mutate(_, service) => {
            let body = operation::parse(service, &request.body)?;
            let account = alpha.accounts.get_mut(index).ok_or(Failure::NotFound)?;
            let local_time = dates::local(context.now, &account.time_zone);
            let fills_networks = context.quirk(quirks::DEFAULT_NETWORKS);
            let (time, is_ignored) = (context.now, context.is_ignored);
            let call = MutateContext { service, version, request_id, time, local_time, fills_networks, is_ignored };
            mutate::mutate(account, &mut alpha.ids, &call, &body)
        }
        Method::SearchStream(_) => search::stream(&search_context(alpha, index, context)?, &request.body, request_id),
        _ => search::search(&search_context(alpha, index, context)?, &request.body),
    }
}

fn search_context<'a>(
    alpha: &'a Alpha,
    index: usize,
    context: &'a RequestContext<'a>,
) -> Result<SearchContext<'a>, Failure> {
    let account = alpha.accounts.get(index).ok_or(Failure::NotFound)?;
    Ok(SearchContext {
        account,
        all_accounts: &alpha.accounts,
        ads: &alpha.ads,
        request: context,
        local_time: dates::local(context.now, &account.time_zone),
        page_size: context.settings.page_size,
        closed_managers: context.quirk(quirks::CLOSED_MANAGER),
        omits_zeros: context.quirk(quirks::OMITTED_ZEROS),
    })
}

/// Rejects query parameters that no Google API accepts.
fn check_query(request: &Request) -> Result<(), Failure> {
    const KNOWN: &[&str] = &["alt", "$alt", "fields", "key", "prettyPrint", "quotaUser"];
    let query = Pairs::parse(&request.query);
    let Some(unknown) = query.names().find(|name| !KNOWN.contains(name)) else { return Ok(()) };
    let description = format!(
        "Invalid JSON payload received. Unknown name \"{unknown}\": Cannot bind query parameter. \
         Field '{unknown}' could not be found in request message."
    );
    Err(Failure::Json(vec![Violation { field: String::new(), description }]))
}

fn accessible_customers(alpha: &Alpha, consent: &Consent) -> Value {
    let granted = alpha.accounts.iter().filter(|account| auth::has_account(consent, account.id));
    json!({ "resourceNames": granted.map(Account::resource_name).collect::<Vec<_>>() })
}

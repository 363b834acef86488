//! The addresses of the Google Ads API: who may call them, and what each does.
//!
//! Google Ads API: REST interface overview, HTTP annotations and Call structure pages.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::Alpha;
use super::accounts::Account;
use super::error::{AdsError, Code, Failure, Status};
use super::mutate::{self, Asked, Service};
use super::search::{self, Scene};
use super::{dates, quirks};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::{Consent, TokenError, bearer, random_token};
use crate::platform::RequestContext;

/// The scope without which the API is closed.
pub(crate) const SCOPE: &str = "https://www.googleapis.com/auth/adwords";

/// The versions that are served; what is older is switched off.
const VERSIONS: std::ops::RangeInclusive<u32> = 23..=26;

/// What an address asks for; customers as they stand in the path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Method<'r> {
    ListAccessible,
    Search(&'r str),
    Stream(&'r str),
    Mutate(&'r str, Service),
}

/// The version and method of a request, if there is such an address.
pub(crate) fn address(request: &Request) -> Option<(u32, Method<'_>)> {
    let (version, rest) = request.path.strip_prefix("/v")?.split_once('/')?;
    let version: u32 = version.parse().ok().filter(|number| (1..=26).contains(number))?;
    if rest == "customers:listAccessibleCustomers" {
        return (request.method == "GET").then_some((version, Method::ListAccessible));
    }
    let (customer, method) = rest.strip_prefix("customers/")?.split_once('/')?;
    let method = match method {
        "googleAds:search" => Method::Search(customer),
        "googleAds:searchStream" => Method::Stream(customer),
        "googleAds:mutate" => Method::Mutate(customer, Service::Everything),
        "campaigns:mutate" => Method::Mutate(customer, Service::Campaigns),
        "campaignBudgets:mutate" => Method::Mutate(customer, Service::Budgets),
        _ => return None,
    };
    (request.method == "POST").then_some((version, method))
}

/// The version as error details name it; the newest when the path has none.
pub(crate) fn version(request: &Request) -> String {
    let found = address(request).map(|(version, _)| version).filter(|one| VERSIONS.contains(one));
    format!("v{}", found.unwrap_or(*VERSIONS.end()))
}

/// A new id for the `request-id` header.
pub(crate) fn request_id() -> String {
    random_token().chars().take(22).collect()
}

/// Answers a call of the API.
pub(crate) fn answer(alpha: &mut Alpha, request: &Request, moment: &RequestContext<'_>) -> Reply {
    let id = request_id();
    let version = version(request);
    match serve(alpha, request, moment, &version, &id) {
        Ok(body) => Reply::json(200, &body).with("request-id", id),
        Err(failure) => failure.reply(&version, &id),
    }
}

fn serve(
    alpha: &mut Alpha,
    request: &Request,
    moment: &RequestContext<'_>,
    version: &str,
    request_id: &str,
) -> Result<Value, Failure> {
    let (number, method) = address(request).ok_or(Failure::NotFound)?;
    if !VERSIONS.contains(&number) {
        let why = format!("Version v{number} is deprecated. Requests to this version will be blocked.");
        return Err(Failure::invalid(("requestError", "UNSUPPORTED_VERSION"), why));
    }
    let consent = authenticate(alpha, request, moment.now)?;
    check_query(request)?;
    let at = match &method {
        Method::ListAccessible => return Ok(accessible(alpha, &consent)),
        Method::Search(customer) | Method::Stream(customer) | Method::Mutate(customer, _) => {
            reach(alpha, &consent, customer, request.header("login-customer-id"))?
        }
    };
    let account = alpha.accounts.get(at).ok_or(Failure::NotFound)?;
    let now = dates::local(moment.now, &account.time_zone);
    let closed_managers = moment.quirk(quirks::CLOSED_MANAGER);
    let page_size = moment.settings.page_size;
    let scene = Scene { account, all: &alpha.accounts, now, page_size, closed_managers };
    match method {
        Method::Stream(_) => search::stream(&scene, &request.body, request_id),
        Method::Mutate(_, service) => {
            let parsed = mutate::parse(service, &request.body)?;
            let buys_networks = moment.quirk(quirks::DEFAULT_NETWORKS);
            let asked = Asked { service, version, request_id, at: moment.now, now, buys_networks };
            let account = alpha.accounts.get_mut(at).ok_or(Failure::NotFound)?;
            mutate::mutate(account, &mut alpha.ids, &asked, &parsed)
        }
        _ => search::search(&scene, &request.body),
    }
}

fn refuse(status: Status, code: Code, why: &str) -> Failure {
    Failure::one(status, AdsError::new(code, why))
}

/// What the bearer of the access token was let in to.
fn authenticate(alpha: &Alpha, request: &Request, now: Timestamp) -> Result<Consent, Failure> {
    let refused = |value, why| Err(refuse(Status::Unauthenticated, ("authenticationError", value), why));
    if request.header("authorization").is_none() {
        let why = "Request is missing required authentication credential. Expected OAuth 2 access \
                   token, login cookie or other valid authentication credential.";
        return Err(Failure::Gate(Status::Unauthenticated, why, "CREDENTIALS_MISSING"));
    }
    let Some(token) = bearer(request) else {
        return refused("OAUTH_TOKEN_HEADER_INVALID", "OAuth token HTTP header is malformed.");
    };
    let grant = match alpha.grants.find_by_access_token(token, now.as_second()) {
        Ok(grant) => grant,
        Err(TokenError::Unknown) => return refused("OAUTH_TOKEN_INVALID", "OAuth token in the header is not valid."),
        Err(TokenError::Expired) => return refused("OAUTH_TOKEN_EXPIRED", "OAuth token in the header has expired."),
        Err(TokenError::Revoked) => {
            return refused("OAUTH_TOKEN_REVOKED", "OAuth token in the header has been revoked.");
        }
    };
    if !grant.consent.scopes.iter().any(|scope| scope == SCOPE) {
        let why = "Request had insufficient authentication scopes.";
        return Err(Failure::Gate(Status::PermissionDenied, why, "ACCESS_TOKEN_SCOPE_INSUFFICIENT"));
    }
    Ok(grant.consent.clone())
}

/// Parameters of a query that every Google address takes; others bind to no field.
fn check_query(request: &Request) -> Result<(), Failure> {
    const KNOWN: &[&str] = &["alt", "$alt", "fields", "key", "prettyPrint", "quotaUser"];
    let query = Pairs::parse(&request.query);
    let Some(odd) = query.names().find(|name| !KNOWN.contains(name)) else { return Ok(()) };
    let description = format!(
        "Invalid JSON payload received. Unknown name \"{odd}\": Cannot bind query parameter. \
         Field '{odd}' could not be found in request message."
    );
    Err(Failure::Json(vec![super::error::Violation { field: String::new(), description }]))
}

fn accessible(alpha: &Alpha, consent: &Consent) -> Value {
    let chosen = alpha.accounts.iter().filter(|account| chose(consent, account.id));
    json!({ "resourceNames": chosen.map(Account::resource_name).collect::<Vec<_>>() })
}

fn chose(consent: &Consent, account: i64) -> bool {
    consent.accounts.iter().any(|chosen| *chosen == account.to_string())
}

/// The place of a customer that the consent reaches: chosen itself, or under a manager that was
/// chosen and is named by `login-customer-id`.
fn reach(alpha: &Alpha, consent: &Consent, customer: &str, login: Option<&str>) -> Result<usize, Failure> {
    let wanted = customer_id(customer).ok_or_else(|| {
        let code = ("requestError", "INVALID_CUSTOMER_ID");
        refuse(Status::InvalidArgument, code, "The customer id has to be ten digits.")
    })?;
    let login = match login {
        None => wanted,
        Some(text) => customer_id(text).ok_or_else(|| {
            let code = ("headerError", "INVALID_LOGIN_CUSTOMER_ID");
            refuse(Status::InvalidArgument, code, "The login customer id has to be ten digits.")
        })?,
    };
    let denied = |value, why| refuse(Status::PermissionDenied, ("authorizationError", value), why);
    let at = alpha.accounts.iter().position(|account| account.id == wanted);
    let found = at.and_then(|at| Some((at, alpha.accounts.get(at)?)));
    match found {
        Some((at, account)) if chose(consent, login) => {
            if login == wanted || account.parent == Some(login) {
                return Ok(at);
            }
            Err(denied(
                "INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION",
                "The login customer has no access to the customer.",
            ))
        }
        _ => Err(denied(
            "USER_PERMISSION_DENIED",
            "User doesn't have permission to access customer. If it is reached through a manager, \
             the manager's id has to be in the login-customer-id header.",
        )),
    }
}

fn customer_id(text: &str) -> Option<i64> {
    let digits = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

//! The token and revocation endpoints.
//!
//! Pinterest API v5 reference: "Generate OAuth access token", "Revoke OAuth token"; the page on
//! authentication for continuous refresh. An invalid grant and a wrong secret are both 401 and differ by
//! code: recorded live, 2026-08.

use super::error::ApiError;
use super::state::{CLIENT, Epsilon};
use crate::http::{Pairs, Request, Response};
use crate::oauth::{CodeExchange, basic, random_token};
use crate::service::RequestContext;
use serde_json::json;

/// Default lifetime of an access token, in seconds: 30 days.
const ACCESS_TOKEN_TTL_S: i64 = 2_592_000;
/// Announced lifetime of a refresh token, in seconds: 60 days. The sandbox does not enforce it.
const REFRESH_TOKEN_TTL_S: i64 = 5_184_000;

const PARAMETERS: &[&str] =
    &["grant_type", "code", "redirect_uri", "refresh_token", "scope", "continuous_refresh", "token", "token_type_hint"];

/// Exchanges an authorization code or a refresh token.
pub(crate) fn token(epsilon: &mut Epsilon, request: &Request, context: &RequestContext<'_>) -> Response {
    exchange(epsilon, request, context).unwrap_or_else(|error| error.response())
}

fn exchange(epsilon: &mut Epsilon, request: &Request, context: &RequestContext<'_>) -> Result<Response, ApiError> {
    let form = authenticated_form(request)?;
    match required(&form, "grant_type")? {
        "authorization_code" => exchange_code(epsilon, &form, context),
        "refresh_token" => refresh(epsilon, &form, context),
        other => Err(ApiError::invalid(format!("Invalid request: grant_type cannot be {other}"))),
    }
}

/// Only tokens of system users can be revoked, and the sandbox issues none of these.
pub(crate) fn revoke(request: &Request) -> Response {
    let outcome = authenticated_form(request).and_then(|form| {
        required(&form, "token")?;
        match form.get("token_type_hint") {
            None | Some("access_token" | "refresh_token") => Err(ApiError::forbidden()),
            Some(invalid) => Err(ApiError::invalid(format!("Invalid request: token_type_hint cannot be {invalid}"))),
        }
    });
    outcome.unwrap_or_else(|error| error.response())
}

/// The form of an authenticated client. Only a Basic header authenticates.
fn authenticated_form(request: &Request) -> Result<Pairs, ApiError> {
    if request.method != "POST" {
        return Err(ApiError::new(405, 405, format!("{} is not allowed on this path.", request.method)));
    }
    let (id, secret) = basic(request).ok_or_else(ApiError::unauthenticated)?;
    if !CLIENT.authenticates(&id, &secret) {
        return Err(ApiError::unauthenticated());
    }
    if !request.is_form() {
        return Err(ApiError::invalid("Invalid request: the body must be application/x-www-form-urlencoded"));
    }
    let form = Pairs::parse(&request.body);
    if form.get("client_secret").is_some() {
        return Err(ApiError::invalid("Invalid request: client_secret must not be in the body"));
    }
    if let Some(name) = form.repeated(PARAMETERS) {
        return Err(ApiError::invalid(format!("Invalid request: {name} is given more than once")));
    }
    Ok(form)
}

fn required<'f>(form: &'f Pairs, name: &str) -> Result<&'f str, ApiError> {
    form.get(name).ok_or_else(|| ApiError::invalid(format!("Invalid request: {name} is required")))
}

fn exchange_code(epsilon: &mut Epsilon, form: &Pairs, context: &RequestContext<'_>) -> Result<Response, ApiError> {
    // The platform has no PKCE and ignores a verifier.
    let exchange = CodeExchange {
        code: required(form, "code")?,
        client: CLIENT.id,
        redirect_uri: required(form, "redirect_uri")?,
        verifier: None,
    };
    let grant = epsilon.grants.exchange_code(&exchange, context.now.as_second());
    let grant = grant.map_err(|_| ApiError::invalid_grant())?;
    Ok(issue(epsilon, grant, "authorization_code", context))
}

/// Continuous refresh: a new refresh token replaces the used one.
fn refresh(epsilon: &mut Epsilon, form: &Pairs, context: &RequestContext<'_>) -> Result<Response, ApiError> {
    let token = required(form, "refresh_token")?;
    let number = epsilon.grants.find_by_refresh_token(token, CLIENT.id).map_err(|_| ApiError::invalid_grant())?;
    let granted = epsilon.grants.grant(number).map(|grant| grant.consent.scopes.clone()).unwrap_or_default();
    let requested = form.get("scope").unwrap_or_default().split([',', ' ']);
    if let Some(invalid) =
        requested.filter(|scope| !scope.is_empty()).find(|scope| !granted.iter().any(|one| one == scope))
    {
        return Err(ApiError::invalid(format!("Invalid request: scope {invalid} was not granted")));
    }
    epsilon.grants.remove_refresh_token(token);
    Ok(issue(epsilon, number, "refresh_token", context))
}

fn issue(epsilon: &mut Epsilon, grant: u64, response_type: &str, context: &RequestContext<'_>) -> Response {
    let access = format!("pina_{}{}", random_token(), random_token());
    let refresh = format!("pinr.{}{}", random_token(), random_token());
    let now = context.now.as_second();
    let ttl = context.access_token_ttl(ACCESS_TOKEN_TTL_S);
    epsilon.grants.add_access_token(&access, grant, now, ttl);
    epsilon.grants.add_refresh_token(&refresh, grant);
    let scopes = epsilon.grants.scopes(grant).join(" ");
    let body = json!({
        "access_token": access,
        "refresh_token": refresh,
        "response_type": response_type,
        "token_type": "bearer",
        "expires_in": ttl,
        "refresh_token_expires_in": REFRESH_TOKEN_TTL_S,
        "refresh_token_expires_at": now.saturating_add(REFRESH_TOKEN_TTL_S),
        "scope": scopes,
    });
    Response::json(200, &body).with("cache-control", "no-store")
}

//! The token and revocation endpoints.
//!
//! Reddit OAuth2 guide: "Retrieving the access token", "Refreshing the token", "Manually revoking a token".
//! Errors come in two forms: some as status 200 with an `error`, some by status.

use super::error::oauth_error;
use super::state::{CLIENT, Zeta};
use super::user_agent;
use crate::http::{Pairs, Request, Response};
use crate::oauth::{CodeExchange, basic, random_token};
use crate::service::RequestContext;
use serde_json::json;

/// Default lifetime of an access token, in seconds: one day.
const ACCESS_TOKEN_TTL_S: i64 = 86_400;

/// Exchanges an authorization code or a refresh token.
pub(crate) fn token(zeta: &mut Zeta, request: &Request, context: &RequestContext<'_>) -> Response {
    let exchanged = authenticated_form(request).and_then(|form| match form.get("grant_type") {
        Some("authorization_code") => exchange_code(zeta, &form, context),
        Some("refresh_token") => refresh(zeta, &form, context),
        _ => Err(error_with_200("unsupported_grant_type")),
    });
    exchanged.unwrap_or_else(|error| error)
}

/// Revokes a token; an unknown token is no error. A refresh token takes its access tokens along, an access
/// token is revoked alone.
pub(crate) fn revoke(zeta: &mut Zeta, request: &Request) -> Response {
    let form = match authenticated_form(request) {
        Ok(form) => form,
        Err(error) => return error,
    };
    if !matches!(form.get("token_type_hint"), None | Some("access_token" | "refresh_token")) {
        return oauth_error(400, "Bad Request");
    }
    let Some(token) = form.get("token") else { return oauth_error(400, "Bad Request") };
    if zeta.grants.is_refresh_token(token) {
        zeta.grants.revoke(token);
    } else {
        zeta.grants.remove_access_token(token);
    }
    Response { status: 204, headers: Vec::new(), body: String::new() }
}

/// An error with status 200.
fn error_with_200(error: &str) -> Response {
    Response::json(200, &json!({ "error": error })).with("cache-control", "no-store")
}

/// The form of an authenticated client. It needs a descriptive user agent and a Basic header.
fn authenticated_form(request: &Request) -> Result<Pairs, Response> {
    if !user_agent::is_descriptive(request) {
        return Err(oauth_error(429, "Too Many Requests"));
    }
    if request.method != "POST" {
        return Err(oauth_error(404, "Not Found"));
    }
    let credentials = basic(request);
    if !credentials.is_some_and(|(id, secret)| CLIENT.authenticates(&id, &secret)) {
        return Err(oauth_error(401, "Unauthorized"));
    }
    if !request.is_form() {
        return Err(oauth_error(400, "Bad Request"));
    }
    Ok(Pairs::parse(&request.body))
}

fn exchange_code(zeta: &mut Zeta, form: &Pairs, context: &RequestContext<'_>) -> Result<Response, Response> {
    let exchange = CodeExchange {
        code: form.get("code").unwrap_or_default(),
        client: CLIENT.id,
        redirect_uri: form.get("redirect_uri").unwrap_or_default(),
        verifier: None,
    };
    let grant = zeta.grants.exchange_code(&exchange, context.now.as_second());
    let grant = grant.map_err(|_| error_with_200("invalid_grant"))?;
    let permanent = zeta.grants.grant(grant).is_some_and(|grant| grant.consent.refreshable);
    let refresh_token = permanent.then(|| format!("{grant}-{}", random_token()));
    if let Some(refresh_token) = &refresh_token {
        zeta.grants.add_refresh_token(refresh_token, grant);
    }
    Ok(issue(zeta, grant, refresh_token, context))
}

/// The refresh token stays valid and is not in the response.
fn refresh(zeta: &mut Zeta, form: &Pairs, context: &RequestContext<'_>) -> Result<Response, Response> {
    let token = form.get("refresh_token").unwrap_or_default();
    let grant = zeta.grants.find_by_refresh_token(token, CLIENT.id).map_err(|_| oauth_error(400, "Bad Request"))?;
    Ok(issue(zeta, grant, None, context))
}

fn issue(zeta: &mut Zeta, grant: u64, refresh_token: Option<String>, context: &RequestContext<'_>) -> Response {
    let access = format!("eyJ{}.{}", random_token(), random_token());
    let now = context.now.as_second();
    let ttl = context.access_token_ttl(ACCESS_TOKEN_TTL_S);
    zeta.grants.add_access_token(&access, grant, now, ttl);
    let scopes = zeta.grants.scopes(grant).join(" ");
    let mut body = json!({ "access_token": access, "token_type": "bearer", "expires_in": ttl, "scope": scopes });
    if let (Some(body), Some(refresh_token)) = (body.as_object_mut(), refresh_token) {
        body.insert("refresh_token".to_owned(), refresh_token.into());
    }
    Response::json(200, &body).with("cache-control", "no-store")
}

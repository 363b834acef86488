//! The token, introspection and revocation endpoints.
//!
//! LinkedIn: "Authorization Code Flow (3-legged OAuth)" step 4, "Programmatic Refresh Tokens",
//! "Token Inspection". These pages do not document revocation; existing clients use the endpoint.

use super::state::{CLIENT, Delta, TokenLifetime};
use crate::http::{Pairs, Request, Response};
use crate::oauth::{CodeExchange, TokenError, random_token};
use crate::service::RequestContext;
use serde_json::json;
use std::iter;

/// Default lifetime of an access token, in seconds: 60 days.
const ACCESS_TOKEN_TTL_S: i64 = 5_184_000;
/// Lifetime of a refresh token from the consent on, in seconds: 365 days. A refresh does not extend it.
const REFRESH_TOKEN_TTL_S: i64 = 31_536_000;
/// How long the lifetime of an expired token stays known to introspection, in seconds.
const EXPIRED_RETENTION_S: i64 = 86_400;

/// The quirk that rejects an invalid code with the other of the two observed errors.
pub(crate) const CODE_QUIRK: &str = "code_refused_401";

const PARAMETERS: &[&str] =
    &["grant_type", "code", "redirect_uri", "client_id", "client_secret", "refresh_token", "token"];

/// An error in the form of RFC 6749 section 5.2.
pub(crate) fn oauth_error(status: u16, error: &str, description: &str) -> Response {
    Response::json(status, &json!({ "error": error, "error_description": description }))
}

fn invalid_request(description: &str) -> Response {
    oauth_error(400, "invalid_request", description)
}

fn required<'f>(form: &'f Pairs, name: &str) -> Result<&'f str, Response> {
    form.get(name).ok_or_else(|| invalid_request(&format!("A required parameter \"{name}\" is missing")))
}

/// The form of an authenticated client. Credentials count in the form only, not in a Basic header.
fn authenticated_form(request: &Request) -> Result<Pairs, Response> {
    if request.method != "POST" {
        return Err(oauth_error(405, "invalid_request", "This endpoint accepts POST only").with("allow", "POST"));
    }
    if !request.is_form() {
        return Err(invalid_request("The body must be application/x-www-form-urlencoded"));
    }
    let form = Pairs::parse(&request.body);
    if let Some(name) = form.repeated(PARAMETERS) {
        return Err(invalid_request(&format!("The parameter \"{name}\" is given more than once")));
    }
    if !CLIENT.authenticates(required(&form, "client_id")?, required(&form, "client_secret")?) {
        return Err(oauth_error(401, "invalid_client", "Client authentication failed"));
    }
    Ok(form)
}

/// Exchanges an authorization code or a refresh token.
pub(crate) fn token(delta: &mut Delta, request: &Request, context: &RequestContext<'_>) -> Result<Response, Response> {
    let form = authenticated_form(request)?;
    match required(&form, "grant_type")? {
        "authorization_code" => exchange(delta, &form, context),
        "refresh_token" => refresh(delta, &form, context),
        _ => Err(oauth_error(400, "unsupported_grant_type", "The grant_type is not supported")),
    }
}

fn exchange(delta: &mut Delta, form: &Pairs, context: &RequestContext<'_>) -> Result<Response, Response> {
    let exchange = CodeExchange {
        code: required(form, "code")?,
        client: CLIENT.id,
        redirect_uri: required(form, "redirect_uri")?,
        // Web applications send no challenge, so a verifier never matches.
        verifier: form.get("code_verifier"),
    };
    let now = context.now.as_second();
    let grant = delta.grants.exchange_code(&exchange, now).map_err(|_| invalid_code(context))?;
    let refresh = format!("AQX{}", long_random());
    delta.grants.add_refresh_token(&refresh, grant);
    let lifetime = TokenLifetime { created: now, expires: now + REFRESH_TOKEN_TTL_S };
    delta.token_lifetimes.insert(refresh.clone(), lifetime);
    Ok(issue(delta, grant, &refresh, context))
}

/// The platform has two errors for a code that is expired, used or bound to another redirect URI.
fn invalid_code(context: &RequestContext<'_>) -> Response {
    let why = "Unable to retrieve access token: appid/redirect uri/code verifier does not match \
               authorization code. Or authorization code expired.";
    if context.quirk(CODE_QUIRK) { oauth_error(401, "invalid_redirect_uri", why) } else { invalid_request(why) }
}

fn refresh(delta: &mut Delta, form: &Pairs, context: &RequestContext<'_>) -> Result<Response, Response> {
    let token = required(form, "refresh_token")?;
    let invalid_grant = || {
        let why = "The provided authorization grant or refresh token is invalid, expired or revoked";
        oauth_error(400, "invalid_grant", why)
    };
    let grant = delta.grants.find_by_refresh_token(token, CLIENT.id).map_err(|_| invalid_grant())?;
    let lifetime = delta.token_lifetimes.get(token).ok_or_else(invalid_grant)?;
    if lifetime.expires <= context.now.as_second() {
        return Err(invalid_grant());
    }
    Ok(issue(delta, grant, token, context))
}

/// Issues an access token. The refresh token stays valid and keeps its expiry.
fn issue(delta: &mut Delta, grant: u64, refresh: &str, context: &RequestContext<'_>) -> Response {
    let token = format!("AQV{}", long_random());
    let now = context.now.as_second();
    let ttl = context.access_token_ttl(ACCESS_TOKEN_TTL_S);
    let lifetime = TokenLifetime { created: now, expires: now.saturating_add(ttl) };
    delta.grants.add_access_token(&token, grant, now, ttl);
    delta.token_lifetimes.retain(|_, lifetime| lifetime.expires > now - EXPIRED_RETENTION_S);
    delta.token_lifetimes.insert(token.clone(), lifetime);
    let scopes = delta.grants.scopes(grant).join(",");
    let refresh_ttl = delta.token_lifetimes.get(refresh).map(|lifetime| lifetime.expires - now);
    let body = json!({
        "access_token": token,
        "expires_in": ttl,
        "refresh_token": refresh,
        "refresh_token_expires_in": refresh_ttl,
        "scope": scopes,
    });
    Response::json(200, &body).with("cache-control", "no-store")
}

/// LinkedIn's tokens are long: its documentation asks clients to reserve a thousand characters.
fn long_random() -> String {
    iter::repeat_with(random_token).take(8).collect()
}

/// Introspects a token: its status, scope and expiry.
pub(crate) fn introspect(delta: &Delta, request: &Request, context: &RequestContext<'_>) -> Result<Response, Response> {
    let form = authenticated_form(request)?;
    let token = required(&form, "token")?;
    let now = context.now.as_second();
    let (Some(lifetime), Some(scopes)) = (delta.token_lifetimes.get(token), token_scopes(delta, token, now)) else {
        return Ok(Response::json(200, &json!({ "active": false })));
    };
    let (status, scope) = match scopes {
        Ok(_) if lifetime.expires <= now => ("expired", None),
        Ok(scope) => ("active", Some(scope)),
        Err(TokenError::Expired) => ("expired", None),
        Err(_) => ("revoked", None),
    };
    let body = json!({
        "active": status == "active",
        "status": status,
        "client_id": CLIENT.id,
        "created_at": lifetime.created,
        "authorized_at": lifetime.created,
        "expires_at": lifetime.expires,
        "scope": scope,
        "auth_type": "3L",
    });
    Ok(Response::json(200, &body))
}

/// The scopes of an access or refresh token, or the reason why it is invalid; `None` if it is unknown.
fn token_scopes(delta: &Delta, token: &str, now: i64) -> Option<Result<String, TokenError>> {
    let grant = match delta.grants.find_by_access_token(token, now) {
        Ok(grant) => return Some(Ok(grant.consent.scopes.join(","))),
        Err(TokenError::Unknown) => delta.grants.find_by_refresh_token(token, CLIENT.id),
        Err(invalid) => return Some(Err(invalid)),
    };
    match grant {
        Ok(number) => delta.grants.grant(number).map(|grant| Ok(grant.consent.scopes.join(","))),
        Err(TokenError::Unknown) => None,
        Err(invalid) => Some(Err(invalid)),
    }
}

/// Revokes the grant of an access or refresh token.
pub(crate) fn revoke(delta: &mut Delta, request: &Request) -> Result<Response, Response> {
    let form = authenticated_form(request)?;
    if delta.grants.revoke(required(&form, "token")?) {
        return Ok(Response { status: 200, headers: Vec::new(), body: String::new() });
    }
    Err(invalid_request("The provided token is invalid, expired or revoked"))
}

//! Google's token and revocation endpoints.
//!
//! Google Identity: Using OAuth 2.0 for Web Server Applications, steps 5 and after, "Refreshing
//! an access token" and "Revoking a token".

use super::state::{Alpha, CLIENT};
use crate::http::{Pairs, Request, Response};
use crate::oauth::{CodeError, CodeExchange, TokenError, basic, random_token};
use crate::service::RequestContext;
use serde_json::json;

/// Default lifetime of an access token, in seconds.
const ACCESS_TOKEN_TTL_S: i64 = 3599;

const PARAMETERS: &[&str] =
    &["grant_type", "code", "redirect_uri", "code_verifier", "client_id", "client_secret", "refresh_token"];

/// An error in the form of RFC 6749 section 5.2.
pub(crate) fn error(status: u16, error: &str, description: &str) -> Response {
    Response::json(status, &json!({ "error": error, "error_description": description }))
        .with("cache-control", "no-store")
}

fn invalid_request(description: &str) -> Response {
    error(400, "invalid_request", description)
}

fn missing(name: &str) -> Response {
    invalid_request(&format!("Missing required parameter: {name}"))
}

/// Exchanges a code or a refresh token.
pub(crate) fn token(alpha: &mut Alpha, request: &Request, context: &RequestContext<'_>) -> Response {
    if request.method != "POST" {
        return error(405, "invalid_request", "The token endpoint takes POST.").with("allow", "POST");
    }
    if !request.is_form() {
        return invalid_request("The body must be application/x-www-form-urlencoded.");
    }
    let form = Pairs::parse(&request.body);
    if let Some(name) = form.repeated(PARAMETERS) {
        return invalid_request(&format!("Parameter given more than once: {name}"));
    }
    if let Err(error) = check_client(request, &form) {
        return error;
    }
    let outcome = match form.get("grant_type") {
        Some("authorization_code") => exchange_code(alpha, &form, context),
        Some("refresh_token") => refresh(alpha, &form, context),
        Some(other) => Err(error(400, "unsupported_grant_type", &format!("Invalid grant_type: {other}"))),
        None => Err(missing("grant_type")),
    };
    outcome.unwrap_or_else(|error| error)
}

/// The client's id and secret, in the form or in a Basic header.
fn check_client(request: &Request, form: &Pairs) -> Result<(), Response> {
    let credentials = basic(request);
    let (id, secret) = match &credentials {
        Some((id, secret)) => (Some(id.as_str()), Some(secret.as_str())),
        None => (form.get("client_id"), form.get("client_secret")),
    };
    match (id, secret) {
        (None, _) => Err(invalid_request("Could not determine client ID from request.")),
        (Some(id), _) if id != CLIENT.id => Err(error(401, "invalid_client", "The OAuth client was not found.")),
        (_, None) => Err(invalid_request("client_secret is missing.")),
        (_, Some(secret)) if secret != CLIENT.secret => Err(error(401, "invalid_client", "Unauthorized")),
        _ => Ok(()),
    }
}

fn exchange_code(alpha: &mut Alpha, form: &Pairs, context: &RequestContext<'_>) -> Result<Response, Response> {
    let exchange = CodeExchange {
        code: form.get("code").ok_or_else(|| missing("code"))?,
        client: CLIENT.id,
        redirect_uri: form.get("redirect_uri").ok_or_else(|| missing("redirect_uri"))?,
        verifier: form.get("code_verifier"),
    };
    let grant = alpha.grants.exchange_code(&exchange, context.now.as_second()).map_err(|refused| {
        let (code, why) = match refused {
            CodeError::Invalid => ("invalid_grant", "Bad Request"),
            CodeError::RedirectUri => ("redirect_uri_mismatch", "Bad Request"),
            CodeError::VerifierMissing => ("invalid_grant", "Missing code verifier."),
            CodeError::VerifierMismatch => ("invalid_grant", "Invalid code verifier."),
            CodeError::VerifierUnexpected => ("invalid_grant", "code_verifier is not needed."),
        };
        error(400, code, why)
    })?;
    let refreshable = alpha.grants.grant(grant).is_some_and(|grant| grant.consent.refreshable);
    let refresh = refreshable.then(|| format!("1//{}", random_token()));
    if let Some(token) = &refresh {
        alpha.grants.add_refresh_token(token, grant);
    }
    Ok(issue(alpha, grant, refresh, context))
}

fn refresh(alpha: &mut Alpha, form: &Pairs, context: &RequestContext<'_>) -> Result<Response, Response> {
    let token = form.get("refresh_token").ok_or_else(|| missing("refresh_token"))?;
    let grant = alpha.grants.find_by_refresh_token(token, CLIENT.id).map_err(|dead| {
        let why = match dead {
            TokenError::Unknown => "Bad Request",
            TokenError::Expired | TokenError::Revoked => "Token has been expired or revoked.",
        };
        error(400, "invalid_grant", why)
    })?;
    Ok(issue(alpha, grant, None, context))
}

/// Issues an access token. The response to a code exchange has the refresh token, later responses do not.
fn issue(alpha: &mut Alpha, grant: u64, refresh: Option<String>, context: &RequestContext<'_>) -> Response {
    let token = format!("ya29.{}{}", random_token(), random_token());
    let now = context.now.as_second();
    let ttl = context.access_token_ttl(ACCESS_TOKEN_TTL_S);
    alpha.grants.add_access_token(&token, grant, now, ttl);
    let scopes = alpha.grants.scopes(grant).join(" ");
    let mut body = json!({
        "access_token": token,
        "expires_in": ttl,
        "scope": scopes,
        "token_type": "Bearer",
    });
    if let Some(refresh) = refresh {
        body["refresh_token"] = json!(refresh);
    }
    Response::json(200, &body).with("cache-control", "no-store")
}

/// Revokes the grant of an access or refresh token.
pub(crate) fn revoke(alpha: &mut Alpha, request: &Request) -> Response {
    if request.method != "POST" {
        return error(405, "invalid_request", "The revocation endpoint takes POST.").with("allow", "POST");
    }
    match token_to_revoke(request) {
        None => missing("token"),
        Some(token) if alpha.grants.revoke(&token) => Response::json(200, &json!({})),
        Some(_) => error(400, "invalid_token", "Token expired or revoked"),
    }
}

/// The token to revoke, in the form or in the query.
pub(crate) fn token_to_revoke(request: &Request) -> Option<String> {
    let form = Pairs::parse(if request.is_form() { &request.body } else { "" });
    let query = Pairs::parse(&request.query);
    form.get("token").or_else(|| query.get("token")).map(str::to_owned)
}

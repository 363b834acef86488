//! The token and revocation endpoints.
//!
//! Google Identity: Using OAuth 2.0 for Web Server Applications, steps 5 and after, "Refreshing
//! an access token" and "Revoking a token".

use super::state::{Alpha, CLIENT};
use crate::http::{Pairs, Reply, Request};
use crate::oauth::{Dead, Redemption, Refusal, basic, random};
use crate::platform::RequestContext;
use serde_json::json;

/// Default lifetime of an access token in seconds.
const ACCESS_TOKEN_TTL_S: i64 = 3599;

const PARAMETERS: &[&str] =
    &["grant_type", "code", "redirect_uri", "code_verifier", "client_id", "client_secret", "refresh_token"];

/// An error response as in RFC 6749 section 5.2.
pub(crate) fn error(status: u16, error: &str, description: &str) -> Reply {
    Reply::json(status, &json!({ "error": error, "error_description": description })).with("cache-control", "no-store")
}

fn invalid_request(description: &str) -> Reply {
    error(400, "invalid_request", description)
}

fn missing(name: &str) -> Reply {
    invalid_request(&format!("Missing required parameter: {name}"))
}

/// Exchanges a code or a refresh token.
pub(crate) fn token(alpha: &mut Alpha, request: &Request, context: &RequestContext<'_>) -> Reply {
    if request.method != "POST" {
        return error(405, "invalid_request", "The token address takes POST.").with("allow", "POST");
    }
    if !request.is_form() {
        return invalid_request("The body has to be application/x-www-form-urlencoded.");
    }
    let form = Pairs::parse(&request.body);
    if let Some(name) = form.repeated(PARAMETERS) {
        return invalid_request(&format!("Parameter input more than once: {name}"));
    }
    if let Err(error) = check_client(request, &form) {
        return error;
    }
    let result = match form.get("grant_type") {
        Some("authorization_code") => exchange(alpha, &form, context),
        Some("refresh_token") => refresh(alpha, &form, context),
        Some(other) => Err(error(400, "unsupported_grant_type", &format!("Invalid grant_type: {other}"))),
        None => Err(missing("grant_type")),
    };
    result.unwrap_or_else(|error| error)
}

/// Checks the client credentials, from the Basic header or else from the form.
fn check_client(request: &Request, form: &Pairs) -> Result<(), Reply> {
    let header = basic(request);
    let (id, secret) = match &header {
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

fn exchange(alpha: &mut Alpha, form: &Pairs, context: &RequestContext<'_>) -> Result<Reply, Reply> {
    let redemption = Redemption {
        code: form.get("code").ok_or_else(|| missing("code"))?,
        client: CLIENT.id,
        redirect_uri: form.get("redirect_uri").ok_or_else(|| missing("redirect_uri"))?,
        verifier: form.get("code_verifier"),
    };
    let grant = alpha.grants.redeem(&redemption, context.now.as_second()).map_err(|refusal| {
        let (code, why) = match refusal {
            Refusal::Code => ("invalid_grant", "Bad Request"),
            Refusal::RedirectUri => ("redirect_uri_mismatch", "Bad Request"),
            Refusal::VerifierMissing => ("invalid_grant", "Missing code verifier."),
            Refusal::VerifierWrong => ("invalid_grant", "Invalid code verifier."),
            Refusal::VerifierNeedless => ("invalid_grant", "code_verifier is not needed."),
        };
        error(400, code, why)
    })?;
    let refreshable = alpha.grants.grant(grant).is_some_and(|grant| grant.consent.refreshable);
    let refresh = refreshable.then(|| format!("1//{}", random()));
    if let Some(token) = &refresh {
        alpha.grants.add_refresh(token, grant);
    }
    Ok(issue(alpha, grant, refresh, context))
}

fn refresh(alpha: &mut Alpha, form: &Pairs, context: &RequestContext<'_>) -> Result<Reply, Reply> {
    let token = form.get("refresh_token").ok_or_else(|| missing("refresh_token"))?;
    let grant = alpha.grants.by_refresh(token, CLIENT.id).map_err(|dead| {
        let why = match dead {
            Dead::Unknown => "Bad Request",
            Dead::Expired | Dead::Revoked => "Token has been expired or revoked.",
        };
        error(400, "invalid_grant", why)
    })?;
    Ok(issue(alpha, grant, None, context))
}

/// Issues an access token. Only the code exchange returns a refresh token.
fn issue(alpha: &mut Alpha, grant: u64, refresh: Option<String>, context: &RequestContext<'_>) -> Reply {
    let token = format!("ya29.{}{}", random(), random());
    let now = context.now.as_second();
    let ttl = context.settings.access_token_ttl_s.unwrap_or(ACCESS_TOKEN_TTL_S);
    alpha.grants.add_access(&token, grant, now, now.saturating_add(ttl));
    let scopes = alpha.grants.grant(grant).map(|grant| grant.consent.scopes.join(" "));
    let mut body = json!({
        "access_token": token,
        "expires_in": ttl,
        "scope": scopes,
        "token_type": "Bearer",
    });
    if let Some(refresh) = refresh {
        body["refresh_token"] = json!(refresh);
    }
    Reply::json(200, &body).with("cache-control", "no-store")
}

/// Revokes the grant behind an access or refresh token.
pub(crate) fn revoke(alpha: &mut Alpha, request: &Request) -> Reply {
    if request.method != "POST" {
        return error(405, "invalid_request", "The revocation address takes POST.").with("allow", "POST");
    }
    match token_to_revoke(request) {
        None => missing("token"),
        Some(token) if alpha.grants.revoke(&token) => Reply::json(200, &json!({})),
        Some(_) => error(400, "invalid_token", "Token expired or revoked"),
    }
}

/// The token in the form or else in the query.
pub(crate) fn token_to_revoke(request: &Request) -> Option<String> {
    let form = Pairs::parse(if request.is_form() { &request.body } else { "" });
    let query = Pairs::parse(&request.query);
    form.get("token").or_else(|| query.get("token")).map(str::to_owned)
}

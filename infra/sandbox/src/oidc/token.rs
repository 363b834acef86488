//! The token endpoint: Core 1.0, section 3.1.3.

use super::keys::KeyError;
use super::state::Oidc;
use super::{CLIENT, error, id_token, issuer};
use crate::http::{Pairs, Request, Response};
use crate::oauth::{basic, random_token, verifies};
use jiff::Timestamp;
use serde_json::json;
use url::form_urlencoded;

pub(super) fn handle(oidc: &mut Oidc, request: &Request, now: Timestamp) -> Response {
    if !request.is_form() {
        return error(400, "invalid_request", "the body has to be a form");
    }
    let form = Pairs::parse(&request.body);
    if !is_authenticated(request, &form) {
        return error(401, "invalid_client", "client authentication failed")
            .with("www-authenticate", "Basic realm=\"oidc\"");
    }
    if form.get("grant_type") != Some("authorization_code") {
        return error(400, "unsupported_grant_type", "grant_type has to be authorization_code");
    }
    // A code is used up by the attempt, whatever else is wrong with it.
    let Some(authentication) = oidc.redeem(form.get("code").unwrap_or_default(), now) else {
        return error(400, "invalid_grant", "the code is unknown, expired or used");
    };
    if form.get("redirect_uri") != Some(authentication.redirect_uri.as_str()) {
        return error(400, "invalid_grant", "redirect_uri differs from that of the authorization request");
    }
    if !verifies(form.get("code_verifier").unwrap_or_default(), &authentication.code_challenge) {
        return error(400, "invalid_grant", "code_verifier does not fit the challenge");
    }
    let Ok(id_token) = id_token::issue(oidc, &issuer(request), &authentication, now).map_err(|KeyError| ()) else {
        return error(500, "server_error", "the issuer could not sign");
    };
    let body = json!({
        "access_token": random_token(),
        "token_type": "Bearer",
        "expires_in": 3_600,
        "scope": "openid email",
        "id_token": id_token,
    });
    Response::json(200, &body).with("cache-control", "no-store").with("pragma", "no-cache")
}

/// Client authentication by exactly one method: HTTP Basic, or the form (RFC 6749, section 2.3.1).
fn is_authenticated(request: &Request, form: &Pairs) -> bool {
    match (basic(request), form.get("client_secret")) {
        (Some((id, secret)), None) => CLIENT.authenticates(&decoded(&id), &decoded(&secret)),
        (None, Some(secret)) => CLIENT.authenticates(form.get("client_id").unwrap_or_default(), secret),
        _ => false,
    }
}

/// In HTTP Basic, id and secret are encoded like a form.
fn decoded(text: &str) -> String {
    form_urlencoded::parse(text.as_bytes()).map(|(name, _)| name.into_owned()).next().unwrap_or_default()
}

//! Tokens: the exchange of a code, the exchange for a long-lived token, what a token is, and its
//! end. There is no refresh token.
//!
//! Facebook Login: Manually Build a Login Flow; Access Tokens, Get Long-Lived Tokens; Debug
//! Access Tokens; Graph API: User, Permissions edge.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::address::USER;
use super::auth::{self, Caller};
use super::error::GraphError;
use super::params::Params;
use super::{Beta, CLIENT};
use crate::http::Request;
use crate::oauth::{Redemption, Refusal, random};
use crate::platform::RequestContext;

/// Seconds that a token of a code lives, and one that it was exchanged for.
const SHORT_LIVES: i64 = 3_600;
const LONG_LIVES: i64 = 5_184_000;

/// How tokens begin, so that it can be told what an exchange is: the second half of a consent, or
/// the renewal of a grant.
const SHORT: &str = "EAAS";
const LONG: &str = "EAAL";

/// Whether a token came of an exchange for a long-lived one.
pub(crate) fn is_long(token: &str) -> bool {
    token.starts_with(LONG)
}

/// Exchanges a code, or a live token for a long-lived one.
pub(crate) fn token(beta: &mut Beta, params: &Params, moment: &RequestContext<'_>) -> Result<Value, GraphError> {
    check_client(params)?;
    match params.text("grant_type") {
        None | Some("authorization_code") => exchange(beta, params, moment),
        Some("fb_exchange_token") => prolong(beta, params, moment),
        Some(other) => Err(GraphError::new(400, 1, format!("Unsupported grant type: {other}"))),
    }
}

fn check_client(params: &Params) -> Result<(), GraphError> {
    match (params.text("client_id"), params.text("client_secret")) {
        (None, _) => Err(GraphError::new(400, 101, "Missing client_id parameter.")),
        (Some(id), _) if id != CLIENT.id => {
            let why = "Error validating application. Cannot get application info due to a system error.";
            Err(GraphError::new(400, 101, why))
        }
        (_, Some(secret)) if secret == CLIENT.secret => Ok(()),
        _ => Err(GraphError::new(400, 1, "Error validating client secret.")),
    }
}

fn exchange(beta: &mut Beta, params: &Params, moment: &RequestContext<'_>) -> Result<Value, GraphError> {
    let redirect_uri = params.text("redirect_uri");
    let redirect_uri = redirect_uri.ok_or_else(|| GraphError::new(400, 191, "Missing redirect_uri parameter."))?;
    // PKCE is no part of this flow: a verifier is a parameter that nobody asks for.
    let asked = Redemption { code: params.required("code")?, client: CLIENT.id, redirect_uri, verifier: None };
    let grant = beta.grants.redeem(&asked, moment.now.as_second()).map_err(|refused| match refused {
        Refusal::RedirectUri => {
            let why = "Error validating verification code. Please make sure your redirect_uri is identical to the \
                       one you used in the OAuth dialog request";
            GraphError::new(400, 100, why).with_subcode(36_008)
        }
        _ => GraphError::new(400, 100, "This authorization code has been used or has expired.").with_subcode(36_009),
    })?;
    Ok(issue(beta, grant, SHORT, SHORT_LIVES, moment))
}

/// A long-lived token for any live one. What has expired cannot be exchanged.
fn prolong(beta: &mut Beta, params: &Params, moment: &RequestContext<'_>) -> Result<Value, GraphError> {
    let old = params.required("fb_exchange_token")?;
    auth::consent(beta, old, moment.now)?;
    let grant = beta.grants.number(old).ok_or_else(GraphError::broken)?;
    Ok(issue(beta, grant, LONG, LONG_LIVES, moment))
}

fn issue(beta: &mut Beta, grant: u64, prefix: &str, lives: i64, moment: &RequestContext<'_>) -> Value {
    let token = format!("{prefix}{}{}", random(), random()).replace(['-', '_'], "Z");
    let now = moment.now.as_second();
    let lives = moment.settings.access_token_ttl_s.unwrap_or(lives);
    beta.grants.add_access(&token, grant, now, now.saturating_add(lives));
    json!({ "access_token": token, "token_type": "bearer", "expires_in": lives })
}

/// What a token is, told to the app it was issued to.
pub(crate) fn debug(
    beta: &Beta,
    request: &Request,
    params: &Params,
    moment: &RequestContext<'_>,
) -> Result<Value, GraphError> {
    let app = format!("{}|{}", CLIENT.id, CLIENT.secret);
    if auth::token(request, params).is_none_or(|token| token != app) {
        auth::caller(beta, request, params, moment.now)?;
    }
    let input = params.required("input_token")?;
    let expires = beta.grants.expires(input).unwrap_or_default();
    let mut data = json!({
        "app_id": CLIENT.id,
        "type": "USER",
        "application": "Sandbox client",
        "data_access_expires_at": data_access_ends(moment.now),
        "expires_at": expires,
        "is_valid": true,
        "scopes": [],
        "user_id": USER,
    });
    match auth::consent(beta, input, moment.now) {
        Ok(consent) => data["scopes"] = json!(consent.scopes),
        Err(error) => {
            let (code, subcode, message) = error.parts();
            data["is_valid"] = json!(false);
            data["error"] = json!({ "code": code, "message": message, "subcode": subcode });
        }
    }
    Ok(json!({ "data": data }))
}

/// 90 days after the person last used the app.
fn data_access_ends(now: Timestamp) -> i64 {
    now.as_second() + 90 * 86_400
}

/// What was granted.
pub(crate) fn permissions(caller: &Caller) -> Value {
    let granted = caller.consent.scopes.iter().map(|scope| json!({ "permission": scope, "status": "granted" }));
    json!({ "data": granted.collect::<Vec<_>>() })
}

/// Ends the grant behind the caller's token. Every consent counts as one of its own person, so
/// that one customer's leaving ends no other's grant.
pub(crate) fn withdraw(beta: &mut Beta, caller: &Caller, params: &Params) -> Result<Value, GraphError> {
    if params.text("permission").is_some() {
        return Err(GraphError::unimitated("one permission of several"));
    }
    beta.grants.revoke(&caller.token);
    Ok(json!({ "success": true }))
}

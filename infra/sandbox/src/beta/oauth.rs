//! Issues, inspects and revokes tokens. There are no refresh tokens: a live token is exchanged for a long-lived one.
//!
//! Facebook Login: Manually Build a Login Flow; Access Tokens, Get Long-Lived Tokens; Debug
//! Access Tokens; Graph API: User, Permissions edge.

use super::auth::{self, Caller};
use super::error::GraphError;
use super::params::Params;
use super::route::USER;
use super::state::{Beta, CLIENT};
use crate::http::Request;
use crate::oauth::{CodeError, CodeExchange, random_token};
use crate::service::RequestContext;
use jiff::Timestamp;
use serde_json::{Value, json};

/// Lifetimes in seconds.
const SHORT_LIVED_TTL_S: i64 = 3_600;
const LONG_LIVED_TTL_S: i64 = 5_184_000;

/// Token prefixes. They distinguish the exchange that completes a login from the exchange that renews a grant.
const SHORT_LIVED_PREFIX: &str = "EAAS";
const LONG_LIVED_PREFIX: &str = "EAAL";

/// Whether a token is long-lived.
pub(crate) fn is_long_lived(token: &str) -> bool {
    token.starts_with(LONG_LIVED_PREFIX)
}

/// Exchanges a code, or a live token for a long-lived one.
pub(crate) fn token(beta: &mut Beta, params: &Params, context: &RequestContext<'_>) -> Result<Value, GraphError> {
    check_client(params)?;
    match params.string("grant_type") {
        None | Some("authorization_code") => exchange_code(beta, params, context),
        Some("fb_exchange_token") => exchange_token(beta, params, context),
        Some(other) => Err(GraphError::new(400, 1, format!("Unsupported grant type: {other}"))),
    }
}

fn check_client(params: &Params) -> Result<(), GraphError> {
    match (params.string("client_id"), params.string("client_secret")) {
        (None, _) => Err(GraphError::new(400, 101, "Missing client_id parameter.")),
        (Some(id), _) if id != CLIENT.id => {
            let why = "Error validating application. Cannot get application info due to a system error.";
            Err(GraphError::new(400, 101, why))
        }
        (_, Some(secret)) if secret == CLIENT.secret => Ok(()),
        _ => Err(GraphError::new(400, 1, "Error validating client secret.")),
    }
}

fn exchange_code(beta: &mut Beta, params: &Params, context: &RequestContext<'_>) -> Result<Value, GraphError> {
    let redirect_uri = params.string("redirect_uri");
    let redirect_uri = redirect_uri.ok_or_else(|| GraphError::new(400, 191, "Missing redirect_uri parameter."))?;
    // This flow has no PKCE. A verifier is an unknown parameter and ignored.
    let exchange = CodeExchange { code: params.required("code")?, client: CLIENT.id, redirect_uri, verifier: None };
    let grant = beta.grants.exchange_code(&exchange, context.now.as_second()).map_err(|error| match error {
        CodeError::RedirectUri => {
            let why = "Error validating verification code. Please make sure your redirect_uri is identical to the \
                       one you used in the OAuth dialog request";
            GraphError::new(400, 100, why).with_subcode(36_008)
        }
        _ => GraphError::new(400, 100, "This authorization code has been used or has expired.").with_subcode(36_009),
    })?;
    Ok(issue(beta, grant, SHORT_LIVED_PREFIX, SHORT_LIVED_TTL_S, context))
}

/// Exchanges any live token for a long-lived one. An expired token cannot be exchanged.
fn exchange_token(beta: &mut Beta, params: &Params, context: &RequestContext<'_>) -> Result<Value, GraphError> {
    let old = params.required("fb_exchange_token")?;
    auth::consent(beta, old, context.now)?;
    let grant = beta.grants.grant_id(old).ok_or_else(GraphError::internal)?;
    Ok(issue(beta, grant, LONG_LIVED_PREFIX, LONG_LIVED_TTL_S, context))
}

fn issue(beta: &mut Beta, grant: u64, prefix: &str, ttl: i64, context: &RequestContext<'_>) -> Value {
    let token = format!("{prefix}{}{}", random_token(), random_token()).replace(['-', '_'], "Z");
    let now = context.now.as_second();
    let ttl = context.access_token_ttl(ttl);
    beta.grants.add_access_token(&token, grant, now, ttl);
    json!({ "access_token": token, "token_type": "bearer", "expires_in": ttl })
}

/// Describes a token to the app that it was issued to.
pub(crate) fn debug_token(
    beta: &Beta,
    request: &Request,
    params: &Params,
    context: &RequestContext<'_>,
) -> Result<Value, GraphError> {
    let app = format!("{}|{}", CLIENT.id, CLIENT.secret);
    if auth::token(request, params).is_none_or(|token| token != app) {
        auth::caller(beta, request, params, context.now)?;
    }
    let input = params.required("input_token")?;
    let expires = beta.grants.access_token_expiry(input).unwrap_or_default();
    let mut data = json!({
        "app_id": CLIENT.id,
        "type": "USER",
        "application": "Sandbox client",
        "data_access_expires_at": data_access_expires_at(context.now),
        "expires_at": expires,
        "is_valid": true,
        "scopes": [],
        "user_id": USER,
    });
    match auth::consent(beta, input, context.now) {
        Ok(consent) => data["scopes"] = json!(consent.scopes),
        Err(error) => {
            let (code, subcode, message) = error.parts();
            data["is_valid"] = json!(false);
            data["error"] = json!({ "code": code, "message": message, "subcode": subcode });
        }
    }
    Ok(json!({ "data": data }))
}

/// 90 days after the user's last activity.
fn data_access_expires_at(now: Timestamp) -> i64 {
    now.as_second() + 90 * 86_400
}

/// The granted and the declined permissions.
pub(crate) fn permissions(caller: &Caller) -> Value {
    let row = |scope: &String, status| json!({ "permission": scope, "status": status });
    let granted = caller.consent.scopes.iter().map(|scope| row(scope, "granted"));
    let declined = caller.consent.declined.iter().map(|scope| row(scope, "declined"));
    json!({ "data": granted.chain(declined).collect::<Vec<_>>() })
}

/// Revokes the grant behind the caller's token. Each consent counts as a separate user, so that one customer's
/// revocation leaves the grants of others alone.
pub(crate) fn revoke(beta: &mut Beta, caller: &Caller, params: &Params) -> Result<Value, GraphError> {
    if params.string("permission").is_some() {
        return Err(GraphError::unsupported("one permission of several"));
    }
    beta.grants.revoke(&caller.token);
    Ok(json!({ "success": true }))
}

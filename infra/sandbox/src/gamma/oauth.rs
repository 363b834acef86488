//! Issues and revokes access tokens. The exchange is JSON and does not follow RFC 6749.
//!
//! TikTok API for Business v1.3: "Authentication", "Get a long-term access token", "Revoke a long-term access token".
//! The token does not expire, and there is no refresh token.

use super::auth::invalid_token;
use super::envelope::Data;
use super::error::{AUTH_CODE, ApiError, WRONG_APP};
use super::params::Body;
use super::quirks;
use super::state::{CLIENT, Gamma};
use crate::http::Request;
use crate::oauth::CodeExchange;
use crate::service::RequestContext;
use serde_json::json;
use uuid::Uuid;

/// Rejects credentials of any app but the registered one.
pub(crate) fn check_app(id: &str, secret: &str) -> Result<(), ApiError> {
    if CLIENT.authenticates(id, secret) {
        return Ok(());
    }
    Err(ApiError::new(WRONG_APP, "The app_id or secret is incorrect."))
}

/// Exchanges a code for a token.
pub(crate) fn exchange(gamma: &mut Gamma, request: &Request, context: &RequestContext<'_>) -> Result<Data, ApiError> {
    let body = Body::read(request, &["app_id", "secret", "auth_code"])?;
    let (app, secret) = (body.required("app_id")?, body.required("secret")?);
    let code = body.required("auth_code")?;
    check_app(&app, &secret)?;
    // The exchange has no redirect URI, so there is none to compare.
    let exchange = CodeExchange { code: &code, client: CLIENT.id, redirect_uri: "", verifier: None };
    let now = context.now.as_second();
    let code = if context.quirk(quirks::AUTH_CODE_40101) { WRONG_APP } else { AUTH_CODE };
    let invalid = |_| ApiError::new(code, "Auth code is invalid, has expired or has been used.");
    let grant = gamma.grants.exchange_code(&exchange, now).map_err(invalid)?;
    let token = access_token();
    let ttl = context.access_token_ttl(i64::MAX);
    gamma.grants.add_access_token(&token, grant, now, ttl);
    let scopes: Vec<u32> = gamma.grants.scopes(grant).iter().filter_map(|scope| scope.parse().ok()).collect();
    let mut advertisers = gamma.grants.grant(grant).map(|grant| grant.consent.accounts.clone()).unwrap_or_default();
    if context.quirk(quirks::DELETED_ADVERTISER) {
        advertisers.push(quirks::DELETED.to_owned());
    }
    Ok(Data::Plain(json!({ "access_token": token, "advertiser_ids": advertisers, "scope": scopes })))
}

/// Forty hexadecimal digits.
fn access_token() -> String {
    let digits = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    digits.chars().take(40).collect()
}

/// Revokes the grant of a token.
pub(crate) fn revoke(gamma: &mut Gamma, request: &Request) -> Result<Data, ApiError> {
    let body = Body::read(request, &["app_id", "secret", "access_token"])?;
    check_app(&body.required("app_id")?, &body.required("secret")?)?;
    if gamma.grants.revoke(&body.required("access_token")?) {
        return Ok(Data::Plain(json!({})));
    }
    Err(invalid_token())
}

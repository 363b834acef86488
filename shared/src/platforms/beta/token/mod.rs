//! Tokens. A code is exchanged for a short-lived token, and that at once for a long-lived one. A long-lived token is
//! exchanged for a newer one before it expires. Facebook Login: Manually build a login flow; Get long-lived tokens.
//!
//! There is no refresh token. The long-lived token is stored in its place, because the next one is exchanged for it.

use super::api::{self, API};
use super::error::classify;
use super::{FLOW, wire};
use crate::platforms::oauth::{CodeExchange, Tokens};
use crate::platforms::prelude::*;
use futures_util::future::join;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use tokio::time::Instant;
use url::form_urlencoded::Serializer;

/// Longest wait for what the user has declined. A consent that works is not lost over it.
const DECLINED_TIMEOUT: Duration = Duration::from_secs(4);

/// A grant that is exchanged for a token.
#[derive(Clone, Copy, Debug)]
enum Grant<'a> {
    Code { code: &'a SecretString, redirect_uri: &'a str },
    Token(&'a SecretString),
}

/// Exchanges a code for a short-lived token, and that for a long-lived one, while it reads what the user has declined.
pub(super) async fn exchange(call: &CallContext, exchange: &CodeExchange<'_>) -> Result<Tokens, Error> {
    let code = Grant::Code { code: exchange.code, redirect_uri: exchange.redirect_uri };
    let short_lived = request_token(call, code).await?.access_token;
    let (renewed, granted) = join(renew(call, &short_lived), granted(call, &short_lived)).await;
    Ok(Tokens { granted, ..renewed? })
}

/// The permissions that were asked for and not declined; `None` if Meta does not say so in time. Only a permission that is
/// named as declined counts as such.
async fn granted(call: &CallContext, token: &SecretString) -> Option<Vec<String>> {
    let call = CallContext { deadline: call.deadline.min(Instant::now() + DECLINED_TIMEOUT), ..call.clone() };
    let response = Client::new(&API, &call, Some(token)).read(api::permissions()).await;
    let page: Result<Page<wire::Permission>, Error> = response.and_then(|response| api::read_page(&response));
    match page {
        Ok(page) => {
            let is_granted = |asked: &&str| !page.rows.iter().any(|permission| permission.is_declined(asked));
            Some(FLOW.scopes.iter().copied().filter(is_granted).map(str::to_owned).collect())
        }
        Err(error) => {
            tracing::warn!(%error, source = error.source, "the permissions of a consent to Meta were not read");
            None
        }
    }
}

/// Exchanges a live token for a long-lived one, which also renews a long-lived one.
///
/// The reported lifetime is a tenth shorter than Meta's: an expired token cannot be exchanged any more, so it has to be
/// renewed well before its end.
pub(super) async fn renew(call: &CallContext, token: &SecretString) -> Result<Tokens, Error> {
    let response = request_token(call, Grant::Token(token)).await?;
    let seconds = response.expires_in.and_then(|text| text.parse().ok()).filter(|seconds| *seconds > 0);
    let life = seconds.map_or(FLOW.default_ttl, Duration::from_secs);
    let ttl = Some(life - life / 10);
    let refresh_token = Some(response.access_token.clone());
    Ok(Tokens { access_token: response.access_token, ttl, refresh_token, granted: None })
}

/// Ends the grant: takes all permissions back. A token that is no longer accepted has nothing left to end.
pub(super) async fn revoke(call: &CallContext, token: &SecretString) -> Result<(), Error> {
    let response = Client::new(&API, call, Some(token)).change(api::deauthorization()).await;
    match response.and_then(|response| api::read_done(&response)) {
        Err(error) if error.kind == Kind::TokenExpired => Ok(()),
        outcome => outcome,
    }
}

async fn request_token(call: &CallContext, grant: Grant<'_>) -> Result<wire::AccessToken, Error> {
    let sent = call.outbound.send(request(call, grant), call.deadline).await;
    let response = sent.map_err(|failure| errors::no_response(Platform::Beta, failure))?;
    classify(&response, call.now).map_err(|error| refusal(call, grant, response.status, error))?;
    // The library's own message would quote the response, which may contain a token.
    read_object::<wire::AccessToken>(Platform::Beta, &response.body)
        .ok()
        .filter(|response| !response.access_token.expose_secret().is_empty())
        .ok_or_else(|| unreadable(Platform::Beta, "no token in the response of the token endpoint"))
}

/// A form, so that no secret is part of an address.
fn request(call: &CallContext, grant: Grant<'_>) -> OutboundRequest {
    let client = &call.config.client;
    let own = [("client_id", client.client_id.as_str()), ("client_secret", client.client_secret.expose_secret())];
    let granted = match grant {
        Grant::Code { code, redirect_uri } => [("redirect_uri", redirect_uri), ("code", code.expose_secret())],
        Grant::Token(token) => [("grant_type", "fb_exchange_token"), ("fb_exchange_token", token.expose_secret())],
    };
    let body = Serializer::new(String::new()).extend_pairs(own).extend_pairs(granted).finish().into();
    let form = HeaderValue::from_static("application/x-www-form-urlencoded");
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, form)]);
    OutboundRequest { method: Method::POST, url: call.config.address(FLOW.token_url), headers, body }
}

/// Separates a revoked grant from a refusal of our own client, and from a failure that proves neither.
fn refusal(call: &CallContext, grant: Grant<'_>, status: StatusCode, error: Error) -> Error {
    let (Grant::Code { code: sent, .. } | Grant::Token(sent)) = grant;
    let error = response_body::without_secrets(error, &[sent, &call.config.client.client_secret]);
    let code = error.platform_code().unwrap_or_default();
    // A wrong app secret has the code 1, and so have failures of the platform.
    let is_our_client = code == "1" && status.is_client_error() && error.kind == Kind::PlatformFailed;
    // Another redirect address than the consent page had: 36008, or no subcode (recorded live, 2016-08).
    let names_redirect =
        error.platform_error.as_ref().is_some_and(|reported| reported.message.contains("redirect_uri"));
    let is_parameter = code == "100" || (code.starts_with("100/") && code != "100/36008");
    let is_code = matches!(grant, Grant::Code { .. }) && is_parameter && !names_redirect;
    match error.kind {
        Kind::TokenExpired | Kind::RateLimited => error,
        _ if error.is_for_operator => error,
        // The message is about the token, not about this service's client.
        Kind::Forbidden if code == "190" => error,
        Kind::PlatformFailed if !is_our_client => error.retryable(),
        _ if is_code => error.with_meaning(errors::token_expired(Platform::Beta)),
        _ => error.not_retryable().with_meaning(errors::client_refused(Platform::Beta)),
    }
}

#[cfg(test)]
mod tests;

//! The token endpoint. Its successes are those of RFC 6749, its refusals are the API's own.
//!
//! Pinterest API: Authentication; Generate OAuth access token. Recorded live: an invalid grant is
//! 401 `{"code":283,"message":"The authorization grant is invalid"}` (2023-08), a wrong
//! client secret 401 with code 2 (2026-08). In the old v3 an unknown application was code 283 too, and `data` told
//! them apart (2020-08).
//!
//! Not verified: that v5 sends `data` as well.
//!
//! Not verified: the response to a request without a refresh token, which decides a 401 without a known code.

use super::FLOW;
use super::api::encoded;
use super::error::{DEFAULT_WAIT, code_text};
use super::wire::{Issued, TokenRefusal};
use crate::outbound::secret_header;
use crate::platforms::oauth::{CodeExchange, Tokens, scopes_of};
use crate::platforms::prelude::*;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::StatusCode;
use http::header::{AUTHORIZATION, CONTENT_TYPE};

/// Code of a grant that has ended: a refresh token or an authorization code that is expired, used or revoked.
const GRANT_INVALID: &str = "283";
/// Code, with status 401, of a client that is not authenticated.
const CLIENT_INVALID: &str = "2";

/// Exchanges an authorization code.
pub(super) async fn exchange(call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
    let grant = ("grant_type", "authorization_code");
    let form = [grant, ("code", exchange.code.expose_secret()), ("redirect_uri", exchange.redirect_uri)];
    issue(call, &form, exchange.code).await
}

/// Obtains a new access token, and with it a new refresh token.
pub(super) async fn refresh(call: &CallContext, refresh_token: &SecretString) -> Result<Tokens, Error> {
    let form = [("grant_type", "refresh_token"), ("refresh_token", refresh_token.expose_secret())];
    issue(call, &form, refresh_token).await
}

async fn issue(call: &CallContext, form: &[(&str, &str)], sent: &SecretString) -> Result<Tokens, Error> {
    let response = send(call, form).await?;
    if !response.status.is_success() {
        let refusal = TokenRefusal::of(&response);
        let mut error = refused(&response, &refusal, call.now);
        let is_unclear = response.status == StatusCode::UNAUTHORIZED && !refusal.is_invalid_grant();
        if is_unclear && error.kind == Kind::TokenExpired && !accepts_client(call).await {
            error = error.with_meaning(errors::client_refused(Platform::Epsilon));
        }
        return Err(response_body::without_secrets(error, &[sent, &call.config.client.client_secret]));
    }
    // The reason is dropped: it may quote the response, and the response holds tokens.
    let issued: Issued =
        read_object(Platform::Epsilon, &response.body).map_err(|_| errors::token_endpoint_failed(Platform::Epsilon))?;
    let lifetime = issued.expires_in.and_then(|seconds| u64::try_from(seconds.0).ok());
    Ok(Tokens {
        access_token: issued.access_token,
        ttl: Some(lifetime.map_or(FLOW.default_ttl, Duration::from_secs)),
        refresh_token: issued.refresh_token,
        granted: issued.scope.as_deref().and_then(scopes_of),
    })
}

/// Asks the endpoint if it accepts our client, after a 401 without a known code. An ended grant cannot come back, so a
/// refused client must not end one. A request without a token is incomplete (400), or has an invalid grant, only for an
/// accepted client.
async fn accepts_client(call: &CallContext) -> bool {
    let Ok(response) = send(call, &[("grant_type", "refresh_token")]).await else { return false };
    let refusal = TokenRefusal::of(&response);
    let is_incomplete = response.status == StatusCode::BAD_REQUEST && !refusal.is_about_the_client();
    is_incomplete || (response.status.is_client_error() && refusal.is_invalid_grant())
}

async fn send(call: &CallContext, form: &[(&str, &str)]) -> Result<OutboundResponse, Error> {
    let client = &call.config.client;
    let credentials = STANDARD.encode(format!("{}:{}", client.client_id, client.client_secret.expose_secret()));
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, secret_header(&format!("Basic {credentials}")).map_err(Error::internal)?);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    let url = call.config.address(FLOW.token_url);
    let request = OutboundRequest { method: Method::POST, url, headers, body: encoded(form).into() };
    let outcome = call.outbound.send(request, call.deadline).await;
    outcome.map_err(|failure| errors::no_response(Platform::Epsilon, failure))
}

/// The error of a refusal. Only a client error with a code or a message ends a grant.
fn refused(response: &OutboundResponse, refusal: &TokenRefusal, now: Timestamp) -> Error {
    let is_client = response.status == StatusCode::UNAUTHORIZED && refusal.has_code(CLIENT_INVALID);
    let code = refusal.error.clone().or_else(|| code_text(refusal.code.as_deref())).filter(|code| !code.is_empty());
    let message = refusal.full_message();
    let error = match response.status.as_u16() {
        429 => {
            let wait = response_body::retry_after(&response.headers, now).unwrap_or(DEFAULT_WAIT);
            errors::throttled(Platform::Epsilon, wait)
        }
        400..=499 if code.is_none() && message.is_empty() => errors::token_endpoint_failed(Platform::Epsilon),
        400..=499 if refusal.is_invalid_grant() => errors::token_expired(Platform::Epsilon),
        // Without a known code, an invalid grant is recognized by the status, and by what the message is not about.
        400 | 401 if !is_client && refusal.error.is_none() && !refusal.is_about_the_client() => {
            errors::token_expired(Platform::Epsilon)
        }
        400..=499 => errors::client_refused(Platform::Epsilon),
        _ => errors::token_endpoint_failed(Platform::Epsilon),
    };
    let reported = PlatformError { code: code.as_deref().map(bounded), message: bounded(&message), field: None };
    error.on(Platform::Epsilon).with_platform_error(reported).caused_by(format!("status {}", response.status.as_u16()))
}

impl TokenRefusal {
    fn of(response: &OutboundResponse) -> TokenRefusal {
        read_object(Platform::Epsilon, &response.body).unwrap_or_default()
    }

    fn has_code(&self, code: &str) -> bool {
        code_text(self.code.as_deref()).as_deref() == Some(code)
    }

    /// Recognizes an ended grant. `data` about the client decides against the code and the message.
    fn is_invalid_grant(&self) -> bool {
        let is_named = self.error.as_deref() == Some("invalid_grant") || self.has_code(GRANT_INVALID);
        is_named && !self.data.as_deref().is_some_and(is_about_the_client)
    }

    fn is_about_the_client(&self) -> bool {
        is_about_the_client(&self.full_message())
    }

    fn full_message(&self) -> String {
        let message = self.error_description.as_deref().or(self.message.as_deref()).unwrap_or_default();
        match self.data.as_deref().filter(|data| !data.is_empty()) {
            Some(data) if message.is_empty() => data.to_owned(),
            Some(data) => format!("{message} ({data})"),
            None => message.to_owned(),
        }
    }
}

fn is_about_the_client(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    ["client", "application", "app id", "app secret", "redirect"].iter().any(|word| message.contains(word))
}

#[cfg(test)]
mod tests;

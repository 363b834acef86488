//! The platform's own kind of OAuth: other names, JSON instead of a form, errors with status 200, and a token that
//! holds until it is revoked.
//!
//! TikTok API for Business: Authentication. <https://business-api.tiktok.com/portal/docs?id=1738373164380162>

use super::client::Client;
use super::fault::unreadable;
use super::wire;
use crate::domain::Platform;
use crate::error::{Error, Kind};
use crate::platforms::config::PlatformConfig;
use crate::platforms::oauth::{AuthorizeRequest, CodeExchange, Tokens};
use crate::platforms::{CallContext, answers};
use secrecy::{ExposeSecret, SecretString};
use serde_json::value::RawValue;
use url::Url;

/// The consent page.
const CONSENT: &str = "https://business-api.tiktok.com/portal/auth";

/// A token that has expired, and one that was revoked.
const DEAD: [&str; 2] = ["40102", "40105"];

/// A code that is wrong, used, or older than an hour. The code tables also give 40101 this meaning; at every other
/// call it says that the app's id or secret is wrong.
const NO_SUCH_CODE: [&str; 2] = ["40101", "40110"];

/// The consent page's address. What is asked for is set with the app at the platform and not said here.
pub(super) fn authorize_url(config: &PlatformConfig, request: &AuthorizeRequest<'_>) -> Result<String, Error> {
    let mut url = Url::parse(&config.address(CONSENT)).map_err(|error| Error::internal(error).on(Platform::Gamma))?;
    url.query_pairs_mut()
        .append_pair("app_id", &config.client.client_id)
        .append_pair("state", request.state.expose_secret())
        .append_pair("redirect_uri", request.redirect_uri);
    Ok(url.into())
}

/// Exchanges a code.
pub(super) async fn exchange(call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
    let ours = &call.config.client;
    let code = exchange.code.expose_secret();
    let request = wire::AccessTokenRequest {
        app_id: &ours.client_id,
        secret: ours.client_secret.expose_secret(),
        auth_code: code,
    };
    let answer = Client::new(call, None).ask("oauth2/access_token", &request).await;
    let answer: Box<RawValue> = answer.map_err(|error| refused(error, exchange.code))?;
    // The library's own text would quote the answer, and the answer may hold a token.
    let token = serde_json::from_str(answer.get()).ok().map(|wire::AccessToken { access_token }| access_token);
    let token = token.filter(|token| !token.expose_secret().is_empty());
    let access_token = token.ok_or_else(|| unreadable("no token in the answer"))?;
    Ok(Tokens { access_token, ttl: None, refresh_token: None })
}

/// Ends the grant. A token that is dead already is a success.
pub(super) async fn revoke(call: &CallContext, token: &SecretString) -> Result<(), Error> {
    let ours = &call.config.client;
    let request = wire::RevokeTokenRequest {
        app_id: &ours.client_id,
        secret: ours.client_secret.expose_secret(),
        access_token: token.expose_secret(),
    };
    match Client::new(call, Some(token)).edit("oauth2/revoke_token", &request).await {
        Err(error) if !said_code(&error).is_some_and(|code| DEAD.contains(&code)) => Err(error),
        _ => Ok(()),
    }
}

fn said_code(error: &Error) -> Option<&str> {
    error.platform_fault.as_ref()?.code.as_deref()
}

fn refused(error: Error, code: &SecretString) -> Error {
    let error = answers::without_secrets(error, &[code]);
    if !said_code(&error).is_some_and(|code| NO_SUCH_CODE.contains(&code)) {
        return error;
    }
    let message = "The platform's grant is no longer valid; authorize the account again.";
    Error { kind: Kind::TokenExpired, message: message.to_owned(), ..error }
}

#[cfg(test)]
mod tests;

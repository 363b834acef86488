//! Tokens. TikTok's OAuth has parameter names of its own, JSON in place of a form, and errors with status 200. A token
//! is valid until it is revoked (<https://business-api.tiktok.com/portal/docs?id=1738373164380162>).

use super::api::{self, API};
use super::wire::{self, Credential, Id, TokenRequest};
use crate::platforms::oauth::{ClientAuth, CodeExchange, Flow, Tokens};
use crate::platforms::prelude::*;

/// The scopes are permissions of the app at the platform. The consent page shows them; its address does not name them.
pub(super) static FLOW: Flow = Flow {
    authorize_url: "https://business-api.tiktok.com/portal/auth",
    token_url: "https://business-api.tiktok.com/open_api/v1.3/oauth2/access_token/",
    scopes: &["Ad Account Management", "Ads Management", "Reporting"],
    scope_separator: " ",
    pkce: false,
    client_auth: ClientAuth::Body,
    extra_params: &[],
    default_ttl: Duration::MAX,
};

/// The permissions that this adapter needs. TikTok numbers permissions as a tree. For each permission a token needs one
/// of these numbers: the permission itself, or a part of it that covers our calls. TikTok does not publish the numbers
/// of Smart+, so none is required for it. <https://business-api.tiktok.com/portal/docs?id=1753986142651394>
const NUMBERS: [(&str, &[&str]); 3] = [
    ("Ad Account Management", &["1", "10", "100"]),
    ("Ads Management", &["2", "20", "201"]),
    ("Reporting", &["4", "41", "44"]),
];

/// The codes of an expired token and of a revoked one.
const INVALID_TOKEN: [&str; 2] = ["40102", "40105"];
/// An authorization code that is wrong, used, or older than an hour. The code tables also give 40101 this meaning; at
/// every other operation it means that the app's id or secret is wrong.
const INVALID_CODE: [&str; 2] = ["40101", "40110"];

/// Exchanges an authorization code. It is sent once: a code is valid once.
pub(super) async fn exchange(call: &CallContext, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
    let content = token_request(call, Credential::AuthCode(exchange.code.expose_secret()));
    let request = json(Method::POST, FLOW.token_url.to_owned(), &content)?;
    let response = Client::new(&API, call, None).change(request).await;
    let response = response.map_err(|error| refused(error, exchange.code))?;
    let data: Box<RawValue> = api::read_data(&response)?;
    // The JSON library's own message would quote the response, and the response may hold a token.
    let issued: Option<wire::AccessToken> = serde_json::from_str(data.get()).ok();
    let issued = issued.filter(|issued| !issued.access_token.expose_secret().is_empty());
    let wire::AccessToken { access_token, scope } =
        issued.ok_or_else(|| unreadable(Platform::Gamma, "no token in the response"))?;
    let granted = scope.filter(|numbers| !numbers.is_empty()).map(|numbers| permissions(&numbers));
    Ok(Tokens { access_token, ttl: None, refresh_token: None, granted })
}

/// The permissions that these numbers stand for, as far as this adapter needs them.
fn permissions(numbers: &[Id]) -> Vec<String> {
    let numbers: Vec<String> = numbers.iter().map(Id::to_string).collect();
    let has_one = |of: &[&str]| numbers.iter().any(|number| of.contains(&number.as_str()));
    NUMBERS.into_iter().filter(|(_, of)| has_one(of)).map(|(name, _)| name.to_owned()).collect()
}

/// Revokes the grant. A token that is already invalid is a success.
pub(super) async fn revoke(call: &CallContext, token: &SecretString) -> Result<(), Error> {
    let content = token_request(call, Credential::AccessToken(token.expose_secret()));
    let request = api::post("oauth2/revoke_token", &content)?;
    match Client::new(&API, call, Some(token)).change(request).await {
        Err(error) if !has_code(&error, &INVALID_TOKEN) => Err(error),
        _ => Ok(()),
    }
}

fn token_request<'a>(call: &'a CallContext, credential: Credential<'a>) -> TokenRequest<'a> {
    let app = &call.config.client;
    TokenRequest { app_id: &app.client_id, secret: app.client_secret.expose_secret(), credential }
}

fn has_code(error: &Error, codes: &[&str]) -> bool {
    error.platform_code().is_some_and(|code| codes.contains(&code))
}

fn refused(error: Error, code: &SecretString) -> Error {
    let error = response_body::without_secrets(error, &[code]);
    if !has_code(&error, &INVALID_CODE) {
        return error;
    }
    error.with_meaning(errors::token_expired(Platform::Gamma))
}

#[cfg(test)]
mod tests;

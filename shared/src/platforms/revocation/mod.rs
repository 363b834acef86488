//! Token revocation (RFC 7009). The OAuth library's own accepts only https addresses, and only 200 as success.

use super::config::PlatformConfig;
use super::engine::call::CallContext;
use super::errors::{self, bounded};
use super::oauth::{ClientAuth, THROTTLE};
use super::response_body;
use crate::error::{Error, PlatformError};
use crate::outbound::{OutboundRequest, OutboundResponse, secret_header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use url::form_urlencoded;

/// The tokens of a grant that ends.
#[derive(Debug)]
pub struct RevokedGrant {
    /// The access token, live or expired.
    pub access_token: SecretString,
    /// The refresh token, where there is one.
    pub refresh_token: Option<SecretString>,
}

/// The facts of a platform's revocation.
#[derive(Debug)]
pub struct Revocation {
    /// Published address of the revocation endpoint.
    pub url: &'static str,
    /// The client authentication; `None` where the token suffices.
    pub client_auth: Option<ClientAuth>,
    /// `token_type_hint` is sent (RFC 7009 2.1).
    pub type_hint: bool,
}

/// Ends a grant (RFC 7009 2.1): by its refresh token, which ends its access tokens too, else by the access token. An
/// invalid token is a success (2.2).
pub async fn revoke(call: &CallContext, revocation: &Revocation, grant: &RevokedGrant) -> Result<(), Error> {
    let platform = call.config.platform;
    let sent = call.outbound.send(request(&call.config, revocation, grant)?, call.deadline).await;
    let response = sent.map_err(|failure| errors::no_response(platform, failure))?;
    if response.status.is_success() {
        return Ok(());
    }
    let body = response_body::read_object(platform, &response.body).ok();
    // Some platforms report an invalid token, contrary to the standard.
    if response.status == 400 && body.as_ref().is_some_and(|body| text(body, "error") == "invalid_token") {
        return Ok(());
    }
    let secrets: Vec<&SecretString> =
        [Some(&grant.access_token), grant.refresh_token.as_ref(), Some(&call.config.client.client_secret)]
            .into_iter()
            .flatten()
            .collect();
    Err(response_body::without_secrets(refusal(&response, body.as_ref(), call), &secrets))
}

fn request(config: &PlatformConfig, revocation: &Revocation, grant: &RevokedGrant) -> Result<OutboundRequest, Error> {
    let (token, hint) = match &grant.refresh_token {
        Some(token) => (token, "refresh_token"),
        None => (&grant.access_token, "access_token"),
    };
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    if let Some(agent) = config.user_agent() {
        headers.insert(USER_AGENT, HeaderValue::from_str(agent).map_err(Error::internal)?);
    }
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("token", token.expose_secret());
    if revocation.type_hint {
        form.append_pair("token_type_hint", hint);
    }
    let (id, secret) = (config.client.client_id.as_str(), config.client.client_secret.expose_secret());
    match revocation.client_auth {
        Some(ClientAuth::Body) => drop(form.append_pair("client_id", id).append_pair("client_secret", secret)),
        Some(ClientAuth::Basic) => drop(headers.insert(AUTHORIZATION, basic(id, secret)?)),
        None => {}
    }
    Ok(OutboundRequest {
        method: Method::POST,
        url: config.address(revocation.url),
        headers,
        body: form.finish().into(),
    })
}

/// Id and secret are encoded as in a form before they are joined (RFC 6749 2.3.1).
fn basic(id: &str, secret: &str) -> Result<HeaderValue, Error> {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let proof = STANDARD.encode(format!("{}:{}", encoded(id), encoded(secret)));
    secret_header(&format!("Basic {proof}")).map_err(Error::internal)
}

/// The error of a token that was not revoked. Only a client error with a message is a refusal.
fn refusal(response: &OutboundResponse, body: Option<&Map<String, Value>>, call: &CallContext) -> Error {
    let platform = call.config.platform;
    let (code, message) = body.map(|body| (text(body, "error"), message_of(body))).unwrap_or_default();
    let error = match (response.status.as_u16(), code.as_str()) {
        (429, _) => {
            errors::throttled(platform, response_body::retry_after(&response.headers, call.now).unwrap_or(THROTTLE))
        }
        (400..=499, _) if message.is_empty() => errors::failed(platform).retryable(),
        (401 | 403, _) | (400..=499, "invalid_client" | "unauthorized_client") => errors::client_refused(platform),
        (400..=499, _) => errors::refused(platform, &message),
        _ => errors::failed(platform).retryable(),
    };
    let code = Some(bounded(&code)).filter(|code| !code.is_empty());
    error
        .with_platform_error(PlatformError { code, message: bounded(&message), field: None })
        .caused_by(format!("status {}", response.status.as_u16()))
}

/// The message of RFC 6749 5.2, or of a platform's general error.
fn message_of(body: &Map<String, Value>) -> String {
    let candidates = ["error_description", "message", "error"].map(|name| text(body, name));
    candidates.into_iter().find(|message| !message.is_empty()).unwrap_or_default()
}

fn text(body: &Map<String, Value>, name: &str) -> String {
    match body.get(name) {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
pub(super) mod tests;

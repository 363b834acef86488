//! Token revocation as RFC 7009 has it. The OAuth library's own would take no address but an https one, and no
//! success but 200.

use super::{ClientAuth, THROTTLE};
use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::{Answer, Outgoing, secret_header};
use crate::platforms::answers::{self, bounded};
use crate::platforms::site::Site;
use crate::platforms::{Peer, RevokedGrant};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use url::form_urlencoded;

/// What a platform's revocation looks like.
#[derive(Debug)]
pub struct Revocation {
    /// Published address of the revocation endpoint.
    pub url: &'static str,
    /// How the client proves itself there; `None` where the token is proof enough.
    pub client_auth: Option<ClientAuth>,
    /// Whether `token_type_hint` is sent (RFC 7009 2.1).
    pub type_hint: bool,
}

/// Ends a grant (RFC 7009 2.1): by its refresh token, which ends its access tokens too, else by the access token.
/// A token that is dead already is a success, as the standard has it (2.2).
pub async fn revoke(peer: &Peer, revocation: &Revocation, grant: &RevokedGrant) -> Result<(), Error> {
    let platform = peer.site.platform;
    let sent = peer.outbound.send(outgoing(&peer.site, revocation, grant)?, peer.deadline).await;
    let answer = sent.map_err(|failure| answers::no_answer(platform, failure))?;
    if answer.status.is_success() {
        return Ok(());
    }
    let said = answers::read_object(platform, &answer.body).ok();
    // Some platforms say so in spite of the standard.
    if answer.status == 400 && said.as_ref().is_some_and(|said| text(said, "error") == "invalid_token") {
        return Ok(());
    }
    let secrets: Vec<&SecretString> =
        [Some(&grant.access_token), grant.refresh_token.as_ref(), Some(&peer.site.client.client_secret)]
            .into_iter()
            .flatten()
            .collect();
    Err(answers::without_secrets(refusal(&answer, said.as_ref(), peer), &secrets))
}

fn outgoing(site: &Site, revocation: &Revocation, grant: &RevokedGrant) -> Result<Outgoing, Error> {
    let (token, hint) = match &grant.refresh_token {
        Some(token) => (token, "refresh_token"),
        None => (&grant.access_token, "access_token"),
    };
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    if let Some(agent) = site.user_agent() {
        headers.insert(USER_AGENT, HeaderValue::from_str(agent).map_err(Error::internal)?);
    }
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("token", token.expose_secret());
    if revocation.type_hint {
        form.append_pair("token_type_hint", hint);
    }
    let (id, secret) = (site.client.client_id.as_str(), site.client.client_secret.expose_secret());
    match revocation.client_auth {
        Some(ClientAuth::Body) => drop(form.append_pair("client_id", id).append_pair("client_secret", secret)),
        Some(ClientAuth::Basic) => drop(headers.insert(AUTHORIZATION, basic(id, secret)?)),
        None => {}
    }
    Ok(Outgoing { method: Method::POST, url: site.address(revocation.url), headers, body: form.finish().into() })
}

/// Id and secret are encoded as in a form before they are joined (RFC 6749 2.3.1).
fn basic(id: &str, secret: &str) -> Result<HeaderValue, Error> {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let proof = STANDARD.encode(format!("{}:{}", encoded(id), encoded(secret)));
    secret_header(&format!("Basic {proof}")).map_err(Error::internal)
}

/// What it means that the token was not revoked. Only a client error that says something is a refusal.
fn refusal(answer: &Answer, said: Option<&Map<String, Value>>, peer: &Peer) -> Error {
    let platform = peer.site.platform;
    let (code, words) = said.map(|said| (text(said, "error"), words(said))).unwrap_or_default();
    let error = match (answer.status.as_u16(), code.as_str()) {
        (429, _) => answers::throttled(platform, answers::retry_after(&answer.headers, peer.now).unwrap_or(THROTTLE)),
        (400..=499, _) if words.is_empty() => answers::failed(platform).retryable(),
        (401 | 403, _) | (400..=499, "invalid_client" | "unauthorized_client") => forbidden(platform),
        (400..=499, _) => answers::refused(platform, &words),
        _ => answers::failed(platform).retryable(),
    };
    let code = Some(bounded(&code)).filter(|code| !code.is_empty());
    error
        .with_fault(PlatformFault { code, message: bounded(&words), field: None })
        .caused_by(format!("status {}", answer.status.as_u16()))
}

fn forbidden(platform: Platform) -> Error {
    let name = platform.display_name();
    let message = format!("{name} refuses this service's client; its operator has to look into it.");
    Error::new(Kind::Forbidden, message).on(platform)
}

/// The words of RFC 6749 5.2, or of a platform's general error.
fn words(said: &Map<String, Value>) -> String {
    let candidates = ["error_description", "message", "error"].map(|name| text(said, name));
    candidates.into_iter().find(|words| !words.is_empty()).unwrap_or_default()
}

fn text(said: &Map<String, Value>, name: &str) -> String {
    match said.get(name) {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;

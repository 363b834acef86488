//! Token revocation (RFC 7009). The OAuth library's own accepts only https addresses, and only 200 as success.

use super::answers::{self, bounded};
use super::config::PlatformConfig;
use super::engine::call::CallContext;
use super::oauth::{ClientAuth, THROTTLE};
use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::outbound::{Answer, Outgoing, secret_header};
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
    let sent = call.outbound.send(outgoing(&call.config, revocation, grant)?, call.deadline).await;
    let answer = sent.map_err(|failure| answers::no_answer(platform, failure))?;
    if answer.status.is_success() {
        return Ok(());
    }
    let said = answers::read_object(platform, &answer.body).ok();
    // Some platforms report an invalid token in spite of the standard.
    if answer.status == 400 && said.as_ref().is_some_and(|said| text(said, "error") == "invalid_token") {
        return Ok(());
    }
    let secrets: Vec<&SecretString> =
        [Some(&grant.access_token), grant.refresh_token.as_ref(), Some(&call.config.client.client_secret)]
            .into_iter()
            .flatten()
            .collect();
    Err(answers::without_secrets(refusal(&answer, said.as_ref(), call), &secrets))
}

fn outgoing(config: &PlatformConfig, revocation: &Revocation, grant: &RevokedGrant) -> Result<Outgoing, Error> {
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
    Ok(Outgoing { method: Method::POST, url: config.address(revocation.url), headers, body: form.finish().into() })
}

/// Id and secret are encoded as in a form before they are joined (RFC 6749 2.3.1).
fn basic(id: &str, secret: &str) -> Result<HeaderValue, Error> {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let proof = STANDARD.encode(format!("{}:{}", encoded(id), encoded(secret)));
    secret_header(&format!("Basic {proof}")).map_err(Error::internal)
}

/// The error of a token that was not revoked. Only a client error with a message is a refusal.
fn refusal(answer: &Answer, said: Option<&Map<String, Value>>, call: &CallContext) -> Error {
    let platform = call.config.platform;
    let (code, words) = said.map(|said| (text(said, "error"), message_of(said))).unwrap_or_default();
    let error = match (answer.status.as_u16(), code.as_str()) {
        (429, _) => answers::throttled(platform, answers::retry_after(&answer.headers, call.now).unwrap_or(THROTTLE)),
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

/// The message of RFC 6749 5.2, or of a platform's general error.
fn message_of(said: &Map<String, Value>) -> String {
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
mod tests {
    use super::*;
    use crate::domain::{AdAccount, Currency};
    use crate::platforms::adapter;
    use crate::platforms::fake::{Answered, Asked, Fake};
    use std::time::Duration;
    use tokio::time::Instant;

    /// The platforms with this kind of revocation.
    const REVOCABLE: [Platform; 3] = [Platform::Alpha, Platform::Delta, Platform::Zeta];

    fn call(fake: &Fake, platform: Platform) -> CallContext {
        let account = AdAccount {
            id: "1".into(),
            name: String::new(),
            currency: Currency::from_code("USD").unwrap(),
            time_zone: "UTC".into(),
            manager_id: None,
        };
        fake.session_of(platform, account).call
    }

    fn grant(refresh_token: Option<&str>) -> RevokedGrant {
        RevokedGrant { access_token: "a&t".into(), refresh_token: refresh_token.map(SecretString::from) }
    }

    async fn revoked(platform: Platform, refresh_token: Option<&str>, answer: Answered) -> (Result<(), Error>, Asked) {
        let fake = Fake::answering(vec![answer]);
        let outcome = adapter(platform).revoke(&call(&fake, platform), &grant(refresh_token)).await;
        let mut asked = fake.asked();
        assert_eq!(asked.len(), 1, "it is sent once");
        (outcome, asked.remove(0))
    }

    #[tokio::test]
    async fn each_platform_has_its_address_its_form_and_its_client_authentication() {
        // The headers were put in lower case, and base64 has two cases.
        let basic = format!("authorization: basic {}", STANDARD.encode("id:secret").to_ascii_lowercase());
        let cases = [
            (Platform::Alpha, "/revoke", "token=r%2Ft", "token=a%26t", None),
            (
                Platform::Delta,
                "/oauth/v2/revoke",
                "token=r%2Ft&client_id=id&client_secret=secret",
                "token=a%26t&client_id=id&client_secret=secret",
                None,
            ),
            (
                Platform::Zeta,
                "/api/v1/revoke_token",
                "token=r%2Ft&token_type_hint=refresh_token",
                "token=a%26t&token_type_hint=access_token",
                Some(basic.as_str()),
            ),
        ];
        for (platform, path, with_refresh_token, without, proof) in cases {
            for (refresh_token, form) in [(Some("r/t"), with_refresh_token), (None, without)] {
                let (outcome, asked) = revoked(platform, refresh_token, (200, String::new())).await;
                outcome.unwrap();
                assert_eq!(asked.line, format!("POST {path} HTTP/1.1"));
                assert_eq!(asked.text, form);
                assert!(
                    asked.headers.contains("content-type: application/x-www-form-urlencoded\r"),
                    "{}",
                    asked.headers
                );
                let sent_proof = asked.headers.lines().find(|line| line.starts_with("authorization:"));
                assert_eq!(sent_proof, proof, "{platform}");
            }
        }
    }

    #[tokio::test]
    async fn the_required_user_agent_is_sent() {
        let fake = Fake::answering(vec![(204, String::new())]);
        let call = call(&fake, Platform::Zeta);
        adapter(Platform::Zeta).revoke(&call, &grant(None)).await.unwrap();
        let agent = format!("user-agent: {}\r", call.config.user_agent().unwrap().to_ascii_lowercase());
        assert!(fake.asked()[0].headers.contains(&agent), "{agent} in {}", fake.asked()[0].headers);
    }

    #[test]
    fn client_credentials_are_encoded_before_they_are_joined() {
        let proof = basic("a b", "c:d/é").unwrap();
        assert!(proof.is_sensitive());
        let encoded = proof.to_str().unwrap().strip_prefix("Basic ").unwrap();
        assert_eq!(STANDARD.decode(encoded).unwrap(), b"a+b:c%3Ad%2F%C3%A9");
    }

    #[tokio::test]
    async fn a_revoked_and_an_invalid_token_are_both_success() {
        let dead = r#"{"error":"invalid_token","error_description":"Token expired or revoked"}"#;
        for answer in [(200, ""), (200, "{}"), (202, ""), (204, ""), (400, dead)] {
            for platform in REVOCABLE {
                let (outcome, _) = revoked(platform, Some("r/t"), (answer.0, answer.1.to_owned())).await;
                outcome.unwrap_or_else(|error| panic!("{platform} {answer:?}: {error:?}"));
            }
        }
    }

    #[tokio::test]
    async fn refusals_wrong_clients_and_failures_are_different_errors() {
        let cases = [
            (400, r#"{"error":"invalid_request","error_description":"No."}"#, Kind::PlatformRefused, false),
            (400, r#"{"message":"Bad Request","error":400}"#, Kind::PlatformRefused, false),
            (404, r#"{"message":"Not here","status":404}"#, Kind::PlatformRefused, false),
            (400, r#"{"error":"invalid_client"}"#, Kind::Forbidden, false),
            (400, r#"{"error":"unauthorized_client"}"#, Kind::Forbidden, false),
            (401, r#"{"error":"invalid_token"}"#, Kind::Forbidden, false),
            (401, r#"{"message":"Unauthorized","error":401}"#, Kind::Forbidden, false),
            (403, r#"{"message":"Forbidden","error":403}"#, Kind::Forbidden, false),
            (429, "", Kind::RateLimited, true),
            (400, "{}", Kind::PlatformFailed, true),
            (400, "<html>", Kind::PlatformFailed, true),
            (302, "", Kind::PlatformFailed, true),
            (500, r#"{"error":"invalid_token"}"#, Kind::PlatformFailed, true),
            (503, "", Kind::PlatformFailed, true),
        ];
        for (status, body, kind, retryable) in cases {
            for platform in REVOCABLE {
                let (outcome, _) = revoked(platform, None, (status, body.to_owned())).await;
                let error = outcome.unwrap_err();
                assert_eq!((error.kind, error.retryable), (kind, retryable), "{platform} {status} {body}");
                assert_eq!(error.platform, Some(platform));
            }
        }
    }

    #[tokio::test]
    async fn a_refusal_has_the_platforms_message_and_throttling_its_wait() {
        let said = r#"{"error":"invalid_request","error_description":"The token is of another kind."}"#;
        let (outcome, _) = revoked(Platform::Alpha, None, (400, said.to_owned())).await;
        let error = outcome.unwrap_err();
        assert_eq!(error.message, "Google Ads refused the request: The token is of another kind.");
        assert_eq!(error.platform_fault.unwrap().code.as_deref(), Some("invalid_request"));
        let fake = Fake::with_headers(|_| (429, "retry-after: 7\r\n".to_owned(), String::new()));
        let outcome = adapter(Platform::Alpha).revoke(&call(&fake, Platform::Alpha), &grant(None)).await;
        assert_eq!(outcome.unwrap_err().retry_after, Some(Duration::from_secs(7)));
    }

    #[tokio::test]
    async fn a_missing_answer_ends_at_the_deadline() {
        for platform in REVOCABLE {
            let fake = Fake::answering(vec![(0, String::new())]);
            let call = CallContext { deadline: Instant::now() + Duration::from_millis(300), ..call(&fake, platform) };
            let error = adapter(platform).revoke(&call, &grant(None)).await.unwrap_err();
            assert_eq!((error.kind, error.retryable, error.platform), (Kind::PlatformTimeout, true, Some(platform)));
        }
    }

    #[tokio::test]
    async fn no_secret_that_the_endpoint_repeats_is_in_an_error() {
        let body = r#"{"error":"r/t","error_description":"a&t r/t secret","message":"a&t"}"#;
        for platform in REVOCABLE {
            for status in [400, 401, 500] {
                let (outcome, _) = revoked(platform, Some("r/t"), (status, body.to_owned())).await;
                let shown = format!("{:?}", outcome.unwrap_err());
                assert!(!["a&t", "r/t", "secret"].iter().any(|secret| shown.contains(secret)), "{shown}");
            }
        }
    }
}

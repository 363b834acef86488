//! The OAuth 2.0 authorization code flow (RFC 6749). The differences between platforms are parameters.

use super::config::PlatformConfig;
use super::engine::call::CallContext;
use super::errors::{client_refused, throttled, token_endpoint_failed, token_expired};
use super::response_body::{retry_after, without_secrets};
use crate::domain::{Platform, RefreshTiming};
use crate::error::{Error, Kind, PlatformError};
use crate::outbound::{Failure, OutboundRequest};
use http::header::USER_AGENT;
use http::{HeaderValue, StatusCode};
use oauth2::basic::{
    BasicClient, BasicErrorResponse, BasicErrorResponseType, BasicRequestTokenError, BasicTokenResponse,
};
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet, HttpRequest,
    HttpResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RefreshToken, Scope, TokenResponse, TokenUrl,
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use std::time::Duration;

/// The wait for a token endpoint that throttles without a `Retry-After`.
pub(super) const THROTTLE: Duration = Duration::from_secs(30);

/// The facts of a platform's flow.
#[derive(Debug)]
pub struct Flow {
    /// Published address of the consent page.
    pub authorize_url: &'static str,
    /// Published address of the token endpoint.
    pub token_url: &'static str,
    pub scopes: &'static [&'static str],
    /// Separates scopes in the consent page's address.
    pub scope_separator: &'static str,
    /// A PKCE challenge is sent (RFC 7636).
    pub pkce: bool,
    /// The client authentication at the token endpoint.
    pub client_auth: ClientAuth,
    /// Parameters of the consent page beyond the standard ones.
    pub extra_params: &'static [(&'static str, &'static str)],
    /// Lifetime of an access token whose received has no `expires_in`.
    pub default_ttl: Duration,
}

/// Client authentication at a token endpoint (RFC 6749 2.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientAuth {
    /// Id and secret as fields of the form.
    Body,
    /// Id and secret as HTTP Basic authentication.
    Basic,
}

/// The behavior of a platform's refresh.
///
/// A refresh without a response may have succeeded. Where the refresh token stays the same, the call is repeated soon.
/// Where each refresh replaces the refresh token, a repetition uses an invalid token, and platforms then revoke the
/// whole grant: so the next attempt waits until the call before it has ended. Hence lease > call timeout > the
/// platform's worst latency.
#[derive(Debug)]
pub struct RefreshPolicy {
    /// When the tokens are refreshed.
    pub timing: RefreshTiming,
    pub call_timeout: Duration,
    /// The duration of the lease under which one process refreshes a grant.
    pub lease: Duration,
}

impl RefreshPolicy {
    /// The refresh token stays the same.
    pub const REPEATABLE: RefreshPolicy = RefreshPolicy {
        timing: RefreshTiming::AtUse,
        call_timeout: Duration::from_secs(20),
        lease: Duration::from_secs(30),
    };
    /// The access token itself is exchanged for the next one, which is possible until it expires.
    pub const EXCHANGED: RefreshPolicy =
        RefreshPolicy { timing: RefreshTiming::BeforeExpiry, ..RefreshPolicy::REPEATABLE };
    /// The refresh token is replaced, and the old one is invalid at once.
    pub const ROTATING: RefreshPolicy = RefreshPolicy {
        timing: RefreshTiming::Rotating,
        call_timeout: Duration::from_secs(90),
        lease: Duration::from_secs(180),
    };

    /// Whether a refresh replaces the refresh token.
    pub fn rotates(&self) -> bool {
        match self.timing {
            RefreshTiming::Rotating => true,
            RefreshTiming::AtUse | RefreshTiming::BeforeExpiry => false,
        }
    }
}

/// The start of an authorization.
#[derive(Debug)]
pub struct AuthorizeRequest<'a> {
    /// The address that the platform redirects the user to.
    pub redirect_uri: &'a str,
    /// Single use; returned with the code.
    pub state: &'a SecretString,
    /// PKCE verifier of the challenge (RFC 7636), where the platform supports it.
    pub verifier: &'a SecretString,
}

/// The end of an authorization.
#[derive(Debug)]
pub struct CodeExchange<'a> {
    pub code: &'a SecretString,
    /// The same address as at the start.
    pub redirect_uri: &'a str,
    /// The verifier of the challenge that was sent.
    pub verifier: &'a SecretString,
}

/// Tokens as issued.
#[derive(Debug)]
pub struct Tokens {
    pub access_token: SecretString,
    /// Its lifetime, from the moment of the response; `None` for one that does not expire.
    pub ttl: Option<Duration>,
    /// A new refresh token; `None` means that an earlier one stays valid.
    pub refresh_token: Option<SecretString>,
    /// The scopes that the user has granted; `None` if the response does not say (RFC 6749 5.1: then all).
    pub granted: Option<Vec<String>>,
}

impl Tokens {
    /// The scopes that the user was asked for and has not granted.
    pub fn missing_scopes(&self, asked: &[&'static str]) -> Vec<&'static str> {
        let Some(granted) = &self.granted else { return Vec::new() };
        let has = |scope: &str| granted.iter().any(|known| known == scope || known == EVERY_SCOPE);
        asked.iter().copied().filter(|scope| !has(scope)).collect()
    }
}

/// What Reddit answers for a token without bounds.
const EVERY_SCOPE: &str = "*";

/// The scopes of a response, with spaces between them, or with commas (LinkedIn). An empty list says nothing.
pub(super) fn scopes_of(text: &str) -> Option<Vec<String>> {
    let scopes: Vec<String> = text.split([' ', ',']).filter(|scope| !scope.is_empty()).map(str::to_owned).collect();
    (!scopes.is_empty()).then_some(scopes)
}

/// The reason why the bridge to the HTTP client has no response for the OAuth library.
#[derive(Debug)]
enum NoResponse {
    Failure(Failure),
    Status(StatusCode),
    Throttled(Duration),
}

impl std::fmt::Display for NoResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoResponse::Failure(failure) => failure.fmt(f),
            NoResponse::Status(status) => write!(f, "status {status}"),
            NoResponse::Throttled(wait) => write!(f, "throttled for {} s", wait.as_secs()),
        }
    }
}

impl std::error::Error for NoResponse {}

/// The consent page's address.
pub fn authorize_url(config: &PlatformConfig, flow: &Flow, request: &AuthorizeRequest<'_>) -> Result<String, Error> {
    let client = client(config, flow)?.set_redirect_uri(redirect_url(request.redirect_uri)?);
    let state = request.state.expose_secret().to_owned();
    let scopes = Scope::new(flow.scopes.join(flow.scope_separator));
    let mut url = client.authorize_url(|| CsrfToken::new(state)).add_scope(scopes);
    if flow.pkce {
        let verifier = PkceCodeVerifier::new(request.verifier.expose_secret().to_owned());
        url = url.set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
    }
    for (name, value) in flow.extra_params {
        url = url.add_extra_param(*name, *value);
    }
    Ok(url.url().0.to_string())
}

/// Exchanges a code (RFC 6749 4.1.3).
pub async fn exchange(call: &CallContext, flow: &Flow, exchange: CodeExchange<'_>) -> Result<Tokens, Error> {
    let client = client(&call.config, flow)?.set_redirect_uri(redirect_url(exchange.redirect_uri)?);
    let mut request = client.exchange_code(AuthorizationCode::new(exchange.code.expose_secret().to_owned()));
    if flow.pkce {
        request = request.set_pkce_verifier(PkceCodeVerifier::new(exchange.verifier.expose_secret().to_owned()));
    }
    let outcome = request.request_async(&bridge(call)).await;
    let sent = [exchange.code, exchange.verifier, &call.config.client.client_secret];
    tokens(outcome, call.config.platform, flow).map_err(|error| without_secrets(error, &sent))
}

/// Obtains a new access token (RFC 6749 6).
pub async fn refresh(call: &CallContext, flow: &Flow, refresh_token: &SecretString) -> Result<Tokens, Error> {
    let client = client(&call.config, flow)?;
    let token = RefreshToken::new(refresh_token.expose_secret().to_owned());
    let outcome = client.exchange_refresh_token(&token).request_async(&bridge(call)).await;
    let sent = [refresh_token, &call.config.client.client_secret];
    tokens(outcome, call.config.platform, flow).map_err(|error| without_secrets(error, &sent))
}

type Client = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

fn client(config: &PlatformConfig, flow: &Flow) -> Result<Client, Error> {
    let misconfigured = |error: url::ParseError| Error::internal(error).on(config.platform);
    let authorize = AuthUrl::new(config.address(flow.authorize_url)).map_err(misconfigured)?;
    let token = TokenUrl::new(config.address(flow.token_url)).map_err(misconfigured)?;
    Ok(BasicClient::new(ClientId::new(config.client.client_id.clone()))
        .set_client_secret(ClientSecret::new(config.client.client_secret.expose_secret().to_owned()))
        .set_auth_type(match flow.client_auth {
            ClientAuth::Body => AuthType::RequestBody,
            ClientAuth::Basic => AuthType::BasicAuth,
        })
        .set_auth_uri(authorize)
        .set_token_uri(token))
}

fn redirect_url(uri: &str) -> Result<RedirectUrl, Error> {
    RedirectUrl::new(uri.to_owned()).map_err(Error::internal)
}

/// Sends the OAuth library's requests through our HTTP client. Statuses that say nothing about the grant end here.
fn bridge(
    call: &CallContext,
) -> impl Fn(HttpRequest) -> futures_util::future::BoxFuture<'static, Result<HttpResponse, NoResponse>> {
    let outbound = call.outbound.clone();
    let deadline = call.deadline;
    let now = call.now;
    let agent = call.config.user_agent().and_then(|agent| HeaderValue::from_str(agent).ok());
    move |request| {
        let outbound = outbound.clone();
        let agent = agent.clone();
        Box::pin(async move {
            let (mut parts, body) = request.into_parts();
            parts.headers.extend(agent.map(|agent| (USER_AGENT, agent)));
            let sent = OutboundRequest {
                method: parts.method,
                url: parts.uri.to_string(),
                headers: parts.headers,
                body: body.into(),
            };
            let received = outbound.send(sent, deadline).await.map_err(NoResponse::Failure)?;
            if received.status == StatusCode::TOO_MANY_REQUESTS {
                return Err(NoResponse::Throttled(retry_after(&received.headers, now).unwrap_or(THROTTLE)));
            }
            if received.status.is_server_error() {
                return Err(NoResponse::Status(received.status));
            }
            let (status, body) = conforming(received.status, received.body.to_vec());
            let mut response = HttpResponse::new(body);
            *response.status_mut() = status;
            *response.headers_mut() = received.headers;
            Ok(response)
        })
    }
}

/// A response in the form of RFC 6749 5. Some platforms omit `token_type`, some report errors with status 200, and one
/// refuses a grant (400) or our client (401, 403) with its general error, whose `error` is the status as a number.
fn conforming(status: StatusCode, body: Vec<u8>) -> (StatusCode, Vec<u8>) {
    let Ok(Value::Object(mut response)) = serde_json::from_slice(&body) else { return (status, body) };
    if status == StatusCode::OK && response.contains_key("error") {
        return (StatusCode::BAD_REQUEST, body);
    }
    if status.is_client_error() && response.get("error").is_some_and(Value::is_number) {
        let meant = if status == StatusCode::BAD_REQUEST { "invalid_grant" } else { "invalid_client" };
        return (status, format!(r#"{{"error":"{meant}"}}"#).into_bytes());
    }
    if status == StatusCode::OK && response.contains_key("access_token") && !response.contains_key("token_type") {
        response.insert("token_type".to_owned(), Value::from("bearer"));
        return (status, Value::Object(response).to_string().into_bytes());
    }
    (status, body)
}

fn tokens(
    outcome: Result<BasicTokenResponse, BasicRequestTokenError<NoResponse>>,
    platform: Platform,
    flow: &Flow,
) -> Result<Tokens, Error> {
    let response = outcome.map_err(|error| token_error(error, platform))?;
    Ok(Tokens {
        access_token: response.access_token().secret().as_str().into(),
        ttl: Some(response.expires_in().unwrap_or(flow.default_ttl)),
        refresh_token: response.refresh_token().map(|token| token.secret().as_str().into()),
        granted: response.scopes().and_then(|scopes| {
            let named: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
            scopes_of(&named.join(" "))
        }),
    })
}

fn token_error(error: BasicRequestTokenError<NoResponse>, platform: Platform) -> Error {
    use oauth2::RequestTokenError;
    match error {
        RequestTokenError::ServerResponse(response) => refused(&response, platform),
        RequestTokenError::Request(NoResponse::Throttled(wait)) => throttled(platform, wait),
        RequestTokenError::Request(no_response) => {
            let kind = match no_response {
                NoResponse::Failure(Failure::TimedOut) => Kind::PlatformTimeout,
                NoResponse::Failure(Failure::NotSent | Failure::BreakerOpen(_) | Failure::Broken)
                | NoResponse::Status(_)
                | NoResponse::Throttled(_) => Kind::PlatformFailed,
            };
            let error = Error { kind, ..token_endpoint_failed(platform) };
            match no_response {
                NoResponse::Failure(failure) => error.caused_by(failure),
                other => error.caused_by(other),
            }
        }
        // The library's own text would quote the response, and the response may hold a token.
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
            let message = "The platform's token endpoint sent a response that cannot be read.";
            Error::new(Kind::PlatformFailed, message).on(platform).retryable()
        }
    }
}

fn refused(response: &BasicErrorResponse, platform: Platform) -> Error {
    let code = response.error().to_string();
    let message = response.error_description().cloned().unwrap_or_else(|| code.clone());
    let reported = PlatformError { code: Some(code), message, field: None };
    let error = match response.error() {
        BasicErrorResponseType::InvalidGrant => token_expired(platform),
        BasicErrorResponseType::Extension(code)
            if matches!(code.as_str(), "server_error" | "temporarily_unavailable" | "internal_failure") =>
        {
            token_endpoint_failed(platform)
        }
        // `invalid_client` and its like: our configuration, which a new authorization does not repair.
        _ => client_refused(platform),
    };
    error.on(platform).with_platform_error(reported)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platforms::adapter;
    use crate::platforms::fake::Fake;

    #[tokio::test]
    async fn a_refusal_is_passed_on_without_the_secrets_that_it_repeats() {
        let refusal = r#"{"error":"invalid_scope","error_description":"the-code, vvvv, refresh-me, secret: no"}"#;
        let fake = Fake::answering(vec![(400, refusal.to_owned()), (400, refusal.to_owned())]);
        let call = fake.session().call;
        let (code, verifier, token) = ("the-code".into(), "vvvv".into(), "refresh-me".into());
        let sent = CodeExchange { code: &code, redirect_uri: "https://us.example/callback", verifier: &verifier };
        let shown = format!("{:?}", adapter(Platform::Alpha).exchange(&call, sent).await.unwrap_err());
        assert!(!["the-code", "vvvv", "secret"].iter().any(|secret| shown.contains(secret)), "{shown}");
        let shown = format!("{:?}", adapter(Platform::Alpha).refresh(&call, &token).await.unwrap_err());
        assert!(!["refresh-me", "secret"].iter().any(|secret| shown.contains(secret)), "{shown}");
    }

    #[tokio::test]
    async fn what_the_user_has_not_ticked_is_known_from_the_response() {
        let (code, verifier) = ("the-code".into(), "v".repeat(43).into());
        for (platform, scope, missing) in [
            (Platform::Alpha, r#","scope":"openid https://www.googleapis.com/auth/adwords""#, vec![]),
            (Platform::Alpha, r#","scope":"openid""#, vec!["https://www.googleapis.com/auth/adwords"]),
            (Platform::Delta, r#","scope":"r_ads,r_ads_reporting""#, vec!["rw_ads"]),
            (Platform::Epsilon, r#","scope":"ads:read user_accounts:read""#, vec!["ads:write"]),
            (Platform::Epsilon, r#","scope":"ads:read,ads:write,user_accounts:read""#, vec![]),
            (Platform::Zeta, r#","scope":"adsread""#, vec!["adsedit"]),
            (Platform::Zeta, r#","scope":"*""#, vec![]),
            (Platform::Zeta, r#","scope":"""#, vec![]),
            (Platform::Zeta, "", vec![]),
        ] {
            let body =
                format!(r#"{{"access_token":"a","token_type":"bearer","expires_in":3600,"refresh_token":"r"{scope}}}"#);
            let fake = Fake::answering(vec![(200, body)]);
            let call = fake.session_of(platform, crate::platforms::fixtures::account(platform, "USD", "UTC")).call;
            let used = CodeExchange { code: &code, redirect_uri: "https://us.example/callback", verifier: &verifier };
            let tokens = adapter(platform).exchange(&call, used).await.unwrap();
            assert_eq!(tokens.missing_scopes(adapter(platform).facts().flow.scopes), missing, "{platform} {scope}");
        }
    }

    #[test]
    fn answers_that_deviate_from_the_standard_are_read() {
        let (status, body) = conforming(StatusCode::OK, br#"{"access_token":"a"}"#.to_vec());
        assert_eq!((status, body.as_slice()), (StatusCode::OK, &br#"{"access_token":"a","token_type":"bearer"}"#[..]));
        let (status, _) = conforming(StatusCode::OK, br#"{"error":"invalid_grant"}"#.to_vec());
        assert_eq!(status, StatusCode::BAD_REQUEST);
        let (_, body) = conforming(StatusCode::BAD_REQUEST, br#"{"message":"Bad Request","error":400}"#.to_vec());
        assert_eq!(body, br#"{"error":"invalid_grant"}"#);
        let (status, body) = conforming(StatusCode::OK, b"<html>".to_vec());
        assert_eq!((status, body.as_slice()), (StatusCode::OK, &b"<html>"[..]));
    }
}

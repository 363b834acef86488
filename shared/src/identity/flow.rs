//! The authorization code flow with PKCE: Core 1.0, section 3.1; RFC 7636.

use super::documents::{CALL_TIMEOUT, Metadata};
use super::error::SignInError;
use super::id_token::{Expected, Unverified};
use super::{Identity, Issuer};
use crate::outbound::OutboundRequest;
use futures_util::future::BoxFuture;
use jiff::{SignedDuration, Timestamp};
use oauth2::basic::{
    BasicErrorResponse, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse, BasicTokenType,
};
use oauth2::{
    AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet, ExtraTokenFields,
    HttpRequest, HttpResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    StandardRevocableToken, StandardTokenResponse, TokenUrl,
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use url::Url;

/// Maximum size of the token endpoint's response, in bytes.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// One sign-in. Both halves of the flow need the same values.
#[derive(Debug)]
pub struct SignInRequest<'a> {
    /// The address that the issuer redirects to.
    pub redirect_uri: &'a str,
    /// Single use; the redirect repeats it.
    pub state: &'a SecretString,
    /// The ID token repeats it.
    pub nonce: &'a SecretString,
    /// The PKCE verifier.
    pub verifier: &'a SecretString,
    /// The longest time since the person authenticated. With a limit the issuer asks for the sign-in again.
    pub max_age: Option<SignedDuration>,
}

/// The field that OpenID Connect adds to a token response.
#[derive(Debug, Deserialize, Serialize)]
struct IdTokenField {
    #[serde(skip_serializing)]
    id_token: SecretString,
}

impl ExtraTokenFields for IdTokenField {}

type TokenResponse = StandardTokenResponse<IdTokenField, BasicTokenType>;
type Client = oauth2::Client<
    BasicErrorResponse,
    TokenResponse,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
>;

impl Issuer {
    /// The address of the issuer's sign-in page.
    pub async fn authorize_url(&self, request: &SignInRequest<'_>) -> Result<String, SignInError> {
        let metadata = self.metadata().await?;
        let state = request.state.expose_secret().to_owned();
        let verifier = PkceCodeVerifier::new(request.verifier.expose_secret().to_owned());
        let client = self.client(&metadata, request.redirect_uri)?;
        let mut url = client
            .authorize_url(|| CsrfToken::new(state))
            .add_scopes(["openid", "email"].map(|scope| Scope::new(scope.to_owned())))
            .add_extra_param("nonce", request.nonce.expose_secret())
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
        if let Some(max_age) = request.max_age {
            // Some issuers know only one of the two.
            url = url.add_extra_param("max_age", max_age.as_secs().to_string()).add_extra_param("prompt", "login");
        }
        Ok(url.url().0.into())
    }

    /// The origin of the sign-in page, for the policy of pages with a form that leads there.
    pub async fn origin(&self) -> Result<String, SignInError> {
        let url = Url::parse(&self.metadata().await?.authorization_endpoint);
        let url = url.map_err(|_| SignInError::Unavailable("the issuer's authorization endpoint is not a URL"))?;
        Ok(url.origin().ascii_serialization())
    }

    /// Exchanges a code and verifies the ID token. The code is used up, whatever the result is.
    pub async fn authenticate(
        &self,
        code: &SecretString,
        request: &SignInRequest<'_>,
        now: Timestamp,
    ) -> Result<Identity, SignInError> {
        let metadata = self.metadata().await?;
        let response = self.exchange(&metadata, code, request).await?;
        let token = response.extra_fields().id_token.expose_secret();
        let token = Unverified::parse(token)?;
        let key = self.documents.key(&self.outbound, &metadata, &token).await?;
        let expected = Expected {
            issuer: &self.config.issuer,
            client_id: &self.config.client_id,
            nonce: request.nonce.expose_secret(),
            max_age: request.max_age,
            now,
        };
        Ok(token.verify(&key, &expected)?)
    }

    async fn metadata(&self) -> Result<Metadata, SignInError> {
        self.documents.metadata(&self.outbound, &self.config.issuer).await
    }

    async fn exchange(
        &self,
        metadata: &Metadata,
        code: &SecretString,
        request: &SignInRequest<'_>,
    ) -> Result<TokenResponse, SignInError> {
        let client = self.client(metadata, request.redirect_uri)?;
        let exchange = client
            .exchange_code(AuthorizationCode::new(code.expose_secret().to_owned()))
            .set_pkce_verifier(PkceCodeVerifier::new(request.verifier.expose_secret().to_owned()));
        let outcome = exchange.request_async(&self.bridge()).await;
        outcome.map_err(|error| match error {
            RequestTokenError::ServerResponse(response) => SignInError::Refused(response.error().to_string()),
            RequestTokenError::Request(error) => error,
            // The library's own text would quote the response, which holds tokens.
            RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
                SignInError::Unavailable("the token endpoint's response cannot be read")
            }
        })
    }

    fn client(&self, metadata: &Metadata, redirect_uri: &str) -> Result<Client, SignInError> {
        let not_a_url = |_| SignInError::Unavailable("an address of the issuer or of this service is not a URL");
        Ok(oauth2::Client::new(ClientId::new(self.config.client_id.clone()))
            .set_client_secret(ClientSecret::new(self.secret.expose_secret().to_owned()))
            .set_auth_uri(AuthUrl::new(metadata.authorization_endpoint.clone()).map_err(not_a_url)?)
            .set_token_uri(TokenUrl::new(metadata.token_endpoint.clone()).map_err(not_a_url)?)
            .set_redirect_uri(RedirectUrl::new(redirect_uri.to_owned()).map_err(not_a_url)?))
    }

    /// Sends the OAuth library's requests through our HTTP client.
    fn bridge(&self) -> impl Fn(HttpRequest) -> BoxFuture<'static, Result<HttpResponse, SignInError>> {
        let outbound = self.outbound.clone();
        move |request| {
            let outbound = outbound.clone();
            Box::pin(async move {
                let (parts, body) = request.into_parts();
                let method = parts.method;
                let url = parts.uri.to_string();
                let sent = OutboundRequest { method, url, headers: parts.headers, body: body.into() };
                let received = outbound.send(sent, Instant::now() + CALL_TIMEOUT).await;
                let received = received.map_err(|_| SignInError::Unavailable("the token endpoint did not answer"))?;
                if received.status.is_server_error() || received.body.len() > MAX_ANSWER_BYTES {
                    return Err(SignInError::Unavailable("the token endpoint failed"));
                }
                let mut response = HttpResponse::new(received.body.to_vec());
                *response.status_mut() = received.status;
                *response.headers_mut() = received.headers;
                Ok(response)
            })
        }
    }
}

//! One call: adds credentials, sends, and turns a failure into an error without secrets.

use crate::domain::{AdAccount, Platform};
use crate::error::{Error, Kind};
use crate::outbound::{Failure, Outbound, OutboundRequest, OutboundResponse, secret_header};
use crate::platforms::config::PlatformConfig;
use crate::platforms::{errors, response_body};
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use std::sync::Arc;
use tokio::time::Instant;

/// The context of a call to a platform, with or without an ad account.
#[derive(Clone, Debug)]
pub struct CallContext {
    /// The HTTP client.
    pub outbound: Outbound,
    /// URLs, and our OAuth client at the platform.
    pub config: Arc<PlatformConfig>,
    /// The call ends by this time.
    pub deadline: Instant,
    /// The time of the request.
    pub now: Timestamp,
}

/// A call on behalf of one ad account.
#[derive(Clone, Debug)]
pub struct AccountSession {
    pub call: CallContext,
    pub account: AdAccount,
    /// A usable access token.
    pub token: SecretString,
}

/// The protocol of a platform's API: two pure functions.
#[derive(Debug)]
pub struct Api {
    pub platform: Platform,
    /// Adds the credentials to a request.
    pub authenticate: fn(&Access<'_>, &mut OutboundRequest) -> Result<(), Error>,
    /// Returns the error that a response reports. Some platforms report errors with status 200.
    pub classify: fn(&OutboundResponse, Timestamp) -> Result<(), Error>,
}

/// The credentials of a call.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// Our OAuth client, and the platform's settings.
    pub config: &'a PlatformConfig,
    /// The access token; `None` for a call that obtains one.
    pub token: Option<&'a SecretString>,
    /// The ad account; `None` for a call that is not about one.
    pub account: Option<&'a AdAccount>,
}

impl Access<'_> {
    /// The value of an `Authorization` header (RFC 6750 2.1).
    pub fn bearer(&self) -> Result<HeaderValue, Error> {
        let token = self.token.ok_or_else(|| Error::internal("a call without an access token"))?;
        secret_header(&format!("Bearer {}", token.expose_secret())).map_err(Error::internal)
    }
}

/// A GET request. Adapters use the published URL; [`Client`] replaces its host when it calls the sandbox.
pub fn get(url: String) -> OutboundRequest {
    OutboundRequest { method: Method::GET, url, headers: HeaderMap::new(), body: Bytes::new() }
}

/// A request with a JSON body.
pub fn json(method: Method, url: String, content: &impl Serialize) -> Result<OutboundRequest, Error> {
    let body = serde_json::to_vec(content).map_err(Error::internal)?.into();
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    Ok(OutboundRequest { method, url, headers, body })
}

/// Calls a platform with one access token.
#[derive(Clone, Copy, Debug)]
pub struct Client<'a> {
    api: &'static Api,
    call: &'a CallContext,
    token: Option<&'a SecretString>,
    account: Option<&'a AdAccount>,
}

impl<'a> Client<'a> {
    /// A client for calls that are not about one ad account.
    pub fn new(api: &'static Api, call: &'a CallContext, token: Option<&'a SecretString>) -> Client<'a> {
        Client { api, call, token, account: None }
    }

    /// A client for calls in the session's ad account.
    pub fn of(api: &'static Api, session: &'a AccountSession) -> Client<'a> {
        Client { api, call: &session.call, token: Some(&session.token), account: Some(&session.account) }
    }

    /// Sends a read. Reads are retried, even if the method is POST. A refusal of its content is the operator's.
    pub async fn read(&self, request: OutboundRequest) -> Result<OutboundResponse, Error> {
        self.read_at(request, false).await
    }

    /// Sends a read that begins at the caller's cursor, or does not. A refusal of a cursor means that it has expired or
    /// was changed.
    pub async fn read_at(&self, request: OutboundRequest, is_callers_cursor: bool) -> Result<OutboundResponse, Error> {
        self.read_signed(self.sign(request)?, is_callers_cursor).await
    }

    /// Sends a change once. Only for changes that are safe to repeat, because a failure may be marked retryable.
    pub async fn change(&self, request: OutboundRequest) -> Result<OutboundResponse, Error> {
        self.accept(self.send(self.sign(request)?).await)
    }

    /// Removes the sent secrets from an error, because a platform may repeat them.
    pub fn without_secrets(&self, error: Error) -> Error {
        response_body::without_secrets(error, &self.secrets())
    }

    /// A text with a mask in place of each secret.
    pub(super) fn masked(&self, text: &str, mask: &str) -> String {
        response_body::masked(text, &self.secrets(), mask)
    }

    fn secrets(&self) -> Vec<&'a SecretString> {
        let client = &self.call.config.client;
        [self.token, client.developer_token.as_ref(), Some(&client.client_secret)].into_iter().flatten().collect()
    }

    pub(super) fn platform(&self) -> Platform {
        self.api.platform
    }

    pub(super) fn deadline(&self) -> Instant {
        self.call.deadline
    }

    pub(super) fn sign(&self, request: OutboundRequest) -> Result<OutboundRequest, Error> {
        let mut request = OutboundRequest { url: self.call.config.address(&request.url), ..request };
        let access = Access { config: &self.call.config, token: self.token, account: self.account };
        (self.api.authenticate)(&access, &mut request)?;
        Ok(request)
    }

    pub(super) async fn send(&self, signed: OutboundRequest) -> Result<OutboundResponse, Failure> {
        self.call.outbound.send(signed, self.call.deadline).await
    }

    pub(super) async fn read_signed(
        &self,
        signed: OutboundRequest,
        is_callers_cursor: bool,
    ) -> Result<OutboundResponse, Error> {
        let outcome = self.accept(self.call.outbound.query(signed, self.call.deadline).await);
        outcome.map_err(|error| match error.kind {
            Kind::PlatformRefused if is_callers_cursor => errors::invalid_cursor().caused_by(error),
            Kind::PlatformRefused => errors::refused_read(error),
            _ => error,
        })
    }

    /// Returns the error that a response reports.
    pub(super) fn check(&self, response: &OutboundResponse) -> Result<(), Error> {
        (self.api.classify)(response, self.call.now).map_err(|error| self.without_secrets(error))
    }

    fn accept(&self, outcome: Result<OutboundResponse, Failure>) -> Result<OutboundResponse, Error> {
        let response = outcome.map_err(|failure| errors::no_response(self.api.platform, failure))?;
        self.check(&response).map(|()| response)
    }
}

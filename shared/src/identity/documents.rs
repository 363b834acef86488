//! The issuer's metadata and keys, cached in the process.

use super::error::{SignInError, TokenError};
use super::id_token::Unverified;
use super::key_set::{KeySet, PublicKey};
use crate::outbound::{Outbound, OutboundRequest};
use bytes::Bytes;
use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// Largest document, in bytes. Key sets in use are below 10 KB.
const MAX_BYTES: usize = 64 * 1024;
/// Time limit of one call to the issuer.
pub(super) const CALL_TIMEOUT: Duration = Duration::from_secs(5);
/// Age at which metadata and keys are read again, so that a withdrawn key ends.
const MAX_AGE: Duration = Duration::from_secs(60 * 60);
/// Unknown keys cause at most one read in this time.
const MIN_INTERVAL: Duration = Duration::from_secs(60);

/// The part of the metadata that is in use (Discovery 1.0, section 3).
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Metadata {
    issuer: String,
    pub(super) authorization_endpoint: String,
    pub(super) token_endpoint: String,
    jwks_uri: String,
}

/// The cached documents.
#[derive(Debug, Default)]
pub(super) struct Documents {
    // Held across a read, so that concurrent sign-ins read once.
    metadata: Mutex<Cached<Metadata>>,
    keys: Mutex<Cached<KeySet>>,
}

/// A document with the time of its read, and the last read that failed.
#[derive(Debug)]
struct Cached<T> {
    read: Option<(Instant, T)>,
    failed: Option<(Instant, SignInError)>,
}

impl<T> Default for Cached<T> {
    fn default() -> Cached<T> {
        Cached { read: None, failed: None }
    }
}

impl<T: Clone> Cached<T> {
    /// The failure of a read that ended while the caller waited for its turn: otherwise all callers would wait for an
    /// issuer that hangs, one after another.
    fn failure_since(&self, asked_at: Instant) -> Result<(), SignInError> {
        match &self.failed {
            Some((failed_at, error)) if *failed_at >= asked_at => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// Keeps the outcome of a read.
    fn keep(&mut self, outcome: Result<T, SignInError>) -> Result<T, SignInError> {
        let now = Instant::now();
        match &outcome {
            Ok(value) => self.read = Some((now, value.clone())),
            Err(error) => self.failed = Some((now, error.clone())),
        }
        outcome
    }
}

impl Documents {
    /// The metadata of an issuer.
    pub(super) async fn metadata(&self, outbound: &Outbound, issuer: &str) -> Result<Metadata, SignInError> {
        let asked_at = Instant::now();
        let mut cached = self.metadata.lock().await;
        if let Some((read_at, metadata)) = &cached.read
            && read_at.elapsed() < MAX_AGE
        {
            return Ok(metadata.clone());
        }
        cached.failure_since(asked_at)?;
        let metadata = Metadata::read(outbound, issuer).await;
        cached.keep(metadata)
    }

    /// The key of a token. An unknown one causes a read of the keys, at most one a minute.
    pub(super) async fn key(
        &self,
        outbound: &Outbound,
        metadata: &Metadata,
        token: &Unverified<'_>,
    ) -> Result<PublicKey, SignInError> {
        let asked_at = Instant::now();
        let mut cached = self.keys.lock().await;
        let find = |keys: &KeySet| keys.find(token.kid.as_deref(), token.algorithm).cloned();
        if let Some((read_at, keys)) = &cached.read {
            let age = read_at.elapsed();
            match find(keys) {
                Some(key) if age < MAX_AGE => return Ok(key),
                None if age < MIN_INTERVAL => return Err(TokenError::UnknownKey.into()),
                _ => {}
            }
        }
        cached.failure_since(asked_at)?;
        let keys = read(outbound, &metadata.jwks_uri).await.and_then(|document| {
            KeySet::parse(&document).ok_or(SignInError::Unavailable("the issuer's keys cannot be read"))
        });
        find(&cached.keep(keys)?).ok_or_else(|| TokenError::UnknownKey.into())
    }
}

impl Metadata {
    async fn read(outbound: &Outbound, issuer: &str) -> Result<Metadata, SignInError> {
        let url = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let metadata = Metadata::deserialize(read(outbound, &url).await?);
        let metadata = metadata.map_err(|_| SignInError::Unavailable("the issuer's metadata cannot be read"))?;
        metadata.check(issuer).map(|()| metadata)
    }

    /// The document must be the configured issuer's own (Discovery 1.0, section 4.3), and must not leave HTTPS.
    fn check(&self, issuer: &str) -> Result<(), SignInError> {
        if self.issuer != issuer {
            return Err(SignInError::Unavailable("the metadata is of another issuer than the configured one"));
        }
        let endpoints = [&self.authorization_endpoint, &self.token_endpoint, &self.jwks_uri];
        let is_allowed = |url: &&String| url.starts_with("https://") || !issuer.starts_with("https://");
        let is_secure = endpoints.iter().all(is_allowed);
        if is_secure { Ok(()) } else { Err(SignInError::Unavailable("an address of the issuer is not HTTPS")) }
    }
}

/// Reads a JSON document.
async fn read(outbound: &Outbound, url: &str) -> Result<Value, SignInError> {
    let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
    let request = OutboundRequest { method: Method::GET, url: url.to_owned(), headers, body: Bytes::new() };
    let response = outbound.send(request, Instant::now() + CALL_TIMEOUT).await;
    let response = response.map_err(|_| SignInError::Unavailable("the issuer did not send a document"))?;
    if response.status != StatusCode::OK {
        return Err(SignInError::Unavailable("the issuer answered a read with an error"));
    }
    if response.body.len() > MAX_BYTES {
        return Err(SignInError::Unavailable("a document of the issuer is too large"));
    }
    serde_json::from_slice(&response.body).map_err(|_| SignInError::Unavailable("a document of the issuer is not JSON"))
}

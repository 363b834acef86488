//! The HTTP client.

use super::{Failure, OutboundRequest, OutboundResponse, Transport};
use async_trait::async_trait;
use bytes::BytesMut;
use rustls::RootCertStore;
use std::sync::Arc;
use std::time::Duration;

/// Maximum length of a response's body. A page of a hundred campaigns is far below it.
const MAX_RESPONSE_BYTES: usize = 8 * 1024 * 1024;
/// Time limit for DNS, TCP and TLS.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// Sends over the network.
#[derive(Debug)]
pub(super) struct HttpTransport {
    pub(super) client: reqwest::Client,
}

/// The HTTP client for hosts that the service or its operator chooses.
pub(crate) fn client() -> Result<reqwest::Client, Box<dyn std::error::Error + Send + Sync>> {
    Ok(builder(mozilla_roots())?.connect_timeout(CONNECT_TIMEOUT).build()?)
}

/// The roots of all certificates, except in tests.
pub(super) fn mozilla_roots() -> RootCertStore {
    RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }
}

/// What all HTTP clients have in common: TLS on ring, no redirects, no proxy, no cookies.
#[expect(clippy::disallowed_methods, reason = "this is the one place that makes HTTP clients")]
pub(super) fn builder(
    roots: RootCertStore,
) -> Result<reqwest::ClientBuilder, Box<dyn std::error::Error + Send + Sync>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .user_agent(concat!("unified-ads/", env!("CARGO_PKG_VERSION"))))
}

#[async_trait]
impl Transport for HttpTransport {
    async fn send(&self, sent: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let request = self.client.request(sent.method, sent.url).headers(sent.headers).body(sent.body);
        receive(request).await
    }
}

async fn receive(request: reqwest::RequestBuilder) -> Result<OutboundResponse, Failure> {
    let mut response = request.send().await.map_err(|error| classify(&error))?;
    let status = response.status();
    let headers = std::mem::take(response.headers_mut());
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| Failure::Broken)? {
        if body.len() + chunk.len() > MAX_RESPONSE_BYTES {
            return Err(Failure::Broken);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(OutboundResponse { status, headers, body: body.freeze() })
}

// Drops the error itself: it contains the URL, and a URL may contain a code or a token.
fn classify(error: &reqwest::Error) -> Failure {
    if error.is_connect() || error.is_builder() {
        Failure::NotSent
    } else if error.is_timeout() {
        Failure::TimedOut
    } else {
        Failure::Broken
    }
}

#[cfg(test)]
mod tests;

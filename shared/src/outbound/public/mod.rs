//! Safe calls to addresses that customers choose, such as the endpoints of webhooks.
//!
//! A customer must not reach through this service what only the service can reach: its own machine (where Lambda's
//! Runtime API listens), a metadata service, or a private network. [`UrlPolicy`] judges the URL and each address that its
//! name resolves to, at every call.

mod address;
mod failure;
mod resolver;
mod transport;
mod url_policy;

pub use address::SpecialUse;
pub use failure::PublicFailure;
pub use transport::{EndpointClient, EndpointTransport};
pub use url_policy::{Reach, UrlPolicy, UrlRefusal};

use super::http_transport;
use bytes::{Bytes, BytesMut};
use failure::classify;
use http::{HeaderMap, StatusCode, header};
use resolver::{CheckedResolver, Resolver, SystemResolver};
use rustls::RootCertStore;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use url::Url;

/// Time limit for a call, from resolving the name to the kept part of the response.
pub const TIME_LIMIT: Duration = Duration::from_secs(15);
/// How much of a response's body is kept, and read: 1 KB.
pub const MAX_KEPT_BYTES: usize = 1_024;
/// Time limit for DNS, TCP and TLS. The addresses of a name share it, so that one without an answer leaves time for the
/// next.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Sends requests to URLs that customers choose, where [`UrlPolicy`] permits it.
#[derive(Clone, Debug)]
pub struct PublicClient {
    client: reqwest::Client,
    policy: Arc<UrlPolicy>,
}

/// A response with any status: a redirect is not followed. `Debug` omits the body: it may hold a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicResponse {
    pub status: StatusCode,
    /// The text of `Retry-After`.
    pub retry_after: Option<String>,
    /// The first [`MAX_KEPT_BYTES`] of the body, or less if it broke off or was late. Any bytes.
    pub body: Bytes,
}

impl PublicClient {
    /// Resolves names by the operating system.
    pub fn new(policy: UrlPolicy) -> Result<PublicClient, Box<dyn std::error::Error + Send + Sync>> {
        PublicClient::build(policy, Arc::new(SystemResolver), http_transport::mozilla_roots())
    }

    fn build(
        policy: UrlPolicy,
        resolver: Arc<dyn Resolver>,
        roots: RootCertStore,
    ) -> Result<PublicClient, Box<dyn std::error::Error + Send + Sync>> {
        let policy = Arc::new(policy);
        let client = http_transport::builder(roots)?
            .dns_resolver(CheckedResolver { resolver, policy: Arc::clone(&policy) })
            // Each call makes its own connection, because only a new connection resolves and checks the name.
            .pool_max_idle_per_host(0)
            .connect_timeout(CONNECT_TIMEOUT)
            .build()?;
        Ok(PublicClient { client, policy })
    }

    /// Sends once, and waits until the deadline, at most for [`TIME_LIMIT`].
    pub async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Bytes,
        deadline: Instant,
    ) -> Result<PublicResponse, PublicFailure> {
        // The client asks no resolver about a literal address, so the URL is judged at every call.
        let url = self.policy.check(url).map_err(PublicFailure::Url)?;
        self.send(url, headers, body, deadline.min(Instant::now() + TIME_LIMIT)).await
    }

    async fn send(
        &self,
        url: Url,
        headers: HeaderMap,
        body: Bytes,
        deadline: Instant,
    ) -> Result<PublicResponse, PublicFailure> {
        let request = self.client.post(url).headers(headers).body(body);
        let sent = timeout_at(deadline, request.send()).await.map_err(|_| PublicFailure::TimedOut)?;
        let response = sent.map_err(|error| classify(&error))?;
        let status = response.status();
        let retry_after = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
        let retry_after = retry_after.map(str::to_owned);
        Ok(PublicResponse { status, retry_after, body: first_bytes(response, deadline).await })
    }
}

/// Reads the part of the body that is kept. The status says how the endpoint took the request, so a body that breaks off
/// or is late is no failure.
async fn first_bytes(mut response: reqwest::Response, deadline: Instant) -> Bytes {
    let mut kept = BytesMut::new();
    while kept.len() < MAX_KEPT_BYTES
        && let Ok(Ok(Some(chunk))) = timeout_at(deadline, response.chunk()).await
    {
        kept.extend_from_slice(&chunk);
    }
    kept.truncate(MAX_KEPT_BYTES);
    kept.freeze()
}

impl std::fmt::Debug for PublicResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let PublicResponse { status, retry_after, body } = self;
        f.debug_struct("PublicResponse")
            .field("status", status)
            .field("retry_after", retry_after)
            .field("bytes", &body.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;

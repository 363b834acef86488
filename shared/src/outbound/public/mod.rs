//! Safe calls to addresses that customers choose, such as the endpoints of webhooks, or that strangers choose, such as the
//! documents of clients.
//!
//! A customer must not reach through this service what only the service can reach: its own machine (where Lambda's
//! Runtime API listens), a metadata service, or a private network. [`UrlPolicy`] judges the URL and each address that its
//! name resolves to, at every call.

mod address;
mod documents;
mod failure;
mod resolver;
mod transport;
mod url_policy;

pub use address::SpecialUse;
pub use documents::{DOCUMENT_TIME_LIMIT, KeptDocuments, MAX_DOCUMENT_BYTES, PublicDocument};
pub use failure::PublicFailure;
pub use transport::{EndpointClient, EndpointTransport};
pub use url_policy::{Reach, UrlPolicy, UrlRefusal};

use super::http_transport;
use bytes::{Bytes, BytesMut};
use failure::classify;
use http::{HeaderMap, HeaderName, StatusCode, header};
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
        let response = begin(self.client.post(url).headers(headers).body(body), deadline).await?;
        let retry_after = text(&response, header::RETRY_AFTER);
        Ok(PublicResponse { status: response.status(), retry_after, body: first_bytes(response, deadline).await })
    }

    /// Reads a JSON document, and waits at most for [`DOCUMENT_TIME_LIMIT`]. A body that breaks off is a failure.
    pub async fn get(&self, url: &str) -> Result<PublicDocument, PublicFailure> {
        let url = self.policy.check(url).map_err(PublicFailure::Url)?;
        let deadline = Instant::now() + DOCUMENT_TIME_LIMIT;
        let mut response = begin(self.client.get(url).header(header::ACCEPT, "application/json"), deadline).await?;
        let (content_type, cache_control) =
            (text(&response, header::CONTENT_TYPE), text(&response, header::CACHE_CONTROL));
        let mut body = BytesMut::new();
        while body.len() <= MAX_DOCUMENT_BYTES {
            let chunk = timeout_at(deadline, response.chunk()).await.map_err(|_| PublicFailure::TimedOut)?;
            match chunk.map_err(|error| classify(&error))? {
                Some(chunk) => body.extend_from_slice(&chunk),
                None => break,
            }
        }
        body.truncate(MAX_DOCUMENT_BYTES + 1);
        Ok(PublicDocument { status: response.status(), content_type, cache_control, body: body.freeze() })
    }
}

/// Sends once, and waits for the head of the response.
async fn begin(request: reqwest::RequestBuilder, deadline: Instant) -> Result<reqwest::Response, PublicFailure> {
    let sent = timeout_at(deadline, request.send()).await.map_err(|_| PublicFailure::TimedOut)?;
    sent.map_err(|error| classify(&error))
}

/// The text of a header.
fn text(response: &reqwest::Response, name: HeaderName) -> Option<String> {
    response.headers().get(name)?.to_str().ok().map(str::to_owned)
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

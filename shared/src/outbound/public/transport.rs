//! How a payload reaches an endpoint, and a document this service.

use super::{PublicClient, PublicDocument, PublicFailure, PublicResponse, UrlPolicy};
use async_trait::async_trait;
use bytes::Bytes;
use http::HeaderMap;
use std::sync::OnceLock;
use tokio::time::Instant;

/// Posts to the endpoints of customers, and reads the documents of clients: the HTTP client, or a simulated network.
#[async_trait]
pub trait EndpointTransport: Send + Sync + std::fmt::Debug {
    /// Sends once, and waits until the deadline.
    async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        payload: Bytes,
        deadline: Instant,
    ) -> Result<PublicResponse, PublicFailure>;

    /// Reads what a host gives at an address.
    async fn get(&self, url: &str) -> Result<PublicDocument, PublicFailure>;
}

/// The HTTP client, built at the first call: most functions make none.
#[derive(Debug)]
pub struct EndpointClient {
    policy: UrlPolicy,
    client: OnceLock<PublicClient>,
}

impl EndpointClient {
    /// A client for addresses that a policy allows.
    pub fn new(policy: UrlPolicy) -> EndpointClient {
        EndpointClient { policy, client: OnceLock::new() }
    }

    fn client(&self) -> Result<&PublicClient, PublicFailure> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let built = PublicClient::new(self.policy.clone()).map_err(|error| {
            tracing::error!(%error, "the client for endpoints cannot be built");
            PublicFailure::NotConnected
        })?;
        Ok(self.client.get_or_init(|| built))
    }
}

#[async_trait]
impl EndpointTransport for EndpointClient {
    async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        payload: Bytes,
        deadline: Instant,
    ) -> Result<PublicResponse, PublicFailure> {
        self.client()?.post(url, headers, payload, deadline).await
    }

    async fn get(&self, url: &str) -> Result<PublicDocument, PublicFailure> {
        self.client()?.get(url).await
    }
}

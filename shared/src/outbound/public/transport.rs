//! How a payload reaches an endpoint.

use super::{PublicClient, PublicFailure, PublicResponse, UrlPolicy};
use async_trait::async_trait;
use bytes::Bytes;
use http::HeaderMap;
use std::sync::OnceLock;
use tokio::time::Instant;

/// Posts to the endpoints of customers: the HTTP client, or a simulated network.
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
        let client = match self.client.get() {
            Some(client) => client,
            None => {
                let built = PublicClient::new(self.policy.clone()).map_err(|error| {
                    tracing::error!(%error, "the client for endpoints cannot be built");
                    PublicFailure::NotConnected
                })?;
                self.client.get_or_init(|| built)
            }
        };
        client.post(url, headers, payload, deadline).await
    }
}

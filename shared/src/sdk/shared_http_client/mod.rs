//! The HTTP client of the AWS SDK, shared by all SDK clients of a process.
//!
//! It is the service's own client: no second HTTP and TLS stack is linked, no certificate store is parsed at start (the
//! root certificates are built in and include AWS's), and SDK clients share connections.

use crate::outbound;
use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::connection::{CaptureSmithyConnection, ConnectionMetadata};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time limit of opening a connection at start, before it is needed.
const WARM_UP_TIMEOUT: Duration = Duration::from_secs(1);

/// The HTTP client of the SDK. By default it is created on first use. Clones share its connections.
#[derive(Clone, Debug, Default)]
pub struct SharedHttpClient {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    client: Option<reqwest::Client>,
    /// Number of earlier clients whose connections were dropped.
    generation: u64,
}

impl SharedHttpClient {
    /// Uses a client that exists, until its connections are dropped.
    pub(crate) fn over(client: reqwest::Client) -> SharedHttpClient {
        SharedHttpClient { state: Arc::new(Mutex::new(State { client: Some(client), generation: 0 })) }
    }

    /// Opens a connection to a host ahead of the first request. The GET needs no signature or permission, and its
    /// failure is harmless: the first request then opens the connection.
    pub async fn warm(&self, url: &str) {
        let Ok((client, _)) = self.client() else { return };
        let request = async { client.get(url).send().await?.bytes().await };
        if let Ok(Err(error)) = tokio::time::timeout(WARM_UP_TIMEOUT, request).await {
            tracing::debug!(%error, "warming up a connection failed");
        }
    }

    /// The client and its generation.
    fn client(&self) -> Result<(reqwest::Client, u64), BoxError> {
        let mut state = self.lock();
        let generation = state.generation;
        if let Some(client) = &state.client {
            return Ok((client.clone(), generation));
        }
        Ok((state.client.insert(outbound::client()?).clone(), generation))
    }

    /// Drops the connections of a client: the next request opens a new one, possibly to a healthier host. Of several
    /// calls that fail at once, only the first has an effect.
    fn drop_connections(&self, generation: u64) {
        let mut state = self.lock();
        if state.generation == generation {
            *state = State { client: None, generation: generation + 1 };
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HttpClient for SharedHttpClient {
    /// Ignores the settings: the connect timeout of the client is at least as short.
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for SharedHttpClient {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (client, generation) = match self.client() {
            Ok(found) => found,
            Err(error) => return HttpConnectorFuture::ready(Err(ConnectorError::other(error, None))),
        };
        // The SDK calls this before it retries a request that failed on a connection.
        if let Some(captured) = request.extension::<CaptureSmithyConnection>() {
            let http_client = self.clone();
            captured.set_connection_retriever(move || {
                let http_client = http_client.clone();
                let poison = move || http_client.drop_connections(generation);
                Some(ConnectionMetadata::builder().proxied(false).poison_fn(poison).build())
            });
        }
        HttpConnectorFuture::new(async move { send(&client, request).await })
    }
}

async fn send(client: &reqwest::Client, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
    let user = |error: BoxError| ConnectorError::user(error);
    let request = request.try_into_http1x().map_err(|error| user(error.into()))?;
    let (parts, body) = request.into_parts();
    let body = body.bytes().ok_or_else(|| user("the body is a stream, which is not supported".into()))?.to_vec();
    let sending = client.request(parts.method, parts.uri.to_string()).headers(parts.headers).body(body).send();
    let mut response = sending.await.map_err(classify)?;
    let mut builder = http::Response::builder().status(response.status());
    if let Some(headers) = builder.headers_mut() {
        *headers = std::mem::take(response.headers_mut());
    }
    let body = response.bytes().await.map_err(classify)?;
    let invalid = |error: BoxError| ConnectorError::other(error, None);
    let response = builder.body(body.into()).map_err(|error| invalid(error.into()))?;
    response.try_into().map_err(|error: aws_smithy_runtime_api::http::HttpError| invalid(error.into()))
}

/// The SDK retries by this classification: a failed connection is retried, an invalid response is not.
fn classify(error: reqwest::Error) -> ConnectorError {
    let error = error.without_url();
    if error.is_timeout() {
        ConnectorError::timeout(error.into())
    } else if error.is_builder() {
        ConnectorError::user(error.into())
    } else if error.is_connect() || is_connection_error(&error) {
        ConnectorError::io(error.into())
    } else {
        ConnectorError::other(error.into(), None)
    }
}

/// Whether a source of the error is a closed or failed connection.
fn is_connection_error(error: &reqwest::Error) -> bool {
    let is_closed = |error: &hyper::Error| error.is_closed() || error.is_canceled() || error.is_incomplete_message();
    let mut source = error.source();
    while let Some(cause) = source {
        if cause.is::<std::io::Error>() || cause.downcast_ref().is_some_and(is_closed) {
            return true;
        }
        source = cause.source();
    }
    false
}

#[cfg(test)]
mod tests;

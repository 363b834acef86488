//! What carries the requests of the AWS SDK: one HTTP client of ours under all SDK clients of a process.
//!
//! So no second HTTP and TLS stack is linked, no store of certificates is parsed at start (the roots are built in, and
//! AWS's are among them), and a connection that was opened for one is there for all.

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

/// How long the start may wait for a connection that is not needed yet.
const WARMING: Duration = Duration::from_secs(1);

/// The HTTP client of the SDK, made when first used. Clones share its connections.
#[derive(Clone, Debug, Default)]
pub struct SharedHttpClient {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    client: Option<reqwest::Client>,
    /// How many there were before it.
    forgotten: u64,
}

impl SharedHttpClient {
    /// Opens a connection to a host ahead of the first request, so that nobody waits for it then. What is asked needs
    /// no signature and no permission; whatever comes of it, the first request does the same again if it must.
    pub async fn warm(&self, url: &str) {
        let Ok((client, _)) = self.client() else { return };
        let asking = async { client.get(url).send().await?.bytes().await };
        if let Ok(Err(error)) = tokio::time::timeout(WARMING, asking).await {
            tracing::debug!(%error, "no connection was opened ahead");
        }
    }

    /// The client, and which one it is.
    fn client(&self) -> Result<(reqwest::Client, u64), BoxError> {
        let mut kept = self.lock();
        let number = kept.forgotten;
        if let Some(client) = &kept.client {
            return Ok((client.clone(), number));
        }
        Ok((kept.client.insert(outbound::client()?).clone(), number))
    }

    /// Leaves the connections of a client: the next request opens another, maybe to a host in better health. Of many
    /// calls that fail at once only the first does.
    fn forget_connections(&self, number: u64) {
        let mut kept = self.lock();
        if kept.forgotten == number {
            *kept = Kept { client: None, forgotten: number + 1 };
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HttpClient for SharedHttpClient {
    /// The settings are not looked at: our client's own limit for a connection to come up is as tight as any of them.
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for SharedHttpClient {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (client, number) = match self.client() {
            Ok(found) => found,
            Err(error) => return HttpConnectorFuture::ready(Err(ConnectorError::other(error, None))),
        };
        // The SDK asks for this when it is about to try again what failed on a connection.
        if let Some(captured) = request.extension::<CaptureSmithyConnection>() {
            let http_client = self.clone();
            captured.set_connection_retriever(move || {
                let http_client = http_client.clone();
                let forget = move || http_client.forget_connections(number);
                Some(ConnectionMetadata::builder().proxied(false).poison_fn(forget).build())
            });
        }
        HttpConnectorFuture::new(async move { carry(&client, request).await })
    }
}

async fn carry(client: &reqwest::Client, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
    let user = |error: BoxError| ConnectorError::user(error);
    let request = request.try_into_http1x().map_err(|error| user(error.into()))?;
    let (parts, body) = request.into_parts();
    let body = body.bytes().ok_or_else(|| user("a body that is not in memory".into()))?.to_vec();
    let sending = client.request(parts.method, parts.uri.to_string()).headers(parts.headers).body(body).send();
    let mut response = sending.await.map_err(classify)?;
    let mut answer = http::Response::builder().status(response.status());
    if let Some(headers) = answer.headers_mut() {
        *headers = std::mem::take(response.headers_mut());
    }
    let body = response.bytes().await.map_err(classify)?;
    let unreadable = |error: BoxError| ConnectorError::other(error, None);
    let answer = answer.body(body.into()).map_err(|error| unreadable(error.into()))?;
    answer.try_into().map_err(|error: aws_smithy_runtime_api::http::HttpError| unreadable(error.into()))
}

/// What the SDK decides by whether to try again: a connection that failed, and not an answer that makes no sense.
fn classify(error: reqwest::Error) -> ConnectorError {
    let error = error.without_url();
    if error.is_timeout() {
        ConnectorError::timeout(error.into())
    } else if error.is_builder() {
        ConnectorError::user(error.into())
    } else if error.is_connect() || broke_off(&error) {
        ConnectorError::io(error.into())
    } else {
        ConnectorError::other(error.into(), None)
    }
}

/// Whether somewhere below it a connection was closed or failed.
fn broke_off(error: &reqwest::Error) -> bool {
    let is_over = |error: &hyper::Error| error.is_closed() || error.is_canceled() || error.is_incomplete_message();
    let mut below = error.source();
    while let Some(cause) = below {
        if cause.is::<std::io::Error>() || cause.downcast_ref().is_some_and(is_over) {
            return true;
        }
        below = cause.source();
    }
    false
}

#[cfg(test)]
mod tests;

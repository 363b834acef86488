//! The connection of the AWS SDK to the store and the secrets, without a socket.

use super::service::LocalService;
use crate::engine::{EngineClient, TARGET_HEADER};
use crate::secrets::LocalSecrets;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use bytes::Bytes;
use shared::sdk::SharedHttpClient;
use std::sync::Arc;

/// Endpoints that only [`LocalConnector`] knows: no name below `.invalid` resolves (RFC 2606).
pub(super) const STORE_URL: &str = "http://store.invalid";
pub(super) const SECRETS_URL: &str = "http://secrets.invalid";

/// Answers requests to the two endpoints, and sends all others over the network: a test may replace an endpoint.
#[derive(Debug)]
pub(crate) struct LocalConnector {
    services: Vec<(&'static str, LocalService)>,
    network: SharedHttpClient,
}

impl LocalConnector {
    pub(super) fn new(engine: EngineClient, secrets: Option<Arc<LocalSecrets>>) -> LocalConnector {
        let secrets = secrets.map(|secrets| (SECRETS_URL, LocalService::Secrets(secrets)));
        let services = [(STORE_URL, LocalService::Store(engine))].into_iter().chain(secrets).collect();
        LocalConnector { services, network: SharedHttpClient::default() }
    }
}

impl HttpConnector for LocalConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let service = self.services.iter().find(|(url, _)| request.uri().starts_with(url));
        let Some((_, service)) = service else { return self.network.call(request) };
        let service = service.clone();
        HttpConnectorFuture::new(async move { send(&service, &request).await })
    }
}

async fn send(service: &LocalService, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
    let body = request.body().bytes();
    let body = body.ok_or_else(|| ConnectorError::user("the body is a stream, which is not supported".into()))?;
    let target = request.headers().get(TARGET_HEADER).unwrap_or_default();
    let response = service.call(target, Bytes::copy_from_slice(body)).await;
    let (status, body) = response.map_err(|error| ConnectorError::io(error.into()))?;
    let status = status.try_into().map_err(|_| ConnectorError::other("the status is invalid".into(), None))?;
    Ok(HttpResponse::new(status, body.into()))
}

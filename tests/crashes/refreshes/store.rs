//! HTTP connector to the table, with late, failing and lost calls.

use super::state::{Holder, StateHandle};
use crate::in_process::engine::{client_over, operation, response, serve};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use dynoxide::Database;
use std::future::pending;

/// Connector of one process's DynamoDB client.
#[derive(Clone)]
struct StoreConnector {
    holder: Holder,
    state: StateHandle,
    database: Database,
}

impl std::fmt::Debug for StoreConnector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StoreConnector")
    }
}

/// DynamoDB client of one process.
pub(super) fn client(holder: &Holder, state: &StateHandle, database: &Database) -> aws_sdk_dynamodb::Client {
    client_over(StoreConnector { holder: holder.clone(), state: state.clone(), database: database.clone() })
}

impl HttpConnector for StoreConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let connector = self.clone();
        HttpConnectorFuture::new(async move { connector.deliver(request).await })
    }
}

impl StoreConnector {
    async fn deliver(&self, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let body = request.body().bytes().unwrap_or_default();
        let text = String::from_utf8_lossy(body);
        let delivery = self.state.lock().store_delivery(&text);
        tokio::time::sleep(delivery.delay).await;
        if delivery.kills_before {
            self.holder.process.kill();
        }
        if self.holder.process.is_dead() {
            return pending().await;
        }
        if delivery.fails {
            return Ok(response(
                500,
                r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}"#.to_owned(),
            ));
        }
        let served = serve(&self.database, &request);
        let operation = operation(&request);
        let status = served.status().as_u16();
        self.state.lock().log.record(|| format!("{operation} {status}"));
        if status == 200 && text.contains("ADD version") {
            self.holder.record_stored_tokens(&self.state);
        }
        if delivery.kills_after {
            self.holder.process.kill();
            return pending().await;
        }
        if delivery.loses_response {
            return Err(ConnectorError::io("the response was lost".into()));
        }
        Ok(served)
    }
}

//! The table: the embedded engine called in place of HTTP, so that a run needs no sockets and no threads.

use super::world::{Process, Shared};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region, StalledStreamProtectionConfig};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use dynoxide::{Database, DynoxideError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::future::pending;

/// A process's way to the table.
#[derive(Clone)]
struct Wire {
    process: Process,
    world: Shared,
    database: Database,
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wire")
    }
}

/// A client of the table for one process.
pub(super) fn client(process: &Process, world: &Shared, database: &Database) -> aws_sdk_dynamodb::Client {
    client_over(Wire { process: process.clone(), world: world.clone(), database: database.clone() })
}

/// A client over any way to the table. It repeats nothing by itself, so that each failure is seen.
pub(crate) fn client_over(wire: impl HttpConnector + Clone + 'static) -> aws_sdk_dynamodb::Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("id", "secret", None, None, "simulation"))
        .endpoint_url("http://table")
        .retry_config(RetryConfig::disabled())
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .http_client(http_client_fn(move |_, _| SharedHttpConnector::new(wire.clone())));
    aws_sdk_dynamodb::Client::from_conf(config.build())
}

impl HttpConnector for Wire {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let wire = self.clone();
        HttpConnectorFuture::new(async move { wire.carry(request).await })
    }
}

impl Wire {
    async fn carry(&self, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let body = request.body().bytes().unwrap_or_default();
        let text = String::from_utf8_lossy(body);
        let weather = self.world.lock().store_weather(&text);
        tokio::time::sleep(weather.delay).await;
        if weather.kills_before {
            self.process.kill(&self.world);
        }
        if self.process.is_dead() {
            return pending().await;
        }
        if weather.fails {
            return Ok(response(
                500,
                r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}"#.to_owned(),
            ));
        }
        let answer = serve(&self.database, &request);
        let (operation, status) = (operation(&request), answer.status().as_u16());
        self.world.lock().note(&format!("{operation} {status}"));
        if status == 200 && text.contains("ADD version") {
            self.process.tokens_are_stored(&self.world);
        }
        if weather.kills_after {
            self.process.kill(&self.world);
            return pending().await;
        }
        if weather.loses_answer {
            return Err(ConnectorError::io("the answer was lost".into()));
        }
        Ok(answer)
    }
}

fn response(status: u16, body: String) -> HttpResponse {
    let status = status.try_into().expect("a status");
    HttpResponse::new(status, body.into())
}

fn operation(request: &HttpRequest) -> &str {
    request.headers().get("x-amz-target").unwrap_or_default().rsplit('.').next().unwrap_or_default()
}

/// What the engine answers to a request of the SDK.
pub(crate) fn serve(database: &Database, request: &HttpRequest) -> HttpResponse {
    match dispatch(database, operation(request), request.body().bytes().unwrap_or_default()) {
        Ok(answer) => response(200, answer),
        Err(error) => response(error.status_code(), error.to_json()),
    }
}

fn dispatch(database: &Database, operation: &str, body: &[u8]) -> Result<String, DynoxideError> {
    match operation {
        "GetItem" => call(body, |request| database.get_item(request)),
        "PutItem" => call(body, |request| database.put_item(request)),
        "UpdateItem" => call(body, |request| database.update_item(request)),
        "DeleteItem" => call(body, |request| database.delete_item(request)),
        "Query" => call(body, |request| database.query(request)),
        "TransactWriteItems" => call(body, |request| database.transact_write_items(request)),
        other => panic!("the simulation has no {other}"),
    }
}

fn call<I: DeserializeOwned, O: Serialize>(
    body: &[u8],
    work: impl FnOnce(I) -> Result<O, DynoxideError>,
) -> Result<String, DynoxideError> {
    let request = serde_json::from_slice(body).expect("a request of the SDK");
    Ok(serde_json::to_string(&work(request)?).expect("an answer of the engine"))
}

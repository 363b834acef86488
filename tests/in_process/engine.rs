//! The table: calls of the embedded engine instead of HTTP.

use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Region, StalledStreamProtectionConfig};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use dynoxide::{Database, DynoxideError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use shared::sdk::TraceInterceptor;
use shared::store::table_keys;

pub(crate) const TABLE: &str = "inside";

/// An empty table.
pub(crate) fn table() -> Database {
    let database = Database::memory().expect("an engine");
    let attribute = |name: &str, kind: &str| json!({"AttributeName": name, "AttributeType": kind});
    let key = |name: &str, kind: &str| json!({"AttributeName": name, "KeyType": kind});
    let request = json!({
        "TableName": TABLE,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [attribute(table_keys::PARTITION, "S"), attribute(table_keys::SORT, "S"),
            attribute(table_keys::DUE_KIND, "S"), attribute(table_keys::DUE_AT, "N")],
        "KeySchema": [key(table_keys::PARTITION, "HASH"), key(table_keys::SORT, "RANGE")],
        "GlobalSecondaryIndexes": [{"IndexName": table_keys::DUE_INDEX, "Projection": {"ProjectionType": "KEYS_ONLY"},
            "KeySchema": [key(table_keys::DUE_KIND, "HASH"), key(table_keys::DUE_AT, "RANGE")]}],
    });
    database.create_table(serde_json::from_value(request).expect("a request")).expect("a table");
    database
}

/// The direct connection to a table.
#[derive(Clone)]
pub(crate) struct Straight(pub(crate) Database);

impl std::fmt::Debug for Straight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Straight")
    }
}

impl HttpConnector for Straight {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        HttpConnectorFuture::ready(Ok(serve(&self.0, &request)))
    }
}

/// A client over any connection to the table. It never retries, so that every failure is seen.
pub(crate) fn client_over(wire: impl HttpConnector + Clone + 'static) -> aws_sdk_dynamodb::Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        // The engine checks no signature.
        .allow_no_auth()
        .endpoint_url("http://table")
        .retry_config(RetryConfig::disabled())
        .interceptor(TraceInterceptor)
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .http_client(http_client_fn(move |_, _| SharedHttpConnector::new(wire.clone())));
    aws_sdk_dynamodb::Client::from_conf(config.build())
}

/// The response of the engine to a request of the SDK.
pub(crate) fn serve(database: &Database, request: &HttpRequest) -> HttpResponse {
    serve_as(database, request, request.body().bytes().unwrap_or_default())
}

/// The same with another body.
pub(crate) fn serve_as(database: &Database, request: &HttpRequest, body: &[u8]) -> HttpResponse {
    match dispatch(database, operation(request), body) {
        Ok(answer) => response(200, answer),
        Err(error) => response(error.status_code(), error.to_json()),
    }
}

/// A response of a table.
pub(crate) fn response(status: u16, body: String) -> HttpResponse {
    let status = status.try_into().expect("a status");
    HttpResponse::new(status, body.into())
}

/// The operation of a request.
pub(crate) fn operation(request: &HttpRequest) -> &str {
    request.headers().get("x-amz-target").unwrap_or_default().rsplit('.').next().unwrap_or_default()
}

fn dispatch(database: &Database, operation: &str, body: &[u8]) -> Result<String, DynoxideError> {
    match operation {
        "GetItem" => call(body, |request| database.get_item(request)),
        "BatchGetItem" => call(body, |request| database.batch_get_item(request)),
        "PutItem" => call(body, |request| database.put_item(request)),
        "UpdateItem" => call(body, |request| database.update_item(request)),
        "DeleteItem" => call(body, |request| database.delete_item(request)),
        "Query" => call(body, |request| database.query(request)),
        "TransactWriteItems" => call(body, |request| database.transact_write_items(request)),
        other => panic!("nothing here asks for {other}"),
    }
}

fn call<I: DeserializeOwned, O: Serialize>(
    body: &[u8],
    work: impl FnOnce(I) -> Result<O, DynoxideError>,
) -> Result<String, DynoxideError> {
    let request = serde_json::from_slice(body).expect("a request of the SDK");
    Ok(serde_json::to_string(&work(request)?).expect("an answer of the engine"))
}

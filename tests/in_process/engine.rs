//! The table: calls of the embedded engine instead of HTTP.

use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use dynoxide::Database;
pub(crate) use gateway::engine::TABLE;
use gateway::engine::{create_table, respond};
use serde_json::{Value, json};
pub(crate) use tests::client_over;

/// An empty table.
pub(crate) fn table() -> Database {
    let database = Database::memory().expect("an engine");
    create_table(&database).expect("a table");
    database
}

/// A table of its own with the same items.
pub(crate) fn copy(database: &Database) -> Database {
    let copied = table();
    for item in items(database) {
        let put = json!({"TableName": TABLE, "Item": item});
        copied.put_item(serde_json::from_value(put).expect("a request")).expect("a write");
    }
    copied
}

/// All items of a small table.
pub(crate) fn items(database: &Database) -> Vec<Value> {
    let scan = serde_json::from_value(json!({"TableName": TABLE})).expect("a request");
    let found = serde_json::to_value(database.scan(scan).expect("a response")).expect("JSON");
    assert!(found["LastEvaluatedKey"].is_null(), "the table is larger than a page");
    found["Items"].as_array().cloned().unwrap_or_default()
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

/// The response of the engine to a request of the SDK.
pub(crate) fn serve(database: &Database, request: &HttpRequest) -> HttpResponse {
    serve_as(database, request, request.body().bytes().unwrap_or_default())
}

/// The same with another body.
pub(crate) fn serve_as(database: &Database, request: &HttpRequest, body: &[u8]) -> HttpResponse {
    let (status, body) = respond(database, operation(request), body);
    response(status, body)
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

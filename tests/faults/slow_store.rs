//! A store that swallows certain requests and never responds to them.

use crate::in_process::engine::serve;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Credentials;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use dynoxide::Database;
use shared::app::Aws;
use std::future::pending;

/// A marker that every request contains.
pub(super) const EVERY_REQUEST: &str = "";

/// The client of a function, with its timeouts and its retries, for a table that never responds to a request which
/// contains one of the markers, and does not apply it.
pub(super) fn client(database: &Database, markers: &'static [&'static str]) -> Client {
    let aws = Aws {
        region: "us-east-1".to_owned(),
        credentials: Credentials::new("id", "secret", None, None, "tests"),
        dynamodb_endpoint: Some("http://table".to_owned()),
        secrets_endpoint: None,
        connector: Some(SharedHttpConnector::new(SlowStore { database: database.clone(), markers })),
    };
    aws.dynamodb_client()
}

struct SlowStore {
    database: Database,
    markers: &'static [&'static str],
}

impl std::fmt::Debug for SlowStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SlowStore")
    }
}

impl HttpConnector for SlowStore {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let body = String::from_utf8_lossy(request.body().bytes().unwrap_or_default());
        if self.markers.iter().any(|marker| body.contains(marker)) {
            return HttpConnectorFuture::new(pending());
        }
        HttpConnectorFuture::ready(Ok(serve(&self.database, &request)))
    }
}

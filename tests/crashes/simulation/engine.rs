//! The way to the table, on which calls are late, fail, or are lost.

use super::world::{Process, Shared};
use crate::in_process::engine::{client_over, operation, response, serve};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use dynoxide::Database;
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

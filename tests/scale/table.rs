//! A connection to the table that counts its calls and takes time.

use crate::in_process::engine::{client_over, serve};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use dynoxide::Database;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::time::{Duration, sleep};

/// Time of a call.
const LATENCY: Duration = Duration::from_millis(5);

/// The connection, and the number of its calls.
#[derive(Clone)]
pub(super) struct CountedTable {
    database: Database,
    calls: Arc<AtomicU64>,
}

impl std::fmt::Debug for CountedTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CountedTable")
    }
}

impl CountedTable {
    pub(super) fn new(database: Database) -> CountedTable {
        CountedTable { database, calls: Arc::default() }
    }

    pub(super) fn client(&self) -> aws_sdk_dynamodb::Client {
        client_over(self.clone())
    }

    pub(super) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }
}

impl HttpConnector for CountedTable {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let table = self.clone();
        HttpConnectorFuture::new(async move {
            table.calls.fetch_add(1, Ordering::Relaxed);
            sleep(LATENCY).await;
            Ok(serve(&table.database, &request))
        })
    }
}

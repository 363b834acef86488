//! The service of a history, over a slow table that loses responses, and the delivery of events to it.

use super::provider::SharedHistory;
use crate::billing::webhooks::signed;
use crate::in_process::clock_from;
use crate::in_process::engine::{TABLE, client_over, serve, table};
use crate::in_process::receivers::Receivers;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use dynoxide::Database;
use http::StatusCode;
use jiff::Timestamp;
use lambda_http::{Body, Request};
use serde_json::json;
use shared::app::App;
use shared::outbound::Outbound;
use shared::payments::Provider;
use shared::store::Store;
use std::sync::Arc;
use tests::app;
use tokio::time::{Duration, sleep};

const SECRET: &str = "whsec_of_the_histories";

/// HTTP connector to the table.
#[derive(Clone, Debug)]
struct StoreConnector {
    history: SharedHistory,
    database: OpaqueDatabase,
}

#[derive(Clone)]
struct OpaqueDatabase(Database);

impl std::fmt::Debug for OpaqueDatabase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Database")
    }
}

impl HttpConnector for StoreConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let connector = self.clone();
        HttpConnectorFuture::new(async move { connector.deliver(request).await })
    }
}

impl StoreConnector {
    /// Slow; 3 % of the responses are lost after the call was applied.
    async fn deliver(&self, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let (request_delay, is_lost) = {
            let mut history = self.history.lock();
            let faults = history.faults;
            (history.random.millis(0, 60), faults && history.random.chance(30))
        };
        sleep(request_delay).await;
        let response = serve(&self.database.0, &request);
        if is_lost {
            return Err(ConnectorError::io("the response was lost".into()));
        }
        Ok(response)
    }
}

pub(super) fn service(history: &SharedHistory) -> Arc<App> {
    let outbound = Outbound::with_transport(Arc::new(history.clone()));
    let credentials = json!({
        "secret_key": "sk_test_1", "webhook_secrets": [SECRET],
        "prices": {"starter": "price_starter", "pro": "price_pro", "enterprise": "price_enterprise"},
    });
    let credentials = serde_json::from_value(credentials).expect("credentials");
    let provider = Provider::new(outbound, credentials, "http://provider").expect("a provider");
    let clock = clock_from(Timestamp::from_second(1_795_166_130).expect("a time"));
    let connector = StoreConnector { history: history.clone(), database: OpaqueDatabase(table()) };
    let network = Arc::new(history.clone());
    Arc::new(App {
        payments: Some(provider),
        ..app(Store::new(client_over(connector), TABLE), network, clock, Arc::new(Receivers::default()))
    })
}

/// Delivers an event until it is accepted; 20 % of the responses are lost.
pub(super) async fn deliver(app: Arc<App>, history: SharedHistory, body: String, wait: Duration) {
    sleep(wait).await;
    for _ in 0..200 {
        let signature = signed(SECRET, app.clock.now().as_second(), &body);
        let request = http::Request::post("http://service/v1/billing/webhook").header("stripe-signature", signature);
        let request: Request = request.body(Body::Text(body.clone())).expect("a request");
        let accepted = webhooks::handle(app.clone(), request).await.status() == StatusCode::OK;
        let (is_lost, pause) = {
            let mut history = history.lock();
            (history.faults && history.random.chance(200), history.random.millis(0, 5_000))
        };
        if accepted && !is_lost {
            return;
        }
        sleep(pause).await;
    }
    panic!("an event is never accepted: {body}");
}

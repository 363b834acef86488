//! The connection of one process to AWS, which records every request as IAM sees it.

use super::request::Request;
use crate::in_process::engine::{operation, response, serve};
use crate::in_process::network::WEBHOOK_SECRET;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use dynoxide::Database;
use serde_json::{Value, json};
use shared::domain::{Plan, Platform};
use shared::secrets::names;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

const CANCELLATION: &str = r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","message":"a test","CancellationReasons":[{"Code":"ConditionalCheckFailed"},{"Code":"None"}]}"#;
const REFUSAL: &str = r#"{"__type":"com.amazonaws.dynamodb.v20120810#ValidationException","message":"a test"}"#;

/// The record of one process.
#[derive(Clone)]
pub(super) struct AwsRecorder {
    database: Database,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    requests: BTreeSet<Request>,
    /// The operation to refuse the next time, and how.
    refused: Option<(&'static str, &'static str)>,
}

impl std::fmt::Debug for AwsRecorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AwsRecorder")
    }
}

impl AwsRecorder {
    pub(super) fn new(database: Database) -> AwsRecorder {
        AwsRecorder { database, seen: Arc::default() }
    }

    /// The requests so far.
    pub(super) fn requests(&self) -> BTreeSet<Request> {
        self.seen.lock().expect("a lock").requests.clone()
    }

    /// Refuses an operation once, as a failing store does.
    pub(super) fn refuse_next(&self, operation: &'static str) {
        self.seen.lock().expect("a lock").refused = Some((operation, REFUSAL));
    }

    /// Cancels a transaction once, as if another request had changed what its first write is about.
    pub(super) fn cancel_next_transaction(&self) {
        self.seen.lock().expect("a lock").refused = Some(("TransactWriteItems", CANCELLATION));
    }

    fn answer(&self, request: &HttpRequest) -> HttpResponse {
        let operation = operation(request);
        let body: Value = serde_json::from_slice(request.body().bytes().expect("a body")).expect("JSON");
        let mut seen = self.seen.lock().expect("a lock");
        seen.requests.extend(Request::of(operation, &body));
        if let Some((_, answer)) = seen.refused.take_if(|(refused, _)| *refused == operation) {
            return response(400, answer.to_owned());
        }
        match operation {
            "GetSecretValue" => response(200, secret(&body["SecretId"]).to_string()),
            "BatchGetSecretValue" => {
                let names = body["SecretIdList"].as_array().expect("names");
                response(200, json!({ "SecretValues": names.iter().map(secret).collect::<Vec<_>>() }).to_string())
            }
            _ => serve(&self.database, request),
        }
    }
}

impl HttpConnector for AwsRecorder {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        HttpConnectorFuture::ready(Ok(self.answer(&request)))
    }
}

/// A secret in the form of Secrets Manager.
fn secret(name: &Value) -> Value {
    let name = name.as_str().expect("a name");
    let value = match name {
        names::TOKEN_KEYS => json!({ "active": "k1", "keys": { "k1": "A".repeat(43) + "=" } }),
        names::PLATFORM_CLIENTS => {
            let client = |platform: Platform| {
                let client = sandbox::client(platform.as_str()).expect("a client");
                (platform.as_str(), json!({ "client_id": client.id, "client_secret": client.secret }))
            };
            json!(Platform::ALL.map(client).into_iter().collect::<BTreeMap<_, _>>())
        }
        names::PAYMENT_PROVIDER => {
            let prices: BTreeMap<_, _> =
                Plan::ALL.map(|plan| (plan.as_str(), format!("price_{}", plan.as_str()))).into();
            json!({ "secret_key": sandbox::STRIPE_KEY, "webhook_secrets": [WEBHOOK_SECRET], "prices": prices })
        }
        names::IDENTITY_PROVIDER => json!({ "client_secret": sandbox::OIDC_CLIENT.secret }),
        unknown => panic!("no secret {unknown}"),
    };
    json!({ "Name": name, "SecretString": value.to_string() })
}

//! Wrong requests as an integrator makes them, and what the service answers: the table `answers.md`, which a change
//! rewrites and a reader judges, and rules that hold for every answer.

mod answers;
mod requests;
mod stage;

use crate::house::architecture::{read, root};
use crate::world::TestResponse;
use requests::WrongRequest;
use serde_json::Value;
use stage::Stage;

const REQUESTS: &str = "tests/endpoints/wrong_requests/requests.http";
const ANSWERS: &str = "tests/endpoints/wrong_requests/answers.md";

/// The smallest number of requests that `requests.http` has.
const AT_LEAST: usize = 127;

#[tokio::test]
async fn every_wrong_request_has_the_answer_that_is_recorded() {
    let stage = Stage::start().await;
    let secrets = stage.secrets().await;
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    for request in requests::read(&read(&root().join(REQUESTS)), &stage.variables) {
        if let Some(times) = request.setup {
            for _ in 0..times {
                stage.send(&request).await;
            }
            continue;
        }
        let received = stage.received().await;
        let campaigns = if request.asks { stage.campaigns().await } else { Vec::new() };
        let response = stage.send(&request).await;
        let mut broken = broken_rules(&request, &response, &secrets);
        if !request.asks && stage.received().await != received {
            broken.push("a platform was asked".to_owned());
        }
        // Without a request to a platform nothing is bought.
        if request.asks && !request.buys && stage.campaigns().await != campaigns {
            broken.push("a campaign was created or changed".to_owned());
        }
        let what = format!("{}: {}", request.group, request.name);
        faults.extend(broken.into_iter().map(|fault| format!("{what}: {fault}: {}", response.text)));
        rows.push((request.group.clone(), answers::row(&request, &response, &stage.variables)));
    }
    assert!(rows.len() >= AT_LEAST, "{}", rows.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    compare(&answers::page(&rows));
}

/// Compares the page with the recorded one, or records it.
fn compare(page: &str) {
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write(root().join(ANSWERS), page).expect("a file is written");
        return;
    }
    let recorded = read(&root().join(ANSWERS));
    let rows = page.lines().filter(|row| !recorded.lines().any(|known| known == *row));
    let new: Vec<&str> = rows.collect();
    assert!(page == recorded, "INSTA_UPDATE=always rewrites {ANSWERS}, which lacks:\n{}", new.join("\n"));
}

/// The rules that an answer breaks.
fn broken_rules(request: &WrongRequest, response: &TestResponse, secrets: &[String]) -> Vec<String> {
    let mut broken = Vec::new();
    let status = response.status;
    // The table shows whether a right request is refused.
    let is_expected = match (request.is_right, request.is_not_ours) {
        (true, _) => status.is_success() || status.is_client_error(),
        (_, true) => status.is_server_error(),
        _ => status.is_client_error(),
    };
    if !is_expected {
        broken.push(format!("status {status}"));
    }
    let id = response.header("x-request-id");
    if id.parse::<uuid::Uuid>().is_err() {
        broken.push(format!("request id {id:?}"));
    }
    let kind = response.header("content-type").split(';').next().unwrap_or_default();
    match kind {
        "application/json" => broken.extend(shape_fault(&response.json(), id, status.is_success())),
        "text/html" if request.path.starts_with("/v1/oauth/") => {}
        _ => broken.push(format!("content type {kind:?}")),
    }
    if secrets.iter().any(|secret| response.text.contains(secret.as_str())) {
        broken.push("a secret is in it".to_owned());
    }
    broken
}

/// Why a body is no error of either shape, nor of JSON-RPC.
fn shape_fault(body: &Value, id: &str, is_success: bool) -> Option<String> {
    if is_success {
        return None;
    }
    let error = &body["error"];
    let is_flat =
        error.is_string() && body["code"].is_string() && body["timestamp"].is_i64() && body["request_id"] == id;
    let is_enveloped = error["code"].is_string()
        && error["message"].is_string()
        && error["retryable"].is_boolean()
        && error["requestId"] == id;
    let is_rpc = body["jsonrpc"] == "2.0" && error["message"].is_string();
    (!is_flat && !is_enveloped && !is_rpc).then(|| "its shape".to_owned())
}

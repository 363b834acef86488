//! The program sets the stack size of its threads itself: the user need not set a variable.

use crate::gateway_process::GatewayProcess;
use crate::kill::harness::Harness;
use http::{HeaderMap, HeaderValue, Method};
use serde_json::{Value, json};
use shared::outbound::{Outbound, OutboundRequest, OutboundResponse};
use std::time::Duration;
use tokio::time::Instant;

/// The program, and a key.
struct Client {
    http: Outbound,
    process: GatewayProcess,
}

impl Client {
    /// Posts to the gateway or to its sandbox. Fails if the program has ended.
    async fn post(&self, server: &str, path: &str, key: &'static str, body: &Value) -> OutboundResponse {
        let url = format!("{}{path}", self.process.field(server));
        let headers = HeaderMap::from_iter([
            (http::header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
            ("x-api-key".parse().unwrap(), self.process.field("api_key").parse().unwrap()),
            ("idempotency-key".parse().unwrap(), HeaderValue::from_static(key)),
        ]);
        let request = OutboundRequest { method: Method::POST, url, headers, body: body.to_string().into() };
        self.http.send(request, Instant::now() + Duration::from_secs(60)).await.unwrap()
    }
}

/// The platform creates the campaign and loses the response, and no search finds it at first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_create_that_resumes_and_searches_has_room_on_the_stack() {
    let process = GatewayProcess::start(&["--sandbox-port", "0", "--memory"]);
    let harness = Harness::start(&process, process.field("sandbox")).await;
    let connections = harness.get("/v1/connections").await;
    let client = Client { http: Outbound::new().unwrap(), process };
    for connection in connections["connections"].as_array().unwrap().iter().take(2) {
        let platform = &connection["platform"];
        for (operation, fault) in [("create", "drop_after"), ("list", "error")] {
            let fault = json!({ "platform": platform, "operation": operation, "fault": fault, "times": 9 });
            assert!(client.post("sandbox", "/_sandbox/faults", "none", &fault).await.status.is_success());
        }
        let create = json!({ "connection_id": connection["id"], "platform": platform, "name": "Resumed",
            "goal": "TRAFFIC", "budget_amount": 60, "budget_period": "DAILY" });
        let key = if *platform == "alpha_ads" { "first" } else { "second" };
        for _ in 0..2 {
            client.post("gateway", "/v1/campaigns", key, &create).await;
        }
        assert!(client.post("sandbox", "/_sandbox/reset", "none", &json!({})).await.status.is_success());
        client.post("gateway", "/v1/campaigns", key, &create).await;
    }
}

/// How much stack a request needs depends on the build: this test reads the size itself.
#[cfg(target_os = "linux")]
#[test]
fn the_threads_that_answer_have_the_stack_that_the_program_sets() {
    let process = GatewayProcess::start(&["--sandbox-port", "0", "--memory"]);
    let maps = std::fs::read_to_string(format!("/proc/{}/maps", process.id())).unwrap();
    let size = |range: &str| {
        let (from, to) = range.split_once('-').unwrap();
        u64::from_str_radix(to, 16).unwrap() - u64::from_str_radix(from, 16).unwrap()
    };
    let writable = maps.lines().filter(|line| line.contains(" rw-p "));
    let sizes: Vec<u64> = writable.map(|line| size(line.split(' ').next().unwrap())).collect();
    // With or without its guard page.
    assert!(sizes.iter().any(|size| ((16 << 20) - 4_096..=16 << 20).contains(size)), "{sizes:?}");
}

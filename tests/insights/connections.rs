//! Failing reports do not change the connection, and ids without an account find nothing.

use super::Stage;
use crate::in_process::engine::{Straight, client_over};
use crate::in_process::network::Network;
use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use shared::domain::{Platform, StatusSet};
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use std::sync::Arc;

/// The sandbox, but Meta refuses the calls to some addresses.
#[derive(Debug)]
struct Refusing {
    network: Network,
    is_refused: fn(&str) -> bool,
    status: StatusCode,
}

#[async_trait]
impl Transport for Refusing {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        if !(self.is_refused)(request.url.split('?').next().unwrap_or_default()) {
            return self.network.send(request).await;
        }
        let error = json!({"message": "(#200) Missing permission", "type": "OAuthException", "code": 200});
        let body = json!({ "error": error }).to_string().into();
        Ok(OutboundResponse { status: self.status, headers: HeaderMap::new(), body })
    }
}

fn is_report(address: &str) -> bool {
    address.ends_with("/insights")
}

fn is_campaign(address: &str) -> bool {
    address.rsplit('/').next().is_some_and(|id| id.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The same world with another process, whose calls to these addresses are refused for lack of a right.
fn refusing(stage: Stage, is_refused: fn(&str) -> bool) -> Stage {
    failing(stage, is_refused, StatusCode::FORBIDDEN)
}

/// The same with another status.
fn failing(stage: Stage, is_refused: fn(&str) -> bool, status: StatusCode) -> Stage {
    let table = client_over(Straight(stage.world.database.clone()));
    let network = Network(stage.world.sandbox.clone());
    let app = Arc::new(stage.world.app(table, Arc::new(Refusing { network, is_refused, status })));
    Stage { app, ..stage }
}

/// The status of the first connection.
async fn status(stage: &Stage) -> Value {
    stage.ask(200, "GET", "/v1/connections", "").await["connections"][0]["status"].clone()
}

#[tokio::test(start_paused = true)]
async fn a_throttled_report_blocks_no_change_of_a_campaign() {
    for platform in Platform::ALL {
        let stage = Stage::connected(&[platform]).await;
        let (id, _) = stage.create(platform, "Runaway").await;
        let path = format!("/v1/campaigns/{id}");
        stage.ask(200, "PATCH", &path, &json!({"status": "ACTIVE"}).to_string()).await;
        let fault = json!({"platform": platform.as_str(), "operation": "any", "fault": "throttle", "times": 1});
        stage.world.control("POST", "faults", &fault).await;
        let throttled = stage.respond(stage.world.request("GET", "/v1/insights", &[], "")).await;
        assert_eq!(throttled.status(), StatusCode::TOO_MANY_REQUESTS, "{platform}: {:?}", throttled.body());
        assert!(throttled.headers().contains_key("retry-after"), "{platform}");
        let stopped = stage.ask(200, "PATCH", &path, &json!({"status": "PAUSED"}).to_string()).await;
        assert_eq!(stopped["status"], "PAUSED", "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn failing_reports_block_no_change_of_a_campaign() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    let (id, _) = stage.create(Platform::Beta, "Runaway").await;
    let stage = failing(stage, is_report, StatusCode::INTERNAL_SERVER_ERROR);
    // More failures than open a circuit breaker.
    for _ in 0..6 {
        let failed = stage.respond(stage.world.request("GET", "/v1/insights", &[], "")).await;
        assert!(failed.status().is_client_error() || failed.status().is_server_error(), "{:?}", failed.body());
    }
    let path = format!("/v1/campaigns/{id}");
    stage.ask(200, "PATCH", &path, &json!({"name": "Renamed"}).to_string()).await;
}

#[tokio::test(start_paused = true)]
async fn a_refused_report_leaves_the_connection_active() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    let (id, _) = stage.create(Platform::Beta, "First").await;
    let stage = refusing(stage, is_report);
    for path in ["/v1/insights".to_owned(), format!("/v1/campaigns/{id}/insights")] {
        stage.ask(403, "GET", &path, "").await;
        assert_eq!(status(&stage).await, "ACTIVE", "{path}");
    }
    stage.create(Platform::Beta, "Second").await;
}

#[tokio::test(start_paused = true)]
async fn the_campaign_of_a_report_decides_the_connections_state() {
    let stage = Stage::connected(&[Platform::Beta]).await;
    let (id, _) = stage.create(Platform::Beta, "Only").await;
    let path = format!("/v1/campaigns/{id}/insights");
    let stage = refusing(stage, is_campaign);
    stage.ask(403, "GET", &path, "").await;
    assert_eq!(status(&stage).await, "ERROR");
    let stage = refusing(stage, |_| false);
    stage.ask(200, "GET", &path, "").await;
    assert_eq!(status(&stage).await, "ACTIVE");
}

#[tokio::test(start_paused = true)]
async fn a_malformed_organization_id_finds_nothing() {
    let stage = Stage::new().await;
    // More than a customer may have to be read whole: the ids become keys.
    stage.world.connect(&stage.app, Platform::Alpha, 11).await;
    for id in ["9".repeat(1_100), "~~".to_owned(), "%C3%A9".to_owned()] {
        for list in ["insights", "campaigns"] {
            let unknown = stage.ask(404, "GET", &format!("/v1/{list}?organization_id={id}"), "").await;
            assert_eq!(unknown["error"]["code"], "NOT_FOUND", "{id}: {unknown}");
        }
    }
    for account in ["~~", "é", &"9".repeat(1_100)] {
        let cursor = json!({"p": "alpha_ads", "a": account, "f": [null, null, StatusSet::not_final().bits()]});
        let cursor = URL_SAFE_NO_PAD.encode(cursor.to_string());
        let refused = stage.ask(400, "GET", &format!("/v1/campaigns?cursor={cursor}"), "").await;
        assert_eq!(refused["details"][0]["field"], "cursor", "{account}");
    }
}

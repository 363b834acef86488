//! Campaigns that do not own their budget: a key with a limit can only pause them.

use super::{Stage, send};
use crate::in_process::engine::{Straight, client_over};
use crate::in_process::network::ask;
use async_trait::async_trait;
use bytes::Bytes;
use sandbox::InProcess;
use serde_json::json;
use shared::domain::Platform;
use shared::outbound::{Failure, OutboundRequest, OutboundResponse, Transport};
use std::sync::Arc;

/// Requests in which a text is another one: those of somebody who works on the platform's own pages.
struct RewritingTransport {
    sandbox: InProcess,
    from: &'static str,
    to: &'static str,
}

impl std::fmt::Debug for RewritingTransport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RewritingTransport")
    }
}

#[async_trait]
impl Transport for RewritingTransport {
    async fn send(&self, request: OutboundRequest) -> Result<OutboundResponse, Failure> {
        let body = String::from_utf8_lossy(&request.body).replace(self.from, self.to);
        ask(&self.sandbox, OutboundRequest { body: Bytes::from(body), ..request }).await.ok_or(Failure::Broken)
    }
}

/// A campaign whose create was rewritten.
async fn campaign(stage: &Stage, platform: Platform, from: &'static str, to: &'static str) -> String {
    let network = RewritingTransport { sandbox: stage.owner.sandbox.clone(), from, to };
    let table = client_over(Straight(stage.owner.database.clone()));
    let app = Arc::new(stage.owner.app(table, Arc::new(network)));
    let body = json!({"platform": platform.as_str(), "name": "Shared", "goal": "TRAFFIC", "budget_amount": 50,
        "budget_period": "DAILY"});
    let answer = send(&app, &stage.owner, "POST", "/v1/campaigns", &body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.body["id"].as_str().expect("an id").to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_budget_outside_the_campaign_is_neither_activated_nor_raised() {
    for (platform, from, to) in [
        (Platform::Alpha, "\"explicitlyShared\":false", "\"explicitlyShared\":true,\"name\":\"Pot\""),
        (Platform::Beta, "\"daily_budget\":5000", "\"is_adset_budget_sharing_enabled\":false"),
    ] {
        let stage = Stage::with_daily(&[platform], 100).await;
        let shared = campaign(&stage, platform, from, to).await;
        for changes in [json!({"status": "ACTIVE"}), json!({"budget_amount": 60})] {
            let refused = stage.agent("PATCH", &format!("/v1/campaigns/{shared}"), &changes).await;
            assert_eq!(refused.status, 403, "{platform}, {changes}: {refused:?}");
            assert_eq!(refused.body["spending_limit"]["limit"], "budget_unknown", "{platform}: {refused:?}");
        }
        assert_eq!(stage.reserved_and_left().await, (0, 100), "{platform}");
        stage.owner("PATCH", &format!("/v1/campaigns/{shared}"), &json!({"status": "ACTIVE"})).await;
        assert_eq!(stage.change(&shared, &json!({"status": "PAUSED"})).await, 200, "{platform}: pausing is free");
    }
}

//! A create with an unknown outcome adopts a campaign only after a consistent read of the campaign's record.

use crate::in_process::engine::{Straight, client_over, operation, response};
use crate::in_process::network::Network;
use crate::in_process::{self, World, json_of, respond};
use crate::world::{campaign, id_of};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use serde_json::{Value, json};
use shared::app::App;
use shared::domain::{CampaignId, Plan, Platform};
use shared::store::table_keys;
use std::sync::Arc;

/// A table whose eventually consistent reads do not show campaign records yet.
#[derive(Clone)]
struct StaleReads(Straight);

impl std::fmt::Debug for StaleReads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StaleReads")
    }
}

impl HttpConnector for StaleReads {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let body: Value = serde_json::from_slice(request.body().bytes().unwrap_or_default()).expect("JSON");
        let is_record = body["Key"]["sk"]["S"].as_str().is_some_and(|key| key.starts_with("CAMPAIGN#"));
        if operation(&request) == "GetItem" && is_record && body["ConsistentRead"] != true {
            return HttpConnectorFuture::ready(Ok(response(200, "{}".to_owned())));
        }
        self.0.call(request)
    }
}

async fn create(world: &World, app: &Arc<App>, status: u16) -> Value {
    let body = campaign("beta_ads", "Twice").to_string();
    let response = respond(app, world.request("POST", "/v1/campaigns", &[], &body)).await;
    assert_eq!(response.status(), status, "{:?}", response.body());
    json_of(response.body())
}

/// Removes the claim of a campaign's create, as if it had expired.
fn remove_owner(world: &World, campaign: &Value, account: &str) {
    let id = id_of(campaign);
    let id = CampaignId::parse(&id).expect("an id");
    let remote_id = id.remote_in(account).expect("a campaign of the account");
    let key = table_keys::campaign_owner(Platform::Beta, account, remote_id);
    let request = json!({"TableName": in_process::engine::TABLE, "Key": {"pk": {"S": key.pk}, "sk": {"S": key.sk}},
        "ReturnValues": "ALL_OLD"});
    let removed = world.database.delete_item(serde_json::from_value(request).expect("a request")).expect("a write");
    assert!(removed.attributes.is_some(), "the campaign had an owner");
}

#[tokio::test(start_paused = true)]
async fn a_campaign_of_another_create_is_not_adopted_on_a_stale_read() {
    let world = World::new(in_process::clock(1), Plan::Enterprise).await;
    let store = client_over(StaleReads(Straight(world.database.clone())));
    let app = Arc::new(world.app(store, Arc::new(Network(world.sandbox.clone()))));
    let account = world.connect(&app, Platform::Beta, 1).await.remove(0);
    let first = create(&world, &app, 201).await;
    remove_owner(&world, &first, &account);
    // The second create never reaches the platform, so that its search finds only the first campaign.
    let fault = json!({"platform": "beta_ads", "operation": "create", "fault": "drop", "times": 1});
    world.control("POST", "faults", &fault).await;
    let unknown = create(&world, &app, 504).await;
    assert!(unknown["error"].as_str().is_some_and(|error| error.contains("not known yet")), "{unknown}");
}

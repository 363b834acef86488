//! An assistant that is bound to one of the customer's users.

use super::{Stage, TOKEN, consent_for, exchange_form, made_key, person, tokens};
use crate::in_process::{json_of, respond};
use crate::world::{campaign, id_of};
use lambda_http::Body;
use serde_json::{Value, json};
use shared::domain::{KeyId, Platform, Scope};

impl Stage {
    /// A campaign of the customer in the ad account of a connection.
    async fn campaign_in(&self, platform: &str, connection: &Value, name: &str) -> String {
        let mut draft = campaign(platform, name);
        draft["connection_id"] = connection.clone();
        let (status, made) = self.owner("POST", "/v1/campaigns", &draft).await;
        assert_eq!(status, 201, "{made}");
        id_of(&made)
    }

    /// The key of an assistant that acts for a user alone, in these ad accounts.
    async fn key_of_user(&self, connections: &[&Value]) -> KeyId {
        let limit = json!({"connections": connections, "amounts": [{"currency": "USD", "daily": 500}]});
        let body =
            json!({"name": "Claude", "scopes": ["campaigns"], "external_ref": "shop42", "spending_limit": limit});
        made_key(&self.app, self.customer(), &body).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_bound_assistant_sees_and_changes_what_is_of_its_user() {
    let stage = Stage::new().await;
    stage.world.connect(&stage.app, Platform::Alpha, 1).await;
    let listed = stage.owner("GET", "/v1/connections", &Value::Null).await.1;
    let of = |platform: &str| {
        let mut all = listed["connections"].as_array().expect("a list").iter();
        all.find(|one| one["platform"] == platform).map(|one| one["id"].clone()).expect("a connection")
    };
    let (own, other) = (of("delta_ads"), of("alpha_ads"));
    let path = format!("/v1/connections/{}", own.as_str().expect("an id"));
    assert_eq!(stage.owner("PATCH", &path, &json!({"external_ref": "shop42"})).await.0, 200);
    let (mine, theirs) =
        (stage.campaign_in("delta_ads", &own, "Mine").await, stage.campaign_in("alpha_ads", &other, "Theirs").await);
    let key = stage.key_of_user(&[&own]).await;
    let consent = consent_for(&stage.app, stage.customer(), &key, Scope::Campaigns, &person()).await;
    let access = tokens(&stage.ok(TOKEN, &exchange_form(&consent.code, &[])).await).access;
    let accounts = stage.tool(&access, "list_accounts", &json!({})).await.1;
    let ids: Vec<&Value> = accounts["accounts"].as_array().expect("a list").iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, [&own], "{accounts}");
    for (tool, arguments) in [
        ("get_campaign", json!({"campaign_id": theirs})),
        ("pause_campaign", json!({"campaign_id": theirs})),
        ("list_campaigns", json!({"connection_id": other})),
        ("preview_change", json!({"kind": "delete", "arguments": {"campaign_id": theirs}})),
    ] {
        let (is_refused, told) = stage.tool(&access, tool, &arguments).await;
        assert!(is_refused && !told.to_string().contains("Theirs"), "{tool}: {told}");
    }
    let rename = json!({"campaign_id": mine, "name": "Summer"});
    let (is_refused, told) = stage.change(&access, "update", rename).await;
    assert!(!is_refused, "{told}");
    let books = stage.world.control("GET", "campaigns", &Value::Null).await.to_string();
    assert!(books.contains("Summer") && books.contains("Theirs"), "by the books of the platforms: {books}");
    // Another user in the header is refused, also before the first call.
    for (user, status) in [("shop42", 200), ("shop43", 403)] {
        tokio::time::sleep(tokio::time::Duration::from_secs(1)).await;
        let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).to_string();
        let request = http::Request::post("/v1/mcp").header("content-type", "application/json");
        let request = request.header("authorization", format!("Bearer {access}")).header("x-external-ref", user);
        let response = respond(&stage.app, request.body(Body::from(list)).expect("a request")).await;
        assert_eq!(response.status(), status, "{user}: {}", json_of(response.body()));
    }
}

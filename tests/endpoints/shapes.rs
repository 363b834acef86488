//! Snapshots of the interface in both shapes. Only ids, times and secrets are redacted.

use crate::world::{TestResponse, World, campaign, id_of};
use serde_json::{Value, json};
use shared::domain::Platform;
use std::collections::BTreeMap;

/// A body without the parts that differ from run to run.
pub(super) fn redacted(response: &TestResponse) -> Value {
    fn walk(value: &mut Value) {
        match value {
            Value::Object(map) => {
                for (name, value) in map {
                    let volatile = matches!(
                        name.as_str(),
                        "id" | "remote_id"
                            | "campaign_id"
                            | "created_at"
                            | "updated_at"
                            | "start_at"
                            | "end_at"
                            | "sent_at"
                            | "settled_at"
                            | "createdAt"
                            | "request_id"
                            | "requestId"
                            | "timestamp"
                            | "connection_id"
                            | "next_cursor"
                            | "resourceName"
                            | "campaignBudget"
                            | "authorize_url"
                            | "secret"
                    );
                    match value {
                        Value::String(_) | Value::Number(_) if volatile => *value = json!(format!("[{name}]")),
                        other => walk(other),
                    }
                }
            }
            Value::Array(values) => values.iter_mut().for_each(walk),
            _ => {}
        }
    }
    let mut body = response.json();
    walk(&mut body);
    body
}

fn enveloped(account: &str) -> Value {
    json!({"name": "Summer", "goal": "WEBSITE_TRAFFIC", "budget_amount": 12.5, "budget_period": "DAILY",
        "platform": "ALPHA", "organization_id": account, "start_at": "2031-07-01", "end_at": "2031-07-31"})
}

#[tokio::test]
async fn a_campaign_in_both_shapes() {
    let world = World::connected("alpha_ads").await;
    let account = world.sandbox_accounts("alpha_ads").await.remove(0);
    let mut spring = campaign("alpha_ads", "Spring");
    // Explicit, because the platform's default is today.
    spring["start_at"] = json!("2031-03-01");
    let flat = world.ask("POST", "/v1/campaigns").json(&spring).expect(201).await;
    insta::assert_json_snapshot!("campaign_created_flat", redacted(&flat));
    let other = world.ask("POST", "/v1/campaigns").json(&enveloped(&account)).expect(201).await;
    insta::assert_json_snapshot!("campaign_created_enveloped", redacted(&other));

    let flat_path = format!("/v1/campaigns/{}", flat.json()["id"].as_str().expect("an id"));
    let mut read = redacted(&world.ask("GET", &flat_path).expect(200).await);
    // The answer to a write does not say whether it is shown.
    assert_eq!(read["delivery"].take()["state"], "OFF");
    assert_eq!(read, redacted(&flat));
    let ask = world.ask("GET", &flat_path).header("x-api-shape", "enveloped");
    insta::assert_json_snapshot!("campaign_read_enveloped", redacted(&ask.expect(200).await));

    let patch = world.ask("PATCH", &flat_path).json(&json!({"status": "ACTIVE", "budget_amount": 60.25}));
    insta::assert_json_snapshot!("campaign_patched_flat", redacted(&patch.expect(200).await));

    insta::assert_json_snapshot!("list_flat", redacted(&world.ask("GET", "/v1/campaigns?limit=1").expect(200).await));
    let list = world.ask("GET", "/v1/campaigns?platform=ALPHA").expect(200).await;
    insta::assert_json_snapshot!("list_enveloped", redacted(&list));
}

/// The rule of what differs by platform in a campaign, which it asserts and takes out: the name of the platform, the ad
/// account, and the start, which TikTok has only in ad groups.
fn generalized(mut campaign: Value, platform: Platform, named: [(&str, &str); 2]) -> Value {
    let named = named.map(|(field, value)| (field, json!(value)));
    let start = match platform {
        Platform::Gamma => [Value::Null, Value::Null],
        _ => [json!("[start_at]"), json!("platform")],
    };
    for (field, value) in named.into_iter().chain(["start_at", "start_held_by"].into_iter().zip(start)) {
        assert_eq!(campaign[field], value, "{field} of {campaign}");
        campaign[field] = json!(format!("[{field}]"));
    }
    // The words are the platform's own.
    let delivery = campaign["delivery"].take();
    assert_eq!((&delivery["state"], &delivery["reasons"][0]["reason"]), (&json!("OFF"), &json!("CAMPAIGN_STATUS")));
    campaign["delivery"] = json!("[delivery]");
    campaign
}

/// One campaign on each platform, alike but for what [`generalized`] names and the fields of `raw`. Of these only the
/// names are compared: the values are the platform's own.
#[tokio::test]
async fn one_campaign_on_each_platform_in_both_shapes() {
    let (mut shapes, mut raw) = (Vec::new(), BTreeMap::new());
    for platform in Platform::ALL {
        let word = platform.as_str();
        let world = World::connected(word).await;
        let account = world.connections().await.remove(0)["remote_account_id"].as_str().expect("an id").to_owned();
        let path = format!("/v1/campaigns/{}", id_of(&world.create(word, "Spring").await));
        let flat = redacted(&world.ask("GET", &path).expect(200).await);
        let flat = generalized(flat, platform, [("platform", word), ("remote_account_id", &account)]);
        let enveloped = world.ask("GET", &path).header("x-api-shape", "enveloped").expect(200).await;
        let mut enveloped = redacted(&enveloped);
        let mut data = enveloped["data"].take();
        let fields: Vec<String> = data["raw"].as_object().expect("an object").keys().cloned().collect();
        raw.insert(word, fields.join(", "));
        data["raw"] = json!("[raw]");
        let names = [("platform", platform.as_upper()), ("organization_id", &account)];
        enveloped["data"] = generalized(data, platform, names);
        shapes.push((word, flat, enveloped));
    }
    let (_, flat, enveloped) = &shapes[0];
    for (word, other_flat, other_enveloped) in &shapes {
        assert_eq!((other_flat, other_enveloped), (flat, enveloped), "{word}");
    }
    insta::assert_json_snapshot!("campaign_of_any_platform_flat", flat);
    insta::assert_json_snapshot!("campaign_of_any_platform_enveloped", enveloped);
    insta::assert_json_snapshot!("raw_fields", raw);
}

#[tokio::test]
async fn an_error_in_both_shapes() {
    let world = World::connected("alpha_ads").await;
    let account = world.sandbox_accounts("alpha_ads").await.remove(0);
    let bad = world.ask("POST", "/v1/campaigns").json(&json!({"name": 1, "colour": "red"})).expect(400).await;
    insta::assert_json_snapshot!("validation_flat", redacted(&bad));
    let bad =
        world.ask("POST", "/v1/campaigns").json(&json!({"organization_id": "", "colour": "red"})).expect(400).await;
    insta::assert_json_snapshot!("validation_enveloped", redacted(&bad));

    world.create("alpha_ads", "Twin").await;
    let refused = world.ask("POST", "/v1/campaigns").json(&campaign("alpha_ads", "Twin")).expect(422).await;
    insta::assert_json_snapshot!("refused_by_platform_flat", redacted(&refused));
    let mut twin = enveloped(&account);
    twin["name"] = json!("Twin");
    let refused = world.ask("POST", "/v1/campaigns").json(&twin).expect(422).await;
    insta::assert_json_snapshot!("refused_by_platform_enveloped", redacted(&refused));

    world.fault("alpha_ads", "list", "throttle", 2).await;
    insta::assert_json_snapshot!("throttled_flat", redacted(&world.ask("GET", "/v1/campaigns").expect(429).await));
    world.let_pauses_end().await;
    let throttled = world.ask("GET", "/v1/campaigns?platform=ALPHA").expect(429).await;
    insta::assert_json_snapshot!("throttled_enveloped", redacted(&throttled));
}

#[tokio::test]
async fn connections_have_one_shape() {
    let world = World::connected("alpha_ads").await;
    insta::assert_json_snapshot!("connections", redacted(&world.ask("GET", "/v1/connections").expect(200).await));
    let authorize = world.ask("GET", "/v1/connections/alpha_ads/authorize").expect(200).await;
    insta::assert_json_snapshot!("authorize", redacted(&authorize));
}

#[tokio::test]
async fn redirect_uris_have_one_shape() {
    let world = World::start().await;
    let register = |uri: &str| world.ask("POST", "/v1/redirect-uris").json(&json!({ "uri": uri }));
    let made = register("https://example.com/connected").expect(201).await;
    insta::assert_json_snapshot!("redirect_uri_registered", redacted(&made));
    register("http://127.0.0.1/connected").expect(201).await;
    insta::assert_json_snapshot!("redirect_uris", redacted(&world.ask("GET", "/v1/redirect-uris").expect(200).await));
    let twice = register("https://example.com/connected").expect(409).await;
    insta::assert_json_snapshot!("redirect_uri_twice", redacted(&twice));
    let refused = register("http://example.com/connected").expect(400).await;
    insta::assert_json_snapshot!("redirect_uri_refused", redacted(&refused));
}

#[tokio::test]
async fn webhook_endpoints_have_one_shape() {
    let world = World::start().await;
    let body = json!({"url": "https://example.com/webhooks", "types": ["limit.refused", "change.applied"]});
    let made = world.ask("POST", "/v1/webhook-endpoints").json(&body).expect(201).await;
    insta::assert_json_snapshot!("webhook_endpoint_created", redacted(&made));
    let listed = world.ask("GET", "/v1/webhook-endpoints").expect(200).await;
    insta::assert_json_snapshot!("webhook_endpoints", redacted(&listed));
    let body = json!({"url": "https://example.com:8443/", "types": ["ping"]});
    let refused = world.ask("POST", "/v1/webhook-endpoints").json(&body).expect(400).await;
    insta::assert_json_snapshot!("webhook_endpoint_refused", redacted(&refused));
}

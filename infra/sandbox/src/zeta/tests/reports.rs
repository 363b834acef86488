//! What campaigns have cost.

use serde_json::{Value, json};

use super::{LEFT_OUT, Scene, USD, blamed, with};
use crate::platform::Platform as _;

fn report(scene: &mut Scene, changes: Value) -> (u16, Value) {
    let asked = json!({
        "starts_at": "2026-03-01T00:00:00Z",
        "ends_at": "2026-03-02T13:00:00Z",
        "fields": ["CAMPAIGN_ID", "SPEND"],
        "breakdowns": ["CAMPAIGN_ID"],
    });
    scene.send("POST", &format!("/ad_accounts/{USD}/reports"), &json!({ "data": with(asked, changes) }))
}

fn spend(scene: &mut Scene, id: &str, amount: &str, at: &str) {
    assert!(scene.zeta.spend(id, amount, at.parse().unwrap()).is_ok());
}

/// Two campaigns that cost something, one that did not.
fn spent() -> (Scene, String, String) {
    let mut scene = Scene::new();
    let one = scene.id(json!({}));
    let two = scene.id(json!({}));
    scene.id(json!({}));
    spend(&mut scene, &one, "0.1", "2026-03-01T23:59:59Z");
    spend(&mut scene, &one, "0.2", "2026-03-02T12:30:00Z");
    spend(&mut scene, &two, "7", "2026-03-02T12:30:00Z");
    (scene, one, two)
}

#[test]
fn a_report_asks_in_upper_case_and_is_answered_in_lower_case_with_integers_of_micros() {
    let (mut scene, one, two) = spent();
    let (status, body) = report(&mut scene, json!({}));
    assert_eq!(
        (status, &body["data"]["metrics"]),
        (
            200,
            &json!([
                { "campaign_id": one, "spend": 300_000 },
                { "campaign_id": two, "spend": 7_000_000 },
            ])
        )
    );
    assert_eq!(body["data"]["metrics_updated_at"], "2026-03-02T12:00:00Z");
    assert_eq!(body["pagination"]["next_url"], Value::Null);
    let (_, body) =
        report(&mut scene, json!({ "filter": format!("campaign:id=={one}"), "ends_at": "2026-03-02T12:00:00Z" }));
    assert_eq!(body["data"]["metrics"], json!([{ "campaign_id": one, "spend": 100_000 }]));
    let (_, body) = report(&mut scene, json!({ "filter": "campaign:id==77" }));
    assert_eq!(body["data"]["metrics"], json!([]));
}

#[test]
fn the_campaign_id_is_in_a_row_only_when_it_is_asked_for_as_a_field() {
    let (mut scene, ..) = spent();
    let (_, body) = report(&mut scene, json!({ "fields": ["SPEND"] }));
    assert_eq!(body["data"]["metrics"], json!([{ "spend": 300_000 }, { "spend": 7_000_000 }]));
    let (_, body) = report(&mut scene, json!({ "fields": ["SPEND"], "breakdowns": LEFT_OUT }));
    assert_eq!(body["data"]["metrics"], json!([{ "spend": 7_300_000 }]));
}

#[test]
fn the_window_of_a_report_is_exact_to_the_hour() {
    let mut scene = Scene::new();
    for odd in ["2026-03-01", "2026-03-01T00:00:00", "2026-03-01T00:30:00Z", "2026-03-01T00:00:00+00:00", ""] {
        let answer = report(&mut scene, json!({ "starts_at": odd }));
        assert_eq!(blamed(&answer).0, "data/starts_at", "{odd}");
    }
    let answer = report(&mut scene, json!({ "ends_at": "2026-03-01T00:00:00Z" }));
    assert_eq!(blamed(&answer).0, "data/ends_at");
}

#[test]
fn a_report_refuses_what_it_does_not_know() {
    let mut scene = Scene::new();
    for (name, value) in [
        ("fields", json!(["spend"])),
        ("fields", json!([])),
        ("fields", json!(LEFT_OUT)),
        ("breakdowns", json!(["campaign_id"])),
        ("filter", json!("campaign_id==1")),
        ("filter", json!("campaign:id==1,2")),
        ("time_zone_id", json!("Mars/Base")),
        ("columns", json!([])),
    ] {
        let answer = report(&mut scene, json!({ name: value }));
        assert_eq!(blamed(&answer).0, format!("data/{name}"), "{value}");
    }
    assert_eq!(report(&mut scene, json!({ "time_zone_id": "Etc/UTC" })).0, 200);
}

//! What campaigns have cost.

use serde_json::{Value, json};

use super::{LEFT_OUT, Scene, USD, blamed, with};
use crate::platform::Platform as _;

/// The body of a report, some of it changed.
pub(super) fn asked(changes: Value) -> Value {
    let asked = json!({
        "starts_at": "2026-03-01T00:00:00Z",
        "ends_at": "2026-03-02T13:00:00Z",
        "fields": ["CAMPAIGN_ID", "SPEND"],
        "breakdowns": ["CAMPAIGN_ID"],
    });
    json!({ "data": with(asked, changes) })
}

fn report(scene: &mut Scene, changes: Value) -> (u16, Value) {
    scene.send("POST", &format!("/ad_accounts/{USD}/reports"), &asked(changes))
}

/// The address of the next page without its host.
fn next(body: &Value) -> Option<String> {
    let url = body["pagination"]["next_url"].as_str()?;
    Some(url.strip_prefix("http://127.0.0.1:4567/zeta_ads/api/v3").unwrap().to_owned())
}

fn spend(scene: &mut Scene, id: &str, amount: &str, at: &str) {
    assert!(scene.zeta.spend(id, amount, at.parse().unwrap()).is_ok());
}

/// Two campaigns that cost something, one that did not.
fn spent() -> (Scene, [String; 3]) {
    let mut scene = Scene::new();
    let one = scene.id(json!({}));
    let two = scene.id(json!({}));
    let idle = scene.id(json!({}));
    spend(&mut scene, &one, "0.1", "2026-03-01T23:59:59Z");
    spend(&mut scene, &one, "0.2", "2026-03-02T12:30:00Z");
    spend(&mut scene, &two, "7", "2026-03-02T12:30:00Z");
    (scene, [one, two, idle])
}

#[test]
fn a_report_asks_in_upper_case_and_is_answered_in_lower_case_with_integers_of_micros() {
    let (mut scene, [one, two, idle]) = spent();
    let (status, body) = report(&mut scene, json!({}));
    assert_eq!(
        (status, &body["data"]["metrics"]),
        (
            200,
            &json!([
                { "campaign_id": one, "spend": 300_000 },
                { "campaign_id": two, "spend": 7_000_000 },
                { "campaign_id": idle, "spend": 0 },
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
    let (mut scene, _) = spent();
    let (_, body) = report(&mut scene, json!({ "fields": ["SPEND"] }));
    assert_eq!(body["data"]["metrics"], json!([{ "spend": 300_000 }, { "spend": 7_000_000 }, { "spend": 0 }]));
    let (_, body) = report(&mut scene, json!({ "fields": ["SPEND"], "breakdowns": LEFT_OUT }));
    assert_eq!(body["data"]["metrics"], json!([{ "spend": 7_300_000 }]));
}

#[test]
fn a_report_goes_on_with_the_same_body_at_the_address_of_its_next_page() {
    let (mut scene, ids) = spent();
    let mut path = Some(format!("/ad_accounts/{USD}/reports?page.size=2"));
    let mut seen = Vec::new();
    let mut addresses = Vec::new();
    while let Some(at) = path {
        let (status, body) = scene.send("POST", &at, &asked(json!({})));
        assert_eq!(status, 200, "{body}");
        let rows = body["data"]["metrics"].as_array().unwrap();
        seen.extend(rows.iter().map(|row| row["campaign_id"].as_str().unwrap().to_owned()));
        path = next(&body);
        addresses.extend(path.clone());
    }
    assert_eq!((seen, addresses.len()), (ids.to_vec(), 1));
    for other in [json!({ "ends_at": "2026-03-02T12:00:00Z" }), json!({ "fields": ["CAMPAIGN_ID"] })] {
        assert_eq!(blamed(&scene.send("POST", &addresses[0], &asked(other))).0, "page.token");
    }
    let odd = scene.send("POST", &format!("/ad_accounts/{USD}/reports?page=2"), &asked(json!({})));
    assert_eq!(blamed(&odd).0, "page");
    scene.settings.page_size = Some(1);
    let (_, body) = report(&mut scene, json!({}));
    assert_eq!(body["data"]["metrics"].as_array().map(Vec::len), Some(1));
    assert!(next(&body).is_some(), "{body}");
}

#[test]
fn a_campaign_without_delivery_is_zero_null_or_absent() {
    let (mut scene, [one, two, idle]) = spent();
    let other = scene.id(json!({}));
    let spends = |scene: &mut Scene, quirks: &[&'static str]| -> Vec<(String, Value)> {
        scene.settings.quirks = quirks.iter().copied().collect();
        let (_, body) = report(scene, json!({}));
        let rows = body["data"]["metrics"].as_array().unwrap().iter();
        rows.map(|row| (row["campaign_id"].as_str().unwrap().to_owned(), row["spend"].clone())).collect()
    };
    let paid = [(one, json!(300_000)), (two, json!(7_000_000))];
    let and = |more: &[(&String, Value)]| {
        let more = more.iter().map(|(id, spend)| ((*id).clone(), spend.clone()));
        paid.iter().cloned().chain(more).collect::<Vec<_>>()
    };
    assert_eq!(spends(&mut scene, &[]), and(&[(&idle, json!(0)), (&other, json!(0))]));
    assert_eq!(spends(&mut scene, &["null_spend"]), and(&[(&idle, Value::Null), (&other, Value::Null)]));
    assert_eq!(spends(&mut scene, &["missing_rows"]), and(&[]));
    let both = spends(&mut scene, &["null_spend", "missing_rows"]);
    assert!(both == and(&[(&idle, Value::Null)]) || both == and(&[(&other, Value::Null)]), "{both:?}");
}

#[test]
fn a_total_without_delivery_is_zero_null_or_absent_too() {
    let mut scene = Scene::new();
    scene.id(json!({}));
    let total = json!({ "fields": ["SPEND"], "breakdowns": LEFT_OUT });
    for (quirk, expected) in [
        (None, json!([{ "spend": 0 }])),
        (Some("null_spend"), json!([{ "spend": null }])),
        (Some("missing_rows"), json!([])),
    ] {
        scene.settings.quirks = quirk.into_iter().collect();
        assert_eq!(report(&mut scene, total.clone()).1["data"]["metrics"], expected);
    }
}

#[test]
fn a_report_reaches_back_24_months() {
    let mut scene = Scene::new();
    for good in ["2024-03-02T12:00:00Z", "2024-03-02T13:00:00Z"] {
        assert_eq!(report(&mut scene, json!({ "starts_at": good })).0, 200, "{good}");
    }
    for early in ["2024-03-02T11:00:00Z", "2020-01-01T00:00:00Z"] {
        let (field, why) = blamed(&report(&mut scene, json!({ "starts_at": early })));
        assert!(field == "data/starts_at" && why.contains("24 months"), "{field}: {why}");
    }
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

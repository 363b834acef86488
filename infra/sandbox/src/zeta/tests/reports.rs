//! Cost reports.

use super::{REMOVED, Session, USD, field_error, with};
use crate::platform::AdPlatform as _;
use serde_json::{Value, json};

/// The body of a report request, with changes.
pub(super) fn report_body(changes: Value) -> Value {
    let body = json!({
        "starts_at": "2026-03-01T00:00:00Z",
        "ends_at": "2026-03-02T13:00:00Z",
        "fields": ["CAMPAIGN_ID", "SPEND"],
        "breakdowns": ["CAMPAIGN_ID"],
    });
    json!({ "data": with(body, changes) })
}

fn report(session: &mut Session, changes: Value) -> (u16, Value) {
    session.call("POST", &format!("/ad_accounts/{USD}/reports"), &report_body(changes))
}

/// The path and query of the next page.
fn next(body: &Value) -> Option<String> {
    let url = body["pagination"]["next_url"].as_str()?;
    Some(url.strip_prefix("http://127.0.0.1:4567/zeta_ads/api/v3").unwrap().to_owned())
}

fn spend(session: &mut Session, id: &str, amount: &str, at: &str) {
    assert!(session.platform.spend(id, amount, at.parse().unwrap()).is_ok());
}

/// Two campaigns with cost and one without.
fn spent() -> (Session, [String; 3]) {
    let mut session = Session::new();
    let one = session.create_id(json!({}));
    let two = session.create_id(json!({}));
    let idle = session.create_id(json!({}));
    spend(&mut session, &one, "0.1", "2026-03-01T23:59:59Z");
    spend(&mut session, &one, "0.2", "2026-03-02T12:30:00Z");
    spend(&mut session, &two, "7", "2026-03-02T12:30:00Z");
    (session, [one, two, idle])
}

#[test]
fn a_report_has_integers_of_micros_per_campaign() {
    let (mut session, [one, two, idle]) = spent();
    let (status, body) = report(&mut session, json!({}));
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
        report(&mut session, json!({ "filter": format!("campaign:id=={one}"), "ends_at": "2026-03-02T12:00:00Z" }));
    assert_eq!(body["data"]["metrics"], json!([{ "campaign_id": one, "spend": 100_000 }]));
    let (_, body) = report(&mut session, json!({ "filter": "campaign:id==77" }));
    assert_eq!(body["data"]["metrics"], json!([]));
}

#[test]
fn the_campaign_id_is_in_a_row_only_as_a_requested_field() {
    let (mut session, _) = spent();
    let (_, body) = report(&mut session, json!({ "fields": ["SPEND"] }));
    assert_eq!(body["data"]["metrics"], json!([{ "spend": 300_000 }, { "spend": 7_000_000 }, { "spend": 0 }]));
    let (_, body) = report(&mut session, json!({ "fields": ["SPEND"], "breakdowns": REMOVED }));
    assert_eq!(body["data"]["metrics"], json!([{ "spend": 7_300_000 }]));
}

#[test]
fn the_next_page_of_a_report_takes_the_same_body() {
    let (mut session, ids) = spent();
    let mut path = Some(format!("/ad_accounts/{USD}/reports?page.size=2"));
    let mut seen = Vec::new();
    let mut addresses = Vec::new();
    while let Some(at) = path {
        let (status, body) = session.call("POST", &at, &report_body(json!({})));
        assert_eq!(status, 200, "{body}");
        let rows = body["data"]["metrics"].as_array().unwrap();
        seen.extend(rows.iter().map(|row| row["campaign_id"].as_str().unwrap().to_owned()));
        path = next(&body);
        addresses.extend(path.clone());
    }
    assert_eq!((seen, addresses.len()), (ids.to_vec(), 1));
    for other in [json!({ "ends_at": "2026-03-02T12:00:00Z" }), json!({ "fields": ["CAMPAIGN_ID"] })] {
        assert_eq!(field_error(&session.call("POST", &addresses[0], &report_body(other))).0, "page.token");
    }
    let invalid = session.call("POST", &format!("/ad_accounts/{USD}/reports?page=2"), &report_body(json!({})));
    assert_eq!(field_error(&invalid).0, "page");
    session.settings.page_size = Some(1);
    let (_, body) = report(&mut session, json!({}));
    assert_eq!(body["data"]["metrics"].as_array().map(Vec::len), Some(1));
    assert!(next(&body).is_some(), "{body}");
}

#[test]
fn a_campaign_without_delivery_is_zero_null_or_absent() {
    let (mut session, [one, two, idle]) = spent();
    let other = session.create_id(json!({}));
    let spends = |session: &mut Session, quirks: &[&'static str]| -> Vec<(String, Value)> {
        session.settings.quirks = quirks.iter().copied().collect();
        let (_, body) = report(session, json!({}));
        let rows = body["data"]["metrics"].as_array().unwrap().iter();
        rows.map(|row| (row["campaign_id"].as_str().unwrap().to_owned(), row["spend"].clone())).collect()
    };
    let paid = [(one, json!(300_000)), (two, json!(7_000_000))];
    let and = |more: &[(&String, Value)]| {
        let more = more.iter().map(|(id, spend)| ((*id).clone(), spend.clone()));
        paid.iter().cloned().chain(more).collect::<Vec<_>>()
    };
    assert_eq!(spends(&mut session, &[]), and(&[(&idle, json!(0)), (&other, json!(0))]));
    assert_eq!(spends(&mut session, &["null_spend"]), and(&[(&idle, Value::Null), (&other, Value::Null)]));
    assert_eq!(spends(&mut session, &["missing_rows"]), and(&[]));
    let both = spends(&mut session, &["null_spend", "missing_rows"]);
    assert!(both == and(&[(&idle, Value::Null)]) || both == and(&[(&other, Value::Null)]), "{both:?}");
}

#[test]
fn a_total_without_delivery_is_zero_null_or_absent_too() {
    let mut session = Session::new();
    session.create_id(json!({}));
    let total = json!({ "fields": ["SPEND"], "breakdowns": REMOVED });
    for (quirk, expected) in [
        (None, json!([{ "spend": 0 }])),
        (Some("null_spend"), json!([{ "spend": null }])),
        (Some("missing_rows"), json!([])),
    ] {
        session.settings.quirks = quirk.into_iter().collect();
        assert_eq!(report(&mut session, total.clone()).1["data"]["metrics"], expected);
    }
}

#[test]
fn a_report_reaches_back_24_months() {
    let mut session = Session::new();
    for good in ["2024-03-02T12:00:00Z", "2024-03-02T13:00:00Z"] {
        assert_eq!(report(&mut session, json!({ "starts_at": good })).0, 200, "{good}");
    }
    for early in ["2024-03-02T11:00:00Z", "2020-01-01T00:00:00Z"] {
        let (field, why) = field_error(&report(&mut session, json!({ "starts_at": early })));
        assert!(field == "data/starts_at" && why.contains("24 months"), "{field}: {why}");
    }
}

#[test]
fn the_window_of_a_report_is_exact_to_the_hour() {
    let mut session = Session::new();
    for invalid in ["2026-03-01", "2026-03-01T00:00:00", "2026-03-01T00:30:00Z", "2026-03-01T00:00:00+00:00", ""] {
        let response = report(&mut session, json!({ "starts_at": invalid }));
        assert_eq!(field_error(&response).0, "data/starts_at", "{invalid}");
    }
    let response = report(&mut session, json!({ "ends_at": "2026-03-01T00:00:00Z" }));
    assert_eq!(field_error(&response).0, "data/ends_at");
}

#[test]
fn a_report_rejects_unknown_values() {
    let mut session = Session::new();
    for (name, value) in [
        ("fields", json!(["spend"])),
        ("fields", json!([])),
        ("fields", json!(REMOVED)),
        ("breakdowns", json!(["campaign_id"])),
        ("filter", json!("campaign_id==1")),
        ("filter", json!("campaign:id==1,2")),
        ("time_zone_id", json!("Mars/Base")),
        ("columns", json!([])),
    ] {
        let response = report(&mut session, json!({ name: value }));
        assert_eq!(field_error(&response).0, format!("data/{name}"), "{value}");
    }
    assert_eq!(report(&mut session, json!({ "time_zone_id": "Etc/UTC" })).0, 200);
}

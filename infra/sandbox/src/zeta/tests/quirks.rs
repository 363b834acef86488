//! The quirks of the platform.

use super::reports::report_body;
use super::{Session, USD, request};
use serde_json::{Value, json};

#[test]
fn an_invoice_label_is_dropped_by_quirk_as_with_credit_cards() {
    let mut session = Session::new();
    let label = json!({ "invoice_label": "Marked" });
    let kept = session.create(label.clone())["id"].as_str().unwrap().to_owned();
    session.quirk("drop_label");
    assert_eq!(session.create(label.clone())["invoice_label"], Value::Null);
    let id = session.create_id(json!({}));
    assert_eq!(session.update(&id, &label)["invoice_label"], Value::Null);
    assert_eq!(session.update(&kept, &json!({ "name": "Renamed" }))["invoice_label"], "Marked");
    assert_eq!(session.create_error(json!({ "invoice_label": 5 })).0, "data/invoice_label");
}

#[test]
fn a_report_has_its_own_limit_which_applies_by_quirk() {
    let mut session = Session::new();
    session.now = "2026-03-02T12:00:20Z".parse().unwrap();
    let req = request("POST", &format!("/ad_accounts/{USD}/reports"), &report_body(json!({})).to_string());
    let limit = |response: &crate::http::Response| {
        let header = |name: &str| response.headers.iter().find(|(known, _)| *known == name).unwrap().1.clone();
        (response.status, header("ratelimit"), header("ratelimit-policy"))
    };
    let policy = "\"ads-reporting\";q=60;w=60".to_owned();
    let good = (200, "\"ads-reporting\";r=59;t=60".to_owned(), policy.clone());
    assert_eq!(limit(&session.send(&req)), good);
    session.quirk("report_limit");
    for _ in 0..60 {
        assert_eq!(session.send(&req).status, 200);
    }
    let spent = (429, "\"ads-reporting\";r=0;t=40".to_owned(), policy);
    assert_eq!(limit(&session.send(&req)), spent);
    assert_eq!(session.get("/me/businesses").0, 200, "other addresses go on");
    session.now = "2026-03-02T12:01:00Z".parse().unwrap();
    assert_eq!(limit(&session.send(&req)), good);
}

//! The platform with quirks.

use serde_json::{Value, json};

use super::reports::asked;
use super::{Scene, USD, request};

#[test]
fn an_invoice_label_is_dropped_by_quirk_as_with_credit_cards() {
    let mut scene = Scene::new();
    let label = json!({ "invoice_label": "Marked" });
    let kept = scene.creates(label.clone())["id"].as_str().unwrap().to_owned();
    scene.settings.quirks.insert("drop_label");
    assert_eq!(scene.creates(label.clone())["invoice_label"], Value::Null);
    let id = scene.id(json!({}));
    assert_eq!(scene.updates(&id, &label)["invoice_label"], Value::Null);
    assert_eq!(scene.updates(&kept, &json!({ "name": "Renamed" }))["invoice_label"], "Marked");
    assert_eq!(scene.refuses(json!({ "invoice_label": 5 })).0, "data/invoice_label");
}

#[test]
fn a_report_has_a_limit_of_its_own_that_bites_by_quirk() {
    let mut scene = Scene::new();
    scene.now = "2026-03-02T12:00:20Z".parse().unwrap();
    let asked = request("POST", &format!("/ad_accounts/{USD}/reports"), &asked(json!({})).to_string());
    let limit = |reply: &crate::http::Reply| {
        let header = |name: &str| reply.headers.iter().find(|(known, _)| *known == name).unwrap().1.clone();
        (reply.status, header("ratelimit"), header("ratelimit-policy"))
    };
    let policy = "\"ads-reporting\";q=60;w=60".to_owned();
    let good = (200, "\"ads-reporting\";r=59;t=60".to_owned(), policy.clone());
    assert_eq!(limit(&scene.reply(&asked)), good);
    scene.settings.quirks.insert("report_limit");
    for _ in 0..60 {
        assert_eq!(scene.reply(&asked).status, 200);
    }
    let spent = (429, "\"ads-reporting\";r=0;t=40".to_owned(), policy);
    assert_eq!(limit(&scene.reply(&asked)), spent);
    assert_eq!(scene.get("/me/businesses").0, 200, "other addresses go on");
    scene.now = "2026-03-02T12:01:00Z".parse().unwrap();
    assert_eq!(limit(&scene.reply(&asked)), good);
}

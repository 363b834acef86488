//! Spend, ads, holds and quirks at the control addresses.

use super::on_each_platform;
use serde_json::{Value, json};

/// A decimal without zeros at its end.
fn short(decimal: &Value) -> &str {
    decimal.as_str().unwrap().trim_end_matches('0')
}

#[tokio::test(start_paused = true)]
async fn spend_adds_up_exactly() {
    on_each_platform(|session| async move {
        let id = session.create(session.account(), "Sale").await;
        let spend = async |id: &str, amount: Value| {
            session.control("spend", json!({ "campaign_id": id, "amount": amount })).await
        };
        for (amount, total) in [(json!(0.1), "0.1"), (json!("0.2"), "0.3"), (json!(1), "1.3")] {
            let (status, body) = spend(&id, amount).await;
            assert_eq!((status, short(&body["spent"]), &body["currency"]), (200, total, &json!("USD")));
        }
        assert_eq!(spend("5", json!("1")).await.0, 404);
        for amount in ["-1", "x", "1e2", "0.0000001"] {
            let (status, body) = spend(&id, json!(amount)).await;
            assert_eq!(status, 400, "{amount}");
            assert!(body["error"].as_str().unwrap().contains("amount"), "{body}");
        }
        assert_eq!(short(&session.books().await[0]["spent"]), "1.3");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn each_quirk_has_a_description_and_is_off_until_it_is_switched_on() {
    on_each_platform(|session| async move {
        let address = format!("/_sandbox/quirks?platform={}", session.sample.platform());
        let quirks = async || session.server.get(&address).await.json()["quirks"].as_array().unwrap().clone();
        let are = |rows: &[Value], on: bool| !rows.is_empty() && rows.iter().all(|row| row["on"] == on);
        let rows = quirks().await;
        assert!(are(&rows, false) && rows.iter().all(|row| row["what"].as_str().unwrap().ends_with('.')), "{rows:?}");
        session.set("quirks", json!({ "quirk": "all", "on": true })).await;
        let mut rows = quirks().await;
        let alone = ["service_disabled", "dialog_error", "created_otherwise", "unknown_word", "no_ad_permission"];
        rows.retain(|row| !alone.iter().any(|one| row["quirk"] == *one));
        assert!(are(&rows, true), "some are switched on alone: {rows:?}");
        session.set("quirks", json!({ "quirk": "all", "on": false })).await;
        assert!(are(&quirks().await, false));
        session.set("quirks", json!({ "quirk": "all", "on": true })).await;
        session.server.control("reset", json!({})).await;
        assert!(are(&quirks().await, false));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn ads_and_holds_need_a_known_campaign_or_account_and_a_known_word() {
    on_each_platform(|session| async move {
        let id = session.create(session.account(), "Sale").await;
        let account = session.account();
        for (name, body, status, field) in [
            ("ads", json!({ "campaign_id": id, "ads": ["approved", "in_review", "rejected", "paused"] }), 200, ""),
            ("ads", json!({ "campaign_id": id, "ads": [] }), 200, ""),
            ("ads", json!({ "campaign_id": id }), 400, "ads"),
            ("ads", json!({ "campaign_id": id, "ads": ["gone"] }), 400, "gone"),
            ("ads", json!({ "campaign_id": id, "ads": "approved" }), 400, "ads"),
            ("ads", json!({ "ads": [] }), 400, "campaign_id"),
            ("ads", json!({ "campaign_id": "5", "ads": [] }), 404, "5"),
            ("hold", json!({ "account": account, "hold": "suspended" }), 200, ""),
            ("hold", json!({ "account": account, "hold": null }), 200, ""),
            ("hold", json!({ "account": account, "hold": "audience" }), 400, "suspended"),
            ("hold", json!({ "account": "5", "hold": "suspended" }), 404, "5"),
            ("hold", json!({ "campaign_id": id, "hold": "suspended" }), 400, "suspended"),
            ("hold", json!({ "campaign_id": id, "hold": null }), 200, ""),
            ("hold", json!({ "campaign_id": "5", "hold": null }), 404, "5"),
            ("hold", json!({ "campaign_id": id, "account": account, "hold": null }), 400, "both"),
            ("hold", json!({ "hold": null }), 400, "account"),
        ] {
            let (answered, answer) = session.control(name, body.clone()).await;
            assert_eq!(answered, status, "{body}: {answer}");
            let error = answer["error"].as_str().unwrap_or_default();
            assert!(error.contains(field), "{body}: {error}");
        }
    })
    .await;
}

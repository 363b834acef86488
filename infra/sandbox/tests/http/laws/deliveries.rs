//! Deliveries and the reports of them.

use super::{Session, on_each_platform};
use crate::sample::{Sample, text};
use serde_json::{Value, json};

/// The last 29 days: TikTok reports 30 by day.
const MONTH: [&str; 2] = ["2026-02-02", "2026-03-02"];

async fn report(session: &Session, account: &str, id: &str, by_day: bool) -> Vec<Value> {
    let call = (session.sample.report)(account, id, MONTH, by_day);
    Sample::rows(&session.accept(&call).await.json(), session.sample.places.report)
}

/// A decimal of a row in millionths; nothing is zero.
fn millionths(row: &Value, place: &str) -> i64 {
    let decimal = text(row, place);
    if decimal == "null" {
        return 0;
    }
    let (whole, fraction) = decimal.split_once('.').unwrap_or((&decimal, ""));
    format!("{whole}{fraction:0<6}").parse().unwrap()
}

async fn deliver(session: &Session, id: &str, day: &str, delivery: Value) -> u16 {
    let mut body = json!({ "campaign_id": id, "date": day });
    body.as_object_mut().unwrap().extend(delivery.as_object().unwrap().clone());
    session.control("delivery", body).await.0
}

#[tokio::test(start_paused = true)]
async fn the_days_of_a_seed_add_up_to_the_total_in_each_currency() {
    on_each_platform(|session| async move {
        let places = &session.sample.places;
        for account in session.sample.accounts {
            let id = session.create(account, "Sale").await;
            session.set("delivery", json!({ "campaign_id": id, "seed": 11, "days": 27 })).await;
            let days = report(&session, account, &id, true).await;
            let total = report(&session, account, &id, false).await;
            assert!((15..27).contains(&days.len()), "some days have no delivery: {}", days.len());
            assert_eq!(total.len(), 1);
            for place in [&[places.spend], places.numbers].concat() {
                let sum: i64 = days.iter().map(|row| millionths(row, place)).sum();
                assert!(sum > 0 && sum == millionths(&total[0], place), "{account} {place}: {}", total[0]);
            }
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_seed_gives_an_ad_to_a_campaign_that_has_none() {
    on_each_platform(|session| async move {
        let with_ad = session.create(session.account(), "Rejected").await;
        session.create(session.account(), "Empty").await;
        session.set("ads", json!({ "campaign_id": with_ad, "ads": ["rejected"] })).await;
        session.set("delivery", json!({ "seed": 11, "days": 1 })).await;
        let books = session.books().await;
        let ads = |name: &str| books.iter().find(|row| row["name"] == name).unwrap()["ads"].clone();
        assert_eq!([ads("Rejected"), ads("Empty")], [json!(["rejected"]), json!(["approved"])]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_delivery_replaces_its_day_and_spend_is_added_to_it() {
    on_each_platform(|session| async move {
        let id = session.create(session.account(), "Sale").await;
        session.create(session.account(), "Silent").await;
        assert!(report(&session, session.account(), &id, true).await.is_empty());
        for (day, spend) in [(MONTH[1], "7"), (MONTH[1], "5"), (MONTH[0], "1")] {
            let delivery = json!({ "spend": spend, "impressions": 100, "clicks": 10 });
            assert_eq!(deliver(&session, &id, day, delivery).await, 200);
        }
        let (_, spent) = session.control("spend", json!({ "campaign_id": id, "amount": "0.25" })).await;
        assert_eq!(spent["spent"], "6.25");
        let unit = if session.sample.places.spend_is_micros { 1_000_000 } else { 1 };
        let spends = |rows: &[Value]| -> Vec<i64> {
            rows.iter().map(|row| millionths(row, session.sample.places.spend) / unit).collect()
        };
        let mut days = spends(&report(&session, session.account(), &id, true).await);
        days.sort_unstable();
        assert_eq!(days, [1_000_000, 5_250_000]);
        assert_eq!(spends(&report(&session, session.account(), &id, false).await), [6_250_000]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_delivery_has_a_known_campaign_whole_conversions_and_a_fitting_total() {
    on_each_platform(|session| async move {
        let id = session.create(session.account(), "Sale").await;
        for unknown in ["5", "x"] {
            assert_eq!(deliver(&session, unknown, MONTH[1], json!({ "spend": "1" })).await, 404, "{unknown}");
        }
        // Google and Meta restate what they like.
        let refused = if session.sample.places.checks_deliveries { 400 } else { 200 };
        let half = json!({ "spend": "1", "conversions": "0.5" });
        assert_eq!(deliver(&session, &id, MONTH[1], half).await, refused);
        let most = json!({ "spend": if refused == 400 { "9223372036854.775807" } else { "9223372036854.77" } });
        for _ in 0..2 {
            assert_eq!(deliver(&session, &id, MONTH[1], most.clone()).await, 200, "in place of the earlier one");
        }
        assert_eq!(deliver(&session, &id, MONTH[0], most).await, refused);
    })
    .await;
}

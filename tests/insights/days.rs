//! Insights by day: they add up to the total, exactly, on every platform and in every currency.

use super::{Stage, decimal};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;
use std::collections::BTreeMap;

/// The numbers of a row that add up.
const NUMBERS: [&str; 5] = ["spend", "impressions", "clicks", "conversions", "conversion_value"];

/// All rows of a list, page by page.
async fn all_rows(stage: &Stage, query: &str, limit: usize) -> Vec<Value> {
    let mut rows = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = stage.ask(200, "GET", &format!("/v1/insights?{query}&limit={limit}{cursor}"), "").await;
        assert_eq!(page.get("errors"), None, "{page}");
        let accounts = page["accounts"].as_array().expect("a list");
        let own: Vec<Value> = accounts.iter().flat_map(|one| one["rows"].as_array().expect("rows").clone()).collect();
        assert!(own.len() <= limit, "{} rows on a page", own.len());
        rows.extend(own);
        let Some(next) = page["pagination"]["next_cursor"].as_str() else { return rows };
        cursor = format!("&cursor={next}");
    }
}

/// The sums of each campaign, over the rows that have the number; `None` if none has it.
fn sums(rows: &[Value]) -> BTreeMap<String, Vec<Option<Decimal>>> {
    let mut sums: BTreeMap<String, Vec<Option<Decimal>>> = BTreeMap::new();
    for row in rows {
        let id = row["campaign_id"].as_str().expect("an id").to_owned();
        let own: Vec<Option<Decimal>> = NUMBERS.iter().map(|name| decimal(&row[*name])).collect();
        let sum = sums.entry(id).or_insert_with(|| vec![None; NUMBERS.len()]);
        *sum = sum.iter().zip(own).map(|(sum, own)| add(*sum, own)).collect();
    }
    sums
}

fn add(sum: Option<Decimal>, own: Option<Decimal>) -> Option<Decimal> {
    own.map_or(sum, |own| Some(sum.unwrap_or_default() + own))
}

#[tokio::test(start_paused = true)]
async fn daily_rows_sum_to_the_total_on_every_platform_and_in_every_currency() {
    for platform in Platform::ALL {
        for (seed, currency) in [(1_u64, "USD"), (2, "JPY"), (3, "EUR")] {
            let stage = Stage::new().await;
            stage.world.connect_in(&stage.app, platform, 1, currency).await;
            for name in ["First", "Second", "Third"] {
                stage.create(platform, name).await;
            }
            stage.deliver(json!({"platform": platform.as_str(), "seed": seed, "days": 45})).await;
            let range = format!("from={}&to={}", stage.day(40), stage.day(1));
            let days = all_rows(&stage, &format!("{range}&granularity=day"), 5_000).await;
            let totals = all_rows(&stage, &format!("{range}&granularity=total"), 5_000).await;
            assert!(days.len() > 60 && totals.len() == 3, "{platform} {currency}: {} days", days.len());
            assert_eq!(sums(&days), sums(&totals), "{platform} {currency}");
            assert!(sums(&totals).values().all(|sum| sum[0].is_some_and(|spend| spend > Decimal::ZERO)));
            // The same rows in small pages, none twice and none left out.
            assert_eq!(sums(&all_rows(&stage, &range, 7).await), sums(&days), "{platform} {currency}, small pages");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn insights_of_a_campaign_have_only_its_own_rows() {
    for platform in Platform::ALL {
        let stage = Stage::connected(&[platform]).await;
        let (id, remote) = stage.create(platform, "Mine").await;
        let (_, other) = stage.create(platform, "Other").await;
        // No campaign has spent before its creation.
        let day = stage.day(0).to_string();
        for (campaign, spend) in [(&remote, "12.34"), (&other, "99.99")] {
            let order = json!({"platform": platform.as_str(), "campaign_id": campaign, "date": day, "spend": spend,
                "impressions": 1000, "clicks": 50, "conversions": 3, "conversion_value": "7.5"});
            stage.deliver(order).await;
        }
        let of_the_day = format!("/v1/campaigns/{id}/insights?from={day}&to={day}");
        let found = stage.ask(200, "GET", &of_the_day, "").await;
        assert_eq!((&found["granularity"], &found["currency"]), (&json!("day"), &json!("USD")));
        assert_eq!(found["rows"].as_array().map(Vec::len), Some(1), "{platform}: {found}");
        let row = &found["rows"][0];
        assert_eq!((&row["campaign_id"], &row["date"]), (&json!(id), &json!(day)), "{platform}");
        assert_eq!((&row["impressions"], &row["clicks"]), (&json!(1000), &json!(50)), "{platform}");
        assert_eq!(decimal(&row["spend"]), Some(Decimal::new(1_234, 2)), "{platform}");
        for part in ["time_zone", "attribution", "as_of", "final_after", "connection_id", "organization_id"] {
            assert!(found[part].as_str().is_some_and(|text| !text.is_empty()), "{platform}: {part}");
        }
        // The platform restates the day.
        let order = json!({"platform": platform.as_str(), "campaign_id": remote, "date": day, "spend": "11.00",
            "impressions": 900, "clicks": 40});
        stage.deliver(order).await;
        let total = format!("{of_the_day}&granularity=total");
        let request = stage.world.request("GET", &total, &[("x-api-shape", "enveloped")], "");
        let restated = stage.send(200, request).await;
        let row = &restated["data"]["rows"][0];
        assert_eq!((decimal(&row["spend"]), row.get("date")), (Some(Decimal::from(11)), None), "{platform}");
        let campaign = stage.send(200, enveloped(&stage, &id)).await;
        assert_eq!(decimal(&campaign["data"]["total_spend_amount"]), Some(Decimal::from(11)), "{platform}");
    }
}

fn enveloped(stage: &Stage, id: &str) -> lambda_http::Request {
    stage.world.request("GET", &format!("/v1/campaigns/{id}"), &[("x-api-shape", "enveloped")], "")
}

#[tokio::test(start_paused = true)]
async fn a_negative_correction_is_read_and_hides_no_other_day() {
    for platform in Platform::ALL {
        let stage = Stage::connected(&[platform]).await;
        let (_, corrected) = stage.create(platform, "Corrected").await;
        let (other, plain) = stage.create(platform, "Plain").await;
        let day = stage.day(0).to_string();
        for (campaign, spend) in [(&corrected, "-12.34"), (&plain, "5")] {
            let order = json!({"platform": platform.as_str(), "campaign_id": campaign, "date": day, "spend": spend,
                "impressions": 1000, "clicks": 50});
            stage.deliver(order).await;
        }
        let rows = all_rows(&stage, &format!("from={day}&to={day}"), 50).await;
        assert_eq!(rows.len(), 2, "{platform}: {rows:?}");
        let spent = |row: &Value| decimal(&row["spend"]).expect("a number");
        for row in &rows {
            let expected = if row["campaign_id"] == json!(other) { Decimal::from(5) } else { Decimal::new(-1_234, 2) };
            assert_eq!((spent(row), row.get("unreadable")), (expected, None), "{platform}");
        }
    }
}

use super::*;
use crate::platforms::AdPlatform;
use crate::platforms::alpha::Alpha;
use crate::platforms::engine::insights::InsightsPage;
use crate::platforms::fake::{Fake, ScriptedResponse, ok};
use serde_json::{Value, json};

const ACCOUNT: &str = "1234567890";

fn days(from: &str, to: &str) -> Days {
    Days::new(from.parse().unwrap(), to.parse().unwrap()).unwrap()
}

fn request(granularity: Granularity, campaign: Option<&str>) -> InsightsRequest {
    let campaign = campaign.map(str::to_owned);
    InsightsRequest { days: days("2026-11-01", "2026-11-07"), granularity, campaign, limit: 100, after: None }
}

async fn read(fake: &Fake, request: &InsightsRequest) -> Result<InsightsPage, Error> {
    Alpha.insights(&fake.session(), request).await
}

fn page(rows: &[Value]) -> ScriptedResponse {
    ok(json!({"results": rows, "fieldMask": "campaign.id"}))
}

/// A row as the platform writes it: 64-bit integers as text, doubles as numbers.
fn row(date: Option<&str>, metrics: Value) -> Value {
    let mut row = json!({
        "campaign": {"resourceName": "customers/1234567890/campaigns/21", "id": "21"},
        "customer": {"resourceName": "customers/1234567890", "id": ACCOUNT},
        "metrics": metrics,
    });
    if let Some(date) = date {
        row["segments"] = json!({"date": date});
    }
    row
}

fn decimal(text: &str) -> Decimal {
    Decimal::from_str_exact(text).unwrap()
}

#[tokio::test]
async fn a_report_by_day_is_one_search_and_its_rows_are_exact() {
    let metrics = json!({"costMicros": "1061083620", "impressions": "9007199254740993", "clicks": "204",
        "conversions": 2.333333, "conversionsValue": 0.300_000_000_000_000_04});
    let fake = Fake::answering(vec![page(&[
        row(Some("2026-11-01"), metrics),
        row(Some("2026-11-07"), json!({"clicks": "1"})),
    ])]);
    let found = read(&fake, &request(Granularity::Day, Some("21"))).await.unwrap();
    assert!(!found.has_more);
    let first = &found.rows[0];
    assert_eq!((first.campaign.to_string(), first.date), ("alpha_1234567890_21".into(), "2026-11-01".parse().ok()));
    assert_eq!((first.spend, first.impressions), (Some(decimal("1061.08362")), Some(9_007_199_254_740_993)));
    assert_eq!((first.clicks, first.conversions), (Some(204), Some(decimal("2.333333"))));
    assert_eq!(first.conversion_value, Some(decimal("0.3")), "without the noise of floating point");
    let second = &found.rows[1];
    assert_eq!((second.spend, second.impressions, second.clicks), (Some(Decimal::ZERO), Some(0), Some(1)));
    assert_eq!((second.conversions, second.conversion_value), (Some(Decimal::ZERO), Some(Decimal::ZERO)));
    let requests = fake.requests();
    assert_eq!(requests[0].line, "POST /v26/customers/1234567890/googleAds:search HTTP/1.1");
    let query = "SELECT campaign.id, customer.id, segments.date, metrics.cost_micros, metrics.impressions, \
                 metrics.clicks, metrics.conversions, metrics.conversions_value FROM campaign \
                 WHERE segments.date BETWEEN '2026-11-01' AND '2026-11-07' AND campaign.id = 21 \
                 ORDER BY segments.date, campaign.id";
    assert_eq!(requests[0].body, json!({"query": query}));
}

#[tokio::test]
async fn a_total_has_no_date_and_no_campaign_without_numbers() {
    let zeros = json!({"costMicros": "0", "impressions": "0", "clicks": "0", "conversions": 0, "conversionsValue": 0});
    let fake =
        Fake::answering(vec![page(&[row(None, zeros), row(None, json!({})), row(None, json!({"costMicros": "1"}))])]);
    let found = read(&fake, &request(Granularity::Total, None)).await.unwrap();
    assert_eq!((found.rows.len(), found.rows[0].date), (1, None));
    assert_eq!(found.rows[0].spend, Some(decimal("0.000001")));
    let query = fake.requests()[0].body["query"].as_str().unwrap().to_owned();
    assert!(query.starts_with("SELECT campaign.id, customer.id, metrics.cost_micros,"), "{query}");
    let end = "WHERE segments.date BETWEEN '2026-11-01' AND '2026-11-07' ORDER BY campaign.id";
    assert!(query.ends_with(end), "{query}");
}

#[tokio::test]
async fn a_campaigns_first_impression_does_not_move_the_others() {
    let clicks = |clicks: &str| row(None, json!({"clicks": clicks}));
    let before = page(&[clicks("0"), clicks("1"), clicks("2")]);
    let after = page(&[clicks("9"), clicks("1"), clicks("2")]);
    let fake = Fake::answering(vec![before, after]);
    let request = InsightsRequest { limit: 1, ..request(Granularity::Total, None) };
    let first = read(&fake, &request).await.unwrap();
    assert_eq!((first.rows[0].clicks, first.has_more), (Some(1), true));
    let second = read(&fake, &InsightsRequest { after: first.positions.last().cloned(), ..request }).await.unwrap();
    assert_eq!((second.rows[0].clicks, second.has_more), (Some(2), false));
}

#[tokio::test]
async fn pages_and_parts_continue_after_any_row() {
    let by_day = |day: &str| row(Some(day), json!({"clicks": "1"}));
    let first =
        json!({"results": [by_day("2026-09-01"), by_day("2026-09-02")], "nextPageToken": "t:1", "fieldMask": "x"});
    let fake = Fake::new(move |request| match request.body {
        ref body if body["query"].as_str().unwrap().contains("'2026-10-02'") => page(&[by_day("2026-10-02")]),
        ref body if body["pageToken"] == "t:1" => page(&[by_day("2026-09-03")]),
        _ => ok(first.clone()),
    });
    let whole = InsightsRequest { days: days("2026-09-01", "2026-10-10"), ..request(Granularity::Day, None) };
    let all = read(&fake, &whole).await.unwrap();
    let dates: Vec<String> = all.rows.iter().map(|row| row.date.unwrap().to_string()).collect();
    assert_eq!(dates, ["2026-09-01", "2026-09-02", "2026-09-03", "2026-10-02"], "31 days of an account are one part");
    for (index, position) in all.positions.iter().enumerate() {
        let next = InsightsRequest { after: Some(position.clone()), ..whole.clone() };
        assert_eq!(read(&fake, &next).await.unwrap().rows, all.rows[index + 1..], "{position}");
    }
}

#[tokio::test]
async fn a_correction_is_read_and_an_unreadable_number_is_null_in_its_row() {
    let metrics = json!({"costMicros": "-1500000", "clicks": "-1", "conversions": -0.5, "impressions": "1.5",
        "conversionsValue": "NaN"});
    let rows = [row(Some("2026-11-02"), metrics), row(Some("2026-11-03"), json!({"clicks": "2"}))];
    let found = read(&Fake::answering(vec![page(&rows)]), &request(Granularity::Day, Some("21"))).await.unwrap();
    let first = &found.rows[0];
    assert_eq!(
        (first.spend, first.clicks, first.conversions),
        (Some(decimal("-1.5")), Some(-1), Some(decimal("-0.5")))
    );
    assert_eq!((first.impressions, first.conversion_value), (None, None));
    assert_eq!(first.unreadable, ["impressions", "conversion_value"]);
    assert_eq!((found.rows[1].clicks, found.rows[1].unreadable.is_empty()), (Some(2), true));
}

#[tokio::test]
async fn a_row_that_is_foreign_or_cannot_be_read_is_an_error() {
    let good = row(Some("2026-11-02"), json!({"clicks": "1"}));
    let with = |pointer: &str, value: Value| {
        let mut row = good.clone();
        *row.pointer_mut(pointer).unwrap() = value;
        row
    };
    let bad = [
        with("/campaign/id", json!("22")),
        with("/campaign/id", json!("-1")),
        with("/campaign", json!({})),
        with("/customer/id", json!("5")),
        with("/segments/date", json!("2026-11-08")),
        with("/segments/date", json!("soon")),
        with("/segments", json!({})),
        with("/metrics", json!(null)),
        json!([]),
    ];
    for row in bad {
        let fake = Fake::answering(vec![page(&[good.clone(), row.clone()])]);
        let error = read(&fake, &request(Granularity::Day, Some("21"))).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "{row}");
    }
    let fake = Fake::answering(vec![page(&[good])]);
    assert!(read(&fake, &request(Granularity::Total, None)).await.is_err(), "a day is no total");
    let fake = Fake::answering(vec![ok(json!({}))]);
    assert!(read(&fake, &request(Granularity::Total, None)).await.is_err(), "a response to something else");
    let silent = Fake::answering(vec![]);
    let error = read(&silent, &request(Granularity::Day, Some("x"))).await.unwrap_err();
    assert_eq!(error.kind, Kind::NotFound, "without a call");
}

#[test]
fn doubles_lose_their_noise_and_nothing_else() {
    let read = |json: &str| serde_json::from_str::<wire::Double>(json).ok().map(|double| double.0.to_string());
    for (json, expected) in [
        ("2", "2"),
        ("0.1", "0.1"),
        ("1.3333333333333333", "1.333333"),
        ("99.99999999999996", "100"),
        ("1.0E7", "10000000"),
        ("1.1102230246251565e-16", "0"),
        ("-1.1102230246251565e-16", "0"),
        ("5E-7", "0"),
        ("\"12.5\"", "12.5"),
    ] {
        assert_eq!(read(json).as_deref(), Some(expected), "{json}");
    }
    for json in ["\"NaN\"", "\"Infinity\"", "\"-Infinity\"", "true", "null", "{}", "1e300"] {
        assert_eq!(read(json), None, "{json}");
    }
}

#[tokio::test]
async fn days_add_up_to_the_total() {
    for (code, places) in [("EUR", 2), ("JPY", 0), ("KWD", 3)] {
        let unit = 10_i64.pow(6 - places);
        let spend = |day: i64| day * 7_919 % 100_003 * unit;
        let metrics = |cost: i64, clicks: i64, conversions: i64| {
            let conversions: Value = serde_json::from_str(&Micros(conversions).to_amount().to_string()).unwrap();
            json!({"costMicros": cost.to_string(), "impressions": (clicks * 9).to_string(), "clicks": clicks.to_string(),
                "conversions": conversions, "conversionsValue": conversions})
        };
        let by_day: Vec<Value> = (1..=7)
            .map(|day| row(Some(&format!("2026-11-{day:02}")), metrics(spend(day), day * day, day * 333_333)))
            .collect();
        let total = (1..=7).fold((0, 0, 0), |sum, day| (sum.0 + spend(day), sum.1 + day * day, sum.2 + day * 333_333));
        let total = row(None, metrics(total.0, total.1, total.2));
        let days = read(&Fake::answering(vec![page(&by_day)]), &request(Granularity::Day, None)).await.unwrap().rows;
        let totals = read(&Fake::answering(vec![page(&[total])]), &request(Granularity::Total, None)).await.unwrap();
        let sum =
            |number: fn(&InsightsRow) -> Option<Decimal>| days.iter().map(|row| number(row).unwrap()).sum::<Decimal>();
        let total = &totals.rows[0];
        assert_eq!(Some(sum(|row| row.spend)), total.spend, "{code}");
        assert_eq!(Some(sum(|row| row.conversions)), total.conversions, "{code}");
        assert_eq!(Some(sum(|row| row.conversion_value)), total.conversion_value, "{code}");
        assert_eq!(days.iter().map(|row| row.clicks.unwrap()).sum::<i64>(), total.clicks.unwrap(), "{code}");
        assert!(total.spend.unwrap().scale() <= places, "{code}");
    }
}

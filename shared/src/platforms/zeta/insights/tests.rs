use super::*;
use crate::domain::Currency;
use crate::platforms::fake::{Fake, ScriptedResponse, ok};
use crate::platforms::zeta::Zeta;
use crate::platforms::zeta::tests::session;
use crate::platforms::{AdPlatform, recorded};
use serde_json::{Value, json};

fn request(granularity: Granularity, campaign: Option<&str>) -> InsightsRequest {
    let days = Days::new("2026-06-28".parse().unwrap(), "2026-07-04".parse().unwrap()).unwrap();
    InsightsRequest { days, granularity, campaign: campaign.map(str::to_owned), limit: 100, after: None }
}

fn page(metrics: &Value, next: Option<&str>) -> ScriptedResponse {
    let next = next.map(|token| format!("/api/v3/ad_accounts/a2_example/reports?page.token={token}"));
    ok(json!({"data": {"metrics": metrics, "metrics_updated_at": "x"}, "pagination": {"next_url": next}}))
}

fn full(id: &str, date: &str) -> Value {
    json!({"campaign_id": id, "date": date, "spend": 1_230_001, "impressions": 1_000, "clicks": 12,
        "key_conversion_total_count": 3, "conversion_purchase_total_value": 4_560, "new": {}})
}

async fn read(metrics: Value, granularity: Granularity, campaign: Option<&str>) -> Result<Vec<InsightsRow>, Error> {
    let fake = Fake::answering(vec![page(&metrics, None)]);
    Ok(Zeta.insights(&session(&fake), &request(granularity, campaign)).await?.rows)
}

fn decimal_of(text: &str) -> Option<Decimal> {
    Some(Decimal::from_str_exact(text).unwrap())
}

#[tokio::test]
async fn the_days_of_a_campaign_are_asked_for_by_its_id_and_in_utc() {
    let fake = Fake::answering(vec![page(&json!([full("7", "2026-07-01")]), None)]);
    let found = Zeta.insights(&session(&fake), &request(Granularity::Day, Some("7"))).await.unwrap();
    let expected = InsightsRow {
        campaign: CampaignId::new(Platform::Zeta, "a2_example", "7"),
        date: Some("2026-07-01".parse().unwrap()),
        spend: decimal_of("1.230001"),
        impressions: Some(1_000),
        clicks: Some(12),
        conversions: decimal_of("3"),
        conversion_value: decimal_of("45.6"),
        unreadable: Vec::new(),
    };
    assert_eq!((found.rows, found.has_more), (vec![expected], false));
    let requests = fake.requests();
    assert_eq!(requests[0].line, "POST /api/v3/ad_accounts/a2_example/reports?page.size=100 HTTP/1.1");
    let body = json!({"starts_at": "2026-06-28T00:00:00Z", "ends_at": "2026-07-05T00:00:00Z", "time_zone_id": "UTC",
        "fields": ["DATE", "CAMPAIGN_ID", "SPEND", "IMPRESSIONS", "CLICKS", "KEY_CONVERSION_TOTAL_COUNT",
            "CONVERSION_PURCHASE_TOTAL_VALUE"],
        "breakdowns": ["DATE", "CAMPAIGN_ID"], "filter": "campaign:id==7"});
    assert_eq!(requests[0].body["data"], body);
}

#[tokio::test]
async fn a_total_is_by_campaign_only() {
    let fake = Fake::answering(vec![page(&json!([{"campaign_id": 7, "spend": 5}, {"campaign_id": "8"}]), None)]);
    let rows = Zeta.insights(&session(&fake), &request(Granularity::Total, None)).await.unwrap().rows;
    assert_eq!((rows[0].date, rows[0].spend, rows[1].spend), (None, decimal_of("0.000005"), None));
    let data = &fake.requests()[0].body["data"];
    assert_eq!((&data["breakdowns"], &data["fields"][0]), (&json!(["CAMPAIGN_ID"]), &json!("CAMPAIGN_ID")));
    assert_eq!(data["filter"], Value::Null);
}

#[tokio::test]
async fn a_number_that_is_null_or_absent_is_not_known() {
    let nulls = json!({"campaign_id": "7", "date": "2026-07-01", "spend": null, "impressions": null, "clicks": null,
        "key_conversion_total_count": null, "conversion_purchase_total_value": null});
    let zeros = json!({"campaign_id": "7", "date": "2026-07-02", "spend": 0, "impressions": 0, "clicks": 0,
        "key_conversion_total_count": 0, "conversion_purchase_total_value": 0});
    let absent = json!({"campaign_id": "7", "date": "2026-07-03"});
    let rows = read(json!([nulls, zeros, absent]), Granularity::Day, None).await.unwrap();
    for row in [&rows[0], &rows[2]] {
        let known = (row.spend, row.impressions, row.clicks, row.conversions, row.conversion_value);
        assert_eq!(known, (None, None, None, None, None));
    }
    let zero = Some(Decimal::ZERO);
    assert_eq!(
        (rows[1].spend, rows[1].impressions, rows[1].conversions, rows[1].conversion_value),
        (zero, Some(0), zero, zero)
    );
}

#[tokio::test]
async fn a_correction_is_read_and_an_unreadable_number_is_null_in_its_row() {
    let corrected = json!({"campaign_id": "7", "date": "2026-07-01", "spend": -1_500_000, "impressions": -1, "clicks": 1.5,
        "key_conversion_total_count": [], "conversion_purchase_total_value": true});
    let mut plain = full("7", "2026-07-02");
    plain["spend"] = json!(0.5);
    let rows = read(json!([corrected, plain]), Granularity::Day, Some("7")).await.unwrap();
    assert_eq!((rows[0].spend, rows[0].impressions), (decimal_of("-1.5"), Some(-1)));
    assert_eq!(rows[0].unreadable, ["clicks", "conversions", "conversion_value"]);
    assert_eq!((rows[1].spend, rows[1].clicks, rows[1].unreadable.as_slice()), (None, Some(12), ["spend"].as_slice()));
}

#[tokio::test]
async fn a_row_that_cannot_be_read_or_was_not_requested_is_an_error() {
    let changed = |name: &str, value: Value| {
        let mut row = full("7", "2026-07-01");
        row[name] = value;
        json!([full("7", "2026-06-30"), row])
    };
    for metrics in [
        changed("campaign_id", json!("8")),
        changed("campaign_id", Value::Null),
        changed("campaign_id", json!("7/8")),
        changed("date", json!("2026-06-27")),
        changed("date", json!("2026-07-05")),
        changed("date", json!("2026-07-01T00:00:00Z")),
        changed("date", Value::Null),
        json!([null]),
        json!([[7]]),
        json!(null),
        json!([full("7", "2026-07-01"), full("7", "2026-07-01")]),
    ] {
        let error = read(metrics.clone(), Granularity::Day, Some("7")).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "{metrics}");
    }
}

#[tokio::test]
async fn rows_go_on_behind_each_one_over_the_pages_of_the_platform() {
    let day = |number: u32| full("7", &format!("2026-07-0{number}"));
    for limit in 1..=5 {
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let fake = Fake::new(move |request| {
                let is_second = request.line.contains("page.token=t%26");
                if is_second {
                    page(&json!([day(3), day(4)]), None)
                } else {
                    page(&json!([day(1), day(2)]), Some("t%26"))
                }
            });
            let request = InsightsRequest { limit, after, ..request(Granularity::Day, None) };
            let page = Zeta.insights(&session(&fake), &request).await.unwrap();
            seen.extend(page.rows.iter().map(|row| row.date.unwrap().day()));
            if !page.has_more {
                break;
            }
            after = page.positions.last().cloned();
        }
        assert_eq!(seen, [1, 2, 3, 4], "limit {limit}");
    }
}

#[tokio::test]
async fn the_rows_of_a_page_are_in_the_order_of_days_and_campaigns() {
    let metrics = json!([full("8", "2026-07-02"), full("8", "2026-07-01"), full("7", "2026-07-02")]);
    let rows = read(metrics, Granularity::Day, None).await.unwrap();
    let found: Vec<_> = rows.iter().map(|row| (row.date.unwrap().day(), row.campaign.to_string())).collect();
    let [seven, eight] = ["7", "8"].map(|id| format!("zeta_a2_example_{id}"));
    assert_eq!(found, [(1, eight.clone()), (2, seven), (2, eight)]);
}

#[tokio::test]
async fn a_lost_account_gives_forbidden_and_a_refused_token_gives_token_expired() {
    let missing = Fake::new(|_| (404, r#"{"error":{"code":404,"message":"Not Found"}}"#.into()));
    let error = Zeta.insights(&session(&missing), &request(Granularity::Day, None)).await.unwrap_err();
    assert_eq!(error.kind, Kind::Forbidden);
    let refused = Fake::new(|_| (401, String::new()));
    let error = Zeta.insights(&session(&refused), &request(Granularity::Day, None)).await.unwrap_err();
    assert_eq!(error.kind, Kind::TokenExpired);
}

#[tokio::test]
async fn a_recorded_row_is_read_once_it_names_its_campaign() {
    let body = recorded::body(Platform::Zeta, "report.json");
    let fake =
        Fake::answering(vec![(200, body.clone()), (200, body.replace("\"date\"", "\"campaign_id\": \"7\", \"date\""))]);
    let session = session(&fake);
    let error = Zeta.insights(&session, &request(Granularity::Day, None)).await.unwrap_err();
    assert_eq!(error.kind, Kind::PlatformFailed, "the row of no campaign");
    let rows = Zeta.insights(&session, &request(Granularity::Day, None)).await.unwrap().rows;
    let known = (rows[0].spend, rows[0].impressions, rows[0].clicks, rows[0].conversions);
    assert_eq!(known, (decimal_of("51.036973"), Some(100), Some(5), None));
}

#[tokio::test]
async fn days_add_up_to_the_total_in_every_currency() {
    for (currency, unit) in [("USD", 10_000), ("JPY", 1_000_000), ("KWD", 1_000)] {
        let numbers = |number: u64| {
            json!({"campaign_id": "7", "date": format!("2026-07-0{}", number.min(4)), "spend": number * 7_919 * unit,
                "impressions": number * 104_729, "clicks": number * 31, "conversion_purchase_total_value": number * 101})
        };
        let days: Vec<Value> = (1..=4).map(numbers).collect();
        let fake = Fake::answering(vec![page(&json!(days), None), page(&json!([numbers(10)]), None)]);
        let mut session = session(&fake);
        session.account.currency = Currency::from_code(currency).unwrap();
        let days = Zeta.insights(&session, &request(Granularity::Day, Some("7"))).await.unwrap().rows;
        let total = Zeta.insights(&session, &request(Granularity::Total, Some("7"))).await.unwrap().rows;
        assert_eq!(total[0].spend, Some(days.iter().filter_map(|row| row.spend).sum()), "{currency}");
        assert_eq!(total[0].impressions, Some(days.iter().filter_map(|row| row.impressions).sum()));
        assert_eq!(total[0].clicks, Some(days.iter().filter_map(|row| row.clicks).sum()));
        let value = (currency == "USD").then(|| days.iter().filter_map(|row| row.conversion_value).sum());
        assert_eq!(total[0].conversion_value, value, "the unit is known for two decimals only");
        assert!(days.iter().all(|row| row.spend.unwrap().scale() <= session.account.currency.decimals()));
    }
}

//! Reports by date.

use super::reports::report_body;
use super::{Session, USD, field_error};
use crate::delivery::Delivery;
use crate::platform::{AdPlatform as _, SpendError};
use serde_json::{Value, json};

const NUMBERS: [&str; 5] =
    ["spend", "impressions", "clicks", "key_conversion_total_count", "conversion_purchase_total_value"];

fn create(session: &mut Session, account: &str) -> String {
    let pixel = json!({ "conversion_pixel_id": account.replace("a2_", "a2_px") });
    let (status, body) = session.post(account, pixel);
    assert_eq!(status, 201, "{body}");
    body["data"]["id"].as_str().unwrap().to_owned()
}

fn deliver(session: &mut Session, id: &str, day: &str, delivery: &Delivery) {
    assert!(session.platform.deliver(id, day.parse().unwrap(), delivery).is_ok());
}

/// All numbers by these breakdowns, with changes.
fn report(session: &mut Session, account: &str, breakdowns: &[&str], changes: &Value) -> (u16, Value) {
    let numbers = NUMBERS.map(str::to_ascii_uppercase);
    let fields: Vec<&str> = breakdowns.iter().copied().chain(numbers.iter().map(String::as_str)).collect();
    let mut body = report_body(json!({ "fields": fields, "breakdowns": breakdowns,
        "starts_at": "2025-12-02T00:00:00Z", "ends_at": "2026-03-02T00:00:00Z" }));
    let data = body["data"].as_object_mut().unwrap();
    data.extend(changes.as_object().unwrap().clone());
    session.call("POST", &format!("/ad_accounts/{account}/reports?page.size=1000"), &body)
}

fn metrics((status, body): (u16, Value)) -> Vec<Value> {
    assert_eq!(status, 200, "{body}");
    body["data"]["metrics"].as_array().unwrap().clone()
}

fn day(spend: i64, conversions: i64) -> Delivery {
    let conversion_value = conversions * 5_250_000;
    Delivery { spend, impressions: 1_000, clicks: 10, conversions: conversions * 1_000_000, conversion_value }
}

#[test]
fn a_report_by_date_has_a_row_for_each_campaign_and_day_with_delivery() {
    let mut session = Session::new();
    let (id, idle) = (create(&mut session, USD), create(&mut session, USD));
    deliver(&mut session, &id, "2026-02-03", &day(1, 2));
    deliver(&mut session, &id, "2026-02-01", &day(2_500_000, 0));
    let row = |date: &str, spend: i64, conversions: i64, value: i64| {
        json!({ "campaign_id": id, "date": date, "spend": spend, "impressions": 1_000, "clicks": 10,
            "key_conversion_total_count": conversions, "conversion_purchase_total_value": value })
    };
    let expected = vec![row("2026-02-01", 2_500_000, 0, 0), row("2026-02-03", 1, 2, 1_050)];
    assert_eq!(metrics(report(&mut session, USD, &["CAMPAIGN_ID", "DATE"], &json!({}))), expected);
    let of_idle = json!({ "filter": format!("campaign:id=={idle}") });
    assert!(metrics(report(&mut session, USD, &["DATE", "CAMPAIGN_ID"], &of_idle)).is_empty());
    let dates = metrics(report(&mut session, USD, &["DATE"], &json!({})));
    assert_eq!((dates.len(), &dates[0]["date"], &dates[0]["spend"]), (2, &json!("2026-02-01"), &json!(2_500_000)));
}

#[test]
fn a_row_has_its_date_only_on_request_and_in_the_reports_zone() {
    let mut session = Session::new();
    let id = create(&mut session, USD);
    assert!(session.platform.spend(&id, "3", "2026-02-01T22:30:00Z".parse().unwrap()).is_ok());
    let by_date = |session: &mut Session, changes: &Value| metrics(report(session, USD, &["DATE"], changes));
    assert_eq!(by_date(&mut session, &json!({ "fields": ["SPEND"] })), [json!({ "spend": 3_000_000 })]);
    for (zone, date) in [(Value::Null, "2026-02-01"), (json!("UTC"), "2026-02-01"), (json!("Asia/Tokyo"), "2026-02-02")]
    {
        assert_eq!(by_date(&mut session, &json!({ "time_zone_id": zone }))[0]["date"], date, "{zone}");
    }
}

#[test]
fn rows_by_date_are_paged_and_a_page_belongs_to_its_body() {
    let mut session = Session::new();
    let id = create(&mut session, USD);
    for number in 1..=9 {
        deliver(&mut session, &id, &format!("2026-02-0{number}"), &day(number, 0));
    }
    let body = report_body(json!({ "starts_at": "2026-02-01T00:00:00Z", "breakdowns": ["CAMPAIGN_ID", "DATE"] }));
    let mut path = Some(format!("/ad_accounts/{USD}/reports?page.size=4"));
    let mut spends = Vec::new();
    let mut pages = 0;
    while let Some(at) = path {
        let (status, page) = session.call("POST", &at, &body);
        assert_eq!(status, 200, "{page}");
        spends.extend(page["data"]["metrics"].as_array().unwrap().iter().map(|row| row["spend"].as_i64().unwrap()));
        let next = page["pagination"]["next_url"].as_str();
        path = next.map(|url| url.strip_prefix("http://127.0.0.1:4567/zeta_ads/api/v3").unwrap().to_owned());
        if let Some(at) = &path {
            let other = report_body(json!({ "starts_at": "2026-02-01T00:00:00Z" }));
            assert_eq!(field_error(&session.call("POST", at, &other)).0, "page.token");
        }
        pages += 1;
    }
    assert_eq!((spends, pages), ((1..=9).collect(), 3));
}

#[test]
fn the_value_of_conversions_is_in_hundredths() {
    let mut session = Session::new();
    let id = create(&mut session, USD);
    let fine = Delivery { conversion_value: 1_000, ..day(1, 0) };
    let refused = session.platform.deliver(&id, "2026-03-02".parse().unwrap(), &fine);
    assert!(matches!(refused, Err(SpendError::InvalidForCurrency(code)) if code == "USD"));
}

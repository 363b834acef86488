use super::*;
use crate::platforms::AdPlatform;
use crate::platforms::fake::{Fake, ReceivedRequest, ok};
use crate::platforms::fixtures;
use crate::platforms::gamma::Gamma;
use jiff::civil::date;
use serde_json::{Value, json};
use url::Url;

mod sums;

fn request(granularity: Granularity, campaign: Option<&str>) -> InsightsRequest {
    let days = Days::new(date(2026, 11, 1), date(2026, 11, 3)).unwrap();
    InsightsRequest { days, granularity, campaign: campaign.map(str::to_owned), limit: 50, after: None }
}

fn account(currency: &str) -> AdAccount {
    fixtures::account(Platform::Gamma, currency, "America/New_York")
}

fn row(campaign: &str, day: &str, metrics: Value) -> Value {
    json!({"dimensions": {"campaign_id": campaign, "stat_time_day": format!("{day} 00:00:00")}, "metrics": metrics})
}

fn page(rows: &Value, number: usize, pages: usize) -> Value {
    let info = json!({"page": number, "page_size": 1000, "total_number": 9, "total_page": pages});
    json!({"code": 0, "message": "OK", "request_id": "r", "data": {"list": rows, "page_info": info}})
}

fn reporting(rows: Value) -> Fake {
    Fake::new(move |_| ok(page(&rows, 1, 1)))
}

async fn read(fake: &Fake, request: &InsightsRequest) -> Result<InsightsPage, Error> {
    Gamma.insights(&fake.session_of(Platform::Gamma, account("USD")), request).await
}

fn parameter(request: &ReceivedRequest, name: &str) -> Option<String> {
    let url = Url::parse("http://x").unwrap().join(request.line.split(' ').nth(1).unwrap()).unwrap();
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

#[tokio::test]
async fn a_row_is_read_number_by_number() {
    let metrics = json!({"spend": "60.500", "impressions": "15689", "clicks": "145", "conversion": "3"});
    let fake = reporting(json!([row("9", "2026-11-02", metrics)]));
    let page = read(&fake, &request(Granularity::Day, None)).await.unwrap();
    let expected = InsightsRow {
        campaign: CampaignId::new(Platform::Gamma, "7000000000000000001", "9"),
        date: Some(date(2026, 11, 2)),
        spend: Some(Decimal::new(605, 1)),
        impressions: Some(15_689),
        clicks: Some(145),
        conversions: Some(Decimal::from(3)),
        conversion_value: None,
        unreadable: Vec::new(),
    };
    assert_eq!((page.rows, page.has_more), (vec![expected], false));
    let sent = &fake.requests()[0];
    assert!(sent.line.starts_with("GET /open_api/v1.3/report/integrated/get/?"), "{}", sent.line);
    let all = r#"[{"field_name":"campaign_status","filter_type":"IN","filter_value":"[\"STATUS_ALL\"]"}]"#;
    for (name, value) in [
        ("advertiser_id", "7000000000000000001"),
        ("report_type", "BASIC"),
        ("data_level", "AUCTION_CAMPAIGN"),
        ("dimensions", r#"["campaign_id","stat_time_day"]"#),
        ("metrics", METRICS),
        ("start_date", "2026-11-01"),
        ("end_date", "2026-11-03"),
        ("filtering", all),
        ("page", "1"),
        ("page_size", "1000"),
    ] {
        assert_eq!(parameter(sent, name).as_deref(), Some(value), "{name}");
    }
    assert_eq!(parameter(sent, "query_lifetime"), None);
}

#[tokio::test]
async fn a_dash_is_a_number_that_the_platform_does_not_have() {
    let dash = json!({"spend": "-", "impressions": "-", "clicks": "-", "conversion": "-"});
    for metrics in [dash, json!({}), json!({"spend": null, "clicks": null})] {
        let fake = reporting(json!([{"dimensions": {"campaign_id": "9"}, "metrics": metrics}]));
        let row = read(&fake, &request(Granularity::Total, Some("9"))).await.unwrap().rows.remove(0);
        assert_eq!((row.date, row.spend, row.impressions, row.clicks), (None, None, None, None));
        assert_eq!((row.conversions, row.conversion_value), (None, None));
        let sent = &fake.requests()[0];
        assert_eq!(parameter(sent, "dimensions").as_deref(), Some(r#"["campaign_id"]"#));
        let filters = parameter(sent, "filtering").unwrap();
        assert!(filters.contains(r#""field_name":"campaign_ids","filter_type":"IN","filter_value":"[\"9\"]""#));
    }
}

#[tokio::test]
async fn a_correction_is_read_and_an_unreadable_number_is_null_in_its_row() {
    let metrics = json!({"spend": "-1.00", "impressions": [], "clicks": "1.5", "conversion": "-2"});
    let rows = json!([row("9", "2026-11-02", metrics), row("9", "2026-11-03", json!({"clicks": "1", "spend": "ten"}))]);
    let found = read(&reporting(rows), &request(Granularity::Day, Some("9"))).await.unwrap().rows;
    assert_eq!((found[0].spend, found[0].conversions), (Some(Decimal::from(-1)), Some(Decimal::from(-2))));
    assert_eq!(found[0].unreadable, ["impressions", "clicks"]);
    assert_eq!(
        (found[1].clicks, found[1].spend, found[1].unreadable.as_slice()),
        (Some(1), None, ["spend"].as_slice())
    );
}

#[tokio::test]
async fn a_row_that_cannot_be_read_or_was_not_requested_is_an_error() {
    let good = || row("9", "2026-11-02", json!({"clicks": "1"}));
    let rows = vec![
        row("8", "2026-11-02", json!({})),
        row("x", "2026-11-02", json!({})),
        row("9", "2026-10-31", json!({})),
        row("9", "2026-11-04", json!({})),
        json!({"dimensions": {"campaign_id": "9"}, "metrics": {}}),
        json!({"dimensions": {"campaign_id": "9", "stat_time_day": "2026-11-02 01:00:00"}, "metrics": {}}),
        json!({"dimensions": {"campaign_id": "9", "stat_time_day": "yesterday"}, "metrics": {}}),
        json!({"dimensions": {"campaign_id": "9", "stat_time_day": "2026-11-03"}}),
        json!({"metrics": {}}),
        good(),
    ];
    for wrong in rows {
        let fake = reporting(json!([good(), wrong]));
        let error = read(&fake, &request(Granularity::Day, Some("9"))).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "{wrong}");
    }
    let dated = json!({"dimensions": {"campaign_id": "9", "stat_time_day": "2026-11-03"}, "metrics": {"clicks": "1"}});
    let page = read(&reporting(json!([good(), dated])), &request(Granularity::Day, Some("9"))).await.unwrap();
    assert_eq!(page.rows[1].date, Some(date(2026, 11, 3)), "a date without its midnight");
}

#[tokio::test]
async fn pages_follow_by_number_and_a_position_continues_in_the_middle() {
    let fake = Fake::new(|request| {
        let rows = |ids: [&str; 2]| json!(ids.map(|id| row(id, "2026-11-01", json!({"clicks": "1"}))));
        match parameter(request, "page").as_deref() {
            Some("1") => ok(page(&rows(["1", "2"]), 1, 2)),
            _ => ok(page(&rows(["3", "4"]), 2, 2)),
        }
    });
    let whole = request(Granularity::Day, None);
    let ids = |page: &InsightsPage| -> Vec<String> {
        let remote = |row: &InsightsRow| row.campaign.remote_in("7000000000000000001").unwrap().to_owned();
        page.rows.iter().map(remote).collect()
    };
    let all = read(&fake, &whole).await.unwrap();
    assert_eq!((ids(&all).concat().as_str(), all.has_more), ("1234", false));
    for (index, position) in all.positions.iter().enumerate() {
        let next = InsightsRequest { limit: 2, after: Some(position.clone()), ..whole.clone() };
        let next = read(&fake, &next).await.unwrap();
        assert_eq!(ids(&next).concat(), &"1234"[index + 1..(index + 3).min(4)], "{position}");
        assert_eq!(next.has_more, index == 0);
    }
    for token in ["0", "-1", "x", "1x"] {
        let after = Some(format!("2026-11-01..2026-11-03:0:{token}"));
        let error = read(&fake, &InsightsRequest { after, ..whole.clone() }).await.unwrap_err();
        assert_eq!(error.details[0].field, "cursor", "{token}");
    }
}

#[tokio::test]
async fn no_call_has_more_than_thirty_days_by_day() {
    let days = Days::new(date(2026, 8, 1), date(2026, 10, 1)).unwrap();
    let fake = reporting(json!([]));
    read(&fake, &InsightsRequest { days, ..request(Granularity::Day, None) }).await.unwrap();
    let ranges = |fake: &Fake| -> Vec<(String, String)> {
        let range =
            |sent: &ReceivedRequest| (parameter(sent, "start_date").unwrap(), parameter(sent, "end_date").unwrap());
        fake.requests().iter().map(range).collect()
    };
    let range = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let parts = [("2026-08-01", "2026-08-30"), ("2026-08-31", "2026-09-29"), ("2026-09-30", "2026-10-01")];
    assert_eq!(ranges(&fake), parts.map(|(from, to)| range(from, to)));
    let fake = reporting(json!([]));
    read(&fake, &InsightsRequest { days, ..request(Granularity::Total, None) }).await.unwrap();
    assert_eq!(ranges(&fake), [range("2026-08-01", "2026-10-01")]);
}

#[tokio::test]
async fn a_campaign_that_no_id_can_be_is_not_found() {
    let silent = Fake::answering(vec![]);
    let error = read(&silent, &request(Granularity::Day, Some("camp_5"))).await.unwrap_err();
    assert_eq!(error.kind, Kind::NotFound);
}

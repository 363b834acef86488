use super::*;
use crate::platforms::delta::translate::tests::{account, decimal};
use crate::platforms::delta::{Delta, translate};
use crate::platforms::engine::AdPlatform;
use crate::platforms::fake::{Fake, ok};
use jiff::civil::{Date, date};
use serde_json::{Value, json};

mod sums;

fn request(granularity: Granularity, campaign: Option<&str>) -> InsightsRequest {
    let days = Days::new(date(2026, 11, 1), date(2026, 11, 3)).unwrap();
    InsightsRequest { days, granularity, campaign: campaign.map(str::to_owned), limit: 50, after: None }
}

fn day(day: Date) -> Value {
    json!({"year": day.year(), "month": day.month(), "day": day.day()})
}

/// The row of a campaign and day with numbers as the platform writes them.
fn row(campaign: &str, on: Date, numbers: Value) -> Value {
    let urn = format!("urn:li:sponsoredCampaign:{campaign}");
    let mut row = json!({"pivotValues": [urn], "dateRange": {"start": day(on), "end": day(on)}});
    row.as_object_mut().unwrap().extend(numbers.as_object().unwrap().clone());
    row
}

fn reporting(rows: Value) -> Fake {
    Fake::new(move |_| ok(json!({"paging": {"start": 0, "count": 10, "links": []}, "elements": rows})))
}

async fn read(fake: &Fake, request: &InsightsRequest) -> Result<InsightsPage, Error> {
    Delta.insights(&fake.session_of(Platform::Delta, account()), request).await
}

#[tokio::test]
async fn a_row_is_read_number_by_number() {
    let numbers = json!({"costInLocalCurrency": "107.5300000000000335346", "impressions": 1606, "clicks": 3,
        "externalWebsiteConversions": 2, "conversionValueInLocalCurrency": "49.99999999999996"});
    let fake = reporting(json!([row("9", date(2026, 11, 2), numbers)]));
    let page = read(&fake, &request(Granularity::Day, None)).await.unwrap();
    let expected = InsightsRow {
        campaign: CampaignId::new(Platform::Delta, "512345678", "9"),
        date: Some(date(2026, 11, 2)),
        spend: Some(decimal("107.53")),
        impressions: Some(1606),
        clicks: Some(3),
        conversions: Some(decimal("2")),
        conversion_value: Some(decimal("50")),
        unreadable: Vec::new(),
    };
    assert_eq!((page.rows, page.has_more), (vec![expected], false));
    let line = &fake.requests()[0].line;
    assert!(line.contains("timeGranularity=DAILY") && line.contains("accounts=List("), "{line}");
}

#[tokio::test]
async fn an_absent_number_is_not_known() {
    for numbers in [json!({}), json!({"costInLocalCurrency": null, "impressions": null, "clicks": null})] {
        let fake = reporting(json!([row("9", date(2026, 11, 2), numbers)]));
        let row = read(&fake, &request(Granularity::Total, Some("9"))).await.unwrap().rows.remove(0);
        assert_eq!((row.date, row.spend, row.impressions, row.clicks), (None, None, None, None));
        assert_eq!((row.conversions, row.conversion_value), (None, None));
        assert!(fake.requests()[0].line.contains("&campaigns=List(urn%3Ali%3AsponsoredCampaign%3A9)&"));
    }
}

#[tokio::test]
async fn a_correction_is_read_and_an_unreadable_number_is_null_in_its_row() {
    let corrected = json!({"costInLocalCurrency": "-5.005", "impressions": -1, "clicks": 1.5,
        "externalWebsiteConversions": "many", "conversionValueInLocalCurrency": "-2E-18"});
    let plain = json!({"clicks": 1, "costInLocalCurrency": "ten"});
    let rows = json!([row("9", date(2026, 11, 1), corrected), row("9", date(2026, 11, 2), plain)]);
    let found = read(&reporting(rows), &request(Granularity::Day, Some("9"))).await.unwrap().rows;
    assert_eq!((found[0].spend, found[0].impressions), (Some(decimal("-5.01")), Some(-1)));
    assert_eq!(found[0].conversion_value, Some(Decimal::ZERO), "noise is no correction");
    assert_eq!(found[0].unreadable, ["clicks", "conversions"]);
    assert_eq!(
        (found[1].clicks, found[1].spend, found[1].unreadable.as_slice()),
        (Some(1), None, ["spend"].as_slice())
    );
}

#[tokio::test]
async fn a_row_that_cannot_be_read_or_was_not_requested_is_an_error() {
    let second = date(2026, 11, 2);
    let good = || row("9", second, json!({"clicks": 1}));
    let mut rows = vec![
        row("8", second, json!({})),
        row("x", second, json!({})),
        row("9", date(2026, 10, 31), json!({})),
        row("9", date(2026, 11, 4), json!({})),
        json!({"pivotValues": ["urn:li:sponsoredCampaign:9"]}),
        json!({"pivotValues": [], "dateRange": {"start": day(second), "end": day(second)}}),
        json!({"dateRange": {"start": day(second), "end": day(second)}}),
        good(),
    ];
    rows.extend(
        [
            json!({"dateRange": {"start": day(date(2026, 11, 1)), "end": day(second)}}),
            json!({"dateRange": {"start": {"year": 2026, "month": 13, "day": 1}}}),
            json!({"dateRange": "2026-11-02"}),
        ]
        .map(|numbers| row("9", second, numbers)),
    );
    for wrong in rows {
        let fake = reporting(json!([good(), wrong]));
        let error = read(&fake, &request(Granularity::Day, Some("9"))).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "{wrong}");
    }
    for response in ["[]", "{}", r#"{"elements":null}"#] {
        let fake = Fake::new(move |_| (200, response.to_owned()));
        assert!(read(&fake, &request(Granularity::Day, None)).await.is_err(), "{response}");
    }
}

#[tokio::test]
async fn the_account_is_read_in_parts_of_few_enough_rows() {
    let fake = reporting(json!([]));
    let days = Days::new(date(2026, 10, 1), date(2026, 10, 30)).unwrap();
    let whole = InsightsRequest { days, ..request(Granularity::Day, None) };
    assert!(read(&fake, &whole).await.unwrap().rows.is_empty());
    let ranges = |fake: &Fake| -> Vec<String> {
        let lines = fake.requests().into_iter().map(|request| request.line);
        lines.map(|line| line.split("dateRange=").nth(1).unwrap().split('&').next().unwrap().to_owned()).collect()
    };
    let range = |from: i8, to: i8| format!("(start:(year:2026,month:10,day:{from}),end:(year:2026,month:10,day:{to}))");
    assert_eq!(ranges(&fake), [range(1, 14), range(15, 28), range(29, 30)]);
    for whole in [
        InsightsRequest { campaign: Some("9".to_owned()), ..whole.clone() },
        InsightsRequest { granularity: Granularity::Total, ..whole },
    ] {
        let fake = reporting(json!([]));
        read(&fake, &whole).await.unwrap();
        assert_eq!(ranges(&fake), [range(1, 30)]);
    }
}

// The report is large, and its page has a time limit: without a real clock a slow machine does not matter.
#[tokio::test(start_paused = true)]
async fn a_cut_report_is_read_again_in_halves_and_a_position_continues() {
    let fake = Fake::new(|request| {
        let is_day = |day: &str| request.line.contains(&format!("start:(year:2026,month:11,day:{day})"));
        let of = |first: i8, count: usize| -> Value {
            (1..=count).map(|id| row(&id.to_string(), date(2026, 11, first), json!({"clicks": 1}))).collect()
        };
        let rows = match (is_day("1"), request.line.contains("end:(year:2026,month:11,day:1)")) {
            (true, false) => of(1, 15_000),
            (true, true) => of(1, 2),
            _ => of(2, 3),
        };
        ok(json!({"elements": rows}))
    });
    let whole = request(Granularity::Day, None);
    let page = read(&fake, &InsightsRequest { limit: 3, ..whole.clone() }).await.unwrap();
    let ids = |page: &InsightsPage| -> Vec<String> { page.rows.iter().map(|row| row.campaign.to_string()).collect() };
    assert_eq!(ids(&page), ["delta_512345678_1", "delta_512345678_2", "delta_512345678_1"]);
    assert!(page.has_more);
    let after = page.positions.last().cloned();
    let rest = read(&fake, &InsightsRequest { limit: 3, after, ..whole.clone() }).await.unwrap();
    assert_eq!((ids(&rest), rest.has_more), (vec!["delta_512345678_2".into(), "delta_512345678_3".into()], false));
    let total = InsightsRequest { granularity: Granularity::Total, ..whole.clone() };
    assert!(read(&fake, &total).await.is_err(), "two halves would be two totals");
    let foreign = InsightsRequest { after: Some("2026-11-01..2026-11-01:0:token".to_owned()), ..whole };
    assert_eq!(read(&fake, &foreign).await.unwrap_err().details[0].field, "cursor");
}

#[tokio::test]
async fn a_campaign_that_no_id_can_be_is_not_found() {
    let silent = Fake::answering(vec![]);
    let error = read(&silent, &request(Granularity::Day, Some("camp_5"))).await.unwrap_err();
    assert_eq!(error.kind, Kind::NotFound);
    let account = AdAccount { id: "x".into(), ..translate::tests::account() };
    let session = silent.session_of(Platform::Delta, account);
    let error = Delta.insights(&session, &request(Granularity::Day, None)).await.unwrap_err();
    assert_eq!(error.kind, Kind::Internal);
}

use super::{FACTS, Position};
use crate::domain::{AdAccount, Currency, Days, Granularity, InsightsRow, Platform};
use crate::error::{Error, Kind};
use crate::platforms::engine::insights::tests::slow_platform::slow;
use crate::platforms::engine::insights::{InsightsPage, InsightsRequest};
use crate::platforms::epsilon::Epsilon;
use crate::platforms::epsilon::tests::support::session;
use crate::platforms::fake::{Fake, ScriptedResponse, ok};
use crate::platforms::{AccountSession, AdPlatform, recorded};
use rust_decimal::Decimal;
use serde_json::{Value, json};

fn request(granularity: Granularity, campaign: Option<&str>) -> InsightsRequest {
    let days = Days::new("2026-11-01".parse().unwrap(), "2026-11-07".parse().unwrap()).unwrap();
    InsightsRequest { days, granularity, campaign: campaign.map(str::to_owned), limit: 100, after: None }
}

/// The insights of campaign 5, from a report with these rows.
async fn of_one(granularity: Granularity, rows: Value) -> Result<Vec<InsightsRow>, Error> {
    let fake = Fake::new(move |_| ok(rows.clone()));
    Ok(Epsilon.insights(&session(&fake), &request(granularity, Some("5"))).await?.rows)
}

fn shown(row: &InsightsRow) -> (String, Option<String>, [Option<String>; 5]) {
    let text = |amount: Option<Decimal>| amount.map(|amount| amount.to_string());
    let count = |count: Option<i64>| count.map(|count| count.to_string());
    let numbers =
        [text(row.spend), count(row.impressions), count(row.clicks), text(row.conversions), text(row.conversion_value)];
    (row.campaign.to_string(), row.date.map(|date| date.to_string()), numbers)
}

fn known(number: &str) -> Option<String> {
    Some(number.to_owned())
}

fn full(id: u64, date: &str) -> Value {
    json!({"CAMPAIGN_ID": id.to_string(), "DATE": date, "SPEND_IN_MICRO_DOLLAR": 1_230_001, "IMPRESSION_1": 1_000,
        "CLICKTHROUGH_1": 12, "TOTAL_CONVERSIONS": 3, "TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR": 45_600_000})
}

#[tokio::test]
async fn the_days_of_a_campaign_are_one_report_with_the_windows_of_the_facts() {
    let rows = json!([full(5, "2026-11-03"), {"CAMPAIGN_ID": 5, "DATE": "2026-11-01", "TOTAL_CONVERSIONS": null,
        "SPEND_IN_MICRO_DOLLAR": 0, "IMPRESSION_1": "7", "CLICKTHROUGH_1": 0.0,
        "TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR": 0.5}]);
    let fake = Fake::answering(vec![ok(rows)]);
    let page = Epsilon.insights(&session(&fake), &request(Granularity::Day, Some("5"))).await.unwrap();
    let id = "epsilon_549755885175_5".to_owned();
    let first = [known("0"), known("7"), known("0"), None, known("0.0000005")];
    let last = [known("1.230001"), known("1000"), known("12"), known("3"), known("45.6")];
    let rows: Vec<_> = page.rows.iter().map(shown).collect();
    assert_eq!(rows, [(id.clone(), known("2026-11-01"), first), (id, known("2026-11-03"), last)]);
    assert!(!page.has_more);
    let line = "GET /v5/ad_accounts/549755885175/campaigns/analytics?start_date=2026-11-01&end_date=2026-11-07\
        &campaign_ids=5&columns=SPEND_IN_MICRO_DOLLAR%2CIMPRESSION_1%2CCLICKTHROUGH_1%2CTOTAL_CONVERSIONS\
        %2CTOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR&granularity=DAY&click_window_days=30&engagement_window_days=30\
        &view_window_days=1&conversion_report_time=TIME_OF_AD_ACTION HTTP/1.1";
    assert_eq!(fake.requests()[0].line, line);
    assert!(FACTS.attribution.contains("30") && FACTS.attribution.contains("TIME_OF_AD_ACTION"));
}

#[tokio::test]
async fn a_total_has_one_row_without_a_day_and_none_without_delivery() {
    let rows = of_one(Granularity::Total, json!([full(5, "2026-11-03")])).await.unwrap();
    assert_eq!((rows.len(), rows[0].date, rows[0].clicks), (1, None, Some(12)));
    assert!(of_one(Granularity::Total, json!([])).await.unwrap().is_empty());
    assert!(of_one(Granularity::Day, json!([])).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_correction_is_read_and_an_unreadable_number_is_null_in_its_row() {
    let corrected = json!({"CAMPAIGN_ID": "5", "DATE": "2026-11-01", "SPEND_IN_MICRO_DOLLAR": -1, "IMPRESSION_1": -2,
        "CLICKTHROUGH_1": 1.5, "TOTAL_CONVERSIONS": "many", "TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR": {}});
    let mut plain = full(5, "2026-11-03");
    plain["SPEND_IN_MICRO_DOLLAR"] = json!(0.5);
    let rows = of_one(Granularity::Day, json!([corrected, plain])).await.unwrap();
    assert_eq!(shown(&rows[0]).2, [known("-0.000001"), known("-2"), None, None, None]);
    assert_eq!(rows[0].unreadable, ["clicks", "conversions", "conversion_value"]);
    assert_eq!((rows[1].spend, rows[1].clicks, rows[1].unreadable.as_slice()), (None, Some(12), ["spend"].as_slice()));
}

#[tokio::test]
async fn a_row_that_cannot_be_read_or_was_not_requested_is_an_error() {
    let changed = |name: &str, value: Value| {
        let mut row = full(5, "2026-11-03");
        row[name] = value;
        json!([full(5, "2026-11-01"), row])
    };
    for rows in [
        changed("CAMPAIGN_ID", json!("6")),
        changed("CAMPAIGN_ID", Value::Null),
        changed("DATE", json!("2026-10-31")),
        changed("DATE", json!("2026-11-08")),
        changed("DATE", json!("2026-11-03T00:00:00")),
        changed("DATE", Value::Null),
        changed("DATE", json!("2026-11-01")),
        json!([null]),
        json!([[5]]),
        json!({}),
    ] {
        let error = of_one(Granularity::Day, rows.clone()).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "{rows}");
    }
}

#[tokio::test]
async fn a_campaign_whose_id_is_no_number_is_not_found_without_a_call() {
    let nothing = Fake::answering(vec![]);
    for id in ["", "c5", "05", "5_6"] {
        let error = Epsilon.insights(&session(&nothing), &request(Granularity::Day, Some(id))).await.unwrap_err();
        assert_eq!(error.kind, Kind::NotFound, "{id}");
    }
}

/// An account with campaigns 1 to 7, 3 on a page of the list. Each but campaign 4 has delivered on two days.
fn account(request: &str) -> ScriptedResponse {
    if request.contains("/analytics?") {
        let ids = (1..=7).filter(|id| *id != 4 && request.contains(&format!("campaign_ids={id}&")));
        let rows = ids.flat_map(|id| [full(id, "2026-11-02"), full(id, "2026-11-01")]);
        return ok(rows.collect());
    }
    let (ids, next) = match request {
        list if list.contains("bookmark=two") => ([4, 3, 2].as_slice(), Some("three")),
        list if list.contains("bookmark=three") => ([1].as_slice(), None),
        _ => ([7, 6, 5].as_slice(), Some("two")),
    };
    let items: Vec<Value> = ids.iter().map(|id| json!({"id": id.to_string()})).collect();
    ok(json!({"items": items, "bookmark": next}))
}

async fn of_account(fake: &Fake, limit: usize, after: Option<String>) -> Result<InsightsPage, Error> {
    let request = InsightsRequest { limit, after, ..request(Granularity::Day, None) };
    Epsilon.insights(&session(fake), &request).await
}

#[tokio::test]
async fn the_insights_of_an_account_go_on_exactly_behind_each_row() {
    let id = |id: u64| format!("epsilon_549755885175_{id}");
    let days = |campaign: u64| ["2026-11-01", "2026-11-02"].map(|day| (id(campaign), day.to_owned()));
    let all: Vec<(String, String)> = [7, 6, 5, 3, 2, 1].into_iter().flat_map(days).collect();
    for limit in 1..=13 {
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let fake = Fake::new(|request| account(&request.line));
            let page = of_account(&fake, limit, after).await.unwrap();
            let rows = page.rows.iter().map(|row| (row.campaign.to_string(), row.date.unwrap().to_string()));
            seen.extend(rows);
            assert!(fake.requests().len() <= 6, "a list and a report for each page of campaigns");
            if !page.has_more {
                break;
            }
            after = page.positions.last().cloned();
        }
        assert_eq!(seen, all, "limit {limit}");
    }
}

#[tokio::test]
async fn every_state_of_campaigns_is_listed_and_none_is_asked_for_twice() {
    let fake = Fake::new(|request| account(&request.line));
    of_account(&fake, 100, None).await.unwrap();
    let lines: Vec<String> = fake.requests().into_iter().map(|request| request.line).collect();
    assert!(lines[0].contains("entity_statuses=ARCHIVED") && lines[0].contains("page_size=250"), "{lines:?}");
    assert!(lines[0].contains("order=DESCENDING"), "{lines:?}");
    let reports: Vec<_> = lines.iter().filter(|line| line.contains("/analytics?")).collect();
    assert_eq!((lines.len(), reports.len()), (6, 3));
    assert!(reports[0].contains("campaign_ids=7&campaign_ids=6&campaign_ids=5&columns="), "{reports:?}");
}

#[tokio::test]
async fn a_list_that_cannot_be_read_or_a_row_of_another_page_is_an_error() {
    let foreign = json!({"items": [{"id": "7", "ad_account_id": "1"}], "bookmark": null});
    let unreadable = json!({"items": [{"id": "c7"}], "bookmark": null});
    for list in [foreign, unreadable, json!({"items": [{}]}), json!({})] {
        let fake = Fake::new(move |_| ok(list.clone()));
        assert_eq!(of_account(&fake, 10, None).await.unwrap_err().kind, Kind::PlatformFailed);
    }
    let other = Fake::new(|request| {
        if request.line.contains("/analytics?") { ok(json!([full(1, "2026-11-01")])) } else { account(&request.line) }
    });
    assert_eq!(of_account(&other, 10, None).await.unwrap_err().kind, Kind::PlatformFailed);
    let missing = Fake::new(|_| (404, r#"{"code":2,"message":"AdAccount not found."}"#.into()));
    assert_eq!(of_account(&missing, 10, None).await.unwrap_err().kind, Kind::Forbidden);
    let refused = Fake::new(|_| (401, r#"{"code":2,"message":"Authentication failed."}"#.into()));
    assert_eq!(of_account(&refused, 10, None).await.unwrap_err().kind, Kind::TokenExpired);
    let expired = Fake::new(|_| (400, r#"{"code":1,"message":"Invalid bookmark."}"#.into()));
    let after = Some("7.2026-11-01.two".to_owned());
    assert_eq!(of_account(&expired, 10, after).await.unwrap_err().details[0].field, "cursor");
}

/// Pages of one campaign each. Only the oldest campaign has delivered.
fn last_of_three(url: &str) -> ScriptedResponse {
    let page = |id: &str, next: Option<&str>| ok(json!({"items": [{"id": id}], "bookmark": next}));
    match url {
        report if report.contains("campaign_ids=1&") => ok(json!([full(1, "2026-11-01")])),
        report if report.contains("/analytics?") => ok(json!([])),
        list if list.contains("bookmark=two") => page("2", Some("three")),
        list if list.contains("bookmark=three") => page("1", None),
        _ => page("3", Some("two")),
    }
}

#[tokio::test(start_paused = true)]
async fn campaigns_without_delivery_are_passed_until_the_deadline() {
    let read = async |seconds: u64| {
        let session = slow(session(&Fake::answering(vec![])), seconds, last_of_three);
        Epsilon.insights(&session, &request(Granularity::Day, None)).await
    };
    let page = read(4).await.unwrap();
    assert_eq!((page.rows.len(), page.has_more), (1, false));
    let error = read(6).await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::PlatformTimeout, true));
    assert!(error.message.contains("ask for fewer days"), "{error}");
}

#[tokio::test]
async fn a_broken_position_is_a_broken_cursor_and_nothing_is_sent() {
    let nothing = Fake::answering(vec![]);
    for after in ["", "7", "7.2026-11-01", "c.2026-11-01.", "7..", "7.2026-11-08.", "7.20261101.", "7.2026-11-01.\n"] {
        let error = of_account(&nothing, 5, Some(after.to_owned())).await.unwrap_err();
        assert_eq!(error.details[0].field, "cursor", "{after:?}");
    }
    let total = request(Granularity::Total, None);
    assert!(Position::read("7..two", &total).is_some() && Position::read("7.2026-11-01.two", &total).is_none());
}

#[tokio::test]
async fn a_published_row_by_day_has_no_number_that_was_not_requested() {
    let body = recorded::body(Platform::Epsilon, "spend-row-without-micros.json");
    let fake = Fake::answering(vec![(200, body)]);
    let day = "2021-04-01".parse().unwrap();
    let mut request = request(Granularity::Day, Some("547602124502"));
    request.days = Days::new(day, day).unwrap();
    let page = Epsilon.insights(&session(&fake), &request).await.unwrap();
    let id = "epsilon_549755885175_547602124502".to_owned();
    assert_eq!(shown(&page.rows[0]), (id, known("2021-04-01"), [None, None, None, None, None]));
}

/// A session of an account in another currency.
fn session_in(fake: &Fake, currency: &str) -> AccountSession {
    let session = session(fake);
    let currency = Currency::from_code(currency).unwrap();
    AccountSession { account: AdAccount { currency, ..session.account }, ..session }
}

#[tokio::test]
async fn days_add_up_to_the_total_in_every_currency() {
    for (currency, unit) in [("EUR", 10_000), ("JPY", 1_000_000), ("KWD", 1_000)] {
        let day = |number: u64| {
            json!({"CAMPAIGN_ID": "5", "DATE": format!("2026-11-0{number}"),
                "SPEND_IN_MICRO_DOLLAR": number * 7_919 * unit, "IMPRESSION_1": number * 104_729,
                "CLICKTHROUGH_1": number * 31, "TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR": number * 3 * unit})
        };
        let days: Vec<Value> = (1..=7).map(day).collect();
        let total = json!([{"CAMPAIGN_ID": "5", "SPEND_IN_MICRO_DOLLAR": 28 * 7_919 * unit,
            "IMPRESSION_1": 28 * 104_729, "CLICKTHROUGH_1": 28 * 31,
            "TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR": 28 * 3 * unit}]);
        let fake = Fake::answering(vec![ok(json!(days)), ok(total)]);
        let session = session_in(&fake, currency);
        let days = Epsilon.insights(&session, &request(Granularity::Day, Some("5"))).await.unwrap().rows;
        let total = Epsilon.insights(&session, &request(Granularity::Total, Some("5"))).await.unwrap().rows;
        let sum = |number: fn(&InsightsRow) -> Option<Decimal>| days.iter().filter_map(number).sum::<Decimal>();
        assert_eq!(total[0].spend, Some(sum(|row| row.spend)), "{currency}");
        assert_eq!(total[0].conversion_value, Some(sum(|row| row.conversion_value)), "{currency}");
        assert_eq!(total[0].impressions, Some(days.iter().filter_map(|row| row.impressions).sum()));
        assert_eq!(total[0].clicks, Some(days.iter().filter_map(|row| row.clicks).sum()));
        assert!(days.iter().all(|row| row.spend.unwrap().scale() <= session.account.currency.decimals()));
    }
}

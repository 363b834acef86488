//! Reports on days.

use super::*;
use crate::delivery::Delivery;
use jiff::civil::Date;

/// A day with these numbers, in micros where they are amounts.
fn delivery(spend: i64, impressions: u64, clicks: u64, conversions: i64, conversion_value: i64) -> Delivery {
    Delivery { spend, impressions, clicks, conversions, conversion_value }
}

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

/// A campaign's id.
fn create(session: &mut Session, customer: &str, name: &str) -> String {
    let (campaign, _) = session.campaign(customer, json!({ "name": name }));
    campaign.rsplit('/').next().unwrap().to_owned()
}

fn deliver(session: &mut Session, campaign: &str, date: &str, delivery: &Delivery) {
    assert!(session.platform.deliver(campaign, day(date), delivery).is_ok());
}

fn rows(session: &mut Session, customer: &str, query: &str) -> Vec<Value> {
    let (status, body) = session.search(customer, query);
    assert_eq!(status, 200, "{body}");
    body["results"].as_array().cloned().unwrap_or_default()
}

fn code(session: &mut Session, query: &str) -> String {
    let (status, body) = session.search(USD, query);
    assert_eq!(status, 400, "{body}");
    errors(&body).remove(0).0
}

const METRICS: &str =
    "metrics.cost_micros, metrics.impressions, metrics.clicks, metrics.conversions, metrics.conversions_value";

#[test]
fn a_selected_date_gives_a_row_for_each_day_with_numbers() {
    let mut session = Session::new();
    let id = create(&mut session, USD, "a");
    create(&mut session, USD, "silent");
    deliver(&mut session, &id, "2026-02-01", &delivery(12_340_000, 1000, 10, 1_500_000, 7_250_000));
    deliver(&mut session, &id, "2026-02-02", &Delivery::default());
    deliver(&mut session, &id, "2026-02-03", &delivery(0, 5, 0, 0, 0));
    deliver(&mut session, &id, "2026-02-04", &delivery(1, 1, 1, 0, 0));
    let query = format!(
        "SELECT campaign.id, segments.date, {METRICS} FROM campaign \
         WHERE segments.date BETWEEN '2026-02-01' AND '2026-02-03' ORDER BY segments.date DESC"
    );
    let found = rows(&mut session, USD, &query);
    let dates: Vec<&Value> = found.iter().map(|row| &row["segments"]["date"]).collect();
    assert_eq!(dates, ["2026-02-03", "2026-02-01"]);
    let metrics = json!({ "costMicros": "12340000", "impressions": "1000", "clicks": "10", "conversions": 1.5,
        "conversionsValue": 7.25 });
    assert_eq!(found[1]["metrics"], metrics);
    assert_eq!(found[0]["metrics"]["costMicros"], "0");
    let total = query.replace("segments.date, metrics", "metrics").replace("ORDER BY segments.date DESC", "");
    let totals = rows(&mut session, USD, &total);
    assert_eq!(totals.len(), 2, "a report that is not segmented has zeros");
    assert_eq!((&totals[0]["metrics"]["impressions"], &totals[0]["segments"]), (&json!("1005"), &Value::Null));
    assert_eq!(totals[1]["metrics"]["impressions"], "0");
    session.quirk("omitted_zeros");
    assert_eq!(rows(&mut session, USD, &total)[1]["metrics"], Value::Null);
    assert_eq!(rows(&mut session, USD, &query)[0]["metrics"], json!({ "impressions": "5" }));
    let whole = rows(&mut session, USD, "SELECT metrics.clicks FROM campaign");
    assert_eq!((&whole[0]["metrics"]["clicks"], &whole[1]["metrics"]["clicks"]), (&json!("11"), &json!("0")));
}

#[test]
fn spend_counts_for_the_day_in_the_time_zone_of_the_account() {
    let mut session = Session::new();
    let id = create(&mut session, JPY, "a");
    let late = "2026-03-02T16:00:00Z".parse().unwrap();
    deliver(&mut session, &id, "2026-03-03", &delivery(5_000_000, 2, 1, 0, 0));
    assert!(session.platform.spend(&id, "12", late).is_ok_and(|total| total.total == "17"));
    let query = "SELECT segments.date, metrics.cost_micros FROM campaign WHERE segments.date = '2026-03-03'";
    assert_eq!(rows(&mut session, JPY, query)[0]["metrics"], json!({ "costMicros": "17000000" }), "the day of Tokyo");
}

#[test]
fn a_report_is_paged_and_filtered_like_any_search() {
    let mut session = Session::new();
    let ids = ["a", "b"].map(|name| create(&mut session, USD, name));
    for id in &ids {
        for date in ["2026-02-01", "2026-02-02"] {
            deliver(&mut session, id, date, &delivery(1, 1, 1, 0, 0));
        }
    }
    let query = "SELECT campaign.id, segments.date, metrics.clicks FROM campaign \
                 WHERE segments.date >= '20260201' AND segments.date <= '20260202' ORDER BY segments.date, campaign.id";
    let one = query.replace(" ORDER", &format!(" AND campaign.id = {} ORDER", ids[1]));
    assert_eq!(rows(&mut session, USD, &one).len(), 2);
    let clicked = query.replace(" ORDER", " AND metrics.conversions > 0.5 ORDER");
    assert!(rows(&mut session, USD, &clicked).is_empty());
    session.settings.page_size = Some(3);
    let (_, first) = session.search(USD, query);
    let path = format!("/v26/customers/{USD}/googleAds:search");
    let (_, last) = session.post(&path, &json!({ "query": query, "pageToken": first["nextPageToken"] }));
    let pages = [&first, &last].map(|page| page["results"].as_array().map(Vec::len));
    assert_eq!((pages, last.get("nextPageToken")), ([Some(3), Some(1)], None));
    assert_eq!(last["results"][0]["campaign"]["id"], ids[1].as_str());
    let daily = "SELECT segments.date, metrics.clicks FROM customer WHERE segments.date = '2026-02-02'";
    assert_eq!(rows(&mut session, USD, daily)[0]["metrics"]["clicks"], "2");
}

#[test]
fn every_wrong_range_of_dates_has_its_code() {
    let mut session = Session::new();
    let base = "SELECT campaign.id, metrics.clicks, segments.date FROM campaign";
    for (rest, expected) in [
        ("", "queryError.EXPECTED_FILTERS_ON_DATE_RANGE"),
        (" WHERE segments.date >= '2026-01-01'", "queryError.EXPECTED_FILTERS_ON_DATE_RANGE"),
        (" WHERE segments.date BETWEEN '2026-01-02' AND '2026-01-01'", "queryError.DATE_RANGE_TOO_NARROW"),
        (" WHERE segments.date = 'yesterday'", "queryError.INVALID_DATE_FORMAT"),
        (" WHERE segments.date = '2026-02-30'", "queryError.INVALID_DATE_FORMAT"),
        (" WHERE segments.date DURING LAST_90_DAYS", "queryError.INVALID_VALUE_WITH_DURING_OPERATOR"),
        (" WHERE segments.date IN ('2026-01-01')", "queryError.OPERATOR_FIELD_MISMATCH"),
        (" WHERE segments.date != '2026-01-01'", "queryError.OPERATOR_FIELD_MISMATCH"),
        (" WHERE campaign.id DURING TODAY", "queryError.OPERATOR_FIELD_MISMATCH"),
        (
            " WHERE segments.date BETWEEN '2023-02-01' AND '2023-03-01'",
            "dateRangeError.REQUESTED_DATE_GRANULARITY_NOT_SUPPORTED",
        ),
    ] {
        assert_eq!(code(&mut session, &format!("{base}{rest}")), expected, "{rest}");
    }
    assert_eq!(
        session.search(USD, &format!("{base} WHERE segments.date BETWEEN '2023-02-02' AND '2026-03-02'")).0,
        200
    );
    let months = "SELECT metrics.clicks FROM campaign WHERE segments.date BETWEEN '2020-01-01' AND '2020-02-29'";
    assert_eq!(session.search(USD, months).0, 200, "whole months are older");
    let week = months.replace("2020-02-29", "2020-01-07");
    assert_eq!(code(&mut session, &week), "dateRangeError.REQUESTED_DATE_GRANULARITY_NOT_SUPPORTED");
    let sorted = "SELECT campaign.id FROM campaign WHERE segments.date DURING LAST_7_DAYS ORDER BY segments.date";
    assert_eq!(code(&mut session, sorted), "queryError.EXPECTED_REFERENCED_FIELD_IN_SELECT_CLAUSE");
    let constant = "SELECT currency_constant.code FROM currency_constant WHERE segments.date DURING TODAY";
    assert_eq!(code(&mut session, constant), "queryError.PROHIBITED_SEGMENT_IN_SELECT_OR_WHERE_CLAUSE");
}

//! Reports by day, and the sums of seeded deliveries.

use super::{JPY, Session, USD, accepted, item};
use crate::delivery::{self, Delivery};
use crate::platform::{AdPlatform as _, SpendError};
use jiff::ToSpan;
use jiff::civil::Date;
use serde_json::{Value, json};

const COLUMNS: &str = "SPEND_IN_MICRO_DOLLAR,IMPRESSION_1,CLICKTHROUGH_1,TOTAL_CONVERSIONS,\
    TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR";

/// 2 March 2026, the day of the tests.
fn today() -> Date {
    "2026-03-02".parse().unwrap()
}

fn create(session: &mut Session, account: &str) -> String {
    let (_, body) = session.write("POST", account, &json!([item(json!({ "ad_account_id": account }))]));
    accepted(&body)["id"].as_str().unwrap().to_owned()
}

fn deliver(session: &mut Session, id: &str, day: &str, delivery: &Delivery) {
    assert!(session.epsilon.deliver(id, day.parse().unwrap(), delivery).is_ok());
}

/// The report on the last 90 days.
fn report(session: &mut Session, account: &str, id: &str, more: &str) -> (u16, Value) {
    let query = format!("start_date=2025-12-02&end_date=2026-03-01&campaign_ids={id}&columns={COLUMNS}&{more}");
    session.get(&format!("/v5/ad_accounts/{account}/campaigns/analytics?{query}"))
}

fn day(spend: i64, conversions: i64) -> Delivery {
    let conversion_value = conversions * 5_250_000;
    Delivery { spend, impressions: 1_000, clicks: 10, conversions: conversions * 1_000_000, conversion_value }
}

#[test]
fn a_report_by_day_has_a_row_for_each_day_with_delivery() {
    let mut session = Session::new();
    let id = create(&mut session, USD);
    deliver(&mut session, &id, "2026-02-03", &day(1, 2));
    deliver(&mut session, &id, "2026-02-01", &day(2_500_000, 0));
    let first = json!({ "CAMPAIGN_ID": id, "DATE": "2026-02-01", "SPEND_IN_MICRO_DOLLAR": 2_500_000,
        "IMPRESSION_1": 1_000, "CLICKTHROUGH_1": 10 });
    let last = json!({ "CAMPAIGN_ID": id, "DATE": "2026-02-03", "SPEND_IN_MICRO_DOLLAR": 1, "IMPRESSION_1": 1_000,
        "CLICKTHROUGH_1": 10, "TOTAL_CONVERSIONS": 2, "TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR": 10_500_000 });
    assert_eq!(report(&mut session, USD, &id, "granularity=DAY"), (200, json!([first, last])));
    let total = json!({ "CAMPAIGN_ID": id, "SPEND_IN_MICRO_DOLLAR": 2_500_001, "IMPRESSION_1": 2_000,
        "CLICKTHROUGH_1": 20, "TOTAL_CONVERSIONS": 2, "TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR": 10_500_000 });
    assert_eq!(report(&mut session, USD, &id, "granularity=TOTAL"), (200, json!([total])));
}

#[test]
fn a_day_is_restated_and_spend_is_added_to_it() {
    let mut session = Session::new();
    let id = create(&mut session, USD);
    deliver(&mut session, &id, "2026-02-01", &day(7_000_000, 1));
    deliver(&mut session, &id, "2026-02-01", &day(5_000_000, 0));
    assert!(session.epsilon.spend(&id, "0.25", "2026-02-01T23:59:59Z".parse().unwrap()).is_ok());
    let (_, rows) = report(&mut session, USD, &id, "granularity=DAY");
    assert_eq!((&rows[0]["SPEND_IN_MICRO_DOLLAR"], &rows[0]["TOTAL_CONVERSIONS"]), (&json!(5_250_000), &Value::Null));
    assert_eq!(rows.as_array().map(Vec::len), Some(1));
}

#[test]
fn a_report_rejects_windows_and_options_that_the_schema_does_not_have() {
    let mut session = Session::new();
    let id = create(&mut session, USD);
    let good = "click_window_days=30&engagement_window_days=30&view_window_days=1&\
        conversion_report_time=TIME_OF_AD_ACTION";
    assert_eq!(report(&mut session, USD, &id, &format!("granularity=DAY&{good}")).0, 200);
    for bad in [
        "granularity=DAILY",
        "granularity=HOUR",
        "granularity=DAY&click_window_days=28",
        "granularity=DAY&conversion_report_time=AD_ACTION",
        "granularity=DAY&reporting_timezone=AD_ACCOUNT_TIME_ZONE",
        "granularity=DAY&bookmark=x",
    ] {
        assert_eq!(report(&mut session, USD, &id, bad).0, 400, "{bad}");
    }
}

#[test]
fn a_delivery_has_a_known_campaign_and_whole_conversions() {
    let mut session = Session::new();
    let id = create(&mut session, USD);
    let set = |session: &mut Session, id: &str, delivery: Delivery| session.epsilon.deliver(id, today(), &delivery);
    assert!(matches!(set(&mut session, "5", day(1, 0)), Err(SpendError::UnknownCampaign)));
    let half = Delivery { conversions: 500_000, ..day(1, 0) };
    assert!(matches!(set(&mut session, &id, half), Err(SpendError::FractionalConversions)));
    assert!(set(&mut session, &id, day(i64::MAX, 0)).is_ok());
    assert!(set(&mut session, &id, day(i64::MAX, 0)).is_ok(), "in place of the earlier one");
    let before = session.epsilon.deliver(&id, today().yesterday().unwrap(), &day(1, 0));
    assert!(matches!(before, Err(SpendError::InvalidAmount)));
}

#[test]
fn the_days_of_a_seed_add_up_to_the_total() {
    for (account, places) in [(USD, 2), (JPY, 0)] {
        let mut session = Session::new();
        let id = create(&mut session, account);
        for back in 1..=90 {
            let date = today().saturating_sub(back.days());
            if let Some(delivery) = delivery::seeded(11, &id, date, places) {
                assert!(session.epsilon.deliver(&id, date, &delivery).is_ok());
            }
        }
        let (_, days) = report(&mut session, account, &id, "granularity=DAY");
        let (_, total) = report(&mut session, account, &id, "granularity=TOTAL");
        let days = days.as_array().unwrap();
        assert!(days.len() > 60 && days.len() < 90, "some days have no delivery");
        for column in COLUMNS.split(',') {
            let sum: i64 = days.iter().filter_map(|row| row[column].as_i64()).sum();
            assert_eq!(total[0][column], json!(sum), "{account} {column}");
            assert!(sum > 0, "{column}");
        }
    }
}

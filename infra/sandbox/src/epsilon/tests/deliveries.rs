//! Reports by day.

use super::{Session, USD, accepted, item};
use crate::delivery::Delivery;
use crate::platform::AdPlatform as _;
use serde_json::{Value, json};

const COLUMNS: &str = "SPEND_IN_MICRO_DOLLAR,IMPRESSION_1,CLICKTHROUGH_1,TOTAL_CONVERSIONS,\
    TOTAL_CHECKOUT_VALUE_IN_MICRO_DOLLAR";

fn create(session: &mut Session, account: &str) -> String {
    let (_, body) = session.write("POST", account, &json!([item(json!({ "ad_account_id": account }))]));
    accepted(&body)["id"].as_str().unwrap().to_owned()
}

fn deliver(session: &mut Session, id: &str, day: &str, delivery: &Delivery) {
    assert!(session.platform.deliver(id, day.parse().unwrap(), delivery).is_ok());
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

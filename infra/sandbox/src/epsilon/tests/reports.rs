//! Cost reports.

use super::{NOW, Session, USD};
use crate::platform::AdPlatform as _;
use jiff::Timestamp;
use serde_json::{Value, json};

fn analytics(session: &mut Session, changes: &[(&str, &str)]) -> (u16, Value) {
    let mut parameters = vec![
        ("start_date", "2026-01-01"),
        ("end_date", "2026-03-02"),
        ("columns", "SPEND_IN_MICRO_DOLLAR"),
        ("granularity", "TOTAL"),
    ];
    parameters.retain(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
    parameters.extend(changes.iter().filter(|(_, value)| !value.is_empty()));
    let query: Vec<String> = parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    session.get(&format!("/v5/ad_accounts/{USD}/campaigns/analytics?{}", query.join("&")))
}

fn spend(session: &mut Session, id: &str, amount: &str, day: &str) {
    let at: Timestamp = format!("{day}T23:59:59Z").parse().unwrap();
    assert!(session.platform.spend(id, amount, at).is_ok());
}

#[test]
fn the_report_is_a_bare_array_of_micros_in_the_account_currency() {
    let mut session = Session::new();
    let one = session.create(json!({}))["id"].as_str().unwrap().to_owned();
    let two = session.create(json!({}))["id"].as_str().unwrap().to_owned();
    spend(&mut session, &one, "0.1", "2026-03-01");
    spend(&mut session, &one, "0.2", "2026-03-02");
    let (status, rows) =
        analytics(&mut session, &[("campaign_ids", &one), ("campaign_ids", &two), ("campaign_ids", "5")]);
    assert_eq!((status, rows), (200, json!([{ "CAMPAIGN_ID": one, "SPEND_IN_MICRO_DOLLAR": 300_000 }])));
    let (_, rows) = analytics(&mut session, &[("campaign_ids", &one), ("end_date", "2026-03-01")]);
    assert_eq!(rows[0]["SPEND_IN_MICRO_DOLLAR"], 100_000);
    assert_eq!(analytics(&mut session, &[("campaign_ids", &two)]), (200, json!([])));
    let (_, rows) =
        analytics(&mut session, &[("campaign_ids", &one), ("columns", "CAMPAIGN_ID,SPEND_IN_MICRO_DOLLAR")]);
    assert_eq!(rows[0]["SPEND_IN_MICRO_DOLLAR"], 300_000);
}

#[test]
fn the_window_and_the_look_back_are_at_most_ninety_days() {
    let mut session = Session::new();
    // 90 days before 2 March 2026 is 2 December 2025.
    for (start, end, expected) in [
        ("2025-12-02", "2026-03-02", 200),
        ("2025-12-01", "2026-02-01", 400),
        ("2026-01-01", "2026-04-02", 400),
        ("2026-03-02", "2026-03-02", 200),
        ("2026-03-02", "2026-03-01", 400),
        ("2026-3-2", "2026-03-02", 400),
        ("2026-02-30", "2026-03-02", 400),
        ("20260301", "2026-03-02", 400),
        ("", "2026-03-02", 400),
    ] {
        let (status, response) =
            analytics(&mut session, &[("start_date", start), ("end_date", end), ("campaign_ids", "5")]);
        assert_eq!(status, expected, "{start} {end} {response}");
        assert!(status == 200 || response["code"] == 1, "{response}");
    }
}

#[test]
fn a_report_needs_known_campaigns_columns_and_granularity() {
    let mut session = Session::new();
    for changes in [
        vec![],
        vec![("campaign_ids", "x")],
        vec![("campaign_ids", "5,6")],
        vec![("campaign_ids", "5"), ("columns", "")],
        vec![("campaign_ids", "5"), ("columns", "SPEND")],
        vec![("campaign_ids", "5"), ("granularity", "")],
        vec![("campaign_ids", "5"), ("granularity", "total")],
        vec![("campaign_ids", "5"), ("page_size", "5")],
    ] {
        assert_eq!(analytics(&mut session, &changes).0, 400, "{changes:?}");
    }
}

#[test]
fn summary_status_follows_the_clock_while_the_campaign_is_active() {
    let mut session = Session::new();
    let times = json!({ "status": "ACTIVE", "start_time": NOW + 60, "end_time": NOW + 120 });
    let id = session.create(times)["id"].as_str().unwrap().to_owned();
    let path = format!("/v5/ad_accounts/{USD}/campaigns/{id}");
    for (later, expected) in [(0, "NOT_STARTED"), (60, "RUNNING"), (120, "COMPLETED")] {
        session.now = Timestamp::from_second(NOW + later).unwrap();
        assert_eq!(session.get(&path).1["summary_status"], expected, "{later}");
    }
}

use super::super::tests::{DAILY, LIFETIME, account, decimal};
use super::*;
use crate::domain::DateChange::{Clear, Set};
use serde_json::{Value, json};

/// The time of these changes. The campaign with a daily budget has begun.
const NOW: &str = "2025-12-10T12:00:00Z";

fn fields(current: &PlatformCampaign, changes: &CampaignChanges) -> Result<wire::CampaignFields, Error> {
    super::fields(current, changes, NOW.parse().unwrap())
}

fn current(raw: &str) -> PlatformCampaign {
    super::super::campaign(&account(), raw).unwrap().unwrap()
}

fn sent(raw: &str, changes: &CampaignChanges) -> Value {
    let fields = fields(&current(raw), changes).unwrap();
    serde_json::to_value(wire::PartialUpdate { patch: wire::Patch { set: &fields } }).unwrap()
}

fn amount(text: &str) -> CampaignChanges {
    CampaignChanges { budget_amount: Some(decimal(text)), ..CampaignChanges::default() }
}

fn status(status: CampaignStatus) -> CampaignChanges {
    CampaignChanges { status: Some(status), ..CampaignChanges::default() }
}

#[test]
fn all_changes_go_into_one_set() {
    let changes = CampaignChanges { name: Some("New".into()), status: Some(CampaignStatus::Active), ..amount("20") };
    let expected = json!({"patch": {"$set": {
        "name": "New", "status": "ACTIVE", "dailyBudget": {"amount": "20.00", "currencyCode": "USD"},
    }}});
    assert_eq!(sent(DAILY, &changes), expected);
    let total = json!({"patch": {"$set": {"totalBudget": {"amount": "150.25", "currencyCode": "USD"}}}});
    assert_eq!(sent(LIFETIME, &amount("150.25")), total);
}

#[test]
fn an_ended_campaign_is_paused_only_together_with_a_later_end() {
    let ended = PlatformCampaign { status: CampaignStatus::Ended, ..current(DAILY) };
    let error = fields(&ended, &status(CampaignStatus::Paused)).unwrap_err();
    assert_eq!((error.kind, error.retryable), (Kind::Conflict, false));
    let later = Some(Set("2031-01-01T00:00:00Z".parse().unwrap()));
    let extended = fields(&ended, &CampaignChanges { end_at: later, ..status(CampaignStatus::Paused) }).unwrap();
    assert_eq!(extended.status, Some("PAUSED"));
    assert!(fields(&ended, &amount("20")).is_ok());
}

#[test]
fn an_amount_is_held_to_the_minimum_of_the_period_that_the_campaign_has() {
    let error = fields(&current(LIFETIME), &amount("99.99")).unwrap_err();
    assert_eq!(error.details[0].field, "budget_amount");
}

fn at(text: &str) -> Option<DateChange> {
    Some(Set(text.parse().unwrap()))
}

fn dates(start_at: Option<DateChange>, end_at: Option<DateChange>) -> CampaignChanges {
    CampaignChanges { start_at, end_at, ..CampaignChanges::default() }
}

/// A time in the platform's milliseconds.
fn milliseconds(text: &str) -> i64 {
    text.parse::<Timestamp>().unwrap().as_millisecond()
}

#[test]
fn a_schedule_is_set_as_a_whole_and_without_an_end_it_has_none() {
    let start = milliseconds("2025-12-02T00:00:00Z");
    let end = milliseconds("2026-01-31T23:59:59Z");
    let expected = |schedule: Value| json!({"patch": {"$set": {"runSchedule": schedule}}});
    let later = dates(None, at("2026-01-31T23:59:59Z"));
    assert_eq!(sent(DAILY, &later), expected(json!({"start": start, "end": end})));
    let moved = milliseconds("2025-12-20T00:00:00Z");
    assert_eq!(sent(DAILY, &dates(at("2025-12-20T00:00:00Z"), None)), expected(json!({"start": moved})));
    let bounded = DAILY.replace(&format!("\"start\": {start}"), &format!("\"start\": {start}, \"end\": {end}"));
    assert_eq!(current(&bounded).end_at.map(Timestamp::as_millisecond), Some(end));
    assert_eq!(sent(&bounded, &dates(None, Some(Clear))), expected(json!({"start": start})));
    let all = CampaignChanges { status: Some(CampaignStatus::Active), ..amount("20") };
    let set = sent(DAILY, &CampaignChanges { end_at: later.end_at, ..all })["patch"]["$set"].clone();
    assert_eq!(set.as_object().unwrap().keys().collect::<Vec<_>>(), ["dailyBudget", "runSchedule", "status"]);
}

#[test]
fn dates_that_linkedin_refuses_are_refused_before_anything_is_sent() {
    for (raw, changes, field) in [
        (DAILY, dates(at("2025-12-10T11:59:59Z"), None), "start_at"),
        (DAILY, dates(None, at("2025-12-10T12:00:00Z")), "end_at"),
        (DAILY, dates(at("2025-12-20T00:00:00Z"), at("2025-12-19T23:59:59Z")), "end_at"),
        (LIFETIME, dates(at("2026-01-01T00:00:00Z"), None), "start_at"),
        (LIFETIME, dates(None, Some(Clear)), "end_at"),
    ] {
        let error = fields(&current(raw), &changes).unwrap_err();
        assert_eq!((error.kind, error.platform), (Kind::Validation, Some(Platform::Delta)), "{changes:?}");
        assert_eq!((error.details.len(), error.details[0].field.as_str()), (1, field), "{changes:?}");
    }
    let error = fields(&current(DAILY), &dates(Some(Clear), None)).unwrap_err();
    assert_eq!((error.kind, error.details[0].field.as_str()), (Kind::NotSupported, "start_at"));
    let unscheduled = current(r#"{"id":1}"#);
    let error = fields(&unscheduled, &dates(None, at("2026-01-31T23:59:59Z"))).unwrap_err();
    assert_eq!(error.kind, Kind::PlatformFailed, "its start is not made up");
}

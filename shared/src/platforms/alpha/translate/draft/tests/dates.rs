//! Tests of the dates of a draft.

use super::super::super::tests::account;
use super::super::*;
use super::{draft, fields};
use crate::domain::{BudgetPeriod, CampaignDraft, Moment};
use crate::error::Kind;
use crate::platforms::AdPlatform;
use crate::platforms::alpha::Alpha;
use crate::platforms::fake::prepare;

fn dated(start: Option<&str>, end: Option<&str>) -> CampaignDraft {
    let moment = |text: Option<&str>| text.map(|text| Moment::parse(text).unwrap());
    CampaignDraft { start_at: moment(start), end_at: moment(end), ..draft(Goal::Sales, BudgetPeriod::Daily) }
}

fn sent(draft: &CampaignDraft) -> (String, String) {
    let sent = prepare(&Alpha, &account(), draft).unwrap().json();
    let campaign = &sent["mutateOperations"][1]["campaignOperation"]["create"];
    let date = |field: &str| campaign[field].as_str().unwrap_or_default().to_owned();
    (date("startDateTime"), date("endDateTime"))
}

#[test]
fn dates_are_whole_days_of_the_account() {
    let days = ("2026-12-01 00:00:00".to_owned(), "2026-12-05 23:59:59".to_owned());
    assert_eq!(sent(&dated(Some("2026-12-01"), Some("2026-12-05"))), days);
    let instants = dated(Some("2026-11-30T23:00:00Z"), Some("2026-12-05T17:59:59-05:00"));
    assert_eq!(sent(&instants), days, "midnight and the last second in Berlin");
}

#[test]
fn a_time_of_day_is_refused_before_anything_is_sent() {
    let check = |draft: &CampaignDraft| prepare(&Alpha, &account(), draft);
    for (start, end, field) in [
        (Some("2026-12-01T09:00:00Z"), None, "start_at"),
        (Some("2026-12-01T00:00:00Z"), None, "start_at"),
        (Some("2026-12-01"), Some("2026-12-05T15:30:00+01:00"), "end_at"),
        (Some("2026-12-01"), Some("2026-12-05T23:59:59Z"), "end_at"),
        (None, Some("2026-12-06T00:00:00+01:00"), "end_at"),
    ] {
        let error = check(&dated(start, end)).unwrap_err();
        assert_eq!((error.kind, error.platform), (Kind::Validation, Some(Platform::Alpha)));
        assert_eq!((error.details.len(), error.details[0].field.as_str()), (1, field), "{start:?} {end:?}");
        let message = &error.details[0].rule.to_string();
        assert!(message.contains("Europe/Berlin") && message.contains("plain date"), "{message}");
    }
    let mut whole_run = draft(Goal::Sales, BudgetPeriod::Lifetime);
    whole_run.end_at = Moment::parse("2026-12-31T12:00:00Z");
    assert_eq!(check(&whole_run).unwrap_err().details[0].field, "end_at");
    assert!(check(&dated(Some("2026-12-01T00:00:00+01:00"), Some("2026-12-05T23:59:59+01:00"))).is_ok());
}

#[test]
fn a_caller_of_get_platforms_is_told_that_dates_are_whole_days() {
    let notes = Alpha.facts().capabilities.notes.join(" ");
    assert!(notes.contains("start_at") && notes.contains("whole days"), "{notes}");
}

#[test]
fn an_end_comes_after_the_start_and_within_the_calendar() {
    let dated = |start, end| dated(Some(start), Some(end));
    assert!(prepare(&Alpha, &account(), &dated("2026-12-01", "2026-12-01")).is_ok(), "one whole day");
    assert_eq!(fields(&dated("2026-12-02", "2026-12-01")), ["end_at"]);
    assert_eq!(fields(&dated("2026-12-02T00:00:00+01:00", "2026-12-01T23:59:59+01:00")), ["end_at"]);
    assert_eq!(fields(&dated("2026-12-01", "2037-12-30")), ["end_at"], "the platform reads that as no end");
    assert!(prepare(&Alpha, &account(), &dated("2026-12-01", "2037-12-29")).is_ok());
}

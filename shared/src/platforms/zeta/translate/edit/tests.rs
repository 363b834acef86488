//! Changes of the dates of a campaign.

use super::super::tests::{ROW, account, now, read};
use super::*;
use serde_json::{Value, json};

fn change_to(date: Option<&str>) -> Option<DateChange> {
    Some(date.map_or(DateChange::Clear, |date| DateChange::Set(date.parse().unwrap())))
}

fn starts(date: Option<&str>) -> CampaignChanges {
    CampaignChanges { start_at: change_to(date), ..CampaignChanges::default() }
}

fn ends(date: Option<&str>) -> CampaignChanges {
    CampaignChanges { end_at: change_to(date), ..CampaignChanges::default() }
}

/// The row with an end.
fn ending(end: &str) -> String {
    ROW.replace("\"end_time\": null", &format!("\"end_time\": \"{end}\""))
}

fn sent(row: &str, changes: &CampaignChanges) -> Value {
    serde_json::to_value(patch(&account(), &read(row).unwrap(), changes, now()).unwrap()).unwrap()
}

#[test]
fn only_the_changed_dates_are_sent() {
    let row = ending("2026-12-31T23:00:00Z");
    assert_eq!(sent(&row, &ends(Some("2027-01-31T22:59:59.5Z"))), json!({"end_time": "2027-01-31T22:59:59Z"}));
    assert_eq!(sent(&row, &ends(None)), json!({"end_time": null}), "null is sent");
    let start = CampaignChanges { status: Some(CampaignStatus::Active), ..starts(Some("2026-12-24T00:00:00Z")) };
    assert_eq!(sent(&row, &start), json!({"start_time": "2026-12-24T00:00:00Z", "configured_status": "ACTIVE"}));
}

#[test]
fn dates_that_reddit_does_not_take_are_refused_by_name() {
    let lifetime = ending("2026-12-31T23:00:00Z").replace("DAILY_SPEND", "LIFETIME_SPEND");
    let of_ad_groups = r#"{"id":"1","configured_status":"PAUSED","is_campaign_budget_optimization":false}"#;
    let both =
        CampaignChanges { end_at: change_to(Some("2027-01-01T00:00:00Z")), ..starts(Some("2027-01-01T00:00:00Z")) };
    for (row, changes, field, why) in [
        (ROW, starts(None), "start_at", "cannot be taken away"),
        (ROW, starts(Some("2026-11-20T00:00:00Z")), "start_at", "must not have passed"),
        (&ending("2026-12-31T23:00:00Z"), starts(Some("2027-01-01T00:00:00Z")), "start_at", "must be before end_at"),
        (ROW, ends(Some("2026-12-01T08:00:00Z")), "end_at", "must be after start_at"),
        (ROW, both, "end_at", "must be after start_at"),
        (r#"{"id":"1"}"#, ends(Some("2020-01-01T00:00:00Z")), "end_at", "must not have passed"),
        (&lifetime, ends(None), "end_at", "is required with a LIFETIME budget"),
        (of_ad_groups, ends(Some("2027-01-01T00:00:00Z")), "end_at", "ad groups"),
        (of_ad_groups, starts(Some("2027-01-01T00:00:00Z")), "start_at", "ad groups"),
    ] {
        let error = patch(&account(), &read(row).unwrap(), &changes, now()).unwrap_err();
        let [detail] = error.details.as_slice() else { panic!("{changes:?}: {error:?}") };
        assert_eq!((error.kind, detail.field.as_str()), (Kind::Validation, field), "{changes:?}");
        assert!(detail.rule.to_string().contains(why), "{}", detail.rule);
    }
}

#[test]
fn a_campaign_whose_end_moves_ahead_is_on_before_reddit_says_so() {
    let row = |end: &str| {
        let on = ending(end).replace("\"PAUSED\"", "\"ACTIVE\"").replace("CAMPAIGN_PAUSED", "COMPLETED");
        RawValue::from_string(on.trim_end().to_owned()).unwrap()
    };
    let ended = campaign(&account(), &row("2026-11-19T00:00:00Z")).unwrap();
    assert_eq!(ended.status, CampaignStatus::Ended);
    let later = ends(Some("2027-01-31T22:59:59Z"));
    let changed = answered(&account(), &ended, &later, &row("2027-01-31T22:59:59Z"), now()).unwrap();
    assert_eq!((changed.status, changed.end_at), (CampaignStatus::Active, later.end_at.and_then(DateChange::date)));
    // Its end was not what completed it, such as a budget that is spent.
    let spent = campaign(&account(), &row("2026-12-31T00:00:00Z")).unwrap();
    let changed = answered(&account(), &spent, &later, &row("2027-01-31T22:59:59Z"), now()).unwrap();
    assert_eq!(changed.status, CampaignStatus::Ended);
}

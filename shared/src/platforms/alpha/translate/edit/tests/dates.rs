//! Tests of changes of the dates.

use super::*;
use crate::domain::DateChange::{self, Clear, Set};

fn at(text: &str) -> DateChange {
    Set(text.parse().unwrap())
}

fn dates(start_at: Option<DateChange>, end_at: Option<DateChange>) -> CampaignChanges {
    CampaignChanges { start_at, end_at, ..CampaignChanges::default() }
}

/// The update and its mask.
fn update(row: &str, changes: &CampaignChanges) -> (Value, String) {
    let (campaign, budget) = sent(&edit(&account(), &current(row), changes).unwrap());
    assert_eq!(budget.is_null(), changes.budget_amount.is_none());
    (campaign["update"].clone(), campaign["updateMask"].as_str().unwrap().to_owned())
}

#[test]
fn only_the_dates_that_change_are_sent_in_the_local_time_of_the_account() {
    let (new, mask) = update(DAILY, &dates(None, Some(at("2026-12-24T22:59:59Z"))));
    assert_eq!((&new["endDateTime"], new.get("startDateTime")), (&json!("2026-12-24 23:59:59"), None));
    assert_eq!(mask, "end_date_time");
    let (new, mask) = update(DAILY, &dates(Some(at("2026-12-04T23:00:00Z")), None));
    assert_eq!((&new["startDateTime"], new.get("endDateTime")), (&json!("2026-12-05 00:00:00"), None));
    assert_eq!(mask, "start_date_time");
    let all = CampaignChanges {
        name: Some("New".into()),
        status: Some(CampaignStatus::Paused),
        budget_amount: Some(amount("20")),
        ..dates(Some(at("2026-12-04T23:00:00Z")), Some(at("2026-12-24T22:59:59Z")))
    };
    assert_eq!(update(DAILY, &all).1, "name,status,start_date_time,end_date_time");
}

#[test]
fn an_end_is_taken_away_by_the_mask_alone() {
    let row = DAILY.replace("2037-12-30", "2026-12-24");
    let (new, mask) = update(&row, &dates(None, Some(Clear)));
    assert_eq!(new, json!({"resourceName": "customers/1234567890/campaigns/21234567890"}));
    assert_eq!(mask, "end_date_time");
}

#[test]
fn dates_that_google_refuses_are_refused_before_anything_is_sent() {
    let ended = TOTAL.replace("2026-07", "2026-11");
    for (row, changes, fields) in [
        // A time of day.
        (DAILY, dates(Some(at("2026-12-05T00:00:00Z")), Some(at("2026-12-24T23:59:59Z"))), vec!["start_at", "end_at"]),
        // The day before, in Berlin.
        (DAILY, dates(Some(at("2026-11-18T23:00:00Z")), None), vec!["start_at"]),
        (DAILY, dates(None, Some(at("2026-11-19T22:59:59Z"))), vec!["end_at"]),
        // Before the start, which stays or moves too.
        (DAILY, dates(None, Some(at("2026-11-30T22:59:59Z"))), vec!["end_at"]),
        (DAILY, dates(Some(at("2026-12-05T23:00:00Z")), Some(at("2026-12-05T22:59:59Z"))), vec!["end_at"]),
        // After the last day of the calendar.
        (DAILY, dates(None, Some(at("2037-12-30T22:59:59Z"))), vec!["end_at"]),
        // A campaign that has begun.
        (&ended, dates(Some(at("2026-11-21T23:00:00Z")), None), vec!["start_at"]),
        // A total budget.
        (TOTAL, dates(None, Some(Clear)), vec!["end_at"]),
    ] {
        let error = refused(row, &changes);
        assert_eq!((error.kind, error.platform), (Kind::Validation, Some(Platform::Alpha)), "{changes:?}");
        let named: Vec<&str> = error.details.iter().map(|detail| detail.field.as_str()).collect();
        assert_eq!(named, fields, "{changes:?}");
    }
    let ahead = DAILY.replace("2037-12-30", "2026-12-24");
    assert_eq!(refused(&ahead, &dates(Some(at("2026-12-24T23:00:00Z")), None)).details[0].field, "start_at");
    assert_eq!(update(&ahead, &dates(Some(at("2026-12-23T23:00:00Z")), None)).1, "start_date_time", "one day is left");
    assert_eq!(update(DAILY, &dates(Some(at("2026-11-19T23:00:00Z")), None)).1, "start_date_time", "the current day");
    let today = dates(Some(at("2026-11-19T23:00:00Z")), Some(at("2026-11-20T22:59:59Z")));
    assert_eq!(update(DAILY, &today).1, "start_date_time,end_date_time");
}

#[test]
fn a_campaign_has_a_start_and_removal_changes_nothing_else() {
    let error = refused(DAILY, &dates(Some(Clear), None));
    assert_eq!((error.kind, error.details[0].field.as_str()), (Kind::NotSupported, "start_at"));
    let removal = CampaignChanges { status: Some(CampaignStatus::Archived), ..dates(None, Some(Clear)) };
    assert_eq!(refused(DAILY, &removal).details[0].field, "status");
}

#[test]
fn the_campaign_afterwards_has_the_dates_that_came_back() {
    let changes = dates(Some(at("2026-12-04T23:00:00Z")), Some(at("2026-12-24T22:59:59Z")));
    let returned = r#"[{"resourceName":"c","campaign":{"startDateTime":"2026-12-05 00:00:00",
        "endDateTime":"2026-12-24 23:59:59"}}]"#;
    let campaign = after(DAILY, &changes, returned, NOW).unwrap();
    assert_eq!((campaign.start_at.map(Set), campaign.end_at.map(Set)), (changes.start_at, changes.end_at));
    let ahead = DAILY.replace("2037-12-30", "2026-12-24");
    let returned = r#"[{"resourceName":"c","campaign":{"name":"Spring"}}]"#;
    assert_eq!(after(&ahead, &dates(None, Some(Clear)), returned, NOW).unwrap().end_at, None);
    let name = CampaignChanges { name: Some("Spring".into()), ..CampaignChanges::default() };
    assert_eq!(after(&ahead, &name, returned, NOW).unwrap().end_at, current(&ahead).end_at, "it was not asked for");
}

#[test]
fn an_ended_campaign_whose_end_moves_ahead_runs_again() {
    let later = dates(None, Some(at("2026-12-24T22:59:59Z")));
    assert_eq!(current(TOTAL).status, CampaignStatus::Ended);
    let returned = |status: &str| {
        format!(r#"[{{"resourceName":"c","campaign":{{"status":"{status}","endDateTime":"2026-12-24 23:59:59"}}}}]"#)
    };
    let status = |row: &str, changes, returned: &str| after(row, changes, returned, NOW).unwrap().status;
    assert_eq!(status(TOTAL, &later, &returned("ENABLED")), CampaignStatus::Active);
    let paused = TOTAL.replace("ENABLED", "PAUSED");
    assert_eq!(status(&paused, &later, &returned("PAUSED")), CampaignStatus::Paused);
    let on = CampaignChanges { status: Some(CampaignStatus::Active), ..later.clone() };
    assert_eq!(status(&paused, &on, &returned("ENABLED")), CampaignStatus::Active);
}

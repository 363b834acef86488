//! Changes of the schedule of campaigns.

use super::{DAY, Session, USD, error, errors, usd};
use crate::http::Response;
use crate::platform::AdPlatform;
use serde_json::{Value, json};

/// Sets the whole schedule.
fn schedule(session: &mut Session, id: i64, schedule: &Value) -> Response {
    session.patch(id, &json!({ "$set": { "runSchedule": schedule } }))
}

#[test]
fn a_schedule_is_replaced_as_a_whole() {
    let mut session = Session::new();
    let start = session.now_ms() + DAY;
    let dated = json!({ "start": start, "end": start + DAY });
    let id = session.campaign(USD, &json!({ "runSchedule": dated }));
    for new in [json!({ "start": start, "end": start + 9 * DAY }), json!({ "start": start }), dated] {
        assert_eq!(schedule(&mut session, id, &new).status, 204);
        assert_eq!(session.get_campaign(id)["runSchedule"], new);
    }
    let response = schedule(&mut session, id, &json!({ "end": start + 9 * DAY }));
    assert_eq!(errors(&response), error("MISSING_FIELD", "/runSchedule/start"));
    let response = schedule(&mut session, id, &json!({ "start": start, "end": start }));
    assert_eq!(errors(&response), error("CONDITIONAL_VALUE_TOO_LOW", "/runSchedule/end"));
}

#[test]
fn a_total_budget_keeps_its_end() {
    let mut session = Session::new();
    let start = session.now_ms() + DAY;
    let total = json!({
        "dailyBudget": null, "totalBudget": usd("500"), "runSchedule": { "start": start, "end": start + DAY }
    });
    let id = session.campaign(USD, &total);
    let response = schedule(&mut session, id, &json!({ "start": start }));
    assert_eq!(errors(&response), error("MISSING_FIELD", "/runSchedule/end"));
}

#[test]
fn a_start_that_has_passed_stays_except_that_of_a_draft() {
    let mut session = Session::new();
    let start = session.now_ms() + DAY;
    let started = json!({ "runSchedule": { "start": start } });
    let paused = session.campaign(USD, &started);
    let draft = session.campaign(USD, &json!({ "runSchedule": { "start": start }, "status": "DRAFT" }));
    assert_eq!(schedule(&mut session, paused, &json!({ "start": start + 1 })).status, 204, "it has not begun");
    session.now = "2026-03-05T12:00:00Z".parse().unwrap();
    let later = json!({ "start": start + 9 * DAY });
    let response = schedule(&mut session, paused, &later);
    assert_eq!(errors(&response), error("INVALID_VALUE", "/runSchedule/start"));
    assert_eq!(schedule(&mut session, draft, &later).status, 204);
    let now = session.now_ms();
    let response = schedule(&mut session, paused, &json!({ "start": start + 1, "end": now }));
    assert_eq!(errors(&response), error("INVALID_VALUE", "/runSchedule/end"));
    assert_eq!(schedule(&mut session, paused, &json!({ "start": start + 1, "end": now + 1 })).status, 204);
}

#[test]
fn the_books_have_the_dates_as_instants() {
    let mut session = Session::new();
    let start = session.now_ms() + DAY;
    session.campaign(USD, &json!({ "runSchedule": { "start": start, "end": start + DAY } }));
    let books = session.platform.campaigns(session.now);
    let held = [&books[0]["start_at"], &books[0]["end_at"]];
    assert_eq!(held, [&json!("2026-03-03T12:00:00Z"), &json!("2026-03-04T12:00:00Z")]);
}

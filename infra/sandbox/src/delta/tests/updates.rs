//! Updates, pauses, archiving and deletion of campaigns.

use super::{DAY, Session, USD, error, errors, request, usd};
use serde_json::json;

fn delete(session: &mut Session, id: i64) -> crate::http::Response {
    session.send(&request("DELETE", &format!("/rest/adAccounts/{USD}/adCampaigns/{id}"), ""))
}

#[test]
fn a_partial_update_returns_204_and_changes_the_named_fields() {
    let mut session = Session::new();
    let id = session.campaign(USD, &json!({}));
    session.now = "2026-03-02T12:01:00Z".parse().unwrap();
    let response =
        session.patch(id, &json!({ "$set": { "name": "New", "status": "ACTIVE", "dailyBudget": usd("60") } }));
    assert_eq!((response.status, response.body.as_str()), (204, ""));
    let campaign = session.get_campaign(id);
    assert_eq!((&campaign["name"], &campaign["status"]), (&json!("New"), &json!("ACTIVE")));
    assert_eq!((&campaign["dailyBudget"], &campaign["costType"]), (&usd("60"), &json!("CPM")));
    assert_eq!(campaign["version"]["versionTag"], "2");
    let audit_stamps = &campaign["changeAuditStamps"];
    assert_eq!(audit_stamps["lastModified"]["time"], json!(session.now_ms()));
    assert_eq!(audit_stamps["created"]["time"], json!(session.now_ms() - 60_000));
}

#[test]
fn an_update_names_its_method_and_carries_a_patch() {
    let mut session = Session::new();
    let id = session.campaign(USD, &json!({}));
    let path = format!("/rest/adAccounts/{USD}/adCampaigns/{id}");
    let body = json!({ "patch": { "$set": { "name": "New" } } }).to_string();
    assert_eq!(session.send(&request("POST", &path, &body)).status, 400);
    let mut bare = request("POST", &path, &json!({ "name": "New" }).to_string());
    bare.headers.insert("x-restli-method".to_owned(), "PARTIAL_UPDATE".to_owned());
    assert_eq!(session.send(&bare).status, 422);
    assert_eq!(session.patch(id, &json!({ "name": "New" })).status, 422);
    assert_eq!(session.patch(1, &json!({ "$set": { "name": "New" } })).status, 404);
    assert_eq!(session.get_campaign(id)["name"], "Winter sale");
}

#[test]
fn the_objective_of_a_campaign_is_immutable() {
    let mut session = Session::new();
    let id = session.campaign(USD, &json!({}));
    let response = session.patch(id, &json!({ "$set": { "objectiveType": "BRAND_AWARENESS" } }));
    assert_eq!(errors(&response), error("IMMUTABLE_CAMPAIGN_OBJECTIVE_TYPE", "/objectiveType"));
    assert_eq!(session.patch(id, &json!({ "$set": { "objectiveType": "WEBSITE_VISIT" } })).status, 204);
    let response = session.patch(id, &json!({ "$set": { "type": "TEXT_AD" } }));
    assert_eq!(errors(&response), error("INVALID_VALUE", "/type"));
}

#[test]
fn an_update_is_subject_to_the_rules_of_budgets_and_dates() {
    let mut session = Session::new();
    let id = session.campaign(USD, &json!({}));
    let low = session.patch(id, &json!({ "$set": { "dailyBudget": usd("5") } }));
    assert_eq!(errors(&low), error("FIELD_VALUE_TOO_LOW", "/dailyBudget/amount"));
    let start = session.now_ms() + 600_000;
    session.now = "2026-03-05T12:00:00Z".parse().unwrap();
    let kept = json!({ "$set": { "runSchedule": { "start": start, "end": start + 30 * DAY } } });
    assert_eq!(session.patch(id, &kept).status, 204);
    let past = json!({ "$set": { "runSchedule": { "start": start + 1, "end": start + 30 * DAY } } });
    assert_eq!(errors(&session.patch(id, &past)), error("INVALID_VALUE", "/runSchedule/start"));
    let inner = json!({ "runSchedule": { "$set": { "end": start + 40 * DAY } } });
    assert_eq!(session.patch(id, &inner).status, 204);
    assert_eq!(session.get_campaign(id)["runSchedule"], json!({ "start": start, "end": start + 40 * DAY }));
    assert_eq!(session.patch(id, &json!({ "runSchedule": { "$delete": ["end"] } })).status, 204);
    assert_eq!(session.get_campaign(id)["runSchedule"], json!({ "start": start }));
}

#[test]
fn only_a_draft_is_deleted_and_other_campaigns_are_marked() {
    let mut session = Session::new();
    let draft = session.campaign(USD, &json!({ "status": "DRAFT" }));
    let paused = session.campaign(USD, &json!({}));
    let set = |status: &str| json!({ "$set": { "status": status } });
    let response = session.patch(draft, &set("PENDING_DELETION"));
    assert_eq!(errors(&response), error("STATUS_CHANGE_NOT_ALLOWED", "/status"));
    assert_eq!(delete(&mut session, draft).status, 204);
    assert_eq!(delete(&mut session, draft).status, 404);
    let response = delete(&mut session, paused);
    assert_eq!(errors(&response), error("STATUS_CHANGE_NOT_ALLOWED", "/status"));
    assert_eq!(session.patch(paused, &set("ARCHIVED")).status, 204);
    assert_eq!(session.patch(paused, &set("PAUSED")).status, 204);
    let response = session.patch(paused, &set("DRAFT"));
    assert_eq!(errors(&response), error("STATUS_CHANGE_NOT_ALLOWED", "/status"));
    assert_eq!(session.patch(paused, &set("PENDING_DELETION")).status, 204);
    let response = session.patch(paused, &set("ACTIVE"));
    assert_eq!(errors(&response), error("STATUS_CHANGE_NOT_ALLOWED", "/status"));
    assert_eq!(session.get_campaign(paused)["status"], "PENDING_DELETION");
}

#[test]
fn a_campaign_is_completed_after_its_end() {
    let mut session = Session::new();
    let now = session.now_ms();
    let id = session.campaign(USD, &json!({ "runSchedule": { "start": now, "end": now + DAY }, "status": "ACTIVE" }));
    session.now = "2026-03-04T12:00:00Z".parse().unwrap();
    assert_eq!(session.get_campaign(id)["status"], "COMPLETED");
    let longer = json!({ "$set": { "runSchedule": { "start": now, "end": now + 9 * DAY } } });
    assert_eq!(session.patch(id, &longer).status, 204);
    assert_eq!(session.get_campaign(id)["status"], "ACTIVE");
}

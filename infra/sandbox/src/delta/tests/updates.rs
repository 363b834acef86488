//! Changing, pausing, archiving and deleting campaigns.

use serde_json::json;

use super::{DAY, Scene, USD, error, errors, request, usd};

fn delete(scene: &mut Scene, id: i64) -> crate::http::Reply {
    scene.send(&request("DELETE", &format!("/rest/adAccounts/{USD}/adCampaigns/{id}"), ""))
}

#[test]
fn a_partial_update_answers_204_and_changes_what_it_names() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, &json!({}));
    scene.now = "2026-03-02T12:01:00Z".parse().unwrap();
    let reply = scene.patch(id, &json!({ "$set": { "name": "New", "status": "ACTIVE", "dailyBudget": usd("60") } }));
    assert_eq!((reply.status, reply.body.as_str()), (204, ""));
    let shown = scene.show(id);
    assert_eq!((&shown["name"], &shown["status"]), (&json!("New"), &json!("ACTIVE")));
    assert_eq!((&shown["dailyBudget"], &shown["costType"]), (&usd("60"), &json!("CPM")));
    assert_eq!(shown["version"]["versionTag"], "2");
    let stamps = &shown["changeAuditStamps"];
    assert_eq!(stamps["lastModified"]["time"], json!(scene.ms()));
    assert_eq!(stamps["created"]["time"], json!(scene.ms() - 60_000));
}

#[test]
fn an_update_names_its_method_and_is_a_patch() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, &json!({}));
    let path = format!("/rest/adAccounts/{USD}/adCampaigns/{id}");
    let body = json!({ "patch": { "$set": { "name": "New" } } }).to_string();
    assert_eq!(scene.send(&request("POST", &path, &body)).status, 400);
    let mut bare = request("POST", &path, &json!({ "name": "New" }).to_string());
    bare.headers.insert("x-restli-method".to_owned(), "PARTIAL_UPDATE".to_owned());
    assert_eq!(scene.send(&bare).status, 422);
    assert_eq!(scene.patch(id, &json!({ "name": "New" })).status, 422);
    assert_eq!(scene.patch(1, &json!({ "$set": { "name": "New" } })).status, 404);
    assert_eq!(scene.show(id)["name"], "Winter sale");
}

#[test]
fn the_objective_of_a_campaign_is_immutable() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, &json!({}));
    let reply = scene.patch(id, &json!({ "$set": { "objectiveType": "BRAND_AWARENESS" } }));
    assert_eq!(errors(&reply), error("IMMUTABLE_CAMPAIGN_OBJECTIVE_TYPE", "/objectiveType"));
    assert_eq!(scene.patch(id, &json!({ "$set": { "objectiveType": "WEBSITE_VISIT" } })).status, 204);
    let reply = scene.patch(id, &json!({ "$set": { "type": "TEXT_AD" } }));
    assert_eq!(errors(&reply), error("INVALID_VALUE", "/type"));
}

#[test]
fn an_update_meets_the_rules_of_budgets_and_dates() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, &json!({}));
    let low = scene.patch(id, &json!({ "$set": { "dailyBudget": usd("5") } }));
    assert_eq!(errors(&low), error("FIELD_VALUE_TOO_LOW", "/dailyBudget/amount"));
    let start = scene.ms() + 600_000;
    scene.now = "2026-03-05T12:00:00Z".parse().unwrap();
    let kept = json!({ "$set": { "runSchedule": { "start": start, "end": start + 30 * DAY } } });
    assert_eq!(scene.patch(id, &kept).status, 204);
    let past = json!({ "$set": { "runSchedule": { "start": start + 1, "end": start + 30 * DAY } } });
    assert_eq!(errors(&scene.patch(id, &past)), error("INVALID_VALUE", "/runSchedule/start"));
    let inner = json!({ "runSchedule": { "$set": { "end": start + 40 * DAY } } });
    assert_eq!(scene.patch(id, &inner).status, 204);
    assert_eq!(scene.show(id)["runSchedule"], json!({ "start": start, "end": start + 40 * DAY }));
    assert_eq!(scene.patch(id, &json!({ "runSchedule": { "$delete": ["end"] } })).status, 204);
    assert_eq!(scene.show(id)["runSchedule"], json!({ "start": start }));
}

#[test]
fn only_a_draft_is_deleted_and_the_others_are_marked() {
    let mut scene = Scene::new();
    let draft = scene.campaign(USD, &json!({ "status": "DRAFT" }));
    let paused = scene.campaign(USD, &json!({}));
    let set = |status: &str| json!({ "$set": { "status": status } });
    let reply = scene.patch(draft, &set("PENDING_DELETION"));
    assert_eq!(errors(&reply), error("STATUS_CHANGE_NOT_ALLOWED", "/status"));
    assert_eq!(delete(&mut scene, draft).status, 204);
    assert_eq!(delete(&mut scene, draft).status, 404);
    let reply = delete(&mut scene, paused);
    assert_eq!(errors(&reply), error("STATUS_CHANGE_NOT_ALLOWED", "/status"));
    assert_eq!(scene.patch(paused, &set("ARCHIVED")).status, 204);
    assert_eq!(scene.patch(paused, &set("PAUSED")).status, 204);
    let reply = scene.patch(paused, &set("DRAFT"));
    assert_eq!(errors(&reply), error("STATUS_CHANGE_NOT_ALLOWED", "/status"));
    assert_eq!(scene.patch(paused, &set("PENDING_DELETION")).status, 204);
    let reply = scene.patch(paused, &set("ACTIVE"));
    assert_eq!(errors(&reply), error("STATUS_CHANGE_NOT_ALLOWED", "/status"));
    assert_eq!(scene.show(paused)["status"], "PENDING_DELETION");
}

#[test]
fn a_campaign_whose_end_has_passed_is_completed() {
    let mut scene = Scene::new();
    let now = scene.ms();
    let id = scene.campaign(USD, &json!({ "runSchedule": { "start": now, "end": now + DAY }, "status": "ACTIVE" }));
    scene.now = "2026-03-04T12:00:00Z".parse().unwrap();
    assert_eq!(scene.show(id)["status"], "COMPLETED");
    let longer = json!({ "$set": { "runSchedule": { "start": now, "end": now + 9 * DAY } } });
    assert_eq!(scene.patch(id, &longer).status, 204);
    assert_eq!(scene.show(id)["status"], "ACTIVE");
}

//! Lists: what they hide, how they are filtered and paged.

use serde_json::{Value, json};

use super::{EUR, JPY, Scene, USD};
use crate::platform::Platform as _;

#[test]
fn archived_and_deleted_campaigns_are_hidden_from_lists_until_they_are_asked_for() {
    let mut scene = Scene::new();
    let ids = [(); 3].map(|()| scene.campaign(USD, json!({})));
    scene.call("POST", &format!("/v26.0/{}", ids[0]), &json!({ "status": "ARCHIVED" }));
    scene.call("DELETE", &format!("/v26.0/{}", ids[1]), &Value::Null);
    let path = format!("/v26.0/{USD}/campaigns");
    assert_eq!(scene.ids(&path), [ids[2].clone()]);
    assert_eq!(scene.ids(&format!("{path}?effective_status=[\"ARCHIVED\"]")), [ids[0].clone()]);
    let all = format!("{path}?effective_status=[\"PAUSED\",\"DELETED\",\"ARCHIVED\"]");
    assert_eq!(scene.ids(&all), [ids[2].clone(), ids[1].clone(), ids[0].clone()]);
    let filtering = "filtering=[{\"field\":\"effective_status\",\"operator\":\"IN\",\"value\":[\"DELETED\"]}]";
    assert_eq!(scene.ids(&format!("{path}?{filtering}")), [ids[1].clone()]);
}

#[test]
fn a_list_is_filtered_by_name_and_by_when_things_were_made() {
    let mut scene = Scene::new();
    let old = vec![scene.campaign(USD, json!({ "name": "Old sale" }))];
    scene.now = "2026-03-03T12:00:00Z".parse().unwrap();
    let at = 1_772_452_800;
    scene.beta.grants.add_access("token", 1, at, at + 999_999);
    let ids = vec![scene.campaign(USD, json!({ "name": "New sale" }))];
    let mut shown = |field: &str, operator: &str, value: Value| {
        let filter = json!([{ "field": field, "operator": operator, "value": value }]);
        scene.ids(&format!("/v26.0/{USD}/campaigns?filtering={filter}"))
    };
    assert_eq!(shown("name", "CONTAIN", json!("new")), ids);
    assert_eq!(shown("name", "EQUAL", json!("Old sale")), old);
    assert_eq!(shown("created_time", "GREATER_THAN", json!(at)), ids);
    assert_eq!(shown("created_time", "LESS_THAN_OR_EQUAL", json!(at)), old);
    assert_eq!(shown("campaign.id", "IN", json!(old)), old);
}

#[test]
fn next_is_there_only_when_there_are_more_pages() {
    let mut scene = Scene::new();
    let made = [(); 5].map(|()| scene.campaign(USD, json!({})));
    let (mut seen, mut after) = (Vec::new(), String::new());
    for (page, rows) in [2, 2, 1].into_iter().enumerate() {
        let body = scene.get(&format!("/v26.0/{USD}/campaigns?limit=2&fields=name&after={after}"));
        let data = body["data"].as_array().unwrap();
        assert_eq!(data.len(), rows);
        seen.extend(data.iter().map(|row| row["id"].as_str().unwrap().to_owned()));
        after = body["paging"]["cursors"]["after"].as_str().unwrap().to_owned();
        let next = body["paging"]["next"].as_str();
        assert_eq!(next.is_some(), page < 2, "{body}");
        if let Some(next) = next {
            let (start, query) = next.split_once('?').unwrap();
            assert_eq!(start, format!("http://127.0.0.1:1/beta_ads/v26.0/{USD}/campaigns"));
            assert!(query.contains("fields=name") && query.contains("limit=2"), "{query}");
        }
    }
    assert_eq!(seen.iter().rev().collect::<Vec<_>>(), made.iter().collect::<Vec<_>>());
    let beyond = scene.get(&format!("/v26.0/{USD}/campaigns?limit=2&after={after}"));
    assert_eq!(beyond, json!({ "data": [] }));
}

#[test]
fn a_page_may_be_shorter_than_its_limit_and_not_be_the_last() {
    let mut scene = Scene::new();
    for _ in 0..3 {
        scene.campaign(USD, json!({}));
    }
    scene.settings.page_size = Some(1);
    let body = scene.get(&format!("/v26.0/{USD}/campaigns?limit=100"));
    assert_eq!(body["data"].as_array().unwrap().len(), 1);
    assert!(body["paging"]["next"].is_string());
}

#[test]
fn a_full_last_page_has_no_next() {
    let mut scene = Scene::new();
    for _ in 0..2 {
        scene.campaign(USD, json!({}));
    }
    let body = scene.get(&format!("/v26.0/{USD}/campaigns?limit=2"));
    assert_eq!((body["data"].as_array().unwrap().len(), &body["paging"]["next"]), (2, &Value::Null));
}

#[test]
fn a_cursor_that_is_none_and_a_limit_of_nothing_are_refused() {
    let mut scene = Scene::new();
    for bad in ["after=x", "limit=0", "limit=-1", "limit=x"] {
        assert_eq!(scene.fails("GET", &format!("/v26.0/{USD}/campaigns?{bad}"), &Value::Null).0, 100, "{bad}");
    }
}

#[test]
fn the_accounts_are_those_that_were_chosen_and_their_ids_begin_with_act() {
    let mut scene = Scene::open_to(&[JPY, EUR], &["ads_management"]);
    let fields = "account_id,name,currency,timezone_name,timezone_offset_hours_utc,account_status,min_daily_budget";
    let body = scene.get(&format!("/v26.0/me/adaccounts?fields={fields}"));
    let first = json!({
        "id": JPY,
        "account_id": "1203004005006002",
        "name": "Harbour Coffee Japan",
        "currency": "JPY",
        "timezone_name": "Asia/Tokyo",
        "timezone_offset_hours_utc": 9,
        "account_status": 1,
        "min_daily_budget": 50,
    });
    assert_eq!(body["data"][0], first);
    assert_eq!(body["data"].as_array().unwrap().len(), 2);
    assert_eq!(
        scene.get("/v26.0/me/adaccounts?limit=1")["data"][0],
        json!({ "id": JPY, "account_id": "1203004005006002" })
    );
}

#[test]
fn a_list_has_the_newest_first_with_the_time_each_was_made() {
    let mut scene = Scene::new();
    for minute in [1, 2] {
        scene.now += jiff::SignedDuration::from_mins(minute);
        scene.campaign(USD, json!({}));
    }
    let list = scene.get(&format!("/v26.0/{USD}/campaigns?fields=created_time"));
    assert_eq!(list["data"][0]["created_time"], "2026-03-02T07:03:00-0500");
    assert_eq!(list["data"][1]["created_time"], "2026-03-02T07:01:00-0500");
}

#[test]
fn people_see_what_can_be_compared_and_when_it_was_made() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, json!({}));
    let card = scene.beta.campaigns(scene.now).remove(0);
    assert_eq!((&card["platform"], &card["account"]), (&json!("beta_ads"), &json!(USD)));
    assert_eq!((&card["id"], &card["name"]), (&json!(id), &json!("Winter sale")));
    assert_eq!((&card["status"], &card["budget"]), (&json!("PAUSED"), &json!("50.00")));
    assert_eq!(card["created"], super::NOON);
}

//! `since` of the lists of changes and of events: what came after a place, oldest first, and from where to go on (D165).

use super::Stage;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::SignedDuration;
use serde_json::{Value, json};
use shared::domain::{ChangeId, EventId, Platform};
use tokio::time::{Duration, sleep};

const LISTS: [(&str, &str); 2] = [("/v1/changes", "changes"), ("/v1/events", "events")];

impl Stage {
    /// All ids since a place, and the next place.
    async fn ids_since(&self, (path, list): (&str, &str), since: &str, limit: usize) -> (Vec<String>, String) {
        let (mut ids, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = format!("{path}?since={since}&limit={limit}&cursor={cursor}");
            let page = self.ask(200, "GET", &page, &Value::Null).await;
            let rows = page[list].as_array().expect("a list");
            ids.extend(rows.iter().map(|row| row["id"].as_str().expect("an id").to_owned()));
            let pagination = &page["pagination"];
            let next = pagination["next_since"].as_str().expect("a place").to_owned();
            assert_eq!(pagination["has_more"], pagination["next_cursor"].is_string(), "{page}");
            match pagination["next_cursor"].as_str() {
                Some(next) => next.clone_into(&mut cursor),
                None => return (ids, next),
            }
        }
    }

    async fn ids(&self, (path, list): (&str, &str)) -> Vec<String> {
        let page = self.ask(200, "GET", &format!("{path}?limit=100"), &Value::Null).await;
        let rows = page[list].as_array().expect("a list");
        rows.iter().map(|row| row["id"].as_str().expect("an id").to_owned()).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_since_a_place_is_oldest_first_and_goes_on_from_it() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let begun = stage.ahead(-60);
    let mut known = [(begun.clone(), Vec::new()), (begun, Vec::new())];
    for round in 0..3 {
        for number in 0..4 {
            stage.campaign(Platform::Alpha, &format!("{round} {number}")).await;
        }
        for (list, (since, seen)) in LISTS.into_iter().zip(&mut known) {
            let (new, next) = stage.ids_since(list, since, 3).await;
            assert_eq!(new, [""; 0], "{list:?}: what is young may get another before it");
            *since = next;
            assert!(seen.len() <= 3 * round * 4);
        }
        sleep(Duration::from_mins(3)).await;
        for (list, (since, seen)) in LISTS.into_iter().zip(&mut known) {
            let (new, next) = stage.ids_since(list, since, 3).await;
            assert!(new.is_sorted() && new.len() >= 4, "{list:?}: {new:?}");
            seen.extend(new);
            *since = next;
            assert_eq!(stage.ids_since(list, since, 3).await.0, [""; 0], "{list:?}: nothing twice");
        }
    }
    for (list, (_, mut seen)) in LISTS.into_iter().zip(known) {
        let mut all = stage.ids(list).await;
        all.reverse();
        all.retain(|id| seen.contains(id) || *id > seen[0]);
        assert!(seen.is_sorted());
        seen.dedup();
        assert_eq!(seen, all, "{list:?}: each once");
    }
}

#[tokio::test(start_paused = true)]
async fn the_last_one_of_a_caller_is_a_place_and_filters_hold() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    for number in 0..3 {
        stage.campaign(Platform::Alpha, &format!("One {number}")).await;
    }
    sleep(Duration::from_mins(3)).await;
    for list in LISTS {
        let all = stage.ids(list).await;
        let (after, _) = stage.ids_since(list, &all[1], 10).await;
        assert_eq!(after, all[..1], "{list:?}");
    }
    let page = format!("/v1/events?since={}&type=change.applied", stage.ahead(-31 * 86_400));
    let refused = stage.ask(400, "GET", &page, &Value::Null).await;
    assert_eq!(refused["details"][0]["field"], "since", "older than what is kept: {refused}");
    let page = format!("/v1/events?since={}&type=connection.activated", stage.ahead(-600));
    let found = stage.ask(200, "GET", &page, &Value::Null).await;
    let kinds: Vec<&Value> = found["events"].as_array().expect("a list").iter().map(|event| &event["type"]).collect();
    assert!(kinds.iter().all(|kind| **kind == json!("connection.activated")), "{found}");
}

#[tokio::test(start_paused = true)]
async fn a_wrong_place_is_400_and_named() {
    let stage = Stage::connected(&[]).await;
    let ahead = stage.ahead(3600);
    for (path, since) in [
        ("/v1/changes", "yesterday"),
        ("/v1/changes", ""),
        ("/v1/changes", "evt_01a230d51280a1b2c3d4e5f60718293a"),
        ("/v1/changes", "2020-01-01T00:00:00Z"),
        ("/v1/events", "chg_01a230d51280a1b2c3d4e5f60718293a"),
        ("/v1/events", "2020-01-01T00:00:00Z"),
        ("/v1/events", "7"),
    ] {
        let refused = stage.ask(400, "GET", &format!("{path}?since={since}"), &Value::Null).await;
        assert_eq!(refused["details"][0]["field"], "since", "{path} {since}: {refused}");
    }
    let both = format!("/v1/changes?since={ahead}&from={ahead}");
    let refused = stage.ask(400, "GET", &both, &Value::Null).await;
    assert_eq!(refused["details"][0]["field"], "since", "{refused}");
    for list in LISTS {
        let (none, next) = stage.ids_since(list, &ahead, 10).await;
        assert_eq!(none, [""; 0], "{list:?}: of the future");
        let again = stage.ids_since(list, &next, 10).await;
        assert!(again.0.is_empty() && again.1 >= next, "{list:?}: it goes on from what is settled: {again:?}");
    }
}

/// A young one may get others before it: what has it lists it again, rather than to miss those.
#[tokio::test(start_paused = true)]
async fn a_list_since_a_young_one_goes_on_from_before_it() {
    for list in LISTS {
        let stage = Stage::connected(&[Platform::Alpha]).await;
        stage.campaign(Platform::Alpha, "Early").await;
        sleep(Duration::from_secs(30)).await;
        stage.campaign(Platform::Alpha, "Late").await;
        let all = stage.ids(list).await;
        let (none, next) = stage.ids_since(list, &all[0], 10).await;
        assert!(none.is_empty() && next < all[0], "{list:?}: {next}");
        sleep(Duration::from_mins(3)).await;
        let (mut after, _) = stage.ids_since(list, &next, 10).await;
        after.reverse();
        assert_eq!(after[..2], all[..2], "{list:?}: it, and the one before it");
    }
}

/// The same cursor at another place.
fn moved_to(cursor: &Value, place: &str) -> String {
    let json = URL_SAFE_NO_PAD.decode(cursor.as_str().expect("a cursor")).expect("base64");
    let mut json: Value = serde_json::from_slice(&json).expect("JSON");
    json["p"] = json!(place);
    URL_SAFE_NO_PAD.encode(json.to_string())
}

/// The end of the list moves with the clock, and that of another process may have been ahead.
#[tokio::test(start_paused = true)]
async fn a_cursor_before_its_list_is_400_and_one_behind_it_is_an_empty_page() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    for number in 0..3 {
        stage.campaign(Platform::Alpha, &format!("One {number}")).await;
    }
    sleep(Duration::from_mins(3)).await;
    let (since, now) = (stage.ahead(-600), stage.world.clock.now());
    let early = now - SignedDuration::from_secs(700);
    let places = [
        [early, now].map(|at| ChangeId::first_at(at).to_string()),
        [early, now].map(|at| EventId::first_at(at).to_string()),
    ];
    for ((path, list), [before, behind]) in LISTS.into_iter().zip(places) {
        let page = format!("{path}?since={since}&limit=1");
        let first = stage.ask(200, "GET", &page, &Value::Null).await;
        let cursor = &first["pagination"]["next_cursor"];
        let refused =
            stage.ask(400, "GET", &format!("{page}&cursor={}", moved_to(cursor, &before)), &Value::Null).await;
        assert_eq!(refused["details"][0]["field"], "cursor", "{list}: {refused}");
        let empty = stage.ask(200, "GET", &format!("{page}&cursor={}", moved_to(cursor, &behind)), &Value::Null).await;
        let told = (&empty[list], &empty["pagination"]["has_more"], &empty["pagination"]["next_since"]);
        assert_eq!(told, (&json!([]), &json!(false), &json!(behind)), "{empty}");
    }
}

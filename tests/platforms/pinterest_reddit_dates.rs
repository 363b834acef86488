//! Changes of the dates of campaigns on Pinterest and Reddit, whose campaigns have dates of their own.

use crate::world::{World, campaign, id_of};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use shared::clock::Clock;

const PLATFORMS: [&str; 2] = ["epsilon_ads", "zeta_ads"];

/// A time so many days ahead, in whole seconds.
fn in_days(days: i64) -> String {
    let at = Clock::system().now() + SignedDuration::from_hours(24 * days);
    Timestamp::from_second(at.as_second()).expect("a time").to_string()
}

/// A campaign that ends in thirty days.
async fn ending(world: &World, platform: &str, period: &str) -> String {
    let mut draft = campaign(platform, "Dated");
    (draft["budget_period"], draft["end_at"]) = (json!(period), json!(in_days(30)));
    id_of(&world.ask("POST", "/v1/campaigns").json(&draft).expect(201).await.json())
}

/// Changes a campaign. The response, a later read and the sandbox's books agree about its dates.
async fn change(world: &World, id: &str, changes: &Value) -> Value {
    let path = format!("/v1/campaigns/{id}");
    let changed = world.ask("PATCH", &path).json(changes).expect(200).await.json();
    let read = world.ask("GET", &path).expect(200).await.json();
    let books = world.control("GET", "campaigns").expect(200).await.json();
    let books = books["campaigns"].as_array().and_then(|all| all.iter().find(|one| one["name"] == changed["name"]));
    for field in ["start_at", "end_at"] {
        assert_eq!(changed[field], read[field], "{id} {changes}");
        let (ours, theirs) = (instant(&changed[field]), instant(&books.expect("the campaign")[field]));
        assert_eq!(ours, theirs, "{id} {changes}");
    }
    read
}

fn instant(date: &Value) -> Option<Timestamp> {
    date.as_str().map(|text| text.parse().expect("an instant"))
}

fn is_at(date: &Value, expected: &str) -> bool {
    instant(date) == expected.parse().ok()
}

#[tokio::test]
async fn an_end_moves_later_and_earlier_and_is_taken_away() {
    for platform in PLATFORMS {
        let world = World::connected(platform).await;
        let id = ending(&world, platform, "DAILY").await;
        for days in [60, 10] {
            let end = in_days(days);
            let changed = change(&world, &id, &json!({ "end_at": end })).await;
            assert!(is_at(&changed["end_at"], &end), "{platform}: {changed}");
        }
        assert_eq!(change(&world, &id, &json!({ "end_at": null })).await["end_at"], Value::Null, "{platform}");
        let start = in_days(5);
        let changed = change(&world, &id, &json!({ "start_at": start, "end_at": in_days(6) })).await;
        assert!(is_at(&changed["start_at"], &start), "{platform}: {changed}");
    }
}

#[tokio::test]
async fn dates_change_together_with_budget_and_status() {
    for platform in PLATFORMS {
        let world = World::connected(platform).await;
        let id = ending(&world, platform, "LIFETIME").await;
        let end = in_days(45);
        let changes = json!({ "end_at": end, "budget_amount": 75.5, "status": "ACTIVE", "name": "Longer" });
        let changed = change(&world, &id, &changes).await;
        assert!(is_at(&changed["end_at"], &end), "{platform}: {changed}");
        assert_eq!((&changed["budget_amount"], &changed["status"]), (&json!(75.5), &json!("ACTIVE")), "{platform}");
        assert_eq!(world.received(platform).await.iter().filter(|one| one["method"] == "PATCH").count(), 1);
    }
}

#[tokio::test]
async fn a_plain_date_is_a_day_of_the_account() {
    for platform in PLATFORMS {
        let world = World::connected(platform).await;
        let id = ending(&world, platform, "DAILY").await;
        let changed = change(&world, &id, &json!({ "start_at": "2031-06-30", "end_at": "2031-06-30" })).await;
        let (start, end) =
            (instant(&changed["start_at"]).expect("a start"), instant(&changed["end_at"]).expect("an end"));
        assert_eq!(start.duration_until(end), SignedDuration::from_secs(24 * 3_600 - 1), "{platform}: {changed}");
    }
}

#[tokio::test]
async fn an_impossible_change_of_dates_names_its_field() {
    for platform in PLATFORMS {
        let world = World::connected(platform).await;
        let id = ending(&world, platform, "LIFETIME").await;
        let path = format!("/v1/campaigns/{id}");
        let before = world.ask("GET", &path).expect(200).await.json();
        for (changes, field) in [
            (json!({ "end_at": null }), "end_at"),
            (json!({ "start_at": null }), "start_at"),
            (json!({ "start_at": in_days(31) }), "start_at"),
            (json!({ "start_at": in_days(9), "end_at": in_days(8) }), "end_at"),
        ] {
            let refusal = world.ask("PATCH", &path).json(&changes).expect(400).await;
            assert_eq!(refusal.fields(), [field], "{platform} {changes}: {}", refusal.text);
        }
        let sent = world.received(platform).await;
        assert!(sent.iter().all(|one| one["method"] != "PATCH"), "{platform}: nothing was sent");
        assert_eq!(world.ask("GET", &path).expect(200).await.json(), before, "{platform}");
    }
}

/// Pinterest does not document it, so it decides.
#[tokio::test]
async fn an_end_in_the_past_is_refused_by_pinterest_itself() {
    let world = World::connected("epsilon_ads").await;
    let mut draft = campaign("epsilon_ads", "Dated");
    (draft["start_at"], draft["end_at"]) = (json!("2020-01-01T00:00:00Z"), json!(in_days(30)));
    let id = id_of(&world.ask("POST", "/v1/campaigns").json(&draft).expect(201).await.json());
    let change = json!({ "end_at": "2020-02-01T00:00:00Z" });
    let refusal = world.ask("PATCH", &format!("/v1/campaigns/{id}")).json(&change).send().await.expect("a response");
    assert_eq!(refusal.status.as_u16(), 422, "{}", refusal.text);
    assert!(refusal.text.contains("\"field\":\"end_at\""), "{}", refusal.text);
}

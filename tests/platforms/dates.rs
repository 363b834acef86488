//! Changes of the dates that a platform holds, through HTTP: what a caller sees, and what the platform then has.
//!
//! A platform is a `mod` at the end.

use crate::world::{World, campaign, id_of};
use serde_json::{Value, json};
use shared::domain::Platform;

/// A campaign from March 2031 on, and its world.
struct Dated {
    world: World,
    platform: &'static str,
    id: String,
}

impl Dated {
    /// With a daily budget, which needs no end.
    async fn daily(platform: Platform) -> Dated {
        Dated::with(platform, &json!({})).await
    }

    async fn with(platform: Platform, more: &Value) -> Dated {
        let platform = platform.as_str();
        let world = World::connected(platform).await;
        let id = id_of(&create(&world, platform, "Dated", more).await);
        Dated { world, platform, id }
    }

    /// The dates of a new campaign with these days, as the service returns them.
    async fn instants(&self, start: &str, end: &str) -> Value {
        let name = format!("From {start} to {end}");
        let made = create(&self.world, self.platform, &name, &json!({"start_at": start, "end_at": end})).await;
        json!([made["start_at"], made["end_at"]])
    }

    /// Changes the campaign. The response, the campaign read again, and the platform agree on its dates.
    async fn change(&self, changes: &Value) -> Value {
        let path = format!("/v1/campaigns/{}", self.id);
        let changed = self.world.ask("PATCH", &path).json(changes).expect(200).await.json();
        let read = self.world.ask("GET", &path).expect(200).await.json();
        let held = self.held().await;
        for field in ["start_at", "end_at", "status", "budget_amount"] {
            assert_eq!(changed[field], read[field], "{field} after {changes}");
        }
        for field in ["start_at", "end_at"] {
            assert_eq!(changed[field], held[field], "{field} at the platform after {changes}");
        }
        changed
    }

    /// The fields at fault in a change that is refused, by the service or by the platform. Nothing changes.
    async fn refused(&self, changes: &Value) -> Vec<String> {
        let before = self.held().await;
        let path = format!("/v1/campaigns/{}", self.id);
        let response = self.world.ask("PATCH", &path).json(changes).send().await.expect("a response");
        assert!([400, 422].contains(&response.status.as_u16()), "{response:?}");
        assert_eq!(self.held().await, before, "{changes}");
        match response.json()["platform_error"]["field"].as_str() {
            Some(field) => vec![field.to_owned()],
            None => response.fields(),
        }
    }

    /// The campaign in the sandbox's books.
    async fn held(&self) -> Value {
        let response = self.world.control("GET", &format!("campaigns?platform={}", self.platform)).expect(200).await;
        let campaigns = response.json()["campaigns"].as_array().expect("a list").clone();
        campaigns.into_iter().find(|held| held["name"] == "Dated").expect("the campaign")
    }
}

async fn create(world: &World, platform: &str, name: &str, more: &Value) -> Value {
    let mut body = campaign(platform, name);
    (body["start_at"], body["end_at"]) = (json!("2031-03-01"), json!("2031-03-31"));
    for (field, value) in more.as_object().expect("an object") {
        body[field] = value.clone();
    }
    world.ask("POST", "/v1/campaigns").json(&body).expect(201).await.json()
}

async fn an_end_moves(platform: Platform) {
    let dated = Dated::daily(platform).await;
    for end in ["2031-04-30", "2031-03-15", "2031-03-01"] {
        let changed = dated.change(&json!({"end_at": end})).await;
        assert_eq!(json!([changed["start_at"], changed["end_at"]]), dated.instants("2031-03-01", end).await);
        assert_eq!(changed["end_held_by"], "platform");
    }
    let changed = dated.change(&json!({"end_at": null})).await;
    assert_eq!((&changed["end_at"], &changed["end_held_by"]), (&Value::Null, &Value::Null));
    let changed = dated.change(&json!({"end_at": "2031-05-31"})).await;
    assert_eq!(changed["end_at"], dated.instants("2031-03-01", "2031-05-31").await[1]);
}

async fn a_start_moves(platform: Platform) {
    let dated = Dated::daily(platform).await;
    for (changes, start, end) in [
        (json!({"start_at": "2031-03-10"}), "2031-03-10", "2031-03-31"),
        (json!({"start_at": "2031-02-10"}), "2031-02-10", "2031-03-31"),
        (json!({"start_at": "2031-06-01", "end_at": "2031-06-30"}), "2031-06-01", "2031-06-30"),
        (json!({"start_at": "2031-01-01", "end_at": "2031-01-31"}), "2031-01-01", "2031-01-31"),
    ] {
        let changed = dated.change(&changes).await;
        assert_eq!(json!([changed["start_at"], changed["end_at"]]), dated.instants(start, end).await, "{changes}");
    }
}

async fn dates_change_with_other_fields(platform: Platform) {
    let dated = Dated::daily(platform).await;
    let changes = json!({"end_at": "2031-04-30", "budget_amount": 75, "status": "ACTIVE", "name": "Dated"});
    let changed = dated.change(&changes).await;
    assert_eq!((&changed["status"], &changed["budget_amount"]), (&json!("ACTIVE"), &json!(75)));
    assert_eq!(changed["end_at"], dated.instants("2031-03-01", "2031-04-30").await[1]);
}

async fn dates_out_of_order_are_refused(platform: Platform) {
    let dated = Dated::daily(platform).await;
    assert_eq!(dated.refused(&json!({"end_at": "2031-02-28"})).await, ["end_at"], "before the start");
    assert_eq!(dated.refused(&json!({"end_at": "2020-01-01"})).await, ["end_at"], "in the past");
    assert_eq!(dated.refused(&json!({"start_at": "2031-04-01"})).await, ["start_at"], "after the end");
    assert_eq!(dated.refused(&json!({"start_at": "2020-01-01"})).await, ["start_at"], "in the past");
}

async fn a_budget_for_the_whole_run_keeps_its_end(platform: Platform) {
    let lifetime = json!({"budget_amount": 5000, "budget_period": "LIFETIME"});
    let dated = Dated::with(platform, &lifetime).await;
    assert_eq!(dated.refused(&json!({"end_at": null})).await, ["end_at"]);
    let changed = dated.change(&json!({"end_at": "2031-04-30", "budget_amount": 6000})).await;
    assert_eq!(changed["budget_amount"], 6000);
    assert_eq!(changed["end_at"], dated.instants("2031-03-01", "2031-04-30").await[1]);
}

/// One test per part, so that a failure names it.
macro_rules! parts {
    ($platform:expr) => {
        #[tokio::test]
        async fn an_end_moves_later_and_earlier_and_is_taken_away() {
            super::an_end_moves($platform).await;
        }

        #[tokio::test]
        async fn a_start_moves_also_together_with_the_end() {
            super::a_start_moves($platform).await;
        }

        #[tokio::test]
        async fn dates_change_together_with_budget_and_status() {
            super::dates_change_with_other_fields($platform).await;
        }

        #[tokio::test]
        async fn dates_out_of_order_or_in_the_past_are_refused_by_name() {
            super::dates_out_of_order_are_refused($platform).await;
        }

        #[tokio::test]
        async fn a_budget_for_the_whole_run_keeps_its_end() {
            super::a_budget_for_the_whole_run_keeps_its_end($platform).await;
        }
    };
}
use parts;

mod alpha {
    super::parts! { shared::domain::Platform::Alpha }
}
mod delta {
    super::parts! { shared::domain::Platform::Delta }
}

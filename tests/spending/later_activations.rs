//! Keys with a limit, and activations planned by somebody else: scheduled, by an earlier start, or by a later end.

use super::approval::approve_without_making;
use super::{Stage, daily};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::domain::Platform;
use shared::error::Kind;

/// The platforms whose campaigns have no dates.
const HELD: [Platform; 2] = [Platform::Beta, Platform::Gamma];
/// Platforms on which a later end makes a campaign run again.
const DATED: [Platform; 2] = [Platform::Epsilon, Platform::Zeta];

impl Stage {
    pub(crate) fn at(&self, hours: i64) -> String {
        format!("{:.0}", self.app.clock.now() + jiff::SignedDuration::from_hours(hours))
    }

    /// Creates a campaign of 500 with a start in 720 hours, and plans its activation at 60 with the owner's key.
    async fn planned(&self, platform: Platform) -> String {
        let body = json!({"platform": platform.as_str(), "name": "Planned", "goal": "TRAFFIC", "budget_amount": 500,
            "budget_period": "DAILY", "start_at": self.at(720)});
        let made = self.owner("POST", "/v1/campaigns", &body).await;
        let id = made["id"].as_str().expect("an id").to_owned();
        let plan = json!({"status": "ACTIVE", "budget_amount": 60});
        assert_eq!(self.owner("PATCH", &format!("/v1/campaigns/{id}"), &plan).await["state"], "scheduled");
        id
    }

    /// What the only change that waits asks for, and who has asked for it.
    async fn plan(&self) -> (Value, String) {
        let list = self.owner("GET", "/v1/changes?state=scheduled", &Value::Null).await;
        let [waits] = <[Value; 1]>::try_from(list["changes"].as_array().expect("a list").clone()).expect("one change");
        (waits["requested"].clone(), waits["requested_by"]["name"].as_str().expect("a name").to_owned())
    }

    /// Creates a campaign of 100 that the owner activates, and that ends in an hour, and lets it end.
    async fn ended(&self, platform: Platform) -> String {
        let body = json!({"platform": platform.as_str(), "name": "Ended", "goal": "TRAFFIC", "budget_amount": 100,
            "budget_period": "DAILY", "start_at": self.at(1), "end_at": self.at(30)});
        let id = self.owner("POST", "/v1/campaigns", &body).await["id"].as_str().expect("an id").to_owned();
        self.owner("PATCH", &format!("/v1/campaigns/{id}"), &json!({"status": "ACTIVE"})).await;
        self.hours(31).await;
        let read = self.owner("GET", &format!("/v1/campaigns/{id}"), &Value::Null).await;
        assert_eq!(read["status"], "ENDED", "{platform}: {read}");
        id
    }
}

#[tokio::test(start_paused = true)]
async fn a_limited_key_does_not_change_an_activation_that_somebody_else_planned() {
    for platform in HELD {
        let stage = Stage::with_daily(&[platform], 0).await;
        let id = stage.planned(platform).await;
        let planned = stage.plan().await;
        assert_eq!(planned.0, json!({"status": "ACTIVE", "budget_amount": 60}));
        assert_eq!(stage.change(&id, &json!({"budget_amount": 500})).await, 200, "{platform}: it has this budget");
        assert_eq!(stage.plan().await, planned, "{platform}");
        assert_eq!(stage.change(&id, &json!({"budget_amount": 400})).await, 200, "{platform}: lowering is free");
        assert_eq!(stage.plan().await, planned, "{platform}");
        assert_eq!(stage.change(&id, &json!({"budget_amount": 700})).await, 403, "{platform}");
        assert_eq!(stage.plan().await, planned, "{platform}: a refused request has no effect");
    }
}

#[tokio::test(start_paused = true)]
async fn an_earlier_start_counts_as_an_activation_of_its_requester() {
    for platform in HELD {
        let stage = Stage::with_daily(&[platform], 0).await;
        let id = stage.planned(platform).await;
        let planned = stage.plan().await;
        let soon = json!({"start_at": stage.at(1)});
        let refused = stage.agent("PATCH", &format!("/v1/campaigns/{id}"), &soon).await;
        assert_eq!((refused.status, &refused.body["reason"]), (403, &json!("SPENDING_LIMIT")), "{platform}");
        let dry = stage.agent("PATCH", &format!("/v1/campaigns/{id}?dry_run=true"), &soon).await;
        assert_eq!(dry.status, 403, "{platform}: {dry:?}");
        assert_eq!(stage.change(&id, &json!({"status": "ACTIVE"})).await, 403, "{platform}");
        assert_eq!(stage.plan().await, planned, "{platform}");
        let limit = json!({"spending_limit": daily(&stage.connections, 100)});
        stage.owner("PATCH", &format!("/v1/api-keys/{}", stage.key), &limit).await;
        assert_eq!(stage.change(&id, &soon).await, 200, "{platform}");
        assert_eq!(stage.plan().await, (planned.0, "Agent".to_owned()), "{platform}");
        stage.hours(1).await;
        stage.minutes(2).await;
        let counted = (stage.running().await, stage.reserved_and_left().await);
        assert_eq!(counted, (Decimal::from(60), (60, 40)), "{platform}: at the planned budget");
        stage.owner("POST", &format!("/v1/api-keys/{}/stop", stage.key), &Value::Null).await;
        stage.minutes(2).await;
        assert_eq!(stage.running().await, Decimal::ZERO, "{platform}: the stop finds it");
    }
}

#[tokio::test(start_paused = true)]
async fn an_earlier_start_needs_approval_where_an_activation_does() {
    let stage = Stage::with(&[Platform::Beta], |connections| {
        let mut limit = daily(connections, 100);
        limit["approval"] = json!({"activation": true});
        limit
    })
    .await;
    let id = stage.planned(Platform::Beta).await;
    let refused = stage.agent("PATCH", &format!("/v1/campaigns/{id}"), &json!({"start_at": stage.at(1)})).await;
    assert_eq!((refused.status, &refused.body["reason"]), (403, &json!("APPROVAL_REQUIRED")), "{refused:?}");
    assert_eq!(stage.change(&id, &json!({"start_at": stage.at(800)})).await, 200, "later is free");
}

#[tokio::test(start_paused = true)]
async fn a_key_cannot_raise_a_campaign_that_a_later_end_activates() {
    for platform in DATED {
        let stage = Stage::with_daily(&[platform], 10).await;
        let id = stage.ended(platform).await;
        let later = json!({"end_at": stage.at(200)});
        stage.owner("PATCH", &format!("/v1/campaigns/{id}?apply_at={}", stage.at(2)), &later).await;
        let raise = json!({"budget_amount": 5000});
        for target in [format!("/v1/campaigns/{id}"), format!("/v1/campaigns/{id}?dry_run=true")] {
            let refused = stage.agent("PATCH", &target, &raise).await;
            assert_eq!((refused.status, &refused.body["reason"]), (403, &json!("SPENDING_LIMIT")), "{platform}");
        }
        stage.hours(2).await;
        stage.minutes(2).await;
        assert_eq!(stage.running().await, Decimal::from(100), "{platform}: as it was scheduled");
        let read = stage.owner("GET", &format!("/v1/campaigns/{id}"), &Value::Null).await;
        assert_eq!(read["status"], "ACTIVE", "{platform}: {read}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_key_cannot_bring_forward_the_activation_of_somebody_else() {
    for platform in DATED {
        let stage = Stage::with_daily(&[platform], 10).await;
        let body = json!({"platform": platform.as_str(), "name": "Early", "goal": "TRAFFIC", "budget_amount": 100,
            "budget_period": "DAILY", "start_at": stage.at(100)});
        let id = stage.owner("POST", "/v1/campaigns", &body).await["id"].as_str().expect("an id").to_owned();
        let earlier = |hours: i64| json!({"start_at": stage.at(hours)});
        assert_eq!(stage.change(&id, &earlier(90)).await, 200, "{platform}: nothing waits");
        let path = format!("/v1/campaigns/{id}?apply_at={}", stage.at(2));
        stage.owner("PATCH", &path, &json!({"status": "ACTIVE"})).await;
        assert_eq!(stage.change(&id, &earlier(5)).await, 403, "{platform}");
        assert_eq!(stage.change(&id, &earlier(95)).await, 200, "{platform}: later is free");
    }
}

#[tokio::test(start_paused = true)]
async fn a_later_end_counts_as_an_activation_for_limit_and_approval() {
    for platform in DATED {
        let stage = Stage::with(&[platform], |connections| {
            let mut limit = daily(connections, 100);
            limit["approval"] = json!({"activation": true});
            limit
        })
        .await;
        let id = stage.ended(platform).await;
        let later = json!({"end_at": stage.at(200)});
        let asked = stage.agent("PATCH", &format!("/v1/campaigns/{id}"), &later).await;
        assert_eq!((asked.status, &asked.body["state"]), (202, &json!("awaiting_approval")), "{platform}: {asked:?}");
        stage.approve(asked.body["id"].as_str().expect("an id")).await.expect("an approval");
        assert_eq!(stage.reserved_and_left().await, (100, 0), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_awaiting_approval_moves_no_date() {
    let stage = Stage::with(&[Platform::Beta], |connections| {
        let mut limit = daily(connections, 500);
        limit["approval"] = json!({"amounts": [{"currency": "USD", "amount": 60}]});
        limit
    })
    .await;
    let id = stage.campaign(Platform::Beta, "One", 50).await;
    let (path, end) = (format!("/v1/campaigns/{id}"), stage.at(50));
    stage.owner("PATCH", &path, &json!({"status": "ACTIVE", "end_at": end})).await;
    let both = stage.agent("PATCH", &path, &json!({"end_at": stage.at(99), "budget_amount": 150})).await;
    assert_eq!((both.status, &both.body["reason"]), (403, &json!("APPROVAL_REQUIRED")), "{both:?}");
    assert_eq!(stage.owner("GET", &path, &Value::Null).await["end_at"], json!(end), "a refused request has no effect");
    assert_eq!(stage.change(&id, &json!({"end_at": stage.at(99)})).await, 200, "dates alone");
    assert_eq!(stage.change(&id, &json!({"budget_amount": 150})).await, 202);
}

#[tokio::test(start_paused = true)]
async fn an_end_is_part_of_the_version_that_a_person_approves() {
    for platform in HELD {
        let stage = Stage::with(&[platform], |connections| {
            let mut limit = daily(connections, 100);
            limit["approval"] = json!({"activation": true});
            limit
        })
        .await;
        let id = stage.campaign(platform, "Ending", 50).await;
        let path = format!("/v1/campaigns/{id}");
        stage.owner("PATCH", &path, &json!({"end_at": stage.at(72)})).await;
        let asked = stage.agent("PATCH", &path, &json!({"status": "ACTIVE"})).await.body;
        let asked = asked["id"].as_str().expect("an id");
        let seen = stage.review(asked).await;
        let end = seen.proposal.as_ref().and_then(|one| one.current.as_ref()).and_then(|current| current.end_at);
        assert!(end.is_some(), "{platform}: the page shows the end");
        assert_eq!(stage.change(&id, &json!({"end_at": null})).await, 200, "{platform}");
        let error = stage.approve_as_seen(asked, &seen.version()).await.expect_err("it has no end now");
        assert_eq!(error.kind, Kind::Conflict, "{platform}: {}", error.message);
        stage.owner("PATCH", &path, &json!({"end_at": stage.at(72)})).await;
        approve_without_making(&stage, asked).await;
        stage.owner("PATCH", &path, &json!({"end_at": stage.at(90)})).await;
        stage.minutes(2).await;
        assert_eq!(stage.running().await, Decimal::ZERO, "{platform}: it would run for longer than approved");
    }
}

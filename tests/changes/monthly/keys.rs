//! Monthly budgets and keys: a key with a spending limit can neither set nor activate one, and for a stopped key the
//! service neither activates nor raises any. Campaigns that somebody else activated continue.

use super::ENVELOPED;
use crate::in_process::{World, json_of, respond};
use crate::spending::{Answer, Stage};
use jiff::SignedDuration;
use serde_json::{Value, json};
use shared::domain::{KeyId, Platform};
use tokio::time::{Duration, sleep};

const PLATFORM: Platform = Platform::Beta;

impl Stage {
    /// A request in the enveloped shape, with the key of a world.
    pub(in crate::changes) async fn enveloped(&self, world: &World, method: &str, path: &str, body: &Value) -> Answer {
        sleep(Duration::from_millis(200)).await;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let response = respond(&self.app, world.request(method, path, &ENVELOPED, &body)).await;
        Answer { status: response.status().as_u16(), body: json_of(response.body()) }
    }

    /// Creates a campaign with a monthly budget, and returns its id and the one at Meta.
    async fn monthly(&self, world: &World, name: &str, amount: i64) -> (String, String) {
        let connections = self.owner("GET", "/v1/connections", &Value::Null).await;
        let body = json!({"platform": PLATFORM.as_upper(), "name": name, "goal": "WEBSITE_TRAFFIC",
            "organization_id": connections["connections"][0]["remote_account_id"], "budget_amount": amount,
            "budget_period": "MONTHLY"});
        let made = self.enveloped(world, "POST", "/v1/campaigns", &body).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let id = made.body["data"]["id"].as_str().expect("an id").to_owned();
        let flat = self.owner("GET", &format!("/v1/campaigns/{id}"), &Value::Null).await;
        (id, flat["remote_id"].as_str().expect("an id").to_owned())
    }

    /// Spends more than a month has, on the day that it is in New York.
    async fn spend(&self, remote: &str, spend: i64) {
        let zone = jiff::tz::TimeZone::get("America/New_York").expect("a zone");
        let day = zone.to_datetime(self.owner.clock.now()).date();
        let order = json!({"platform": PLATFORM.as_str(), "campaign_id": remote, "date": day.to_string(),
            "spend": spend.to_string(), "impressions": 1000, "clicks": 50});
        self.owner.control("POST", "delivery", &order).await;
    }

    async fn by_schedule(&self) -> Vec<Value> {
        let listed = self.owner("GET", "/v1/changes?limit=100", &Value::Null).await;
        let changes = listed["changes"].as_array().expect("a list").iter();
        changes.filter(|change| !change["apply_at"].is_null()).cloned().collect()
    }

    async fn activate(&self, world: &World, id: &str) {
        let path = format!("/v1/campaigns/{id}");
        let activated = self.enveloped(world, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
        assert_eq!(activated.status, 200, "{}", activated.body);
    }

    /// Stops a key, and lets the stop do its work.
    async fn stop_month(&self, key: &KeyId) {
        self.owner("POST", &format!("/v1/api-keys/{key}/stop"), &Value::Null).await;
        self.minutes(4).await;
    }

    /// Whether a campaign says that its monthly budget is stopped.
    async fn is_stopped(&self, id: &str) -> bool {
        let read = self.owner("GET", &format!("/v1/campaigns/{id}"), &Value::Null).await;
        read["pacing"]["stopped"].as_bool().unwrap_or_else(|| panic!("a monthly budget: {read}"))
    }

    /// The steps that were applied, and the changes that ended with the key.
    async fn steps(&self) -> (usize, Vec<Value>) {
        let (applied, others): (Vec<_>, Vec<_>) =
            self.by_schedule().await.into_iter().partition(|change| change["state"] == "applied");
        let stopped = others.into_iter().filter(|change| change["error"]["reason"] == "KEY_STOPPED");
        (applied.len(), stopped.collect())
    }

    /// So many days pass; maintenance looks on each.
    async fn days(&self, days: i64) {
        for _ in 0..days {
            self.hours(24).await;
            self.minutes(3).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_key_with_a_limit_can_neither_set_nor_activate_a_monthly_budget() {
    let stage = Stage::with_daily(&[PLATFORM], 100_000).await;
    let (id, _) = stage.monthly(&stage.owner, "Owner's", 930).await;
    let daily = stage.campaign(PLATFORM, "Daily", 50).await;
    let connections = stage.owner("GET", "/v1/connections", &Value::Null).await;
    let create = json!({"platform": "BETA", "name": "Agent's", "goal": "WEBSITE_TRAFFIC", "budget_amount": 930,
        "organization_id": connections["connections"][0]["remote_account_id"], "budget_period": "MONTHLY"});
    let amount = json!({"budget_period": "MONTHLY", "budget_amount": 1240});
    let (path, other) = (format!("/v1/campaigns/{id}"), format!("/v1/campaigns/{daily}"));
    let active = json!({"status": "ACTIVE"});
    for (method, path, body) in [
        ("POST", "/v1/campaigns", &create),
        ("PATCH", path.as_str(), &active),
        ("PATCH", path.as_str(), &amount),
        ("PATCH", other.as_str(), &amount),
    ] {
        let refused = stage.enveloped(&stage.limited, method, path, body).await;
        assert_eq!(refused.status, 403, "{method} {path} {body}: {}", refused.body);
        assert_eq!(refused.body["error"]["reason"], "SPENDING_LIMIT", "{}", refused.body);
    }
    // Also for a later time. A bulk change is refused when it is due.
    let at = stage.owner.clock.now() + SignedDuration::from_mins(5);
    let later = stage.agent("PATCH", &format!("{path}?apply_at={at:.0}"), &active).await;
    assert_eq!((later.status, &later.body["reason"]), (403, &json!("SPENDING_LIMIT")), "{}", later.body);
    stage.agent("POST", "/v1/campaigns/status", &json!({"status": "ACTIVE", "ids": [id]})).await;
    stage.minutes(15).await;
    assert_eq!(stage.running().await, 0.into(), "nothing runs");
    // A pause is always possible.
    stage.owner("PATCH", &path, &active).await;
    assert_eq!(stage.change(&id, &json!({"status": "PAUSED"})).await, 200);
    assert_eq!(stage.running().await, 0.into(), "nothing runs");
}

#[tokio::test(start_paused = true)]
async fn pending_changes_of_limited_keys_are_refused_once_the_budget_is_monthly() {
    let limit = |connections: &[String]| json!({"connections": connections, "amounts": [{"currency": "USD", "daily": 500}], "approval": {"activation": true}});
    let stage = Stage::with(&[PLATFORM], limit).await;
    let asked = stage.campaign(PLATFORM, "Asked", 50).await;
    let raised = stage.campaign(PLATFORM, "Raised", 50).await;
    stage.activate(&stage.owner, &raised).await;
    let waiting = stage.agent("PATCH", &format!("/v1/campaigns/{asked}"), &json!({"status": "ACTIVE"})).await;
    assert_eq!(waiting.status, 202, "{}", waiting.body);
    let at = stage.owner.clock.now() + SignedDuration::from_mins(5);
    let later = format!("/v1/campaigns/{raised}?apply_at={at:.0}");
    let scheduled = stage.agent("PATCH", &later, &json!({"budget_amount": 60})).await;
    assert_eq!(scheduled.status, 202, "{}", scheduled.body);
    let monthly = json!({"budget_period": "MONTHLY", "budget_amount": 930});
    for id in [&asked, &raised] {
        let begun = stage.enveloped(&stage.owner, "PATCH", &format!("/v1/campaigns/{id}"), &monthly).await;
        assert_eq!(begun.status, 200, "{}", begun.body);
    }
    let waiting = waiting.body["id"].as_str().expect("an id");
    let refusal = stage.review(waiting).await.refusal().map(|error| error.message.clone());
    assert!(refusal.is_some_and(|message| message.contains("monthly")), "the page offers no approval");
    stage.approve(waiting).await.expect_err("the budget is monthly");
    stage.minutes(15).await;
    let scheduled = scheduled.body["id"].as_str().expect("an id");
    let failed = stage.owner("GET", &format!("/v1/changes/{scheduled}"), &Value::Null).await;
    assert_eq!(
        (&failed["state"], &failed["error"]["reason"]),
        (&json!("failed"), &json!("SPENDING_LIMIT")),
        "{failed}"
    );
    stage.days(1).await;
    let read = stage.enveloped(&stage.owner, "GET", &format!("/v1/campaigns/{raised}"), &Value::Null).await;
    assert_eq!(read.body["data"]["budget_period"], "MONTHLY", "nobody has ended it: {}", read.body);
}

#[tokio::test(start_paused = true)]
async fn an_activation_cannot_be_scheduled_in_a_spent_month() {
    let stage = Stage::with_daily(&[PLATFORM], 100_000).await;
    let (id, remote) = stage.monthly(&stage.owner, "Spent", 310).await;
    stage.activate(&stage.owner, &id).await;
    stage.spend(&remote, 400).await;
    stage.minutes(4).await;
    let path = |minutes: i64| {
        let at = stage.owner.clock.now() + SignedDuration::from_mins(minutes);
        format!("/v1/campaigns/{id}?apply_at={at:.0}")
    };
    let active = json!({"status": "ACTIVE"});
    let refused = stage.enveloped(&stage.owner, "PATCH", &path(5), &active).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    let later = stage.enveloped(&stage.owner, "PATCH", &path(60 * 24 * 40), &active).await;
    assert_eq!(later.status, 202, "{}", later.body);
}

#[tokio::test(start_paused = true)]
async fn the_monthly_budget_of_a_stopped_key_is_neither_activated_nor_raised() {
    let stage = Stage::with_daily(&[PLATFORM], 100_000).await;
    let (key, free) = stage.free_key().await;
    let (spent, remote) = stage.monthly(&free, "Spent", 310).await;
    let (running, _) = stage.monthly(&free, "Running", 930).await;
    for id in [&spent, &running] {
        stage.activate(&free, id).await;
    }
    stage.spend(&remote, 400).await;
    stage.minutes(4).await;
    assert!(stage.running().await > 0.into(), "one of them runs");
    stage.stop_month(&key).await;
    assert!(stage.is_stopped(&spent).await && stage.is_stopped(&running).await);
    assert_eq!(stage.running().await, 0.into(), "the stop has paused it");
    let applied = |changes: Vec<Value>| changes.iter().filter(|change| change["state"] == "applied").count();
    let before = applied(stage.by_schedule().await);
    stage.days(33).await;
    assert_eq!(stage.running().await, 0.into(), "nothing runs in the next month");
    let changes = stage.by_schedule().await;
    assert!(changes.len() < 90, "at most one step a day for each of the two: {}", changes.len());
    assert_eq!(applied(changes), before, "nothing was activated or raised");
}

#[tokio::test(start_paused = true)]
async fn the_monthly_budget_of_a_stopped_key_continues_if_a_person_activated_it() {
    let stage = Stage::with_daily(&[PLATFORM], 100_000).await;
    let (key, free) = stage.free_key().await;
    let (id, _) = stage.monthly(&free, "Theirs", 930).await;
    stage.activate(&stage.owner, &id).await;
    // Steps in the name of the key are no raise by the key.
    stage.days(2).await;
    stage.stop_month(&key).await;
    assert!(stage.running().await > 0.into(), "it runs because of somebody else");
    stage.owner("DELETE", &format!("/v1/api-keys/{key}"), &Value::Null).await;
    let (before, _) = stage.steps().await;
    // The daily budget moves with the month, which is another one by then.
    stage.days(33).await;
    let (after, stopped) = stage.steps().await;
    assert!(after > before + 3, "{before} steps before, {after} after");
    assert_eq!((stopped, stage.is_stopped(&id).await), (vec![], false));
    assert!(stage.running().await > 0.into(), "it runs");
}

#[tokio::test(start_paused = true)]
async fn activating_a_stalled_monthly_budget_takes_it_over() {
    let stage = Stage::with_daily(&[PLATFORM], 100_000).await;
    let (key, free) = stage.free_key().await;
    let (one, _) = stage.monthly(&free, "One", 930).await;
    let (many, _) = stage.monthly(&free, "Many", 930).await;
    for id in [&one, &many] {
        stage.activate(&free, id).await;
    }
    stage.minutes(4).await;
    stage.stop_month(&key).await;
    assert_eq!(stage.running().await, 0.into(), "the stop has paused both");
    stage.activate(&stage.owner, &one).await;
    stage.owner("POST", "/v1/campaigns/status", &json!({"status": "ACTIVE", "ids": [many]})).await;
    stage.minutes(4).await;
    assert!(!stage.is_stopped(&one).await && !stage.is_stopped(&many).await);
    let (before, _) = stage.steps().await;
    stage.days(33).await;
    let (after, stopped) = stage.steps().await;
    assert!(after > before + 6, "{before} steps before, {after} after");
    assert_eq!(stopped, Vec::<Value>::new());
    let owner = &stage.by_schedule().await[0]["requested_by"];
    assert_eq!(owner["id"], "key_default", "{owner}");
}

#[tokio::test(start_paused = true)]
async fn the_next_month_begins_even_if_the_key_that_set_the_amount_is_stopped() {
    let stage = Stage::with_daily(&[PLATFORM], 100_000).await;
    let (key, free) = stage.free_key().await;
    let (left, remote) = stage.monthly(&free, "Left", 310).await;
    let (taken, other) = stage.monthly(&free, "Taken", 310).await;
    for (id, remote) in [(&left, &remote), (&taken, &other)] {
        stage.activate(&stage.owner, id).await;
        stage.spend(remote, 400).await;
    }
    stage.minutes(4).await;
    assert_eq!(stage.running().await, 0.into(), "the month is spent");
    // A person asks for the amount that it has.
    let same = json!({"budget_period": "MONTHLY", "budget_amount": 310});
    let path = format!("/v1/campaigns/{taken}");
    assert_eq!(stage.enveloped(&stage.owner, "PATCH", &path, &same).await.status, 200);
    let waiting = stage.owner("GET", "/v1/changes?state=scheduled", &Value::Null).await;
    let waiting = waiting["changes"].as_array().expect("a list").iter();
    let requester = |id: &str| {
        waiting.clone().find(|one| one["campaign_id"] == id).expect("a change")["requested_by"]["id"].clone()
    };
    assert_eq!((requester(&left), requester(&taken)), (json!(key.0), json!("key_default")));
    stage.stop_month(&key).await;
    assert_eq!(stage.running().await, 0.into(), "the month is spent still");
    stage.days(33).await;
    let books = stage.owner.control("GET", "campaigns", &Value::Null).await;
    let statuses: Vec<&Value> =
        books["campaigns"].as_array().expect("a list").iter().map(|one| &one["status"]).collect();
    assert_eq!(statuses, ["ACTIVE", "ACTIVE"], "{books}");
}

#[tokio::test(start_paused = true)]
async fn a_key_with_a_limit_cannot_move_a_date_that_resumes_a_monthly_budget() {
    let platform = Platform::Epsilon;
    let stage = Stage::with_daily(&[platform], 100_000).await;
    let at = |hours: i64| format!("{:.0}", stage.owner.clock.now() + SignedDuration::from_hours(hours));
    let connections = stage.owner("GET", "/v1/connections", &Value::Null).await;
    let body = json!({"platform": platform.as_upper(), "name": "Ended", "goal": "WEBSITE_TRAFFIC", "budget_amount": 930,
        "organization_id": connections["connections"][0]["remote_account_id"], "budget_period": "MONTHLY",
        "start_at": at(1), "end_at": at(30)});
    let made = stage.enveloped(&stage.owner, "POST", "/v1/campaigns", &body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let path = format!("/v1/campaigns/{}", made.body["data"]["id"].as_str().expect("an id"));
    stage.owner("PATCH", &path, &json!({"status": "ACTIVE"})).await;
    stage.hours(31).await;
    assert_eq!(stage.owner("GET", &path, &Value::Null).await["status"], "ENDED");
    let later = json!({"end_at": at(200)});
    for target in [path.clone(), format!("{path}?dry_run=true"), format!("{path}?apply_at={}", at(5))] {
        let refused = stage.agent("PATCH", &target, &later).await;
        assert_eq!((refused.status, &refused.body["reason"]), (403, &json!("SPENDING_LIMIT")), "{target}: {refused:?}");
    }
    stage.owner("PATCH", &path, &later).await;
    assert_eq!(stage.owner("GET", &path, &Value::Null).await["status"], "ACTIVE", "a key without a limit may");
}

//! Bulk changes of budgets: exact, applied once, and only if the budget is the one that they were computed from. The
//! sandbox's books say what happened.

use super::Stage;
use super::bulk::count;
use serde_json::{Value, json};
use shared::domain::Platform;
use tokio::time::{Duration, sleep};

pub(super) const BUDGETS: &str = "/v1/campaigns/budgets";
const ENVELOPED: [(&str, &str); 1] = [("x-api-shape", "enveloped")];

impl Stage {
    /// Changes budgets under an `Idempotency-Key` of its own.
    pub(super) async fn raise(&self, status: u16, body: &Value) -> Value {
        let key = uuid::Uuid::new_v4().to_string();
        let answer = self.send("POST", BUDGETS, &[("idempotency-key", key.as_str())], body).await;
        assert_eq!(answer.status, status, "{body}: {}", answer.body);
        answer.body
    }

    /// Creates a campaign with a daily budget, and returns its id.
    pub(super) async fn with_budget(&self, platform: Platform, name: &str, amount: &Value) -> String {
        let body = json!({"platform": platform.as_str(), "name": name, "goal": "TRAFFIC", "budget_amount": amount,
            "budget_period": "DAILY"});
        let made = self.ask(201, "POST", "/v1/campaigns", &body).await;
        made["id"].as_str().expect("an id").to_owned()
    }

    /// The budget in the books.
    pub(super) async fn budget(&self, name: &str) -> String {
        let budget = self.in_books(name).await.1.parse::<rust_decimal::Decimal>().expect("an amount");
        budget.normalize().to_string()
    }

    pub(super) async fn set_budget(&self, id: &str, amount: u32) {
        self.ask(200, "PATCH", &format!("/v1/campaigns/{id}"), &json!({"budget_amount": amount})).await;
    }
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|one| one.as_str().expect("a text")).collect()
}

#[tokio::test(start_paused = true)]
async fn budgets_change_by_percent_on_all_platforms() {
    let stage = Stage::connected(&Platform::ALL).await;
    for platform in Platform::ALL {
        stage.campaign(platform, &format!("On {platform}")).await;
    }
    let bulk = stage.raise(202, &json!({"percent": "12.5", "all": true})).await;
    assert_eq!((count(&bulk["changes"]), count(&bulk["unchanged"]), count(&bulk["refused"])), (6, 0, 0), "{bulk}");
    for platform in Platform::ALL {
        assert_eq!(stage.budget(&format!("On {platform}")).await, "56.25", "{platform}");
    }
    let told = stage.bulk_status(&bulk).await;
    let kind = (&told["status"], &told["budget_percent"], &told["undoes"], &told["settled"]);
    assert_eq!(kind, (&Value::Null, &json!("12.5"), &Value::Null, &json!(true)), "{told}");
    let change = stage.change(bulk["changes"][0].as_str().expect("an id")).await;
    assert_eq!((&change["executed_by"], &change["requested"]), (&json!("bulk"), &json!({"budget_amount": 56.25})));
    assert_eq!((&change["before"]["budget_amount"], &change["after"]["budget_amount"]), (&json!(50), &json!(56.25)));
}

#[tokio::test(start_paused = true)]
async fn amounts_with_more_decimals_than_the_currency_are_refused_not_rounded() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let even = stage.campaign(Platform::Alpha, "Even").await;
    let odd = stage.with_budget(Platform::Alpha, "Odd", &json!(50.05)).await;
    let refused = stage.raise(400, &json!({"percent": 10, "ids": [even, odd]})).await;
    let detail = &refused["details"][0];
    assert_eq!((&detail["field"], count(&refused["details"])), (&json!("ids"), 1), "{refused}");
    let message = detail["message"].as_str().expect("a message");
    assert!(message.contains(&odd) && message.contains("would be 55.055 USD, and USD has 2 decimals"), "{message}");
    let amounts = json!({"budgets": [{"id": even, "budget_amount": 60}, {"id": odd, "budget_amount": 60.001}]});
    let refused = stage.ask(400, "POST", BUDGETS, &amounts).await;
    assert_eq!(refused["details"][0]["field"], "budgets", "{refused}");
    stage.minutes(3).await;
    assert_eq!(stage.budget("Even").await, "50", "nothing is stored");

    let bulk = stage.raise(202, &json!({"percent": 10, "platform": "alpha_ads"})).await;
    assert_eq!((count(&bulk["changes"]), &bulk["refused"][0]["campaign_id"]), (1, &json!(odd)), "{bulk}");
    assert_eq!((stage.budget("Even").await.as_str(), stage.budget("Odd").await.as_str()), ("55", "50.05"));
    let told = stage.bulk_status(&bulk).await;
    let account = &told["accounts"][0];
    let message = account["refused"][0]["error"]["message"].as_str().expect("a message");
    assert!(message.contains("55.055 USD") && told["settled"] == true, "{told}");
}

#[tokio::test(start_paused = true)]
async fn an_amount_is_set_only_if_the_previous_one_is_unchanged() {
    let stage = Stage::connected(&[Platform::Alpha, Platform::Delta]).await;
    let seen = stage.campaign(Platform::Alpha, "Seen").await;
    let moved = stage.campaign(Platform::Delta, "Moved").await;
    let same = stage.campaign(Platform::Delta, "Same").await;
    stage.set_budget(&moved, 70).await;
    let budget = |id: &str, amount: u32| json!({"id": id, "budget_amount": amount, "from": 50});
    let body = json!({"budgets": [budget(&seen, 60), budget(&moved, 60), budget(&same, 50)]});
    let bulk = stage.ask(202, "POST", BUDGETS, &body).await;
    assert_eq!((count(&bulk["changes"]), texts(&bulk["unchanged"])), (1, vec![same.as_str()]), "{bulk}");
    let refused = &bulk["refused"][0];
    assert_eq!((&refused["campaign_id"], &refused["error"]["reason"]), (&json!(moved), &json!("CHANGED_MEANWHILE")));
    assert_eq!((stage.budget("Seen").await.as_str(), stage.budget("Moved").await.as_str()), ("60", "70"));
    stage.ask(404, "POST", BUDGETS, &json!({"budgets": [{"id": "alpha_1_2", "budget_amount": 60}]})).await;
}

#[tokio::test(start_paused = true)]
async fn a_budget_changed_before_the_attempt_is_kept() {
    for platform in [Platform::Alpha, Platform::Beta, Platform::Zeta] {
        let stage = Stage::connected(&[platform]).await;
        let id = stage.campaign(platform, "Throttled").await;
        stage.fault(platform, "update", "throttle", 1).await;
        let bulk = stage.raise(202, &json!({"percent": "10", "all": true})).await;
        assert_eq!(stage.bulk_status(&bulk).await["settled"], false, "{platform}");
        // The service leaves the ad account alone for a moment, and maintenance does not run.
        sleep(Duration::from_mins(15)).await;
        stage.set_budget(&id, 80).await;
        stage.minutes(3).await;
        let told = stage.bulk_status(&bulk).await;
        let change = &told["accounts"][0]["changes"][0];
        assert_eq!(change["state"], "failed", "{platform}: {told}");
        assert_eq!(change["error"]["reason"], "CHANGED_MEANWHILE", "{platform}: {told}");
        assert_eq!((stage.budget("Throttled").await.as_str(), &told["settled"]), ("80", &json!(true)), "{platform}");
    }
}

#[tokio::test(start_paused = true)]
async fn one_idempotency_key_raises_budgets_once_even_after_they_were_lowered() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let id = stage.campaign(Platform::Alpha, "Once").await;
    let (key, body) = ([("idempotency-key", "k")], json!({"percent": "10", "all": true}));
    let first = stage.send("POST", BUDGETS, &key, &body).await;
    stage.set_budget(&id, 50).await;
    let again = stage.send("POST", BUDGETS, &key, &body).await;
    assert_eq!((first.status, again.status, &again.body), (202, 202, &first.body));
    stage.minutes(3).await;
    assert_eq!(stage.budget("Once").await, "50");
    let other = stage.send("POST", BUDGETS, &key, &json!({"percent": "20", "all": true})).await;
    assert_eq!(other.status, 422, "{}", other.body);
    let without = stage.ask(400, "POST", BUDGETS, &body).await;
    assert_eq!(without["details"][0]["field"], "Idempotency-Key", "{without}");
    assert_eq!(stage.budget("Once").await, "50");
}

#[tokio::test(start_paused = true)]
async fn maintenance_changes_an_account_that_could_not_be_listed_once() {
    let stage = Stage::connected(&[Platform::Alpha, Platform::Beta]).await;
    stage.campaign(Platform::Alpha, "Reachable").await;
    stage.campaign(Platform::Beta, "Unreachable").await;
    stage.fault(Platform::Beta, "list", "error", 8).await;
    let bulk = stage.raise(202, &json!({"percent": "100", "all": true})).await;
    assert_eq!((count(&bulk["changes"]), count(&bulk["errors"])), (1, 1), "{bulk}");
    stage.no_faults().await;
    stage.minutes(8).await;
    for name in ["Reachable", "Unreachable"] {
        assert_eq!(stage.budget(name).await, "100", "{name}");
    }
    assert_eq!(stage.bulk_status(&bulk).await["settled"], true);
}

#[tokio::test(start_paused = true)]
async fn a_percentage_changes_the_monthly_amount_of_a_monthly_budget() {
    let stage = Stage::connected(&[Platform::Alpha]).await;
    let monthly = stage.monthly_campaign(Platform::Alpha, "Monthly", 3_100).await;
    let bulk = stage.raise(202, &json!({"percent": "10", "all": true})).await;
    let read = stage.read_month(&monthly.id).await;
    assert_eq!((&read["budget_amount"], &read["budget_period"]), (&json!(3_410), &json!("MONTHLY")), "{bulk}");
    let change = stage.change(bulk["changes"][0].as_str().expect("an id")).await;
    assert_eq!((&change["state"], &change["executed_by"]), (&json!("applied"), &json!("bulk")), "{change}");
    assert_eq!((&change["before"]["budget_amount"], &change["after"]["budget_amount"]), (&json!(3_100), &json!(3_410)));
    let flat = json!({"budgets": [{"id": monthly.id, "budget_amount": 110}]});
    stage.ask(400, "POST", BUDGETS, &flat).await;
    let body = json!({"budgets": [{"id": monthly.id, "budget_amount": 6200, "from": 3410}]});
    let set = stage.send("POST", BUDGETS, &ENVELOPED, &body).await;
    assert_eq!(set.status, 202, "{}", set.body);
    assert_eq!(stage.read_month(&monthly.id).await["budget_amount"], json!(6_200));
    stage.minutes(3).await;
    let undone = stage.ask(202, "POST", &format!("/v1/changes/{}/undo", text(&bulk["bulk_id"])), &Value::Null).await;
    assert_eq!(stage.read_month(&monthly.id).await["budget_amount"], json!(6_200), "it was changed since: {undone}");
    let bulk = &set.body["data"]["bulk_id"];
    stage.ask(202, "POST", &format!("/v1/changes/{}/undo", text(bulk)), &Value::Null).await;
    assert_eq!(stage.read_month(&monthly.id).await["budget_amount"], json!(3_410));
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value}"))
}

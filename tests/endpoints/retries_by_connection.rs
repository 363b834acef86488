//! Retries under an `Idempotency-Key` while an ad account of the create has no connection: each target is judged by its
//! own connection.

use crate::world::{TestResponse, World, campaign, id_of};
use serde_json::{Value, json};

/// The ad account that a customer has connected on a platform.
struct Account {
    connection: String,
    platform: &'static str,
    id: String,
}

impl World {
    /// Connects the first ad account of each platform.
    async fn accounts_on(&self, platforms: &[&'static str]) -> Vec<Account> {
        let mut accounts = Vec::new();
        for platform in platforms {
            self.connect(platform, &[]).await;
            let connections = self.connections().await;
            let known = connections.iter().find(|known| known["platform"] == *platform).expect("a connection");
            let id = known["remote_account_id"].as_str().expect("an account").to_owned();
            accounts.push(Account { connection: id_of(known), platform, id });
        }
        accounts
    }

    async fn remove(&self, account: &Account) {
        self.ask("DELETE", &format!("/v1/connections/{}", account.connection)).expect(204).await;
    }
}

fn upper(platform: &str) -> String {
    platform.trim_end_matches("_ads").to_uppercase()
}

fn create_on(accounts: &[Account]) -> Value {
    let targets: Vec<Value> = accounts
        .iter()
        .map(|account| json!({"platform": upper(account.platform), "organization_id": account.id}))
        .collect();
    json!({"name": "Everywhere", "goal": "SALES", "budget_amount": 50, "budget_period": "DAILY", "targets": targets})
}

/// The verdicts of a response, each of which must be about its own target.
fn verdicts(response: &TestResponse, accounts: &[Account]) -> Vec<String> {
    let body = response.json();
    let results = body["data"].as_array().or(body["error"]["results"].as_array()).expect("results").clone();
    assert_eq!(results.len(), accounts.len(), "{body}");
    for (result, account) in results.iter().zip(accounts) {
        assert_eq!(result["target"]["organization_id"], account.id.as_str(), "{body}");
        let Some(error) = result.get("error") else { continue };
        assert_eq!(error["platform"], upper(account.platform), "{body}");
        let message = error["message"].as_str().expect("a message");
        let others = accounts.iter().filter(|other| other.id != account.id);
        assert!(others.into_iter().all(|other| !message.contains(&other.id)), "{body}");
    }
    results.iter().map(|result| result["status"].as_str().expect("a status").to_owned()).collect()
}

fn assert_not_connected(response: &TestResponse, target: usize, account: &Account) {
    let error = &response.json()["data"][target]["error"];
    assert_eq!((&error["code"], &error["retryable"]), (&json!("FORBIDDEN"), &json!(false)), "{error}");
    assert!(error["message"].as_str().is_some_and(|message| message.contains(&account.id)), "{error}");
}

const THREE: [&str; 3] = ["alpha_ads", "beta_ads", "epsilon_ads"];

#[tokio::test]
async fn a_revoked_connection_blocks_no_other_target_of_a_retry() {
    let world = World::start().await;
    let accounts = world.accounts_on(&THREE).await;
    let body = create_on(&accounts);
    world.fault("beta_ads", "create", "revoked", 1).await;
    world.fault("epsilon_ads", "create", "throttle", 1).await;
    let first = world.keyed("k", &body).await;
    assert_eq!((first.status.as_u16(), verdicts(&first, &accounts)), (207, list(["created", "failed", "failed"])));
    world.let_pauses_end().await;
    let again = world.keyed("k", &body).await;
    assert_eq!(verdicts(&again, &accounts), ["created", "failed", "created"], "{again:?}");
    assert_eq!(again.status, 207);
    assert_not_connected(&again, 1, &accounts[1]);
    assert_eq!(world.campaigns_at("epsilon_ads").await, 1);

    world.connect("beta_ads", &[]).await;
    let complete = world.keyed("k", &body).await;
    assert_eq!(verdicts(&complete, &accounts), ["created"; 3], "authorized again: {complete:?}");
    for platform in THREE {
        assert_eq!(world.campaigns_at(platform).await, 1, "{platform}");
    }
    assert_eq!(world.keyed("k", &body).await.header("idempotent-replayed"), "true");
}

#[tokio::test]
async fn a_removed_connection_blocks_no_other_target_of_a_retry() {
    let world = World::start().await;
    let accounts = world.accounts_on(&THREE).await;
    let body = create_on(&accounts);
    world.fault("beta_ads", "create", "throttle", 1).await;
    world.fault("epsilon_ads", "create", "throttle", 1).await;
    let first = world.keyed("k", &body).await;
    assert_eq!(verdicts(&first, &accounts), ["created", "failed", "failed"], "{first:?}");
    world.remove(&accounts[1]).await;
    world.let_pauses_end().await;
    let again = world.keyed("k", &body).await;
    assert_eq!(verdicts(&again, &accounts), ["created", "failed", "created"], "{again:?}");
    assert_not_connected(&again, 1, &accounts[1]);

    world.connect("beta_ads", &[]).await;
    let complete = world.keyed("k", &body).await;
    assert_eq!(verdicts(&complete, &accounts), ["created"; 3], "connected again: {complete:?}");
    for platform in THREE {
        assert_eq!(world.campaigns_at(platform).await, 1, "{platform}");
    }
}

#[tokio::test]
async fn a_campaign_stays_created_after_its_connection_was_removed() {
    let world = World::start().await;
    let accounts = world.accounts_on(&["alpha_ads", "beta_ads"]).await;
    let body = create_on(&accounts);
    world.fault("beta_ads", "create", "throttle", 1).await;
    let first = world.keyed("k", &body).await;
    assert_eq!(verdicts(&first, &accounts), ["created", "failed"], "{first:?}");
    world.remove(&accounts[0]).await;
    world.let_pauses_end().await;
    let again = world.keyed("k", &body).await;
    assert_eq!((again.status.as_u16(), verdicts(&again, &accounts)), (201, list(["created", "created"])), "{again:?}");
    let (before, after) = (&first.json()["data"][0]["campaign"], &again.json()["data"][0]["campaign"]);
    for field in ["id", "name", "status", "currency", "budget_amount", "budget_period", "goal", "organization_id"] {
        assert_eq!(before[field], after[field], "{field}");
    }
    assert_eq!(world.keyed("k", &body).await.text, again.text, "a replay needs no connection");
}

#[tokio::test]
async fn an_unknown_target_stays_unknown_without_its_connection() {
    let world = World::start().await;
    let accounts = world.accounts_on(&["beta_ads", "epsilon_ads"]).await;
    let body = create_on(&accounts);
    world.fault("beta_ads", "create", "drop_after", 1).await;
    world.fault("beta_ads", "list", "error", 99).await;
    world.fault("epsilon_ads", "create", "throttle", 1).await;
    let first = world.keyed("k", &body).await;
    assert_eq!(verdicts(&first, &accounts), ["unknown", "failed"], "{first:?}");
    world.no_fault("beta_ads", "list", "error").await;
    world.remove(&accounts[0]).await;
    world.let_pauses_end().await;
    let again = world.keyed("k", &body).await;
    assert_eq!((again.status.as_u16(), verdicts(&again, &accounts)), (207, list(["unknown", "created"])), "{again:?}");
    let error = &again.json()["data"][0]["error"];
    assert!(error["message"].as_str().is_some_and(|message| message.contains(&accounts[0].id)), "{error}");
    assert_eq!(error["retryable"], true);

    world.connect("beta_ads", &[]).await;
    // Another process, whose circuit breaker is closed.
    let (status, complete) = world.keyed_at(world.later(61).await, "k", &body).await;
    assert_eq!((status, &complete["summary"]["created"]), (201, &json!(2)), "{complete}");
    assert_eq!(world.campaigns_at("beta_ads").await, 1, "found, not sent again");
}

#[tokio::test]
async fn a_retry_on_one_account_without_its_connection_is_403() {
    let world = World::start().await;
    let accounts = world.accounts_on(&["beta_ads"]).await;
    let body = campaign("beta_ads", "Later");
    world.fault("beta_ads", "create", "throttle", 1).await;
    assert_eq!(world.keyed("k", &body).await.status, 429);
    world.remove(&accounts[0]).await;
    world.let_pauses_end().await;
    let again = world.keyed("k", &body).await;
    assert_eq!((again.status.as_u16(), &again.json()["platform"]), (403, &json!("beta_ads")), "{again:?}");
    assert!(again.text.contains(&accounts[0].id), "{again:?}");
    let accounts = world.accounts_on(&["beta_ads"]).await;
    let made = world.keyed("k", &body).await;
    assert_eq!(made.status, 201, "connected again: {made:?}");
    world.remove(&accounts[0]).await;
    let replay = world.keyed("k", &body).await;
    assert_eq!((replay.text, replay.headers.get("idempotent-replayed").is_some()), (made.text, true));
    assert_eq!(world.campaigns_at("beta_ads").await, 1);
}

#[tokio::test]
async fn a_retry_keeps_its_account_when_another_is_connected() {
    let world = World::start().await;
    let ids = world.sandbox_accounts("beta_ads").await;
    let accounts = world.accounts_on(&["beta_ads"]).await;
    let body = campaign("beta_ads", "Later");
    world.fault("beta_ads", "create", "throttle", 1).await;
    assert_eq!(world.keyed("k", &body).await.status, 429);
    // As a new request it would have to say which of the two is meant.
    world.connect("beta_ads", &[&ids[1]]).await;
    world.let_pauses_end().await;
    let made = world.keyed("k", &body).await;
    assert_eq!(made.status, 201, "{made:?}");
    assert!(made.json()["id"].as_str().is_some_and(|id| id.contains(&accounts[0].id)), "{made:?}");
    assert_eq!(world.campaigns_at("beta_ads").await, 1);
}

fn list<const N: usize>(verdicts: [&str; N]) -> Vec<String> {
    verdicts.map(str::to_owned).to_vec()
}

//! Requests at once, through HTTP: what wins, and that no token outlives what ends it.

use super::{Consent, TOKEN, consent, exchange_form, person, record, refresh_form, tokens};
use crate::spending::running_of;
use crate::world::{TestResponse, World};
use futures_util::future::join_all;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::assistants::sign_out;
use shared::auth::RefreshToken;
use shared::domain::{CustomerId, Scope, SignOutReason};
use std::time::Duration;
use tokio::time::sleep;

/// The campaigns that each assistant starts at once.
const CAMPAIGNS: usize = 5;

impl World {
    fn customer(&self) -> CustomerId {
        CustomerId(self.gateway.customer_id.parse().expect("an id"))
    }

    async fn consent_of_person(&self) -> Consent {
        consent(&self.gateway.app, self.customer(), Scope::Campaigns, &person()).await
    }

    async fn token(&self, form: &str) -> TestResponse {
        let url = format!("{}{TOKEN}", self.gateway.url());
        self.request("POST", &url).form(form).send().await.expect("a response")
    }

    /// The status of a tool call with an access token.
    async fn call(&self, access: &str) -> u16 {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "list_accounts", "arguments": {}}});
        let request = self.request("POST", &format!("{}/v1/mcp", self.gateway.url())).json(&call);
        let response = request.header("authorization", &format!("Bearer {access}")).send().await.expect("a response");
        response.status.as_u16()
    }

    /// Calls a tool; returns whether it is refused, and what it says.
    async fn tool(&self, access: &str, name: &str, arguments: &Value) -> (bool, Value) {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": name, "arguments": arguments}});
        loop {
            let request = self.request("POST", &format!("{}/v1/mcp", self.gateway.url())).json(&call);
            let answer = request.header("authorization", &format!("Bearer {access}")).send().await.expect("a response");
            if answer.status != 429 {
                let result = answer.json()["result"].clone();
                return (result["isError"] == json!(true), result["structuredContent"].clone());
            }
            sleep(Duration::from_millis(300)).await;
        }
    }

    /// The arguments of a change that was previewed.
    async fn previewed(&self, access: &str, kind: &str, mut arguments: Value) -> Value {
        let preview = json!({"kind": kind, "arguments": arguments});
        let (is_refused, shown) = self.tool(access, "preview_change", &preview).await;
        assert!(!is_refused, "{shown}");
        arguments["confirm_token"] = shown["confirm_token"].clone();
        arguments
    }

    /// Creates campaigns of 300 US dollars a day; returns what starts each of them.
    async fn campaigns_to_start(&self, access: &str, name: &str) -> Vec<Value> {
        let accounts = self.tool(access, "list_accounts", &json!({})).await.1;
        let mut starts = Vec::new();
        for number in 0..CAMPAIGNS {
            let create = json!({"connection_id": accounts["accounts"][0]["id"], "name": format!("{name} {number}"),
                "goal": "TRAFFIC", "budget_amount": 300, "currency": "USD", "budget_period": "DAILY"});
            let create = self.previewed(access, "create", create).await;
            let (is_refused, created) = self.tool(access, "create_campaign", &create).await;
            assert!(!is_refused, "{created}");
            let start = json!({"campaign_id": created["campaign"]["id"], "status": "ACTIVE"});
            starts.push(self.previewed(access, "update", start).await);
        }
        starts
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn assistants_that_race_run_no_more_than_the_limit_of_each() {
    let world = World::connected("delta_ads").await;
    let mut starts = Vec::new();
    for name in ["One", "Two"] {
        let consent = world.consent_of_person().await;
        let access = tokens(&world.token(&exchange_form(&consent.code, &[])).await.json()).access;
        let of_one = world.campaigns_to_start(&access, name).await;
        starts.extend(of_one.into_iter().map(|start| (access.clone(), start)));
    }
    let answers = join_all(starts.iter().map(|(access, start)| world.tool(access, "update_campaign", start))).await;
    assert_eq!(answers.iter().filter(|(is_refused, _)| !is_refused).count(), 2, "{answers:?}");
    let books = world.control("GET", "campaigns").expect(200).await.json();
    for name in ["One", "Two"] {
        let is_of = |one: &&Value| one["name"].as_str().is_some_and(|known| known.starts_with(name));
        let running = running_of(books["campaigns"].as_array().expect("a list").iter().filter(is_of));
        assert_eq!(running, Decimal::from(300), "{name} has 500 a day");
    }
}

#[tokio::test]
async fn twenty_refreshes_at_once_get_tokens_of_one_generation() {
    let world = World::connected("delta_ads").await;
    let consent = world.consent_of_person().await;
    let first = tokens(&world.token(&exchange_form(&consent.code, &[])).await.json());
    let form = refresh_form(&first.refresh, &[]);
    let answers = join_all((0..20).map(|_| world.token(&form))).await;
    for answer in &answers {
        assert_eq!(answer.status, 200, "{}", answer.text);
        let next = tokens(&answer.json());
        let opened = RefreshToken::open(world.gateway.app.vault().expect("a vault"), &next.refresh).await;
        assert_eq!(opened.expect("a ring").expect("a token").generation, 2);
    }
    for answer in [&answers[0], &answers[19]] {
        assert_eq!(world.call(&tokens(&answer.json()).access).await, 200);
    }
    assert_eq!(record(&world.gateway.app, world.customer(), &consent.key).await.generation, 2);
}

#[tokio::test]
async fn a_code_at_once_from_two_sides_leads_to_no_usable_token() {
    let world = World::connected("delta_ads").await;
    let consent = world.consent_of_person().await;
    let form = exchange_form(&consent.code, &[]);
    let answers = join_all((0..5).map(|_| world.token(&form))).await;
    let given: Vec<Value> = answers.iter().filter(|one| one.status == 200).map(TestResponse::json).collect();
    assert_eq!(given.len(), 1, "{answers:?}");
    assert_eq!(world.call(&tokens(&given[0]).access).await, 401);
    let record = record(&world.gateway.app, world.customer(), &consent.key).await;
    assert_eq!(record.signed_out.map(|end| end.why), Some(SignOutReason::CodeReused));
}

#[tokio::test]
async fn no_token_outlives_a_stop_that_races_with_its_refresh() {
    let world = World::connected("delta_ads").await;
    for _ in 0..3 {
        let consent = world.consent_of_person().await;
        let first = tokens(&world.token(&exchange_form(&consent.code, &[])).await.json());
        let path = format!("/v1/api-keys/{}/stop", consent.key);
        let form = refresh_form(&first.refresh, &[]);
        let (stopped, refreshed) = tokio::join!(world.ask("POST", &path).expect(200), world.token(&form));
        assert_eq!(stopped.status, 200);
        if refreshed.status == 200 {
            assert_eq!(world.call(&tokens(&refreshed.json()).access).await, 401);
        } else {
            assert_eq!(refreshed.json()["error"], json!("invalid_grant"), "{}", refreshed.text);
        }
        assert_eq!(world.call(&first.access).await, 401);
    }
}

#[tokio::test]
async fn no_token_outlives_a_sign_out_that_races_with_a_code_or_a_refresh() {
    let world = World::connected("delta_ads").await;
    let (app, customer) = (&world.gateway.app, world.customer());
    for round in 0..6 {
        let consent = world.consent_of_person().await;
        let mut form = exchange_form(&consent.code, &[]);
        if round % 3 > 0 {
            let first = tokens(&world.token(&form).await.json());
            form = refresh_form(&first.refresh, &[]);
        }
        if round % 3 > 1 {
            let again = super::consent_for(app, customer, &consent.key, Scope::Campaigns, &person()).await;
            form = exchange_form(&again.code, &[]);
        }
        let ends = async {
            let account = app.store.account(customer, app.clock.now()).await.expect("a store").expect("an account");
            let seen = record(app, customer, &consent.key).await;
            let (why, now) = (SignOutReason::ByPerson, app.clock.now());
            sign_out(&app.store, customer, &seen, &account.keys, why, now).await.expect("a sign-out");
        };
        let (answer, ()) = tokio::join!(world.token(&form), ends);
        if answer.status == 200 {
            assert_eq!(world.call(&tokens(&answer.json()).access).await, 401, "round {round}");
        }
        let after = record(app, customer, &consent.key).await;
        assert_eq!(after.signed_out.map(|end| end.why), Some(SignOutReason::ByPerson), "round {round}");
    }
}

#[tokio::test]
async fn twenty_replays_at_once_end_all_and_none_of_them_fails() {
    let world = World::connected("delta_ads").await;
    let consent = world.consent_of_person().await;
    let first = tokens(&world.token(&exchange_form(&consent.code, &[])).await.json());
    let second = tokens(&world.token(&refresh_form(&first.refresh, &[])).await.json());
    let third = tokens(&world.token(&refresh_form(&second.refresh, &[])).await.json());
    let form = refresh_form(&first.refresh, &[]);
    for answer in join_all((0..20).map(|_| world.token(&form))).await {
        assert_eq!(
            (answer.status.as_u16(), &answer.json()["error"]),
            (400, &json!("invalid_grant")),
            "{}",
            answer.text
        );
    }
    assert_eq!(world.call(&third.access).await, 401);
    let record = record(&world.gateway.app, world.customer(), &consent.key).await;
    assert_eq!(record.signed_out.map(|end| end.why), Some(SignOutReason::TokenReused));
}

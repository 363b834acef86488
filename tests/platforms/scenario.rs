//! The conformance scenario: the behaviour of every platform's adapter, through HTTP, one platform after the other.
//!
//! The scenario is the same for every platform. A difference is stated in the platform's [`Case`].

use super::{Case, QuirkEffect, Refusal, case};
use crate::world::{World, campaign};
use serde_json::{Value, json};
use std::time::Duration;

impl Case {
    /// A world in which the first ad account is connected.
    pub(super) async fn world(&self) -> World {
        let world = self.unconnected().await;
        world.connect(self.platform, &[]).await;
        world
    }

    async fn unconnected(&self) -> World {
        let world = World::start().await;
        if self.has_quirks {
            let all = json!({"platform": self.platform, "quirk": "all", "on": true});
            world.control("POST", "quirks").json(&all).expect(200).await;
        }
        world
    }

    /// A create of the flat shape in the enveloped one.
    fn enveloped(&self, account: &str, flat: &Value) -> Value {
        let mut body = flat.clone();
        (body["platform"], body["goal"]) = (json!(self.upper), json!("WEBSITE_TRAFFIC"));
        body["organization_id"] = json!(account.trim_start_matches("act_"));
        body
    }

    /// The spend of a campaign that never ran.
    fn spend_of_idle(&self) -> Value {
        if self.shows(QuirkEffect::NullSpend) { Value::Null } else { json!(0) }
    }

    /// Creates campaigns in a known order of age. Where ids do not rise with time only the time decides, in seconds.
    async fn create_several(&self, world: &World, count: usize) -> Vec<Value> {
        let mut made = Vec::new();
        for number in 0..count {
            if self.shows(QuirkEffect::UnorderedIds) && number > 0 {
                tokio::time::sleep(Duration::from_millis(1_050)).await;
            }
            made.push(world.create(self.platform, &format!("Campaign {number}")).await);
        }
        made
    }
}

/// The scenario, once for the platform as it usually is, and once with all of its quirks.
macro_rules! conformance {
    ($platform:expr) => {
        const CASE: super::Case = super::case($platform);

        super::parts! { CASE }

        #[tokio::test]
        async fn every_amount_in_every_currency_round_trips_or_is_refused() {
            crate::endpoints::money::what_goes_out_comes_back_equal(CASE.platform, CASE.upper).await;
        }

        mod with_quirks {
            const CASE: crate::platforms::Case = super::CASE.with_quirks();

            crate::platforms::scenario::parts! { CASE }
        }
    };
}
use conformance;

crate::platforms::each_platform! { conformance }

/// One test per part, so that a failure names it.
macro_rules! parts {
    ($case:expr) => {
        #[tokio::test]
        async fn a_campaign_is_created_paused_with_its_own_budget_and_read_back() {
            crate::platforms::scenario::creates_and_reads_back(&$case).await;
        }

        #[tokio::test]
        async fn campaigns_are_listed_over_several_pages() {
            crate::platforms::scenario::lists_over_pages(&$case).await;
        }

        #[tokio::test]
        async fn each_field_is_updated_and_read_back() {
            crate::platforms::scenario::updates_each_field(&$case).await;
        }

        #[tokio::test]
        async fn a_deleted_campaign_is_gone_from_the_list_and_cannot_be_deleted_again() {
            crate::platforms::scenario::deletes(&$case).await;
        }

        #[tokio::test]
        async fn every_fault_has_its_code_and_retryable_flag() {
            crate::platforms::scenario::tells_the_truth_about_faults(&$case).await;
        }

        #[tokio::test]
        async fn a_create_with_a_lost_response_is_sent_once() {
            crate::platforms::scenario::never_sends_a_create_twice(&$case).await;
        }

        #[tokio::test]
        async fn an_html_page_in_response_to_a_create_is_a_refusal() {
            crate::platforms::gateway_pages::refuse_a_create(&$case).await;
        }

        #[tokio::test]
        async fn one_report_gives_the_spend_of_a_page() {
            crate::platforms::scenario::tells_the_spend(&$case).await;
        }

        #[tokio::test]
        async fn a_withdrawn_consent_is_reported_and_a_new_one_restores_access() {
            crate::platforms::scenario::tells_of_a_withdrawn_consent(&$case).await;
        }

        #[tokio::test]
        async fn an_expired_token_is_refreshed_where_the_platform_supports_it() {
            crate::platforms::scenario::replaces_tokens_that_ran_out(&$case).await;
        }

        #[tokio::test]
        async fn a_slow_answer_is_waited_for() {
            crate::platforms::scenario::waits_for_slow_answers(&$case).await;
        }

        #[tokio::test]
        async fn the_message_of_a_platform_refusal_is_returned() {
            crate::platforms::scenario::passes_refusals_on(&$case).await;
        }
    };
}
use parts;

fn path_of(campaign: &Value) -> String {
    format!("/v1/campaigns/{}", campaign["id"].as_str().expect("an id"))
}

/// A campaign that was read, as the answer to a write has it: that does not say whether it is shown.
fn as_written(mut read: Value) -> Value {
    assert!(read["delivery"].take()["state"].is_string(), "{read}");
    read
}

async fn creates_and_reads_back(case: &Case) {
    let world = case.world().await;
    let account = world.connections().await[0]["remote_account_id"].as_str().expect("an account").to_owned();
    let created = world.create(case.platform, "First").await;
    assert_eq!(created["status"], "PAUSED");
    let remote = created["remote_id"].as_str().expect("an id on the platform");
    assert_eq!(created["id"], format!("{}_{account}_{remote}", case.platform.trim_end_matches("_ads")));
    for (field, value) in [
        ("platform", json!(case.platform)),
        ("name", json!("First")),
        ("goal", json!("TRAFFIC")),
        ("budget_amount", json!(50)),
        ("budget_period", json!("DAILY")),
        ("currency", json!("USD")),
    ] {
        assert_eq!(created[field], value, "{field}");
    }
    let read = world.ask("GET", &path_of(&created)).expect(200).await.json();
    assert_eq!(as_written(read), created);
    let ask = world.ask("GET", &path_of(&created)).header("x-api-shape", "enveloped");
    let enveloped = ask.expect(200).await.json();
    assert_eq!(enveloped["data"]["platform"], case.upper);
    assert_eq!(enveloped["data"]["organization_id"], account);
    assert_eq!(enveloped["data"]["total_spend_amount"], case.spend_of_idle());
}

async fn lists_over_pages(case: &Case) {
    let world = case.world().await;
    let mut made = case.create_several(&world, 5).await;
    made.reverse();
    let mut listed = Vec::new();
    let mut cursor = String::new();
    for size in [2, 2, 1] {
        let page = world.ask("GET", &format!("/v1/campaigns?limit=2{cursor}")).expect(200).await.json();
        let unified = page["unified"].as_array().expect("a list");
        assert_eq!(unified.len(), size);
        listed.extend(unified.iter().cloned().map(as_written));
        assert_eq!(page["pagination"]["has_more"], listed.len() < 5);
        cursor = format!("&cursor={}", page["pagination"]["next_cursor"].as_str().unwrap_or_default());
    }
    assert_eq!(listed, made, "newest first, each as it was created");
}

async fn updates_each_field(case: &Case) {
    let world = case.world().await;
    let mut expected = world.create(case.platform, "Before").await;
    let path = path_of(&expected);
    for change in [
        json!({"name": "After"}),
        json!({"status": "ACTIVE"}),
        json!({"budget_amount": 75.25}),
        json!({"status": "PAUSED"}),
        json!({"name": "All at once", "status": "ACTIVE", "budget_amount": 80}),
    ] {
        for (field, value) in change.as_object().expect("an object") {
            expected[field] = value.clone();
        }
        let patched = world.ask("PATCH", &path).json(&change).expect(200).await.json();
        assert_ne!(patched["updated_at"], expected["updated_at"], "updated_at is refreshed");
        expected["updated_at"] = patched["updated_at"].clone();
        assert_eq!(patched, expected, "{change}");
        let mut read = world.ask("GET", &path).expect(200).await.json();
        // The platform's own clock may be a moment later.
        let later = read["updated_at"].as_str() >= expected["updated_at"].as_str();
        assert!(later, "{change}: {} before {}", read["updated_at"], expected["updated_at"]);
        read["updated_at"] = expected["updated_at"].clone();
        assert_eq!(as_written(read), expected, "{change}");
    }
}

async fn deletes(case: &Case) {
    let world = case.world().await;
    let kept = world.create(case.platform, "Kept").await;
    let gone = world.create(case.platform, "Gone").await;
    world.ask("DELETE", &path_of(&gone)).expect(204).await;
    world.ask("DELETE", &path_of(&gone)).expect(404).await;
    let page = world.ask("GET", "/v1/campaigns").expect(200).await.json();
    let listed = page["unified"].as_array().expect("a list");
    assert_eq!(listed.iter().cloned().map(as_written).collect::<Vec<_>>(), [kept]);
}

async fn tells_the_truth_about_faults(case: &Case) {
    let world = case.world().await;
    let made = world.create(case.platform, "Kept").await;
    let path = path_of(&made);
    // Operation, request, and for each fault the status, the code, and whether a retry is safe.
    let failing =
        [("error", 502, "PLATFORM_ERROR"), ("drop", 502, "PLATFORM_ERROR"), ("garbage", 502, "PLATFORM_ERROR")];
    for (operation, method, target) in [
        ("list", "GET", "/v1/campaigns"),
        ("get", "GET", path.as_str()),
        ("update", "PATCH", path.as_str()),
        ("delete", "DELETE", path.as_str()),
    ] {
        let throttled = [("throttle", 429, "RATE_LIMITED")];
        for (fault, status, code) in failing.into_iter().chain(throttled) {
            // The largest number of attempts.
            world.fault(case.platform, operation, fault, 9).await;
            let body = json!({"name": format!("{operation} {fault}")});
            let ask = world.ask(method, target);
            let ask = if method == "PATCH" { ask.json(&body) } else { ask };
            let response = ask.expect(status).await;
            world.no_fault(case.platform, operation, fault).await;
            world.let_pauses_end().await;
            // A read that succeeds, so that the failures of several faults do not add up to an open breaker.
            world.ask("GET", &path).expect(200).await;
            let error = response.json();
            assert_eq!(
                (&error["code"], &error["platform"]),
                (&json!(code), &json!(case.platform)),
                "{operation} {fault}"
            );
            assert_eq!(error["retryable"], true, "{operation} {fault}: {error}");
            if fault == "throttle" {
                assert!(response.header("retry-after").parse::<u64>().is_ok_and(|wait| wait >= 1), "{operation}");
            }
        }
    }
    // Afterwards the campaign is unchanged, and no fault is set.
    world.control("POST", "reset").send().await.expect("a response");
    assert_eq!(world.ask("GET", &path).expect(200).await.json()["status"], "PAUSED");
}

async fn never_sends_a_create_twice(case: &Case) {
    let world = case.world().await;
    for (fault, status) in [("drop_after", 201), ("error", 504), ("garbage", 504), ("drop", 504)] {
        let name = format!("Lost by {fault}");
        world.fault(case.platform, "create", fault, 1).await;
        let before = creates(&world, case).await;
        let response = world.ask("POST", "/v1/campaigns").json(&campaign(case.platform, &name)).expect(status).await;
        assert_eq!(creates(&world, case).await - before, 1, "{fault}: sent once");
        let body = response.json();
        let state = if status == 201 { "created" } else { "unknown" };
        let path = format!("/v1/campaigns/intents/{}", response.header("x-request-id"));
        let create = world.ask("GET", &path).expect(200).await.json()["targets"][0].clone();
        assert_eq!((&create["platform"], &create["state"]), (&json!(case.platform), &json!(state)), "{fault}");
        assert_eq!(create["campaign_id"], body["id"], "{fault}: what was done is found before it is answered");
        if status != 201 {
            assert_eq!((&body["code"], &body["retryable"]), (&json!("PLATFORM_ERROR"), &json!(false)), "{fault}");
            let words = body["error"].as_str().expect("words");
            assert!(words.contains(&name) && words.contains(&path), "where its outcome is found: {words}");
        }
    }
    let page = world.ask("GET", "/v1/campaigns").expect(200).await.json();
    let names: Vec<&str> =
        page["unified"].as_array().expect("a list").iter().filter_map(|campaign| campaign["name"].as_str()).collect();
    assert_eq!(names.iter().filter(|name| **name == "Lost by drop_after").count(), 1, "what was done is there once");
    if !case.names_repeat {
        let again = campaign(case.platform, "Lost by drop_after");
        world.ask("POST", "/v1/campaigns").json(&again).expect(422).await;
    }
    world.fault(case.platform, "create", "throttle", 1).await;
    let response = world.ask("POST", "/v1/campaigns").json(&campaign(case.platform, "Throttled")).expect(429).await;
    assert_eq!(response.json()["retryable"], true, "a refused create was not done");
}

/// The number of creates that the platform has received.
async fn creates(world: &World, case: &Case) -> usize {
    let requests = world.received(case.platform).await;
    let is_create = |request: &&Value| {
        request["method"] == "POST"
            && request["body"].as_str().is_some_and(|body| body.contains("Lost by") && !body.contains("SELECT"))
    };
    requests.iter().filter(is_create).count()
}

async fn tells_the_spend(case: &Case) {
    let world = case.world().await;
    let made = case.create_several(&world, 3).await;
    let one_page = world.received(case.platform).await.len();
    world.ask("GET", "/v1/campaigns").expect(200).await;
    let calls = world.received(case.platform).await.len() - one_page;
    // One more where a read fails for a moment and is retried.
    let most = if case.shows(QuirkEffect::FailedRead) { 3 } else { 2 };
    assert!(calls <= most, "a list and at most one report: {calls} calls for three campaigns");

    let spend = json!({"platform": case.platform, "campaign_id": made[1]["remote_id"], "amount": "12.34"});
    let spent = world.control("POST", "spend").json(&spend).send().await.expect("a response");
    assert!(spent.status.is_success(), "{spent:?}");
    let page = world.ask("GET", &format!("/v1/campaigns?platform={}", case.upper)).expect(200).await.json();
    let spent: Vec<&Value> =
        page["unified"].as_array().expect("a list").iter().map(|campaign| &campaign["total_spend_amount"]).collect();
    assert_eq!(spent, [&case.spend_of_idle(), &json!(12.34), &case.spend_of_idle()]);
    let one = world.ask("GET", &path_of(&made[1])).header("x-api-shape", "enveloped").expect(200).await.json();
    assert_eq!(one["data"]["total_spend_amount"], json!(12.34));
}

async fn tells_of_a_withdrawn_consent(case: &Case) {
    let world = case.world().await;
    let made = world.create(case.platform, "Kept").await;
    let id = world.connections().await[0]["id"].clone();
    world.fault(case.platform, "any", "revoked", 1).await;
    let error = world.ask("GET", "/v1/campaigns").expect(424).await.json();
    assert_eq!((&error["code"], &error["platform"]), (&json!("TOKEN_EXPIRED"), &json!(case.platform)));
    assert_eq!(world.connections().await[0]["status"], "REVOKED");
    world.ask("POST", "/v1/campaigns").json(&campaign(case.platform, "None")).expect(403).await;

    world.connect(case.platform, &[]).await;
    let connection = world.connections().await.remove(0);
    assert_eq!((&connection["id"], &connection["status"]), (&id, &json!("ACTIVE")));
    assert_eq!(world.ask("GET", &path_of(&made)).expect(200).await.json()["name"], "Kept");
}

async fn replaces_tokens_that_ran_out(case: &Case) {
    let world = case.world().await;
    world.let_access_tokens_run_out().await;
    if !case.refreshes {
        world.ask("GET", "/v1/campaigns").expect(424).await;
        return;
    }
    world.create(case.platform, "With a new token").await;
    // Twice: a platform with rotation has invalidated the first refresh token.
    world.let_access_tokens_run_out().await;
    world.create(case.platform, "With the next").await;
    assert_eq!(world.connections().await[0]["status"], "ACTIVE");
}

async fn waits_for_slow_answers(case: &Case) {
    let world = case.world().await;
    world.slow_fault(case.platform, "create", "slow", 1, 700).await;
    world.create(case.platform, "Slow").await;
    world.slow_fault(case.platform, "list", "late", 1, 700).await;
    let page = world.ask("GET", "/v1/campaigns").expect(200).await.json();
    assert_eq!(page["unified"].as_array().map(Vec::len), Some(1));
}

async fn passes_refusals_on(case: &Case) {
    let Some(Refusal { currency, field, value }) = &case.refusal else {
        // The adapter refuses first whatever the sandbox refuses here; the adapters' own tests check other responses.
        return;
    };
    let world = case.unconnected().await;
    let account = world.sandbox_account_in(case.platform, currency).await;
    world.connect(case.platform, &[&account]).await;
    let mut body = campaign(case.platform, "Refused");
    body[field] = serde_json::from_str(value).expect("JSON");
    let error = world.ask("POST", "/v1/campaigns").json(&body).expect(422).await.json();
    assert_eq!((&error["code"], &error["retryable"]), (&json!("PLATFORM_ERROR"), &json!(false)));
    assert_eq!(error["platform"], case.platform);
    let fault = &error["platform_error"];
    let named = if case.shows(QuirkEffect::UnnamedField) { Value::Null } else { json!(field) };
    assert_eq!(fault["field"], named, "{error}");
    assert!(fault["code"].is_string() && fault["message"].is_string());
    if named != Value::Null {
        let enveloped = world.ask("POST", "/v1/campaigns").header("x-api-shape", "enveloped");
        let enveloped = enveloped.json(&case.enveloped(&account, &body)).expect(422).await.json();
        assert_eq!(enveloped["error"]["platformError"]["field"], named, "{enveloped}");
        for words in [&error["error"], &enveloped["error"]["message"]] {
            assert!(words.as_str().is_some_and(|words| words.contains(field)), "{words} names no {field}");
        }
    }
    let page = world.ask("GET", "/v1/campaigns").expect(200).await.json();
    assert_eq!(page["unified"], json!([]), "nothing was created");
}

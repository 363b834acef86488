//! The ad accounts of `POST /v1/campaigns`: as their platforms show them, and in `targets`, with a result for each.

use crate::world::{World, platforms};
use serde_json::{Value, json};

/// A world with two connected accounts, and their ids.
async fn two_accounts() -> (World, [String; 2]) {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    let (first, second) = (accounts[0].clone(), accounts[3].clone());
    world.connect("alpha_ads", &[&first, &second]).await;
    (world, [first, second])
}

/// A create in accounts of several currencies: each has a budget of its own.
fn on(name: &str, accounts: &[&str]) -> Value {
    let target = |account: &&str| json!({"platform": "ALPHA", "organization_id": account, "budget_amount": 50});
    let targets: Vec<Value> = accounts.iter().map(target).collect();
    json!({"name": name, "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY", "targets": targets})
}

fn statuses(results: &Value) -> Vec<&str> {
    let results = results.as_array().expect("a list");
    results.iter().map(|result| result["status"].as_str().expect("a status")).collect()
}

async fn names(world: &World) -> Vec<String> {
    let page = world.ask("GET", "/v1/campaigns?limit=100").expect(200).await.json();
    let unified = page["unified"].as_array().expect("a list").clone();
    unified.iter().map(|campaign| campaign["name"].as_str().expect("a name").to_owned()).collect()
}

#[tokio::test]
async fn a_campaign_on_every_target_is_201_in_target_order() {
    let (world, [first, second]) = two_accounts().await;
    let response = world.ask("POST", "/v1/campaigns").json(&on("Both", &[&second, &first])).expect(201).await;
    assert_eq!(response.header("x-api-shape"), "enveloped");
    let body = response.json();
    assert_eq!(body["summary"], json!({"total": 2, "created": 2, "failed": 0, "unknown": 0}));
    assert_eq!(statuses(&body["data"]), ["created", "created"]);
    for (result, account) in body["data"].as_array().expect("a list").iter().zip([&second, &first]) {
        assert_eq!(result["target"], json!({"platform": "ALPHA", "organization_id": account}));
        assert_eq!(result["campaign"]["organization_id"], account.as_str());
        assert_eq!(result["campaign"]["status"], "PAUSED");
        assert_eq!(result.get("error"), None);
    }
    assert_eq!(body["data"][0]["campaign"]["currency"], "EUR", "each in its account's currency");
    assert_eq!(names(&world).await, ["Both", "Both"]);
}

#[tokio::test]
async fn a_failed_target_does_not_affect_the_others() {
    let (world, [first, second]) = two_accounts().await;
    world.ask("POST", "/v1/campaigns").json(&on("Taken", &[&first])).expect(201).await;
    let body = world.ask("POST", "/v1/campaigns").json(&on("Taken", &[&first, &second])).expect(207).await.json();
    assert_eq!(body["summary"], json!({"total": 2, "created": 1, "failed": 1, "unknown": 0}));
    assert_eq!(statuses(&body["data"]), ["failed", "created"]);
    let error = &body["data"][0]["error"];
    assert_eq!((&error["code"], &error["platformError"]["field"]), (&json!("PLATFORM_ERROR"), &json!("name")));
    assert_eq!(body["data"][0].get("campaign"), None);
}

#[tokio::test]
async fn a_target_of_unknown_outcome_is_marked() {
    let (world, [first, second]) = two_accounts().await;
    world.fault("alpha_ads", "create", "drop", 1).await;
    let body = world.ask("POST", "/v1/campaigns").json(&on("Doubt", &[&first, &second])).expect(207).await.json();
    assert_eq!(body["summary"], json!({"total": 2, "created": 1, "failed": 0, "unknown": 1}));
    let unknown = body["data"].as_array().expect("a list").iter().find(|result| result["status"] == "unknown");
    assert_eq!(unknown.expect("one of them")["error"]["retryable"], false);
    assert_eq!(names(&world).await, ["Doubt"]);
}

#[tokio::test]
async fn without_a_created_target_the_reply_is_the_first_error_with_all() {
    let (world, [first, second]) = two_accounts().await;
    world.ask("POST", "/v1/campaigns").json(&on("Taken", &[&first, &second])).expect(201).await;
    let body = world.ask("POST", "/v1/campaigns").json(&on("Taken", &[&first, &second])).expect(422).await.json();
    assert_eq!(body["error"]["code"], "PLATFORM_ERROR");
    assert_eq!(statuses(&body["error"]["results"]), ["failed", "failed"]);
    assert_eq!(body["error"]["results"][1]["target"]["organization_id"], second.as_str());
}

#[tokio::test]
async fn a_throttled_and_an_unknown_target_together_are_not_retryable() {
    let (world, [first, second]) = two_accounts().await;
    world.fault("alpha_ads", "create", "throttle", 1).await;
    world.fault("alpha_ads", "create", "drop", 1).await;
    let body = on("Mixed", &[&first, &second]);
    let response = world.ask("POST", "/v1/campaigns").json(&body).send().await.expect("a response");
    let error = &response.json()["error"];
    assert_eq!(error["retryable"], false, "{error}");
    let mut verdicts = statuses(&error["results"]);
    verdicts.sort_unstable();
    assert_eq!(verdicts, ["failed", "unknown"]);
}

#[tokio::test]
async fn when_every_target_is_throttled_the_response_has_retry_after() {
    let (world, [first, second]) = two_accounts().await;
    world.fault("alpha_ads", "create", "throttle", 2).await;
    let response = world.ask("POST", "/v1/campaigns").json(&on("n", &[&first, &second])).expect(429).await;
    assert_eq!(response.json()["error"]["retryable"], true);
    assert!(response.header("retry-after").parse::<u64>().is_ok_and(|wait| wait >= 1));
}

#[tokio::test]
async fn one_invalid_target_refuses_the_request_unsent() {
    let (world, [first, second]) = two_accounts().await;
    let before = world.received("alpha_ads").await.len();
    let eleven: Vec<String> = (0..11).map(|number| format!("{number}")).collect();
    let eleven: Vec<&str> = eleven.iter().map(String::as_str).collect();
    let mut too_cheap = on("n", &[&first, &second]);
    too_cheap["targets"][1]["budget_amount"] = json!(0.5);
    let mut with_platform = on("n", &[&first]);
    with_platform["platform"] = json!("ALPHA");
    let with = |targets: Value| {
        let mut body = on("n", &[]);
        body["targets"] = targets;
        body
    };
    for (body, field) in [
        (on("n", &[]), "targets"),
        (on("n", &eleven), "targets"),
        (on("n", &[&first, &first]), "targets[1]"),
        (on("n", &[&first, ""]), "targets[1].organization_id"),
        (with(json!("ALPHA")), "targets"),
        (with(json!(["ALPHA"])), "targets[0]"),
        (with(json!([{"platform": "ALPHA"}])), "targets[0].organization_id"),
        (with(json!([{"platform": "alpha_ads", "organization_id": first}])), "targets[0].platform"),
        (with(json!([{"platform": "ALPHA", "organization_id": first, "budget": 1}])), "targets[0].budget"),
        (with_platform, "platform"),
        (too_cheap, "targets[1]: budget_amount"),
        (
            with(json!([{"platform": "ALPHA", "organization_id": first, "budget_amount": 0}])),
            "targets[0].budget_amount",
        ),
    ] {
        let error = world.ask("POST", "/v1/campaigns").json(&body).expect(400).await.json();
        let message = error["error"]["message"].as_str().expect("a message").to_owned();
        assert!(message.contains(&format!("{field} ")), "{field}: {message}");
    }
    let response = world.ask("POST", "/v1/campaigns").json(&on("n", &[&first, "4040404040"])).expect(403).await.json();
    assert_eq!(response["error"]["code"], "FORBIDDEN");
    assert_eq!(world.received("alpha_ads").await.len(), before);
}

#[tokio::test]
async fn one_request_creates_on_every_platform_and_one_list_shows_all() {
    let world = World::start().await;
    let mut targets = Vec::new();
    for (word, upper) in platforms() {
        world.connect(word, &[]).await;
        let connections = world.connections().await;
        let connection = connections.iter().find(|connection| connection["platform"] == word).expect("a connection");
        targets.push(json!({"platform": upper, "organization_id": connection["remote_account_id"]}));
    }
    let mut body = on("Everywhere", &[]);
    body["targets"] = json!(targets);
    let created = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await.json();
    assert_eq!(created["summary"]["created"], targets.len());
    let list = world.ask("GET", "/v1/campaigns?limit=100").expect(200).await.json();
    let listed: Vec<&str> = list["unified"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|campaign| campaign["platform"].as_str())
        .collect();
    let expected: Vec<&str> = platforms().into_iter().map(|(word, _)| word).collect();
    assert_eq!(listed, expected);

    let mut paged = Vec::new();
    let mut cursor = String::new();
    while paged.len() < expected.len() {
        let page = world.ask("GET", &format!("/v1/campaigns?limit=1{cursor}")).expect(200).await.json();
        paged.push(page["unified"][0]["platform"].as_str().expect("a platform").to_owned());
        cursor = format!("&cursor={}", page["pagination"]["next_cursor"].as_str().unwrap_or_default());
    }
    assert_eq!(paged, expected, "one by one across the platforms");

    world.fault("beta_ads", "list", "error", 9).await;
    let list = world.ask("GET", "/v1/campaigns").expect(200).await.json();
    assert_eq!(list["unified"].as_array().map(Vec::len), Some(expected.len() - 1));
    assert_eq!(list["errors"][0]["platform"], "beta_ads");
}

#[tokio::test]
async fn an_account_id_is_accepted_as_its_platform_shows_it() {
    let world = World::connected_to_all().await;
    let account_on = async |platform: &str| {
        let connections = world.connections().await;
        let of = connections.iter().find(|connection| connection["platform"] == platform).expect("a connection");
        of["remote_account_id"].as_str().expect("an id").to_owned()
    };
    let (google, meta, linkedin) =
        (account_on("alpha_ads").await, account_on("beta_ads").await, account_on("delta_ads").await);
    let dashed = format!("{}-{}-{}", &google[..3], &google[3..6], &google[6..]);
    for (platform, shown, plain) in [
        ("ALPHA", dashed, google),
        ("BETA", format!("act_{meta}"), meta),
        ("DELTA", format!("urn:li:sponsoredAccount:{linkedin}"), linkedin),
    ] {
        let body = json!({"name": "n", "goal": "WEBSITE_TRAFFIC", "budget_amount": 50, "budget_period": "DAILY",
            "platform": platform, "organization_id": shown});
        let created = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await.json();
        assert_eq!(created["data"]["organization_id"], plain, "{shown}");
        let page = world.ask("GET", &format!("/v1/campaigns?organization_id={shown}")).expect(200).await.json();
        assert_eq!(page["unified"].as_array().map(Vec::len), Some(1), "{shown}: {page}");
    }
}

#[tokio::test]
async fn one_amount_for_accounts_of_two_currencies_is_refused() {
    let (world, [dollars, euros]) = two_accounts().await;
    let shared = |amount: i64| {
        let target = |account: &str| json!({"platform": "ALPHA", "organization_id": account});
        json!({"name": "Mixed", "goal": "WEBSITE_TRAFFIC", "budget_amount": amount, "budget_period": "DAILY",
            "targets": [target(&dollars), target(&euros)]})
    };
    for path in ["/v1/campaigns", "/v1/campaigns?dry_run=true"] {
        let refused = world.ask("POST", path).json(&shared(6000)).expect(400).await.json();
        let message = refused["error"]["message"].as_str().expect("a message");
        for part in [
            "budget_amount is one amount for ad accounts of several currencies".to_owned(),
            format!("targets[0] ({dollars}) USD, targets[1] ({euros}) EUR"),
            "Send a budget_amount in each".to_owned(),
        ] {
            assert!(message.contains(&part), "{part}: {message}");
        }
    }
    assert_eq!(world.campaigns_at("alpha_ads").await, 0);
    let mut other = shared(60);
    other["currency"] = json!("USD");
    other["targets"][1]["budget_amount"] = json!(70.5);
    let refused = world.ask("POST", "/v1/campaigns").json(&other).expect(400).await.json();
    let message = refused["error"]["message"].as_str().expect("a message");
    assert!(message.starts_with("targets[1]: currency must be"), "{message}");
    other["targets"][1]["currency"] = json!("EUR");
    world.ask("POST", "/v1/campaigns").json(&other).expect(201).await;
    let books = world.control("GET", "campaigns?platform=alpha_ads").expect(200).await.json();
    let amounts: Vec<(&Value, String)> = books["campaigns"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| (&one["currency"], one["budget"].as_str().unwrap_or_default().to_owned()))
        .collect();
    assert_eq!(amounts.len(), 2, "{books}");
    for (currency, amount) in [("USD", "60"), ("EUR", "70.5")] {
        let is_its = |(known, budget): &&(&Value, String)| **known == json!(currency) && budget.starts_with(amount);
        assert!(amounts.iter().any(|one| is_its(&one)), "{currency} {amount}: {books}");
    }
}

//! `GET /v1/campaigns`: pages, filters, several connections, and connections that fail.

use crate::world::{World, campaign, id_of, platforms};
use serde_json::{Value, json};

/// A world with two connected accounts and a number of campaigns in each; returns the ids in list order.
async fn two_accounts(per_account: usize) -> (World, Vec<String>) {
    let world = World::start().await;
    let mut accounts = world.sandbox_accounts("alpha_ads").await;
    accounts.truncate(2);
    accounts.sort();
    world.connect("alpha_ads", &[&accounts[0], &accounts[1]]).await;
    let mut expected = Vec::new();
    for account in &accounts {
        let mut ids = Vec::new();
        for number in 0..per_account {
            ids.push(create_in(&world, account, &format!("{account} {number}")).await);
        }
        ids.reverse();
        expected.extend(ids);
    }
    (world, expected)
}

async fn create_in(world: &World, account: &str, name: &str) -> String {
    let body = json!({"name": name, "goal": "WEBSITE_TRAFFIC", "budget_amount": 5000, "budget_period": "DAILY",
        "platform": "ALPHA", "organization_id": account});
    let created = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await.json();
    created["data"]["id"].as_str().expect("an id").to_owned()
}

/// All ids of a list, page by page.
async fn walk(world: &World, query: &str, limit: usize) -> Vec<String> {
    let mut ids = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let after = cursor.map_or_else(String::new, |cursor| format!("&cursor={cursor}"));
        let page = world.ask("GET", &format!("/v1/campaigns?limit={limit}{query}{after}")).expect(200).await.json();
        let unified = page["unified"].as_array().expect("a list");
        assert!(unified.len() <= limit);
        ids.extend(unified.iter().map(|campaign| campaign["id"].as_str().expect("an id").to_owned()));
        if page["pagination"]["has_more"] == false {
            assert_eq!(page["pagination"]["next_cursor"], Value::Null);
            return ids;
        }
        assert_eq!(unified.len(), limit, "only the last page may be short");
        cursor = Some(page["pagination"]["next_cursor"].as_str().expect("a cursor").to_owned());
    }
}

#[tokio::test]
async fn pages_of_every_size_show_each_campaign_once_in_order() {
    let (world, expected) = two_accounts(3).await;
    for limit in [1, 2, 3, 4, 5, 6, 7, 100] {
        assert_eq!(walk(&world, "", limit).await, expected, "limit {limit}");
    }
}

#[tokio::test]
async fn pages_of_every_size_are_exact_over_all_six_platforms() {
    let world = World::start().await;
    let mut expected = Vec::new();
    for (word, _) in platforms() {
        world.connect(word, &[]).await;
        let mut ids = Vec::new();
        for number in 0..3 {
            ids.push(id_of(&world.create(word, &format!("Campaign {number}")).await));
        }
        expected.extend(ids.into_iter().rev());
    }
    for limit in [1, 2, 4, 5, 7, 17, 18, 100] {
        assert_eq!(walk(&world, "", limit).await, expected, "limit {limit}");
    }
    world.ask("PATCH", &format!("/v1/campaigns/{}", expected[4])).json(&json!({"status": "ACTIVE"})).expect(200).await;
    for limit in [1, 100] {
        assert_eq!(walk(&world, "&status=ACTIVE", limit).await, [expected[4].as_str()]);
        assert_eq!(walk(&world, "&platform=gamma_ads", limit).await, expected[6..9]);
    }
}

#[tokio::test]
async fn smaller_pages_of_a_platform_are_read_to_the_requested_size() {
    let (world, expected) = two_accounts(4).await;
    world.settings(json!({"platform": "alpha_ads", "page_size": 2})).await;
    for limit in [1, 3, 25] {
        assert_eq!(walk(&world, "", limit).await, expected, "limit {limit}");
    }
}

#[tokio::test]
async fn a_campaign_created_between_two_pages_shifts_nothing() {
    let (world, expected) = two_accounts(3).await;
    let first = world.ask("GET", "/v1/campaigns?limit=2").expect(200).await.json();
    let account = expected[0].split('_').nth(1).expect("an account");
    create_in(&world, account, "made meanwhile").await;
    let cursor = first["pagination"]["next_cursor"].as_str().expect("a cursor");
    let second = world.ask("GET", &format!("/v1/campaigns?limit=2&cursor={cursor}")).expect(200).await.json();
    assert_eq!(second["unified"][0]["id"], expected[2].as_str());
}

#[tokio::test]
async fn filters_combine_and_the_cursor_belongs_to_them() {
    let (world, expected) = two_accounts(2).await;
    world.ask("PATCH", &format!("/v1/campaigns/{}", expected[0])).json(&json!({"status": "ACTIVE"})).expect(200).await;
    world.ask("DELETE", &format!("/v1/campaigns/{}", expected[1])).expect(204).await;
    assert_eq!(
        walk(&world, "", 25).await,
        [expected[0].as_str(), &expected[2], &expected[3]],
        "removed ones are left out"
    );
    assert_eq!(walk(&world, "&status=ACTIVE", 25).await, [expected[0].as_str()]);
    assert_eq!(walk(&world, "&status=PAUSED&platform=alpha_ads", 1).await, [expected[2].as_str(), &expected[3]]);
    assert_eq!(walk(&world, "&status=REMOVED", 25).await, [expected[1].as_str()]);
    assert_eq!(walk(&world, "&status=ENDED", 25).await, [""; 0]);
    assert_eq!(walk(&world, "&platform=beta_ads", 25).await, [""; 0]);
    assert_eq!(walk(&world, "&platform=ALPHA&status=ARCHIVED", 25).await, [expected[1].as_str()]);
    assert_eq!(walk(&world, "&platform=ALPHA&status=DRAFT", 25).await, [""; 0]);
    let account = expected[3].split('_').nth(1).expect("an account");
    assert_eq!(walk(&world, &format!("&organization_id={account}"), 1).await, [expected[2].as_str(), &expected[3]]);
    world.ask("GET", "/v1/campaigns?organization_id=404").expect(404).await;

    let page = world.ask("GET", "/v1/campaigns?limit=1&status=PAUSED").expect(200).await.json();
    let cursor = page["pagination"]["next_cursor"].as_str().expect("a cursor");
    let response = world.ask("GET", &format!("/v1/campaigns?limit=1&cursor={cursor}")).expect(400).await;
    assert_eq!(response.fields(), ["cursor"]);
}

#[tokio::test]
async fn a_list_of_one_connection_or_of_several_statuses_has_cursors_of_its_own() {
    let (world, expected) = two_accounts(3).await;
    world.ask("PATCH", &format!("/v1/campaigns/{}", expected[1])).json(&json!({"status": "ACTIVE"})).expect(200).await;
    world.ask("DELETE", &format!("/v1/campaigns/{}", expected[4])).expect(204).await;
    let connections = world.connections().await;
    let second = id_of(&connections[1]);
    for limit in [1, 2, 25] {
        let of_second = walk(&world, &format!("&connection_id={second}&status=PAUSED,ACTIVE,REMOVED"), limit).await;
        assert_eq!(of_second, expected[3..], "limit {limit}");
        let several = walk(&world, "&status=ACTIVE&status=REMOVED", limit).await;
        assert_eq!(several, [expected[1].as_str(), &expected[4]], "limit {limit}");
        let enveloped = walk(&world, "&status=ACTIVE,ARCHIVED&platform=ALPHA", limit).await;
        assert_eq!(enveloped, several, "limit {limit}");
    }
    let account = connections[0]["remote_account_id"].as_str().expect("an account");
    for nothing in [format!("{second}&organization_id={account}"), format!("{second}&platform=beta_ads")] {
        assert_eq!(walk(&world, &format!("&connection_id={nothing}"), 25).await, [""; 0], "{nothing}");
    }
    let first = world.ask("GET", &format!("/v1/campaigns?limit=1&connection_id={second}")).expect(200).await.json();
    assert_eq!(first["unified"][0]["connection_id"], second.as_str());
    assert_eq!(first["unified"][0]["remote_account_id"], connections[1]["remote_account_id"]);
    let cursor = first["pagination"]["next_cursor"].as_str().expect("a cursor");
    for other in ["", &format!("&connection_id={}", id_of(&connections[0]))] {
        let refused = world.ask("GET", &format!("/v1/campaigns?limit=1&cursor={cursor}{other}")).expect(400).await;
        assert_eq!(refused.fields(), ["cursor"], "{other}");
    }
    let insights = world.ask("GET", &format!("/v1/insights?connection_id={second}")).expect(200).await.json();
    assert_eq!(insights["accounts"].as_array().map(Vec::len), Some(1), "{insights}");
    assert_eq!(insights["accounts"][0]["connection_id"], second.as_str());
}

#[tokio::test]
async fn a_list_of_an_unknown_connection_is_404() {
    let (world, expected) = two_accounts(3).await;
    let connections = world.connections().await;
    let (first, second) = (id_of(&connections[0]), id_of(&connections[1]));
    let account = connections[1]["remote_account_id"].as_str().expect("an account").to_owned();
    let path = format!("/v1/campaigns?limit=1&connection_id={second}");
    let page = world.ask("GET", &path).expect(200).await.json();
    let next =
        format!("connection_id={second}&limit=1&cursor={}", page["pagination"]["next_cursor"].as_str().expect("more"));
    world.ask("DELETE", &format!("/v1/connections/{second}")).expect(204).await;
    let gone = format!("connection_id={second}");
    for query in ["connection_id=conn_1", &gone, &format!("organization_id={account}")] {
        for list in ["campaigns", "insights"] {
            let answer =
                world.ask("GET", &format!("/v1/{list}?{query}")).header("x-api-shape", "flat").expect(404).await;
            assert_eq!(answer.json()["code"], "NOT_FOUND", "{list} {query}");
        }
    }
    world.ask("GET", &format!("/v1/campaigns?{next}")).expect(404).await;
    assert_eq!(walk(&world, &format!("&connection_id={first}"), 25).await, expected[..3]);
}

#[tokio::test]
async fn a_name_search_finds_matches_on_every_platform_and_page() {
    let world = World::start().await;
    let mut expected = Vec::new();
    for (word, _) in platforms() {
        world.connect(word, &[]).await;
        let mut ids = Vec::new();
        for name in ["Summer", "Winter SALE", "Spring", "Spring sale 7"] {
            let id = id_of(&world.create(word, name).await);
            if name.to_lowercase().contains("sale") {
                ids.push(id);
            }
        }
        expected.extend(ids.into_iter().rev());
    }
    for limit in [1, 5, 100] {
        assert_eq!(walk(&world, "&name_contains=Sale", limit).await, expected, "limit {limit}");
        let enveloped = walk(&world, "&platform=GAMMA&name_contains=sale%207", limit).await;
        assert_eq!(enveloped, [expected[4].as_str()], "limit {limit}");
        assert_eq!(walk(&world, "&name_contains=Autumn", limit).await, [""; 0], "limit {limit}");
    }
    let page = world.ask("GET", "/v1/campaigns?limit=1&name_contains=sale").expect(200).await.json();
    let cursor = page["pagination"]["next_cursor"].as_str().expect("a cursor");
    let refused = world.ask("GET", &format!("/v1/campaigns?limit=1&cursor={cursor}&name_contains=Sale")).expect(400);
    assert_eq!(refused.await.fields(), ["cursor"]);
}

#[tokio::test]
async fn a_name_search_reads_past_many_small_pages() {
    let (world, _) = two_accounts(4).await;
    world.settings(json!({"platform": "alpha_ads", "page_size": 2})).await;
    let account = world.connections().await[1]["remote_account_id"].as_str().expect("an account").to_owned();
    let oldest = walk(&world, &format!("&name_contains={account}%200"), 1).await;
    assert_eq!(oldest.len(), 1, "{oldest:?}");
}

#[tokio::test]
async fn a_throttled_account_and_target_have_retry_after() {
    let world = World::connected("alpha_ads").await;
    world.connect("epsilon_ads", &[]).await;
    let listed = world.connections().await;
    let target = |place: usize, platform: &str| json!({"platform": platform, "organization_id": listed[place]["remote_account_id"]});
    world.fault("epsilon_ads", "create", "throttle", 1).await;
    let body = json!({"name": "n", "goal": "SALES", "budget_amount": 50, "budget_period": "DAILY",
        "targets": [target(0, "ALPHA"), target(1, "EPSILON")]});
    let mixed = world.ask("POST", "/v1/campaigns").json(&body).expect(207).await;
    let error = &mixed.json()["data"][1]["error"];
    assert_eq!((&error["code"], &error["retryable"]), (&json!("RATE_LIMITED"), &json!(true)), "{error}");
    let wait = error["retryAfter"].as_u64().expect("seconds");
    assert_eq!(mixed.header("retry-after"), wait.to_string());
    assert!(mixed.json()["data"][0].get("error").is_none());
    for header in ["flat", "enveloped"] {
        let page = world.ask("GET", "/v1/campaigns").header("x-api-shape", header).expect(200).await.json();
        let error = &page["errors"][0];
        assert_eq!((&error["connection_id"], &error["retryable"]), (&listed[1]["id"], &json!(true)), "{page}");
        assert!(error["retry_after"].as_u64().is_some_and(|wait| wait >= 1), "{page}");
    }
    let alone = world.ask("GET", "/v1/campaigns?platform=epsilon_ads").expect(429).await;
    assert_eq!(alone.header("retry-after"), alone.json()["retry_after"].to_string());
}

#[tokio::test]
async fn a_full_page_has_a_cursor_while_accounts_remain() {
    let (world, expected) = two_accounts(1).await;
    world.ask("DELETE", &format!("/v1/campaigns/{}", expected[1])).expect(204).await;
    let first = world.ask("GET", "/v1/campaigns?limit=1").expect(200).await.json();
    assert_eq!((first["unified"].as_array().map(Vec::len), &first["pagination"]["has_more"]), (Some(1), &json!(true)));
    let cursor = first["pagination"]["next_cursor"].as_str().expect("a cursor");
    let second = world.ask("GET", &format!("/v1/campaigns?limit=1&cursor={cursor}")).expect(200).await.json();
    assert_eq!(second, json!({"unified": [], "pagination": {"next_cursor": null, "has_more": false}}));
}

#[tokio::test]
async fn a_later_page_on_which_every_account_fails_ends_the_list() {
    let (world, expected) = two_accounts(1).await;
    let first = world.ask("GET", "/v1/campaigns?limit=1").expect(200).await.json();
    let cursor = first["pagination"]["next_cursor"].as_str().expect("a cursor");
    let path = format!("/v1/campaigns?limit=1&cursor={cursor}");
    world.fault("alpha_ads", "list", "garbage", 1).await;
    let second = world.ask("GET", &path).expect(200).await.json();
    assert_eq!(second["unified"], json!([]));
    assert_eq!(second["errors"][0]["code"], "PLATFORM_ERROR", "{second}");
    assert_eq!(second["pagination"], json!({"next_cursor": null, "has_more": false}));
    let again = world.ask("GET", &path).expect(200).await.json();
    assert_eq!(again["unified"][0]["id"], expected[1].as_str(), "the same cursor asks it again");
}

#[tokio::test]
async fn without_connections_the_list_is_empty() {
    let world = World::start().await;
    let page = world.ask("GET", "/v1/campaigns").expect(200).await.json();
    assert_eq!(page, json!({"unified": [], "pagination": {"next_cursor": null, "has_more": false}}));
}

#[tokio::test]
async fn a_connection_that_fails_is_reported_and_the_others_are_listed() {
    let (world, expected) = two_accounts(1).await;
    // A failure that is not retried, so that it hits one of the two.
    world.fault("alpha_ads", "list", "garbage", 1).await;
    let page = world.ask("GET", "/v1/campaigns").expect(200).await.json();
    assert_eq!(page["unified"].as_array().map(Vec::len), Some(1), "{page}");
    let failure = &page["errors"][0];
    assert_eq!(failure["platform"], "alpha_ads");
    assert_eq!(failure["code"], "PLATFORM_ERROR");
    assert_eq!(failure["retryable"], true);
    assert!(failure["connection_id"].as_str().is_some_and(|id| id.starts_with("conn_")));
    assert_eq!(walk(&world, "", 25).await, expected, "the next time all is well");
}

#[tokio::test]
async fn when_every_connection_fails_the_list_is_that_error() {
    let (world, _) = two_accounts(1).await;
    world.fault("alpha_ads", "list", "error", 9).await;
    let response = world.ask("GET", "/v1/campaigns").expect(502).await;
    assert_eq!(response.json()["code"], "PLATFORM_ERROR");
    assert_eq!(response.json()["platform"], "alpha_ads");
}

#[tokio::test]
async fn a_list_page_makes_one_platform_call_for_each_account_it_needs() {
    let (world, _) = two_accounts(3).await;
    let before = world.received("alpha_ads").await.len();
    world.ask("GET", "/v1/campaigns?limit=100").expect(200).await;
    assert_eq!(world.received("alpha_ads").await.len() - before, 2);
}

#[tokio::test]
async fn the_list_has_spend_and_the_requested_goal() {
    let world = World::connected("alpha_ads").await;
    let mut body = campaign("alpha_ads", "n");
    body["goal"] = json!("LEADS");
    let created = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await.json();
    let spend = json!({"platform": "alpha_ads", "campaign_id": created["remote_id"], "amount": "12.34"});
    assert!(world.control("POST", "spend").json(&spend).send().await.expect("a response").status.is_success());
    let page = world.ask("GET", "/v1/campaigns?platform=ALPHA").expect(200).await.json();
    assert_eq!(page["unified"][0]["goal"], "LEADS", "the platform itself has no goal");
    assert_eq!(page["unified"][0]["total_spend_amount"], json!(12.34));
    assert!(page["unified"][0]["raw"]["campaign"]["resourceName"].is_string(), "{page}");
}

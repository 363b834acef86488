//! `/v1/campaigns`: create, get, update, delete, and the rules around them.

use crate::world::{World, campaign, id_of};
use serde_json::{Value, json};

#[tokio::test]
async fn a_create_without_a_valid_key_is_401_in_its_own_shape() {
    let world = World::start().await;
    let mut wrong = world.gateway.api_key.clone();
    let last = if wrong.ends_with('0') { '1' } else { '0' };
    wrong.pop();
    wrong.push(last);
    for key in ["", "nonsense", wrong.as_str()] {
        let ask = world.ask("POST", "/v1/campaigns").header("x-api-key", key);
        let response = ask.json(&campaign("alpha_ads", "n")).expect(401).await;
        assert_eq!(response.json()["code"], "UNAUTHORIZED");
    }
    let response = world.ask("GET", "/v1/campaigns").without("x-api-key").expect(401).await;
    assert_eq!(response.json()["code"], "UNAUTHORIZED");
    let body = json!({"organization_id": "1"});
    let response = world.ask("POST", "/v1/campaigns").without("x-api-key").json(&body).expect(401).await;
    assert_eq!(response.json()["error"]["code"], "UNAUTHORIZED");
}

#[tokio::test]
async fn a_valid_key_that_was_never_issued_is_401() {
    use shared::auth::{ApiKey, Mode};
    let world = World::start().await;
    let customer = world.gateway.customer_id.parse().map(shared::domain::CustomerId).expect("a customer id");
    let forged = ApiKey::generate(customer, Mode::Test).expect("a key");
    world.ask("GET", "/v1/connections").header("x-api-key", forged.reveal()).expect(401).await;
}

#[tokio::test]
async fn a_create_without_a_connection_is_403_and_says_how_to_connect() {
    let world = World::start().await;
    for platform in ["alpha_ads", "beta_ads"] {
        let response = world.ask("POST", "/v1/campaigns").json(&campaign(platform, "n")).expect(403).await;
        let error = response.json();
        assert_eq!((error["code"].as_str(), error["platform"].as_str()), (Some("FORBIDDEN"), Some(platform)));
        assert!(
            error["error"].as_str().is_some_and(|text| text.contains(&format!("/v1/connections/{platform}/authorize")))
        );
    }
}

#[tokio::test]
async fn an_enveloped_create_in_an_account_that_is_not_connected_is_403() {
    let world = World::connected("alpha_ads").await;
    let body = json!({"name": "n", "goal": "WEBSITE_TRAFFIC", "budget_amount": 5, "budget_period": "DAILY",
        "platform": "ALPHA", "organization_id": "4040404040"});
    let response = world.ask("POST", "/v1/campaigns").json(&body).expect(403).await;
    assert_eq!(response.json()["error"]["code"], "FORBIDDEN");
    assert_eq!(response.json()["error"]["platform"], "ALPHA");
}

#[tokio::test]
async fn with_several_accounts_a_flat_create_must_name_one() {
    let world = World::start().await;
    let accounts = world.sandbox_accounts("alpha_ads").await;
    world.connect("alpha_ads", &[&accounts[0], &accounts[1]]).await;
    let before = world.received("alpha_ads").await.len();
    let response = world.ask("POST", "/v1/campaigns").json(&campaign("alpha_ads", "n")).expect(400).await;
    assert_eq!(response.fields(), ["connection_id"]);
    assert_eq!(world.received("alpha_ads").await.len(), before);

    let connections = world.connections().await;
    let second = connections.iter().find(|connection| connection["remote_account_id"] == accounts[1].as_str());
    let mut body = campaign("alpha_ads", "n");
    body["connection_id"] = second.expect("the second account")["id"].clone();
    let created = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await.json();
    assert!(id_of(&created).starts_with(&format!("alpha_{}_", accounts[1])), "{created}");
    body["connection_id"] = json!("conn_of_somebody_else");
    world.ask("POST", "/v1/campaigns").json(&body).expect(403).await;
}

#[tokio::test]
async fn a_budget_below_the_platform_minimum_creates_nothing() {
    let world = World::connected("alpha_ads").await;
    let before = world.received("alpha_ads").await.len();
    let mut body = campaign("alpha_ads", "n");
    body["budget_amount"] = json!(0.99);
    let response = world.ask("POST", "/v1/campaigns").json(&body).expect(400).await;
    assert_eq!(response.fields(), ["budget_amount"]);
    assert!(response.text.contains('1'), "the minimum is named: {}", response.text);
    assert_eq!(world.received("alpha_ads").await.len(), before);
}

#[tokio::test]
async fn the_table_has_the_known_minimum_budgets_of_tiktok() {
    let world = World::start().await;
    let response = world.ask("GET", "/v1/platforms").expect(200).await.json();
    let tables = response["platforms"].as_array().expect("a list");
    let gamma = tables.iter().find(|table| table["platform"] == "gamma_ads").expect("TikTok");
    for minimum in [
        json!({"budget_period": "DAILY", "currency": "USD", "amount": 50}),
        json!({"budget_period": "LIFETIME", "currency": "USD", "amount": 50}),
        json!({"budget_period": "DAILY", "currency": "JPY", "amount": 5000}),
        json!({"budget_period": "LIFETIME", "currency": "JPY", "amount": 5000}),
    ] {
        let known = gamma["minimum_budgets"].as_array().expect("a list");
        assert!(known.contains(&minimum), "{minimum}: {known:?}");
    }
}

#[tokio::test]
async fn only_the_currency_of_the_account_is_accepted() {
    let world = World::start().await;
    let yen = world.sandbox_account_in("alpha_ads", "JPY").await;
    world.connect("alpha_ads", &[&yen]).await;
    let mut body = json!({"name": "n", "goal": "WEBSITE_TRAFFIC", "budget_amount": 500, "budget_period": "DAILY",
        "platform": "ALPHA", "organization_id": yen, "currency": "USD"});
    let response = world.ask("POST", "/v1/campaigns").json(&body).expect(400).await;
    assert!(response.json()["error"]["message"].as_str().is_some_and(|message| message.starts_with("currency")));
    body["currency"] = json!("JPY");
    let created = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await.json();
    assert_eq!(created["data"]["currency"], "JPY");
    assert_eq!(created["data"]["budget_amount"], json!(500));
    let rest = body.as_object_mut().expect("an object");
    rest.remove("currency");
    rest.insert("name".into(), json!("without a currency"));
    let created = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await.json();
    assert_eq!(created["data"]["currency"], "JPY");
    body["budget_amount"] = json!(500.5);
    world.ask("POST", "/v1/campaigns").json(&body).expect(400).await;
}

#[tokio::test]
async fn a_state_the_campaign_already_has_is_200_and_writes_nothing() {
    let world = World::connected("alpha_ads").await;
    let created = world.create("alpha_ads", "n").await;
    let writes = |requests: Vec<Value>| {
        requests.iter().filter(|request| request["path"].as_str().is_some_and(|path| path.contains("mutate"))).count()
    };
    let before = writes(world.received("alpha_ads").await);
    let path = format!("/v1/campaigns/{}", id_of(&created));
    let same = json!({"status": "PAUSED", "name": "n", "budget_amount": 50.00, "budget_period": "DAILY"});
    for body in [same, json!({})] {
        let response = world.ask("PATCH", &path).json(&body).expect(200).await;
        assert_eq!(response.json()["updated_at"], created["updated_at"]);
    }
    assert_eq!(writes(world.received("alpha_ads").await), before);
}

#[tokio::test]
async fn an_invalid_patch_names_its_field() {
    let world = World::connected("alpha_ads").await;
    let path = format!("/v1/campaigns/{}", id_of(&world.create("alpha_ads", "n").await));
    for (body, field) in [
        (json!({"status": "ENDED"}), "status"),
        (json!({"status": "ARCHIVED"}), "status"),
        (json!({"status": "active"}), "status"),
        (json!({"name": ""}), "name"),
        (json!({"name": null}), "name"),
        (json!({"budget_amount": 0}), "budget_amount"),
        (json!({"budget_amount": 0.5}), "budget_amount"),
        (json!({"budget_amount": 10.001}), "budget_amount"),
        (json!({"budget_period": "MONTHLY"}), "budget_period"),
        (json!({"goal": "LEADS"}), "goal"),
        (json!({"platform": "alpha_ads"}), "platform"),
    ] {
        let response = world.ask("PATCH", &path).json(&body).expect(400).await;
        assert_eq!(response.fields(), [field], "{body}");
    }
    for status in ["DRAFT", "UNSPECIFIED"] {
        let ask = world.ask("PATCH", &path).header("x-api-shape", "enveloped");
        let response = ask.json(&json!({"status": status})).expect(400).await;
        assert_eq!(response.json()["error"]["code"], "BAD_REQUEST");
    }
    let untouched = world.ask("GET", &path).expect(200).await.json();
    assert_eq!((untouched["name"].as_str(), untouched["status"].as_str()), (Some("n"), Some("PAUSED")));
}

#[tokio::test]
async fn an_unsupported_change_of_period_is_501() {
    let world = World::connected("alpha_ads").await;
    let path = format!("/v1/campaigns/{}", id_of(&world.create("alpha_ads", "n").await));
    let response = world.ask("PATCH", &path).json(&json!({"budget_period": "LIFETIME"})).expect(501).await;
    assert_eq!(response.json()["code"], "NOT_SUPPORTED");
    assert_eq!(response.json()["platform"], "alpha_ads");
    assert_eq!(response.fields(), ["budget_period"]);
}

#[tokio::test]
async fn an_unsupported_status_is_501_and_named() {
    for platform in ["alpha_ads", "beta_ads", "gamma_ads", "epsilon_ads", "zeta_ads"] {
        let world = World::connected(platform).await;
        let path = format!("/v1/campaigns/{}", id_of(&world.create(platform, "Kept").await));
        let ask = world.ask("PATCH", &path).header("x-api-shape", "enveloped");
        let error = ask.json(&json!({"status": "SCHEDULED_FOR_DELETION"})).expect(501).await.json()["error"].clone();
        assert_eq!(error["code"], "NOT_SUPPORTED");
        let words = error["message"].as_str().expect("words");
        assert!(words.starts_with("status cannot be set to this value on "), "{words}");
        assert!(words.ends_with("; use one of ACTIVE, PAUSED, ARCHIVED"), "{words}");
    }
}

#[tokio::test]
async fn organization_id_scopes_a_patch() {
    let world = World::connected("alpha_ads").await;
    let created = world.create("alpha_ads", "n").await;
    let id = id_of(&created);
    let account = id.split('_').nth(1).expect("an account").to_owned();
    let path = format!("/v1/campaigns/{id}");
    let body = json!({"organization_id": account, "name": "renamed"});
    let response = world.ask("PATCH", &path).json(&body).expect(200).await;
    assert_eq!(response.json()["data"]["name"], "renamed");
    let response = world.ask("PATCH", &path).json(&json!({"organization_id": "1", "name": "x"})).expect(404).await;
    assert_eq!(response.json()["error"]["code"], "NOT_FOUND");
}

#[tokio::test]
async fn an_unknown_id_is_404_for_every_method() {
    let world = World::connected("alpha_ads").await;
    let id = id_of(&world.create("alpha_ads", "n").await);
    let account = id.split('_').nth(1).expect("an account");
    let ids = [
        "camp_123".to_owned(),
        "alpha".to_owned(),
        format!("alpha_{account}"),
        format!("alpha_{account}_999999999999"),
        format!("alpha_{account}_x"),
        format!("alpha_{account}_1%20OR%201"),
        format!("beta_{account}_1"),
        "alpha_0000000000_1".to_owned(),
        format!("{id}%00"),
        "é".to_owned(),
    ];
    for id in ids {
        let id: String = url::form_urlencoded::byte_serialize(id.as_bytes()).collect();
        let path = format!("/v1/campaigns/{id}");
        world.ask("GET", &path).expect(404).await;
        world.ask("DELETE", &path).expect(404).await;
        world.ask("PATCH", &path).json(&json!({"name": "x"})).expect(404).await;
    }
}

#[tokio::test]
async fn another_customers_campaign_is_the_same_404_as_an_unknown_one() {
    let world = World::connected("alpha_ads").await;
    let path = format!("/v1/campaigns/{}", id_of(&world.create("alpha_ads", "n").await));
    let stranger = world.another_customer().await;
    for (method, body) in [("GET", None), ("DELETE", None), ("PATCH", Some(json!({"name": "stolen"})))] {
        let ask = |path: &str| {
            let ask = world.ask(method, path).header("x-api-key", &stranger);
            body.as_ref().map_or_else(|| world.ask(method, path).header("x-api-key", &stranger), |body| ask.json(body))
        };
        let theirs = ask(&path).expect(404).await.json();
        let nobodys = ask("/v1/campaigns/alpha_1_2").expect(404).await.json();
        assert_eq!((&theirs["code"], &theirs["error"]), (&nobodys["code"], &nobodys["error"]), "{method}");
    }
    assert_eq!(world.ask("GET", &path).expect(200).await.json()["name"], "n");
}

#[tokio::test]
async fn a_removed_campaign_accepts_no_change_and_reads_as_removed() {
    let world = World::connected("alpha_ads").await;
    let path = format!("/v1/campaigns/{}", id_of(&world.create("alpha_ads", "n").await));
    let gone = world.ask("DELETE", &path).expect(204).await;
    assert_eq!(gone.text, "");
    world.ask("DELETE", &path).expect(404).await;
    assert_eq!(world.ask("GET", &path).expect(200).await.json()["status"], "REMOVED");
    let enveloped = world.ask("GET", &path).header("x-api-shape", "enveloped").expect(200).await;
    assert_eq!(enveloped.json()["data"]["status"], "ARCHIVED");
    for body in [json!({"status": "ACTIVE"}), json!({"name": "x"}), json!({"status": "REMOVED"})] {
        let response = world.ask("PATCH", &path).json(&body).expect(409).await;
        assert_eq!(response.json()["code"], "CONFLICT");
    }
}

#[tokio::test]
async fn a_patch_of_the_status_to_removed_or_archived_removes_the_campaign() {
    let world = World::connected("alpha_ads").await;
    let path = format!("/v1/campaigns/{}", id_of(&world.create("alpha_ads", "flat").await));
    let response = world.ask("PATCH", &path).json(&json!({"status": "REMOVED"})).expect(200).await;
    assert_eq!(response.json()["status"], "REMOVED");
    let path = format!("/v1/campaigns/{}", id_of(&world.create("alpha_ads", "enveloped").await));
    let ask = world.ask("PATCH", &path).header("x-api-shape", "enveloped");
    let response = ask.json(&json!({"status": "ARCHIVED"})).expect(200).await;
    assert_eq!(response.json()["data"]["status"], "ARCHIVED");
}

#[tokio::test]
async fn the_shape_header_decides_how_a_body_is_read() {
    let world = World::connected("alpha_ads").await;
    let flat = campaign("alpha_ads", "n");
    let enveloped = json!({"name": "n", "goal": "SALES", "budget_amount": 5, "budget_period": "DAILY",
        "platform": "ALPHA", "organization_id": "1"});
    let response = world.ask("POST", "/v1/campaigns").header("x-api-shape", "flat").json(&enveloped).expect(400).await;
    assert_eq!(response.header("x-api-shape"), "flat");
    assert!(
        response.fields().contains(&"organization_id".to_owned()) && response.fields().contains(&"platform".to_owned())
    );
    let response = world.ask("POST", "/v1/campaigns").header("x-api-shape", "enveloped").json(&flat).expect(400).await;
    assert_eq!(response.header("x-api-shape"), "enveloped");
    let message = response.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
    for field in ["goal", "platform", "organization_id"] {
        assert!(message.contains(field), "{message}");
    }
    for value in ["FLAT", "xml", ""] {
        let response = world.ask("GET", "/v1/campaigns").header("x-api-shape", value).expect(400).await;
        assert_eq!(response.fields(), ["X-API-Shape"], "{value}");
    }
    let response = world.ask("GET", "/v1/campaigns?platform=ALPHA").expect(200).await;
    assert_eq!((response.header("x-api-shape"), response.header("vary")), ("enveloped", "X-API-Shape"));
}

#[tokio::test]
async fn dates_are_held_in_the_accounts_own_time_zone() {
    let world = World::start().await;
    let euro = world.sandbox_account_in("alpha_ads", "EUR").await;
    world.connect("alpha_ads", &[&euro]).await;
    let body = json!({"name": "n", "goal": "WEBSITE_TRAFFIC", "budget_amount": 700, "budget_period": "TOTAL",
        "platform": "ALPHA", "organization_id": euro, "start_at": "2031-07-01", "end_at": "2031-07-31"});
    let created = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await.json();
    let made = &created["data"];
    assert_eq!(made["start_at"], "2031-06-30T22:00:00Z", "midnight in Berlin, in summer");
    assert_eq!(made["end_at"], "2031-07-31T21:59:59Z");
    assert_eq!(made["budget_period"], "TOTAL", "the caller's own word for the whole run");
    let path = format!("/v1/campaigns/{}", made["id"].as_str().expect("an id"));
    let read = world.ask("GET", &path).header("x-api-shape", "enveloped").expect(200).await.json();
    assert_eq!(read["data"]["start_at"], made["start_at"]);
    assert_eq!(read["data"]["end_at"], made["end_at"]);
    assert_eq!(read["data"]["budget_period"], "TOTAL");
}

#[tokio::test]
async fn a_lifetime_budget_without_an_end_names_the_field() {
    let world = World::connected("alpha_ads").await;
    let mut body = campaign("alpha_ads", "n");
    body["budget_period"] = json!("LIFETIME");
    body["budget_amount"] = json!(5000);
    let response = world.ask("POST", "/v1/campaigns").json(&body).expect(400).await;
    assert_eq!(response.fields(), ["end_at"]);
    body["end_at"] = json!("2031-07-31");
    let created = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await.json();
    assert_eq!(created["budget_period"], "LIFETIME");
    assert_eq!(created["end_held_by"], "platform", "{created}");
}

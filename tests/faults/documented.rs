//! The page "Testing failures" names everything that the sandbox can do, and its commands work.

use crate::world::{World, id_of, platforms};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../docs/testing-failures.md");

/// The names that a refusal lists: `... is unknown; it is one of a, b`.
async fn known_names(world: &World, body: Value) -> Vec<String> {
    let path = if body["platform"].is_null() { "oidc/id_token" } else { "faults" };
    let refused = world.control("POST", path).json(&body).expect(400).await.json();
    let text = refused["error"].as_str().expect("a text");
    let names = text.rsplit_once("one of ").expect("a list").1;
    names.split(", ").map(str::to_owned).collect()
}

#[tokio::test]
async fn every_fault_quirk_and_control_address_is_documented() {
    let world = World::start().await;
    let mut names = BTreeSet::new();
    for (platform, operation) in [("alpha_ads", "any"), ("stripe", "any"), ("stripe", "webhook")] {
        names.extend(known_names(&world, json!({"platform": platform, "operation": "?", "times": 1})).await);
        let unknown = json!({"platform": platform, "operation": operation, "fault": "?", "times": 1});
        names.extend(known_names(&world, unknown).await);
    }
    names.extend(known_names(&world, json!({"platform": "?"})).await);
    names.extend(known_names(&world, json!({"fault": "?"})).await);
    let quirks = world.control("GET", "quirks").expect(200).await.json();
    for quirk in quirks["quirks"].as_array().expect("a list") {
        let (name, what) = (quirk["quirk"].as_str().expect("a name"), quirk["what"].as_str().expect("a text"));
        let row = format!("| `{}` | `{name}` | {what} |", quirk["platform"].as_str().expect("a name"));
        assert!(PAGE.contains(&row), "docs/testing-failures.md lacks\n{row}");
    }
    let index = world.request("GET", &world.gateway.sandbox_url).expect(200).await.text;
    let addresses = index.split("/_sandbox/").skip(1).map(|rest| {
        let end = |c: char| !(c.is_ascii_lowercase() || c == '_' || c == '/');
        rest.split(end).next().expect("an address").to_owned()
    });
    names.extend(addresses);
    for name in names {
        let is_named = [format!("`{name}`"), format!("$SANDBOX/{name}")].iter().any(|form| PAGE.contains(form));
        assert!(is_named, "docs/testing-failures.md does not name {name}");
    }
}

/// The method, the address and the body of a command of the page.
fn command(text: &str) -> (&str, String, Option<Value>) {
    let (rest, address) = text.split_once("$SANDBOX/").expect("an address");
    let address = address.trim().trim_end_matches('"').to_owned();
    match rest.split_once("--json '") {
        Some((_, body)) => {
            let body = body.trim().trim_end_matches('\'');
            ("POST", address, Some(serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {body}"))))
        }
        None => ("GET", address, None),
    }
}

#[tokio::test]
async fn every_command_of_the_page_works() {
    let world = World::connected("alpha_ads").await;
    let made = world.create("alpha_ads", "Only").await;
    let campaign = made["remote_id"].as_str().expect("an id");
    let blocks = PAGE.split("```sh\n").skip(1).map(|rest| rest.split("```").next().expect("a block"));
    let mut commands = 0;
    for block in blocks {
        let block = block.replace("\n  ", " ").replace("'$CAMPAIGN'", campaign);
        for line in block.lines().filter(|line| line.starts_with("curl ")) {
            let (method, address, body) = command(line);
            let ask = world.control(method, &address);
            let ask = if let Some(body) = &body { ask.json(body) } else { ask };
            let response = ask.send().await.expect("a response");
            assert!(response.status.is_success(), "{line}: {}", response.text);
            commands += 1;
        }
    }
    assert!(commands > 20, "{commands} commands");
}

#[tokio::test]
async fn a_pause_survives_a_reset_and_ends_with_its_connection() {
    for (platform, _) in platforms() {
        let world = World::connected(platform).await;
        world.fault(platform, "list", "throttle", 1).await;
        world.ask("GET", "/v1/campaigns").expect(429).await;
        world.control("POST", "reset").json(&json!({})).expect(200).await;
        world.ask("GET", "/v1/campaigns").expect(429).await;
        world.connect(platform, &[]).await;
        world.ask("GET", "/v1/campaigns").expect(429).await;
        let id = id_of(&world.connections().await[0]);
        world.ask("DELETE", &format!("/v1/connections/{id}")).expect(204).await;
        world.connect(platform, &[]).await;
        world.ask("GET", "/v1/campaigns").expect(200).await;
    }
}

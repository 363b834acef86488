//! The samples of the reference: those that read, and those of dry runs, are sent as a shell would send them.

use super::scenario;
use crate::world::{TestResponse, World, id_of};
use serde_json::json;
use std::collections::BTreeMap;

/// Samples that read although they are no GET.
const READING_POSTS: [&str; 2] = ["/v1/connections/sync", "/v1/mcp"];

/// The samples on a page, as a browser shows them.
fn samples(page: &str) -> Vec<String> {
    let samples = page.split("<code class=\"curl\">").skip(1);
    let texts = samples.map(|rest| rest.split("</code>").next().expect("an end"));
    texts.map(|text| text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")).collect()
}

/// The words of a command, as a POSIX shell reads them: quotation marks, variables and continued lines.
fn words(command: &str, variables: &BTreeMap<&str, String>) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None::<char>);
    let mut letters = command.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), close) if open == close => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '\\') => match letters.next() {
                Some('\n') => {}
                escaped => word.get_or_insert_default().extend(escaped),
            },
            (None, ' ' | '\n') => words.extend(word.take()),
            (None | Some('"'), '$') => {
                let mut name = String::new();
                while let Some(part) = letters.next_if(|part| part.is_ascii_uppercase() || *part == '_') {
                    name.push(part);
                }
                let value = variables.get(name.as_str()).unwrap_or_else(|| panic!("{name} is not set: {command}"));
                word.get_or_insert_default().push_str(value);
            }
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    assert_eq!(quote, None, "{command}");
    words.extend(word);
    words
}

/// Sends what a curl command says.
async fn run(world: &World, command: &[String]) -> TestResponse {
    let [curl, x, method, url, options @ ..] = command else { panic!("{command:?}") };
    assert_eq!((curl.as_str(), x.as_str()), ("curl", "-X"));
    let mut request = world.request(method, url);
    for option in options.chunks(2) {
        request = match option {
            [flag, value] if flag == "-H" => {
                let (name, value) = value.split_once(": ").expect("a header");
                request.header(name, value)
            }
            [flag, value] if flag == "-d" => request.text("application/json", value.clone()),
            _ => panic!("{option:?}"),
        };
    }
    request.send().await.expect("a response")
}

/// A world with something for each id, and the environment variables of the samples.
async fn world() -> (World, BTreeMap<&'static str, String>) {
    let world = World::connected("alpha_ads").await;
    let body = json!({"name": "Sampled", "goal": "TRAFFIC", "budget_amount": 50, "budget_period": "DAILY", "platform": "alpha_ads"});
    let created = world.ask("POST", "/v1/campaigns").json(&body).expect(201).await;
    let bulk = json!({"status": "PAUSED", "all": true});
    let bulk = world.ask("POST", "/v1/campaigns/status").json(&bulk).expect(202).await.json();
    let scopes = json!({"scopes": ["read", "write", "billing", "approve"]});
    world.ask("PATCH", "/v1/api-keys/key_default").json(&scopes).expect(200).await;
    world.ask("PUT", "/v1/users/user42").json(&json!({"label": "Sampled"})).expect(200).await;
    let (waiting, _) = scenario::waiting(&world, "The one to review").await;
    let variables = BTreeMap::from([
        ("UNIFIED_ADS_KEY", world.gateway.api_key.clone()),
        ("IDEMPOTENCY_KEY", "sampled".to_owned()),
        ("CAMPAIGN_ID", id_of(&created.json())),
        ("REQUEST_ID", created.header("x-request-id").to_owned()),
        ("CHANGE_ID", waiting),
        ("USER_NAME", "user42".to_owned()),
        ("BULK_ID", bulk["bulk_id"].as_str().expect("an id").to_owned()),
        ("UNDONE_ID", created.header("change-id").to_owned()),
        ("CONNECTION_ID", id_of(&world.connections().await[0])),
        ("API_KEY_ID", id_of(&world.create_key("Sampled", &["read"]).await)),
        ("WEBHOOK_ENDPOINT_ID", id_of(&world.create_endpoint().await)),
        ("REDIRECT_URI_ID", "unused".to_owned()),
    ]);
    (world, variables)
}

#[tokio::test]
async fn every_read_only_sample_succeeds() {
    let (world, variables) = world().await;
    let overview = world.ask("GET", "/v1/docs").without("x-api-key").expect(200).await.text;
    let list = overview.split("<ul class=\"groups\">").nth(1).expect("a list").split("</ul>").next().expect("an end");
    let mut pages = vec![overview.clone()];
    for link in list.split("href=\"").skip(1) {
        let path = link.split('"').next().expect("an end");
        pages.push(world.ask("GET", path).without("x-api-key").expect(200).await.text);
    }
    let (mut sent, mut dry_runs, mut left) = (0, 0, 0);
    for sample in pages.iter().flat_map(|page| samples(page)) {
        let command = words(&sample, &variables);
        let (method, url) = (command[2].as_str(), command[3].as_str());
        let path = url.strip_prefix(&world.gateway.url()).unwrap_or_else(|| panic!("{url} is elsewhere"));
        let is_dry_run = path.ends_with("?dry_run=true");
        if method != "GET" && !is_dry_run && !READING_POSTS.contains(&path) {
            left += 1;
            continue;
        }
        let response = run(&world, &command).await;
        assert!(response.status.is_success(), "{sample}: {response:?}");
        sent += 1;
        dry_runs += usize::from(is_dry_run);
    }
    assert!(sent >= 24 && left >= 16, "{sent} sent, {left} left");
    assert_eq!(dry_runs, 3, "a create, an update, and the removal of a connection");
}

#[test]
fn sample_commands_are_split_into_words_as_a_shell_does() {
    let variables = BTreeMap::from([("ID", "a b".to_owned())]);
    let command = "curl -X PUT \"http://h/$ID\" \\\n  -d '{\"a\": \"It'\\''s $ID\"}'";
    assert_eq!(words(command, &variables), ["curl", "-X", "PUT", "http://h/a b", "-d", "{\"a\": \"It's $ID\"}"]);
}

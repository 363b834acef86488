//! Which client asks: its document, read over a simulated network on the clock of the test.

use crate::in_process::{World, clock};
use serde_json::{Value, json};
use shared::assistants::clients::{ClientSource, find};
use shared::domain::Plan;
use shared::error::Kind;
use std::time::Duration;
use tests::SERVICE;
use tokio::time::advance;

const APP: &str = "https://app.example/oauth/client.json";
const CLAUDE: &str = "https://claude.ai/oauth/mcp-oauth-client-metadata";

fn document(id: &str, redirect_uri: &str) -> Value {
    json!({
        "client_id": id,
        "client_name": "App",
        "redirect_uris": [redirect_uri],
        "token_endpoint_auth_method": "none",
    })
}

#[tokio::test(start_paused = true)]
async fn a_process_reads_a_document_again_after_its_time() {
    let world = World::new(clock(1), Plan::Pro).await;
    let app = world.straight();
    world.receivers.publish(APP, &document(APP, "https://app.example/cb"));
    let first = find(&app, APP).await.expect("a client");
    assert_eq!(first.source, ClientSource::Document { host: "app.example".to_owned() });
    // What was shown holds until the document is read again.
    world.receivers.publish(APP, &document(APP, "https://evil.example/cb"));
    advance(Duration::from_secs(299)).await;
    assert_eq!(find(&app, APP).await.expect("a client"), first);
    assert_eq!(world.receivers.read(), [APP]);
    advance(Duration::from_secs(1)).await;
    let second = find(&app, APP).await.expect("a client");
    assert!(second.allows("https://evil.example/cb") && !second.allows("https://app.example/cb"));
    assert_eq!(find(&world.straight(), APP).await.expect("a client"), second, "another process");
    assert_eq!(world.receivers.read(), [APP; 3]);
}

#[tokio::test(start_paused = true)]
async fn a_known_client_works_without_its_host_and_an_unknown_does_not() {
    let world = World::new(clock(1), Plan::Pro).await;
    let app = world.straight();
    world.receivers.answer(CLAUDE, 403, "text/html", "Just a moment...");
    let claude = find(&app, CLAUDE).await.expect("a client");
    assert_eq!(claude.source, ClientSource::Known { host: "claude.ai".to_owned() });
    assert_eq!(find(&app, APP).await.expect_err("no document").kind, Kind::PlatformFailed);
    assert_eq!(world.receivers.read(), [CLAUDE, APP]);
}

#[tokio::test(start_paused = true)]
async fn a_document_of_this_service_or_its_network_is_not_read() {
    let world = World::new(clock(1), Plan::Pro).await;
    let app = world.straight();
    for id in
        [&format!("{SERVICE}/client.json"), "https://169.254.169.254/client.json", "https://localhost/client.json"]
    {
        world.receivers.publish(id, &document(id, "https://app.example/cb"));
        assert_eq!(find(&app, id).await.expect_err("a refusal").kind, Kind::Validation, "{id}");
    }
    assert_eq!(world.receivers.read(), Vec::<String>::new());
}

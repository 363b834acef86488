//! No secret leaks: a long scenario uses every kind of secret, and a scanner then looks for all of them in everything
//! that the gateway wrote.

mod fixture;
mod scanner;
mod scenario;

use fixture::Fixture;
use scanner::{Scanner, Secret};
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::task::JoinSet;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_is_in_a_log_a_response_a_file_or_the_table() {
    let fixture = Arc::new(Fixture::start().await);
    let mut platforms = JoinSet::new();
    for platform in sandbox::PLATFORMS {
        let fixture = Arc::clone(&fixture);
        platforms.spawn(async move { scenario::run(&fixture, platform).await });
    }
    while let Some(result) = platforms.join_next().await {
        result.unwrap();
    }
    scenario::campaigns::partial_failures(&fixture).await;
    scenario::billing::run(&fixture).await;
    scenario::assistants::run(&fixture).await;
    scenario::webhook_endpoints::run(&fixture).await;
    let heard = scenario::webhook_endpoints::deliver(&fixture).await;
    scenario::api_keys::read_usage_logs(&fixture).await;
    scenario::api_keys::run(&fixture).await;

    let secrets = fixture.secrets().await;
    assert_secrets_are_complete(&secrets);
    let scanner = Scanner::new(&secrets);
    let mut leaks = scanner.scan("a response", &fixture.responses());
    leaks.extend(scanner.scan("a delivery", &heard));
    leaks.extend(scanner.scan("an item of the table", &fixture.items().await));
    let mut fixture = Arc::into_inner(fixture).unwrap();
    let files_while_running = fixture.files();
    fixture.stop();
    for (name, bytes) in files_while_running.into_iter().chain(fixture.files()) {
        leaks.extend(scanner.scan(&name, &bytes));
    }
    let log = fixture.log();
    leaks.extend(scanner.scan("the log", &log));
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.into_iter().collect::<Vec<_>>().join("\n"));
    assert_scenario_is_complete(&fixture, &log).await;
}

/// A scan proves nothing unless it looks for every kind of secret.
fn assert_secrets_are_complete(secrets: &BTreeSet<Secret>) {
    let count = |kind: &str| secrets.iter().filter(|secret| secret.kind == kind).count();
    for platform in sandbox::PLATFORMS {
        assert_eq!(count(&format!("{platform} client_secret")), 1);
        assert!(count(&format!("{platform} authorization_code")) > 20, "{platform}");
        assert!(count(&format!("{platform} access_token")) > 20, "{platform}");
        let refreshes = !matches!(*platform, "beta_ads" | "gamma_ads");
        assert_eq!(count(&format!("{platform} refresh_token")) > 10, refreshes, "{platform}");
    }
    assert!(count("state") > 200 && count("PKCE verifier") > 20);
    // The demo customer's first, created and rotated keys, and the second customer's key.
    assert_eq!((count("API key"), count("mistyped API key"), count("token of an assistant")), (4, 1, 3));
    // A consent and one to connect anew, each with its tokens; a refresh, and its answer once more.
    assert_eq!((count("code of a consent"), count("access token"), count("refresh token")), (2, 4, 4));
    assert!(count("cookie __Host-session") > 0 && count("cookie __Host-connect") >= 2);
    assert_eq!(count("payment key"), 1);
    assert_eq!(count("secret of an endpoint"), 8);
    assert_eq!((count("webhook secret"), count("token key k1"), count("token key k1, decoded")), (1, 1, 1));
}

/// A scan proves nothing unless the scenario reached every kind of outcome and the log is verbose.
async fn assert_scenario_is_complete(fixture: &Fixture, log: &[u8]) {
    let statuses = fixture.statuses();
    for status in [200, 201, 204, 400, 401, 404, 424, 429, 502] {
        assert!(statuses.contains(&status), "{status} of {statuses:?}");
    }
    let log = String::from_utf8_lossy(log);
    for line in ["DEBUG", "answered", "callback refused", "partial failure", "hyper_util", "aws_smithy_runtime"] {
        assert!(log.contains(line), "the log has no {line}");
    }
    let files: BTreeSet<String> = fixture.files().into_iter().map(|(name, _)| name).collect();
    assert!(files.contains("dynamodb.sqlite"), "{files:?}");
}

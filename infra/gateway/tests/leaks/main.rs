//! Nothing leaks: every secret of a long story is looked for in everything that the gateway leaves behind.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on says so by panicking")]

mod scene;
mod search;
mod story;

use scene::Scene;
use search::{Search, Secret};
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::task::JoinSet;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_is_in_the_log_in_an_answer_or_in_the_table() {
    let scene = Arc::new(Scene::start().await);
    let mut stories = JoinSet::new();
    for platform in sandbox::PLATFORMS {
        let scene = Arc::clone(&scene);
        stories.spawn(async move { story::tell(&scene, platform).await });
    }
    while let Some(told) = stories.join_next().await {
        told.unwrap();
    }
    story::together(&scene).await;
    story::billing(&scene).await;
    story::usage_log(&scene).await;
    story::keys(&scene).await;

    let secrets = scene.secrets().await;
    is_complete(&secrets);
    let search = Search::new(&secrets);
    let mut found = search.find("an answer", &scene.answers());
    found.extend(search.find("an item of the table", &scene.items().await));
    let mut scene = Arc::into_inner(scene).unwrap();
    let at_work = scene.files();
    scene.stop();
    for (name, bytes) in at_work.into_iter().chain(scene.files()) {
        found.extend(search.find(&name, &bytes));
    }
    let log = scene.log();
    found.extend(search.find("the log", &log));
    assert!(found.is_empty(), "{} found:\n{}", found.len(), found.into_iter().collect::<Vec<_>>().join("\n"));
    is_searched(&scene, &log).await;
}

/// The search means something only when there is something to look for.
fn is_complete(secrets: &BTreeSet<Secret>) {
    let count = |what: &str| secrets.iter().filter(|secret| secret.what == what).count();
    for platform in sandbox::PLATFORMS {
        assert_eq!(count(&format!("{platform} client_secret")), 1);
        assert!(count(&format!("{platform} authorization_code")) > 20, "{platform}");
        assert!(count(&format!("{platform} access_token")) > 20, "{platform}");
        let refreshes = !matches!(*platform, "beta_ads" | "gamma_ads");
        assert_eq!(count(&format!("{platform} refresh_token")) > 10, refreshes, "{platform}");
    }
    assert!(count("state") > 200 && count("PKCE verifier") > 20);
    // The demo customer's, the second customer's, and the one that took the first's place.
    assert_eq!((count("API key"), count("mistyped API key")), (3, 1));
    assert_eq!(count("payment key"), 1);
    assert_eq!((count("webhook secret"), count("token key k1"), count("token key k1, its bytes")), (1, 1, 1));
}

/// And when there is something to search.
async fn is_searched(scene: &Scene, log: &[u8]) {
    let statuses = scene.statuses();
    for status in [200, 201, 204, 400, 401, 404, 424, 429, 502] {
        assert!(statuses.contains(&status), "{status} of {statuses:?}");
    }
    let log = String::from_utf8_lossy(log);
    for line in ["DEBUG", "answered", "callback refused", "partial failure", "hyper_util", "aws_smithy_runtime"] {
        assert!(log.contains(line), "the log has no {line}");
    }
    let files: BTreeSet<String> = scene.files().into_iter().map(|(name, _)| name).collect();
    assert!(files.contains("dynamodb.sqlite"), "{files:?}");
}

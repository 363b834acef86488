//! One refresh per grant, in however many processes: eight gateways over one store, and a thousand requests that find
//! the access token expired.

mod fleet;

use fleet::{Fleet, Load, list_path};
use shared::domain::Plan;

const REQUESTS: usize = 1_000;

async fn assert_all_succeed(load: Load) {
    let responses = load.join_all().await.concat();
    assert_eq!(responses.len(), REQUESTS);
    let failed: Vec<_> = responses.iter().filter(|(status, _)| *status != 200).collect();
    assert!(failed.is_empty(), "{} failed, for instance {:?}", failed.len(), failed[0]);
}

/// As many senders as the plan has requests in flight: more would meet 429, not the refresh.
fn max_senders() -> usize {
    usize::try_from(Plan::Enterprise.limits().requests_in_flight).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_requests_to_eight_processes_refresh_a_grant_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut fleet = Fleet::start(folder.path());
    // Refresh tokens of epsilon rotate: a second use of one ends the grant.
    for platform in ["alpha_ads", "epsilon_ads"] {
        fleet.connect(platform).await;
        // All requests find the token expired, wait for the one refresh, and send the new token.
        fleet.reset_and_slow_refresh(platform).await;
        fleet.expire_access_token(platform).await;
        assert_all_succeed(fleet.send_all(platform, max_senders())).await;
        let (refreshes, tokens) = fleet.received(platform).await;
        assert_eq!(refreshes, [0], "{platform}: positions of the refreshes among the requests");
        assert!(tokens.len() >= REQUESTS && tokens.iter().all(|token| *token == tokens[0]), "{platform}");
        assert_eq!(fleet.connection_status(platform).await, "ACTIVE", "{platform}");
        // The token expires while requests are in flight: some send the old token, some the new one.
        fleet.reset_and_slow_refresh(platform).await;
        let load = fleet.send_all(platform, max_senders() / 4);
        fleet.expire_access_token(platform).await;
        assert_all_succeed(load).await;
        fleet.get(3, &list_path(platform)).await;
        let (refreshes, _) = fleet.received(platform).await;
        assert_eq!(refreshes.len(), 1, "{platform}");
        assert_eq!(fleet.connection_status(platform).await, "ACTIVE", "{platform}");
    }
    for process in fleet.processes.iter_mut().rev() {
        assert_eq!(process.signal("-TERM").code(), Some(0));
        assert_eq!(process.remaining_output(), "");
    }
}

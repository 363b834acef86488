//! A process that is suspended until its lease on a refresh has expired, which random runs seldom reach.

use super::platform::TOKEN_LIFE;
use super::service::{Service, customer};
use super::state::StateHandle;
use crate::in_process::engine::table;
use jiff::SignedDuration;
use shared::domain::ConnectionStatus;
use shared::error::Kind;
use shared::store::LeaseAttempt;
use tokio::time::{Duration, Instant, sleep};

/// Longer than a lease.
const PAST_THE_LEASE: Duration = Duration::from_secs(200);
const LEASE: SignedDuration = SignedDuration::from_secs(30);

/// Two processes and a connection with rotating refresh tokens; its access token has just expired.
struct Pair {
    state: StateHandle,
    slow: Service,
    quick: Service,
}

impl Pair {
    async fn start() -> Pair {
        let state = StateHandle::new(1, false, true, false);
        let database = table();
        let began = Instant::now();
        let start = || Service::start(&state, &database, began, customer(1));
        let (slow, quick) = (start(), start());
        slow.connect().await;
        sleep(TOKEN_LIFE).await;
        Pair { state, slow, quick }
    }

    /// Refreshes in the slow process, and in the quick one after the slow one's lease has expired. Returns the slow
    /// one's result.
    async fn refresh_one_after_the_other(&self) -> Result<(), Kind> {
        let slow = self.slow.clone();
        let late = tokio::spawn(async move { slow.refresh_ahead().await });
        sleep(PAST_THE_LEASE - Duration::from_secs(10)).await;
        self.quick.request().await.expect("a working token");
        late.await.expect("no panic").map_err(|error| error.kind)
    }

    fn refreshes(&self) -> u32 {
        self.state.lock().platform.refreshes
    }

    async fn status(&self) -> Option<ConnectionStatus> {
        self.quick.connection().await.map(|connection| connection.status)
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_suspended_while_acquiring_the_lease_does_not_refresh() {
    let pair = Pair::start().await;
    pair.state.lock().delay_next = Some(("ADD fence", Duration::from_secs(150)));
    assert_eq!(pair.refresh_one_after_the_other().await, Err(Kind::PlatformTimeout));
    assert_eq!(pair.refreshes(), 1, "only the quick process refreshes");
    assert_eq!(pair.status().await, Some(ConnectionStatus::Active));
}

#[tokio::test(start_paused = true)]
async fn a_stale_end_of_a_grant_is_ignored_after_a_newer_refresh() {
    let pair = Pair::start().await;
    pair.state.lock().refuse_next_refresh = true;
    pair.state.lock().delay_next = Some(("SET ended", PAST_THE_LEASE));
    assert_eq!(pair.refresh_one_after_the_other().await, Ok(()), "the tokens of the quick process are valid");
    assert_eq!(pair.refreshes(), 2);
    assert_eq!(pair.status().await, Some(ConnectionStatus::Active));
    pair.slow.request().await.expect("an active grant");
}

#[tokio::test(start_paused = true)]
async fn tokens_stored_after_the_lease_do_not_replace_newer_ones() {
    let pair = Pair::start().await;
    pair.state.lock().platform.rotates = false;
    pair.state.lock().delay_next = Some(("ADD version", PAST_THE_LEASE));
    assert_eq!(pair.refresh_one_after_the_other().await, Ok(()));
    assert_eq!(pair.refreshes(), 2);
    let version = pair.quick.customer_connections().await.expect("connected").grants[0].version;
    assert_eq!(version, 2, "the first tokens and those of the quick process");
}

#[tokio::test(start_paused = true)]
async fn an_expired_refresh_token_revokes_despite_a_working_access_token() {
    for by_sync in [true, false] {
        let state = StateHandle::new(1, false, false, false);
        let service = Service::start(&state, &table(), Instant::now(), customer(1));
        service.connect().await;
        state.lock().platform.refuses_refreshes = true;
        sleep(TOKEN_LIFE - Duration::from_secs(300)).await;
        let outcome = if by_sync { service.sync().await } else { service.request().await };
        assert_eq!(outcome.map_err(|error| error.kind).err(), (!by_sync).then_some(Kind::TokenExpired));
        let connection = service.connection().await.expect("a connection");
        assert_eq!(connection.status, ConnectionStatus::Revoked);
        assert!(connection.reason.is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn a_read_before_the_grant_ended_does_not_undo_its_end() {
    let pair = Pair::start().await;
    pair.state.lock().platform.rotates = false;
    pair.quick.request().await.expect("a working token");
    // The slow process has read ACTIVE and called the platform before the quick one learns that the grant has ended.
    pair.state.lock().delay_next = Some(("last_synced_at = :at", PAST_THE_LEASE));
    let slow = pair.slow.clone();
    let check = tokio::spawn(async move { slow.sync().await });
    sleep(Duration::from_secs(10)).await;
    pair.state.lock().platform.is_revoked = true;
    assert_eq!(pair.quick.request().await.map_err(|error| error.kind), Err(Kind::TokenExpired));
    check.await.expect("no panic").expect("a sync");
    assert_eq!(pair.status().await, Some(ConnectionStatus::Revoked));
}

#[tokio::test(start_paused = true)]
async fn tokens_that_cannot_be_sealed_count_as_a_failure_and_free_the_lease() {
    for rotates in [true, false] {
        let state = StateHandle::new(1, false, rotates, false);
        let database = table();
        let service = Service::start(&state, &database, Instant::now(), customer(1));
        service.connect().await;
        let before = service.customer_connections().await.expect("connected").grants.remove(0);
        sleep(TOKEN_LIFE).await;
        // No timestamp is so far in the future.
        state.lock().platform.expires_in = u64::from(u32::MAX) * 1_000;
        assert_eq!(service.request().await.map_err(|error| error.kind), Err(Kind::Internal));
        let grant = service.customer_connections().await.expect("connected").grants.remove(0);
        assert_eq!(grant.refresh_token, before.refresh_token, "the old token stays");
        assert!(grant.retry_at.is_some_and(|at| at > service.app.clock.now()), "the failure is counted: {grant:?}");
        let now = service.app.clock.now();
        let attempt = service.app.store.lease_grant(service.customer, &grant, now, now + LEASE).await.expect("a store");
        assert!(matches!(attempt, LeaseAttempt::Acquired(lease) if lease.failures == 1), "{attempt:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_grant_that_is_refreshed_after_its_connection_was_removed_is_deleted() {
    for rotates in [true, false] {
        let state = StateHandle::new(1, false, rotates, false);
        let service = Service::start(&state, &table(), Instant::now(), customer(1));
        service.connect().await;
        sleep(TOKEN_LIFE).await;
        // The request has read the connection and leases the grant after the removal.
        state.lock().delay_next = Some(("ADD fence", Duration::from_secs(2)));
        let late = service.clone();
        let request = tokio::spawn(async move { late.request().await });
        sleep(Duration::from_secs(1)).await;
        let connected = service.customer_connections().await.expect("connected");
        let (connection, grant) = (&connected.connections[0], connected.grants.first());
        // The process that removes the connection stops before it deletes the grant.
        let (store, now) = (&service.app.store, service.app.clock.now());
        assert!(store.remove_connection(service.customer, connection, grant, now).await.expect("a store"));
        request.await.expect("no panic").expect("a new token");
        assert_eq!(state.lock().platform.refreshes, 1);
        maintenance::run(&service.app).await.expect("a run");
        let left = service.customer_connections().await.expect("a read").grants;
        assert!(left.is_empty(), "rotates: {rotates}: {left:?}");
    }
}

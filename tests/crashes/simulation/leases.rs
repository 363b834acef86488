//! What chance seldom brings about: a process that is held up until its lease at a refresh is over.

use super::platform::TOKEN_LIFE;
use super::service::{Service, customer};
use super::world::Shared;
use crate::in_process::engine::table;
use shared::domain::ConnectionStatus;
use shared::error::Kind;
use tokio::time::{Duration, Instant, sleep};

/// Longer than any lease.
const LONG: Duration = Duration::from_secs(200);

/// Two processes with a connection whose access token has just run out, where refresh tokens rotate.
struct Pair {
    world: Shared,
    slow: Service,
    quick: Service,
}

impl Pair {
    async fn start() -> Pair {
        let world = Shared::new(1, false, true, false);
        let (database, began) = (table(), Instant::now());
        let start = || Service::start(&world, &database, began, customer(1));
        let (slow, quick) = (start(), start());
        slow.connect().await;
        sleep(TOKEN_LIFE).await;
        Pair { world, slow, quick }
    }

    /// Asks the slow one, and later, when its lease is over, the quick one; answers what the slow one said.
    async fn one_after_the_other(&self) -> Result<(), Kind> {
        let slow = self.slow.clone();
        let late = tokio::spawn(async move { slow.refresh_ahead().await });
        sleep(LONG - Duration::from_secs(10)).await;
        self.quick.request().await.expect("a working token");
        late.await.expect("no panic").map_err(|error| error.kind)
    }

    fn refreshes(&self) -> u32 {
        self.world.lock().platform.refreshes
    }

    async fn status(&self) -> Option<ConnectionStatus> {
        self.quick.connection().await.map(|connection| connection.status)
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_frozen_while_it_takes_the_lease_does_not_refresh() {
    let pair = Pair::start().await;
    pair.world.lock().hold_up = Some(("ADD fence", Duration::from_secs(150)));
    assert_eq!(pair.one_after_the_other().await, Err(Kind::PlatformTimeout));
    assert_eq!(pair.refreshes(), 1, "the quick one's");
    assert_eq!(pair.status().await, Some(ConnectionStatus::Active));
}

#[tokio::test(start_paused = true)]
async fn a_late_end_of_a_grant_is_ignored_after_a_newer_refresh() {
    let pair = Pair::start().await;
    pair.world.lock().refuse_next = true;
    pair.world.lock().hold_up = Some(("SET ended", LONG));
    assert_eq!(pair.one_after_the_other().await, Ok(()), "the tokens are those of the quick one");
    assert_eq!(pair.refreshes(), 2);
    assert_eq!(pair.status().await, Some(ConnectionStatus::Active));
    pair.slow.request().await.expect("a living grant");
}

#[tokio::test(start_paused = true)]
async fn tokens_that_come_to_the_table_after_the_turn_do_not_replace_newer_ones() {
    let pair = Pair::start().await;
    pair.world.lock().platform.rotates = false;
    pair.world.lock().hold_up = Some(("ADD version", LONG));
    assert_eq!(pair.one_after_the_other().await, Ok(()));
    assert_eq!(pair.refreshes(), 2);
    let version = pair.quick.customer_connections().await.expect("connected").grants[0].version;
    assert_eq!(version, 2, "the first tokens and those of the quick one");
}

#[tokio::test(start_paused = true)]
async fn an_expired_refresh_token_revokes_despite_a_working_access_token() {
    for asks_for_a_sync in [true, false] {
        let world = Shared::new(1, false, false, false);
        let service = Service::start(&world, &table(), Instant::now(), customer(1));
        service.connect().await;
        world.lock().platform.refuses_refreshes = true;
        sleep(TOKEN_LIFE - Duration::from_secs(300)).await;
        let outcome = if asks_for_a_sync { service.sync().await } else { service.request().await };
        assert_eq!(outcome.map_err(|error| error.kind).err(), (!asks_for_a_sync).then_some(Kind::TokenExpired));
        let connection = service.connection().await.expect("a connection");
        assert_eq!(connection.status, ConnectionStatus::Revoked);
        assert!(connection.reason.is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_read_before_an_end_does_not_undo_it() {
    let pair = Pair::start().await;
    pair.world.lock().platform.rotates = false;
    pair.quick.request().await.expect("a working token");
    // The slow one has read ACTIVE and asked the platform when the quick one is told that the grant has ended.
    pair.world.lock().hold_up = Some(("last_synced_at = :at", LONG));
    let slow = pair.slow.clone();
    let check = tokio::spawn(async move { slow.sync().await });
    sleep(Duration::from_secs(10)).await;
    pair.world.lock().platform.is_dead = true;
    assert_eq!(pair.quick.request().await.map_err(|error| error.kind), Err(Kind::TokenExpired));
    check.await.expect("no panic").expect("a sync");
    assert_eq!(pair.status().await, Some(ConnectionStatus::Revoked));
}

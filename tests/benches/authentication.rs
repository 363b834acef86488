//! Authentication: reads and hashes a key, then admits its customer while the connections are read, through the store's
//! client and the engine.

use crate::figures::Figures;
use crate::in_process::{self, World};
use jiff::SignedDuration;
use shared::auth::{ApiKey, authenticate};
use shared::domain::{Plan, Platform};
use shared::store::Terms;
use std::sync::Arc;
use tokio::runtime::Runtime;

const KEY: &str = "authentication/key read and hashed";
pub(crate) const DOOR: &str = "authentication/door";

/// No two requests are closer together, so the rate limit admits all of them.
const APART: SignedDuration = SignedDuration::from_millis(20);

pub(crate) fn bench(figures: &mut Figures, runtime: &Runtime) {
    let (world, app) = runtime.block_on(async {
        let world = World::new(in_process::clock(1), Plan::Enterprise).await;
        let app = Arc::new(world.straight());
        world.connect(&app, Platform::Alpha, 1).await;
        (world, app)
    });
    figures.measure(KEY, || ApiKey::parse(&world.api_key).map(|key| key.hash()));
    let key = ApiKey::parse(&world.api_key).expect("a key");
    let mut now = world.clock.now();
    figures.measure(DOOR, || {
        now += APART;
        let store = &app.store;
        let (entry, connected) = runtime.block_on(async {
            tokio::join!(
                authenticate(store, &key, now, Terms::COUNTED),
                store.customer_connections(key.customer(), now)
            )
        });
        assert!(entry.expect("an entry").rejection.is_none());
        connected.expect("connected")
    });
    figures.share(KEY, DOOR);
}

//! Authentication: reading and hashing a key, and the door: who holds it and may pass, with the connections read
//! beside it, through the store's client and the engine.

use crate::figures::{Figures, percent};
use crate::inside::{self, World};
use jiff::SignedDuration;
use shared::auth::{ApiKey, authenticate};
use shared::domain::{Plan, Platform};
use std::sync::Arc;
use tokio::runtime::Runtime;

/// No two requests are closer together, so that the rate allows all of them.
const APART: SignedDuration = SignedDuration::from_millis(20);

pub(crate) fn bench(figures: &mut Figures, runtime: &Runtime) {
    let (world, app) = runtime.block_on(async {
        let world = World::new(inside::clock(1), Plan::Enterprise).await;
        let app = Arc::new(world.straight());
        world.connect(&app, Platform::Alpha, 1).await;
        (world, app)
    });
    let hash =
        figures.measure("authentication/key read and hashed", || ApiKey::parse(&world.api_key).map(|key| key.hash()));
    let key = ApiKey::parse(&world.api_key).expect("a key");
    let mut now = world.clock.now();
    let door = figures.measure("authentication/door", || {
        now += APART;
        let store = &app.store;
        let (entry, links) =
            runtime.block_on(async { tokio::join!(authenticate(store, &key, now), store.links(key.customer(), now)) });
        assert!(entry.expect("an entry").refusal.is_none());
        links.expect("links")
    });
    if let (Some(hash), Some(door)) = (hash, door) {
        figures.note(format!("of the door is reading and hashing the key: {}", percent(hash, door)));
    }
}

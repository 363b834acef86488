//! Simulations of many customers, and of customers with 1,000 ad accounts, in one process under a paused clock. Time
//! passes only while a call waits, so a figure does not depend on the speed of the machine, and every event follows
//! from a seed.
//!
//! `cargo test -p tests scale` runs a thinned size. `docs/scale.md` has the full sizes, their commands and figures.

mod class;
mod deliveries;
mod fleet;
mod lists;
mod maintenance;
mod platform;
mod schedule;
mod sync;
mod table;
mod token_endpoint;

use std::env;

/// A size from the environment, or its thinned value.
pub(crate) fn size(name: &str, thinned: u64) -> u64 {
    env::var(name).map_or(thinned, |text| text.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}

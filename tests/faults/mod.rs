//! Platforms and stores that fail, hang or respond late.

mod breaker;
mod deadlines;
mod documented;
mod failures;
pub(crate) mod fake_store;
mod frozen_process;
mod ignored_writes;
mod lost_effects;
mod resilience;
pub(crate) mod stage;

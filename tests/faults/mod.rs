//! Platforms and stores that fail, hang or respond late.

mod breaker;
mod deadlines;
mod documented;
mod failures;
pub(crate) mod fake_store;
mod frozen;
mod ignored;
mod lost_effects;
mod resilience;
pub(crate) mod stage;

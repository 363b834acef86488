//! Platforms and a store that fail, hang or answer late.

mod deadlines;
mod failures;
pub(crate) mod fake_store;
mod resilience;
pub(crate) mod slow_store;

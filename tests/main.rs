//! The tests of the whole, through HTTP: one binary, a file per endpoint group.
//!
//! Every test starts its own world (engine, sandbox, gateway) in this process on free ports, so all run in parallel.

#![expect(clippy::expect_used, reason = "a test that cannot go on says so by panicking")]

mod api_keys;
mod architecture;
mod attacks;
mod bad_input;
mod billing;
mod billing_histories;
mod billing_webhooks;
mod budget;
mod callback;
mod campaigns;
mod capabilities;
mod changes;
mod connections;
mod contract;
mod crashes;
mod deadlines;
mod documents;
mod events;
mod failures;
mod fake_store;
pub mod fuzz;
mod idempotency;
mod idempotency_retries;
mod inside;
mod key_ring;
mod limits;
mod listing;
mod maintenance;
mod manage;
mod money;
mod observability;
mod openapi;
mod plans;
mod platforms;
mod quirks;
mod redirect_uris;
mod resilience;
mod roles;
mod shapes;
mod simulation;
mod store;
mod stuck_store;
mod sync;
mod table;
mod targets;
mod usage_logs;
mod world;

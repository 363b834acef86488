//! The tests of the whole, through HTTP: one binary, a file per endpoint group.
//!
//! Every test starts its own world (engine, sandbox, gateway) in this process on free ports, so all run in parallel.

#![expect(clippy::expect_used, reason = "a test that cannot go on says so by panicking")]

mod architecture;
mod bad_input;
mod billing;
mod billing_histories;
mod billing_webhooks;
mod callback;
mod campaigns;
mod capabilities;
mod connections;
mod events;
mod failures;
mod listing;
mod money;
mod platforms;
mod redirect_uris;
mod shapes;
mod simulation;
mod targets;
mod world;

//! The tests of the whole: one binary, a folder for each level.
//!
//! Every test starts its own world (engine, sandbox, gateway) in this process on free ports, so all run in parallel.

#![expect(clippy::expect_used, reason = "a test that cannot go on says so by panicking")]

mod ad_delivery;
mod agents;
mod assistants;
mod billing;
mod changes;
mod consents;
mod crashes;
mod dashboard;
mod deliveries;
mod endpoints;
mod events;
mod faults;
#[path = "fuzz/replay.rs"]
mod fuzz;
mod house;
mod in_process;
mod insights;
mod oauth;
mod openapi;
mod platforms;
mod product;
mod random;
mod sample;
mod scale;
mod sight;
mod spending;
mod world;

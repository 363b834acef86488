//! Tests of the gateway program in a process of its own. They are one binary because most of them wait, and cargo runs
//! one binary after another.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod gateway_process;
mod kill;
mod leaks;
mod listen;
mod person;
mod process;
mod rebinding;
mod receiver;
mod refresh;
mod signature;

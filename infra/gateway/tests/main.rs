//! Tests of the gateway program in a process of its own. They are one binary because most of them wait, and cargo runs
//! one binary after another. `refresh` stays apart: its bursts of requests would delay the others.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod gateway_process;
mod kill;
mod leaks;
mod process;

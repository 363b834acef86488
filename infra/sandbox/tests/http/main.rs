//! Tests of the public interface: over HTTP and in process, consent included.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

mod account_quirks;
mod alpha;
mod beta;
mod client;
mod consent;
mod control;
mod delta;
mod epsilon;
mod faults;
mod gamma;
mod in_process;
mod laws;
mod oauth_client;
mod oidc;
mod restart;
mod sample;
mod stripe;
mod tokens;
mod zeta;

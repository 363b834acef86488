//! The HTTP server of the programs on this machine: of the gateway's ports, and of the sandbox.
//!
//! axum's own server has no time limit for a request's header and no bound on connections, so half-open connections
//! would stay until the process has no file descriptor left. Nor has it one for a body.

mod server;
mod timed_body;
mod web_page;

pub use server::{HangUp, Limits, serve};
pub use web_page::reject_web_page;

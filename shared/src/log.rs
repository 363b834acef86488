//! The log of a deployed function: one JSON object a line, on standard output, where Lambda collects it.

use tracing_subscriber::EnvFilter;

/// Starts logging. The level comes from `RUST_LOG`, by default `info` for our own code and `warn` for the rest.
pub fn init() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| {
        EnvFilter::new("warn,shared=info,billing=info,campaigns=info,connections=info,redirect_uris=info,upkeep=info")
    });
    // The default writer is standard output; time is CloudWatch's to add.
    tracing_subscriber::fmt().json().flatten_event(true).without_time().with_env_filter(filter).init();
}

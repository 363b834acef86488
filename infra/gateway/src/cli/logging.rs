//! Logging of the command line.

use std::io::{self, IsTerminal};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Logs to standard error, because standard output carries the result. The most verbose level is that of a function.
pub(super) fn start() {
    // The engine warns of every failed condition, and conditional writes that fail are part of normal operation.
    let default_filter =
        || format!("warn,dynoxide=error,gateway=info,sandbox=info,{}=info", shared::log::OWN_CRATES.join("=info,"));
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default_filter()));
    let is_terminal = io::stderr().is_terminal();
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(is_terminal);
    subscriber.finish().with(shared::log::MAX_LEVEL).init();
}

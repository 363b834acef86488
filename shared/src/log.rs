//! The log of a deployed function: one JSON object a line on standard output, where Lambda collects it.

use tracing::Subscriber;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// The most verbose level, whatever `RUST_LOG` says.
///
/// At TRACE libraries log requests and responses as sent: `lambda_runtime` the whole event with its API key or
/// authorization code, the AWS SDK responses of DynamoDB and Secrets Manager. The level applies to every target,
/// because an update of any library may add such lines.
pub const MAX_LEVEL: LevelFilter = LevelFilter::DEBUG;

/// Our own crates: logged from `info` on by default, everything else from `warn` on.
pub const OWN_CRATES: [&str; 14] = [
    "shared",
    "api_keys",
    "billing",
    "campaigns",
    "connections",
    "dashboard",
    "deliveries",
    "docs",
    "redirect_uris",
    "maintenance",
    "mcp",
    "usage_logs",
    "webhook_endpoints",
    "webhooks",
];

/// Starts logging. `RUST_LOG` sets the filter (a level, or `target=level`, separated by commas), up to [`MAX_LEVEL`].
pub fn init() {
    let filter = std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty());
    let filter = filter.and_then(|text| text.parse().ok());
    subscriber(filter.unwrap_or_else(default_filter), std::io::stdout).init();
}

fn default_filter() -> Targets {
    Targets::new().with_default(LevelFilter::WARN).with_targets(OWN_CRATES.map(|name| (name, LevelFilter::INFO)))
}

/// The log of a function under the default filter, on another writer.
pub fn to<W>(writer: W) -> impl Subscriber + Send + Sync + 'static
where
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    subscriber(default_filter(), writer)
}

/// Without a time: CloudWatch adds it.
fn subscriber<W>(filter: Targets, writer: W) -> impl Subscriber + Send + Sync + 'static
where
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt().json().flatten_event(true).without_time().with_max_level(MAX_LEVEL);
    lines.with_writer(writer).finish().with(filter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn trace_lines_of_libraries_are_never_logged() {
        let written = Written::default();
        let writer = written.clone();
        let filter = "trace,lambda_runtime=trace,lambda_runtime::layers=trace,shared=trace".parse().unwrap();
        tracing::subscriber::with_default(subscriber(filter, move || writer.clone()), || {
            tracing::trace!(target: "lambda_runtime::layers::api_response", body = "canary", "raw event");
            tracing::trace!(target: "aws_smithy_runtime::client::orchestrator::http", response = "canary");
            tracing::trace!("canary");
            tracing::trace_span!("canary", body = "canary").in_scope(|| tracing::debug!("in a span"));
            tracing::debug!(target: "lambda_runtime", "a debug line");
        });
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        assert!(!text.contains("canary"), "{text}");
        assert!(text.contains("a debug line") && text.contains("in a span"), "{text}");
    }
}

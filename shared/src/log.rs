//! The log of a deployed function: one JSON object a line, on standard output, where Lambda collects it.

use tracing::Subscriber;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// The most that is ever logged, whatever `RUST_LOG` says.
///
/// At TRACE libraries write requests and answers as they went over the wire: `lambda_runtime` the whole event with its
/// API key or authorization code, the AWS SDK the answers of the store, and with one more variable those of Secrets
/// Manager too. Which library begins to do so tomorrow nobody here would notice, so no target is let through.
pub const MOST: LevelFilter = LevelFilter::DEBUG;

/// Our own code: when `RUST_LOG` does not say otherwise, it is logged from `info` on, and the rest from `warn` on.
pub const OURS: [&str; 8] =
    ["shared", "api_keys", "billing", "campaigns", "connections", "redirect_uris", "maintenance", "usage_logs"];

/// Starts logging. The level comes from `RUST_LOG` (a level, or `target=level`, separated by commas), by default
/// `info` for our own code and `warn` for the rest, and at most [`MOST`].
pub fn init() {
    let asked = std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty());
    let asked = asked.and_then(|text| text.parse().ok());
    lines(asked.unwrap_or_else(usual), std::io::stdout).init();
}

fn usual() -> Targets {
    Targets::new().with_default(LevelFilter::WARN).with_targets(OURS.map(|name| (name, LevelFilter::INFO)))
}

/// The same lines, written elsewhere: what a function logs when `RUST_LOG` does not say otherwise.
pub fn to<W>(writer: W) -> impl Subscriber + Send + Sync + 'static
where
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    lines(usual(), writer)
}

/// Time is CloudWatch's to add.
fn lines<W>(filter: Targets, writer: W) -> impl Subscriber + Send + Sync + 'static
where
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt().json().flatten_event(true).without_time().with_max_level(MOST);
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
    fn what_libraries_write_at_trace_is_never_logged_however_much_is_asked_for() {
        let written = Written::default();
        let writer = written.clone();
        let asked = "trace,lambda_runtime=trace,lambda_runtime::layers=trace,shared=trace".parse().unwrap();
        tracing::subscriber::with_default(lines(asked, move || writer.clone()), || {
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

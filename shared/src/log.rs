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
pub const OWN_CRATES: [&str; 15] = [
    "shared",
    "api_keys",
    "assistants",
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

/// Starts logging, with Lambda's own switches.
///
/// `AWS_LAMBDA_LOG_LEVEL` is the level of our code; without it, `RUST_LOG` sets the filter (a level, or `target=level`,
/// separated by commas). Both up to [`MAX_LEVEL`]. With `AWS_LAMBDA_LOG_FORMAT=JSON` a line has its time, because Lambda
/// takes a line without a valid `timestamp` for one of level INFO.
pub fn init() {
    let (level, filter) = (variable("AWS_LAMBDA_LOG_LEVEL"), variable("RUST_LOG"));
    let filter = filter_of(level.as_deref(), filter.as_deref());
    let lambda_reads_lines =
        variable("AWS_LAMBDA_LOG_FORMAT").is_some_and(|format| format.eq_ignore_ascii_case("JSON"));
    if lambda_reads_lines { timed(filter, std::io::stdout).init() } else { untimed(filter, std::io::stdout).init() }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

/// An unknown level or filter counts as unset.
fn filter_of(lambda_level: Option<&str>, rust_log: Option<&str>) -> Targets {
    let of_lambda = lambda_level.and_then(level).map(|level| with_level(level, level.min(LevelFilter::WARN)));
    let or_rust_log = || rust_log.and_then(|text| text.parse().ok());
    of_lambda.or_else(or_rust_log).unwrap_or_else(default_filter)
}

/// A level as Lambda names it. It has one above ERROR, which `tracing` lacks.
fn level(name: &str) -> Option<LevelFilter> {
    if name.eq_ignore_ascii_case("FATAL") { Some(LevelFilter::ERROR) } else { name.parse().ok() }
}

fn with_level(own: LevelFilter, others: LevelFilter) -> Targets {
    Targets::new().with_default(others).with_targets(OWN_CRATES.map(|name| (name, own)))
}

fn default_filter() -> Targets {
    with_level(LevelFilter::INFO, LevelFilter::WARN)
}

/// The log of a function under the default filter, on another writer.
pub fn to<W>(writer: W) -> impl Subscriber + Send + Sync + 'static
where
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    untimed(default_filter(), writer)
}

/// Lines without a time: CloudWatch adds it.
fn untimed<W>(filter: Targets, writer: W) -> impl Subscriber + Send + Sync + 'static
where
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt().json().flatten_event(true).without_time().with_max_level(MAX_LEVEL);
    lines.with_writer(writer).finish().with(filter)
}

/// Lines with `timestamp`, as RFC 3339 in UTC.
fn timed<W>(filter: Targets, writer: W) -> impl Subscriber + Send + Sync + 'static
where
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt().json().flatten_event(true).with_max_level(MAX_LEVEL);
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
        tracing::subscriber::with_default(untimed(filter, move || writer.clone()), || {
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

    #[test]
    fn the_level_of_lambda_is_that_of_our_code() {
        let shown = |lambda: Option<&str>, rust_log: Option<&str>| {
            let filter = filter_of(lambda, rust_log);
            let levels = [tracing::Level::ERROR, tracing::Level::WARN, tracing::Level::INFO, tracing::Level::DEBUG];
            ["shared", "hyper"].map(|target| levels.iter().filter(|level| filter.would_enable(target, level)).count())
        };
        for (lambda, rust_log, expected) in [
            (None, None, [3, 2]),
            (Some("DEBUG"), None, [4, 2]),
            (Some("info"), Some("error"), [3, 2]),
            (Some("WARN"), None, [2, 2]),
            (Some("ERROR"), None, [1, 1]),
            (Some("FATAL"), None, [1, 1]),
            (Some("loud"), Some("error"), [1, 1]),
            (None, Some("warn,shared=debug"), [4, 2]),
        ] {
            assert_eq!(shown(lambda, rust_log), expected, "{lambda:?} {rust_log:?}");
        }
    }

    #[test]
    fn a_line_that_lambda_reads_has_a_level_and_a_time() {
        let written = Written::default();
        let writer = written.clone();
        tracing::subscriber::with_default(timed(default_filter(), move || writer.clone()), || {
            tracing::error!("a failure");
        });
        let line: serde_json::Value = serde_json::from_slice(&written.0.lock().unwrap()).unwrap();
        assert_eq!(line["level"], "ERROR");
        let time: jiff::Timestamp = line["timestamp"].as_str().unwrap().parse().unwrap();
        assert!(time > jiff::Timestamp::UNIX_EPOCH, "{line}");
    }
}

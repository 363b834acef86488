//! Logging of the command line.

use shared::domain::is_hidden;
use std::io::{self, Write};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Logs to standard error, because standard output carries the result. The most verbose level is that of a function.
pub(super) fn start() {
    // The engine warns of every failed condition, and conditional writes that fail are part of normal operation.
    let default_filter =
        || format!("warn,dynoxide=error,gateway=info,sandbox=info,{}=info", shared::log::OWN_CRATES.join("=info,"));
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default_filter()));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false);
    subscriber.with_writer(|| OneLine(io::stderr())).finish().with(shared::log::MAX_LEVEL).init();
}

/// Writes each event as one line. Escapes control characters, so that text from a caller cannot start a new line, hide
/// text or send terminal commands. So the log has no colors either. The subscriber writes each event at once.
struct OneLine<W>(W);

impl<W: Write> Write for OneLine<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event.strip_suffix(b"\n").unwrap_or(event));
        let shown = text.chars().flat_map(|c| {
            let is_unseen = c.is_control() || is_hidden(c);
            let escaped = is_unseen.then(|| c.escape_default()).into_iter().flatten();
            escaped.chain((!is_unseen).then_some(c))
        });
        let line: String = shown.chain(['\n']).collect();
        self.0.write_all(line.as_bytes()).map(|()| event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn a_text_of_a_caller_begins_no_line_and_controls_no_terminal() {
        let written = Written::default();
        let writer = written.clone();
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || OneLine(writer.clone()));
        tracing::subscriber::with_default(subscriber.finish(), || {
            let sent = "conn_1\n2026-11-28T00:00:00Z  INFO gateway: all is well\r\u{1b}[2J\u{9b}1m";
            tracing::warn!(connection_id = sent, error = %sent, "There is no such connection: {sent}");
        });
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text.matches('\n').count(), 1, "{text:?}");
        assert!(text.ends_with('\n') && !text.contains(['\r', '\u{1b}', '\u{9b}']), "{text:?}");
    }
}

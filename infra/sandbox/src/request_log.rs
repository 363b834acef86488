//! The log of requests that the platforms received.

use crate::http::Request;
use serde_json::{Value, json};
use std::collections::VecDeque;

/// Maximum number of logged requests, and maximum total size of their bodies.
const MAX_REQUESTS: usize = 10_000;
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The latest requests, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestLog {
    entries: VecDeque<(&'static str, Request)>,
    bytes: usize,
}

impl RequestLog {
    pub(crate) fn add(&mut self, service: &'static str, request: Request) {
        self.bytes += request.body.len();
        self.entries.push_back((service, request));
        while self.entries.len() > MAX_REQUESTS || self.bytes > MAX_BYTES {
            let Some((_, oldest)) = self.entries.pop_front() else { return };
            self.bytes -= oldest.body.len();
        }
    }

    /// Requests to one service, or all, for `GET /_sandbox/requests`. Nothing is redacted: the sandbox holds no real
    /// secrets, and tests search the log for leaks.
    pub(crate) fn json(&self, service: Option<&str>) -> Value {
        let entries = self.entries.iter().filter(|(receiver, _)| service.is_none_or(|name| name == *receiver));
        let rows = entries.map(|(receiver, request)| {
            json!({
                "platform": receiver,
                "method": request.method,
                "path": request.path,
                "query": request.query,
                "headers": request.headers,
                "body": request.body,
            })
        });
        json!({ "requests": rows.collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_requests_are_dropped_first() {
        let mut log = RequestLog::default();
        for number in 0..=MAX_REQUESTS {
            log.add("alpha_ads", Request { body: number.to_string(), ..Request::default() });
        }
        let shown = log.json(Some("alpha_ads"));
        assert_eq!(shown["requests"].as_array().map(Vec::len), Some(MAX_REQUESTS));
        assert_eq!(shown["requests"][0]["body"], "1");
        assert_eq!(log.json(Some("beta_ads"))["requests"], json!([]));
    }
}

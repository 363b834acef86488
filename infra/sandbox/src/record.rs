//! The record of every request that a platform received.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::http::Request;

/// So many requests are remembered, and so many bytes of their bodies.
const REQUESTS: usize = 10_000;
const BYTES: usize = 64 * 1024 * 1024;

/// The latest requests, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Record {
    entries: VecDeque<(&'static str, Request)>,
    bytes: usize,
}

impl Record {
    pub(crate) fn add(&mut self, platform: &'static str, request: Request) {
        self.bytes += request.body.len();
        self.entries.push_back((platform, request));
        while self.entries.len() > REQUESTS || self.bytes > BYTES {
            let Some((_, oldest)) = self.entries.pop_front() else { return };
            self.bytes -= oldest.body.len();
        }
    }

    /// As the control address shows it: one platform's requests, or all. Nothing is redacted;
    /// there is nothing here that is worth a secret's care, and tests look for leaks in it.
    pub(crate) fn show(&self, platform: Option<&str>) -> Value {
        let wanted = self.entries.iter().filter(|(of, _)| platform.is_none_or(|word| word == *of));
        let shown = wanted.map(|(platform, request)| {
            json!({
                "platform": platform,
                "method": request.method,
                "path": request.path,
                "query": request.query,
                "headers": request.headers,
                "body": request.body,
            })
        });
        json!({ "requests": shown.collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_requests_are_forgotten_first() {
        let mut record = Record::default();
        for number in 0..=REQUESTS {
            record.add("alpha_ads", Request { body: number.to_string(), ..Request::default() });
        }
        let shown = record.show(Some("alpha_ads"));
        assert_eq!(shown["requests"].as_array().map(Vec::len), Some(REQUESTS));
        assert_eq!(shown["requests"][0]["body"], "1");
        assert_eq!(record.show(Some("beta_ads"))["requests"], json!([]));
    }
}

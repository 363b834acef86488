//! Where the time of a request went, for who waited.

use crate::timing::{Timing, millis};
use http::{HeaderName, HeaderValue};
use lambda_http::{Body, Response};

/// W3C Server Timing: durations in milliseconds, each only where there is one.
const HEADER: HeaderName = HeaderName::from_static("server-timing");

/// Adds it to a response.
pub fn add_timing(response: &mut Response<Body>, timing: &Timing) {
    let Timing { total, store, platform, payments, own } = *timing;
    let parts =
        [("total", Some(total)), ("store", store), ("platform", platform), ("payments", payments), ("own", Some(own))];
    let parts: Vec<String> =
        parts.iter().filter_map(|(name, time)| Some(format!("{name};dur={}", millis((*time)?)))).collect();
    if let Ok(value) = HeaderValue::from_str(&parts.join(", ")) {
        response.headers_mut().insert(HEADER, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_was_not_waited_for_is_not_named() {
        let mut response = Response::new(Body::Empty);
        let us = Duration::from_micros;
        add_timing(
            &mut response,
            &Timing { total: us(12_340), store: Some(us(2_001)), platform: None, payments: None, own: us(10_339) },
        );
        assert_eq!(response.headers()[HEADER], "total;dur=12.34, store;dur=2.001, own;dur=10.339");
    }
}

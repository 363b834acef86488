//! The `Server-Timing` header: the time that the parts of a request took.

use crate::timing::{Timing, millis};
use http::{HeaderName, HeaderValue};
use lambda_http::{Body, Response};

/// W3C Server Timing: durations in milliseconds.
const HEADER: HeaderName = HeaderName::from_static("server-timing");

/// Adds the header. Without a valid key it contains `total` only: the time of a store look-up could reveal whether a
/// customer exists.
pub fn add_timing(response: &mut Response<Body>, timing: &Timing, is_customer: bool) {
    let Timing { total, store, platform, payments, own } = *timing;
    let parts =
        [("total", Some(total)), ("store", store), ("platform", platform), ("payments", payments), ("own", Some(own))];
    let count = if is_customer { parts.len() } else { 1 };
    let parts: Vec<String> =
        parts.iter().take(count).filter_map(|(name, time)| Some(format!("{name};dur={}", millis((*time)?)))).collect();
    if let Ok(value) = HeaderValue::from_str(&parts.join(", ")) {
        response.headers_mut().insert(HEADER, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn header(is_customer: bool) -> String {
        let mut response = Response::new(Body::Empty);
        let us = Duration::from_micros;
        let store = Some(us(2_001));
        let platform = None;
        let payments = None;
        let timing = Timing { total: us(12_340), store, platform, payments, own: us(10_339) };
        add_timing(&mut response, &timing, is_customer);
        response.headers()[HEADER].to_str().unwrap().to_owned()
    }

    #[test]
    fn absent_parts_are_omitted_and_without_a_valid_key_only_total_stays() {
        assert_eq!(header(true), "total;dur=12.34, store;dur=2.001, own;dur=10.339");
        assert_eq!(header(false), "total;dur=12.34");
    }
}

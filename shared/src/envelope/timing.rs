//! Where the time of a request went, for who waited.

use crate::timing::{Timing, millis};
use http::{HeaderName, HeaderValue};
use lambda_http::{Body, Response};

/// W3C Server Timing: durations in milliseconds, each only where there is one.
const HEADER: HeaderName = HeaderName::from_static("server-timing");

/// Adds it to a response. Who has shown no right key learns nothing that the clock on the wall does not tell: not how
/// long it took to look for what a customer has.
pub fn add_timing(response: &mut Response<Body>, timing: &Timing, is_customer: bool) {
    let Timing { total, store, platform, payments, own } = *timing;
    let parts =
        [("total", Some(total)), ("store", store), ("platform", platform), ("payments", payments), ("own", Some(own))];
    let shown = if is_customer { parts.len() } else { 1 };
    let parts: Vec<String> =
        parts.iter().take(shown).filter_map(|(name, time)| Some(format!("{name};dur={}", millis((*time)?)))).collect();
    if let Ok(value) = HeaderValue::from_str(&parts.join(", ")) {
        response.headers_mut().insert(HEADER, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn shown(is_customer: bool) -> String {
        let mut response = Response::new(Body::Empty);
        let us = Duration::from_micros;
        let (store, platform, payments) = (Some(us(2_001)), None, None);
        let timing = Timing { total: us(12_340), store, platform, payments, own: us(10_339) };
        add_timing(&mut response, &timing, is_customer);
        response.headers()[HEADER].to_str().unwrap().to_owned()
    }

    #[test]
    fn what_was_not_waited_for_is_not_named_and_a_stranger_is_told_the_whole_only() {
        assert_eq!(shown(true), "total;dur=12.34, store;dur=2.001, own;dur=10.339");
        assert_eq!(shown(false), "total;dur=12.34");
    }
}

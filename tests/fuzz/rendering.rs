//! Checks of rendered responses: JSON in both shapes, and no secret.

use jiff::Timestamp;
use lambda_http::{Body, Response};
use serde_json::Value;
use shared::envelope::{RenderContext, Reply, Shape, render};
use shared::error::Error;
use uuid::Uuid;

/// Renders an outcome in both shapes: the result is JSON, with the status of its code.
pub(super) fn both_shapes(outcome: &Result<Reply, Error>) {
    for shape in [Shape::Flat, Shape::Enveloped] {
        let request_id = Uuid::nil();
        let now = Timestamp::UNIX_EPOCH;
        let response = render(
            outcome,
            &RenderContext {
                request_id,
                shape,
                has_two_shapes: true,
                is_of_sign_in: false,
                now,
                is_https: true,
                public_base: None,
                allowance: None,
            },
        );
        assert_eq!(response.status().is_success(), outcome.is_ok(), "{response:?}");
        json(&response);
    }
}

/// The body of a response, which is JSON.
pub(super) fn json(response: &Response<Body>) -> Value {
    serde_json::from_slice(response.body())
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(response.body())))
}

/// The significant digits of an amount: those of 0.0125 and of 12500 are 125.
pub(super) fn digits(amount: &str) -> String {
    let digits: String = amount.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0').trim_end_matches('0');
    if digits.is_empty() { "0".to_owned() } else { digits.to_owned() }
}

/// The texts of an error contain none of these.
pub(super) fn no_secret(error: &Error, secrets: &[&str]) {
    let Error { message, details, platform_error, .. } = error;
    let told = format!("{message} {details:?} {platform_error:?}");
    for secret in secrets {
        assert!(!told.contains(secret), "{secret} stands in {told}");
    }
}

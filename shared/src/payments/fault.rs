//! What an answer of the provider means, and whether to ask again.

use super::Failed;
use super::wire::{ErrorBody, Refusal};
use crate::error::{Error, Kind};
use crate::outbound::{Answer, Failure};
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use std::time::Duration;

/// How long to wait for a provider that throttles and does not say.
const THROTTLE: Duration = Duration::from_secs(1);

/// What to do with an answer.
#[derive(Debug)]
pub(super) enum Verdict {
    /// It is one.
    Answered(Bytes),
    /// The same call may help, with the same key; if it does not, this is what to say.
    Again(Failed),
    /// Nothing will help.
    Final(Failed),
}

/// Judges an answer by the rule of the provider's own libraries: `Stripe-Should-Retry` decides, else no answer, 409
/// and everything from 500 on are worth another attempt.
pub(super) fn judge(outcome: Result<Answer, Failure>) -> Verdict {
    let answer = match outcome {
        Ok(answer) if answer.status.is_success() => return Verdict::Answered(answer.body),
        Ok(answer) => answer,
        Err(failure) => return Verdict::Again(Failed { error: no_answer(failure), keeps: false }),
    };
    let (status, says) = (answer.status, |name| header(&answer.headers, name));
    // What a key has kept comes again however often one asks.
    let is_replay = says("idempotent-replayed") == Some("true");
    let again = match says("stripe-should-retry") {
        _ if is_replay => false,
        Some("true") => true,
        Some("false") => false,
        _ => status == StatusCode::CONFLICT || status.is_server_error(),
    };
    let refusal = serde_json::from_slice::<ErrorBody>(&answer.body).ok().map(|body| body.error);
    let of_another = refusal.as_ref().is_some_and(|refusal| refusal.kind == "idempotency_error");
    let keeps = status.is_server_error() || (of_another && status != StatusCode::CONFLICT);
    let failed = Failed { error: refused(status, &answer.headers, refusal), keeps };
    if again { Verdict::Again(failed) } else { Verdict::Final(failed) }
}

fn no_answer(failure: Failure) -> Error {
    let (kind, message) = match failure {
        Failure::TimedOut => {
            (Kind::PlatformTimeout, "The payment provider did not answer in time. Nothing was charged; try again.")
        }
        Failure::NotSent | Failure::Broken => {
            (Kind::PlatformFailed, "The payment provider could not be reached. Nothing was charged; try again.")
        }
    };
    Error::new(kind, message).retryable().caused_by(failure)
}

fn refused(status: StatusCode, headers: &HeaderMap, refusal: Option<Refusal>) -> Error {
    let code = refusal.as_ref().and_then(|refusal| refusal.code.as_deref());
    let error = match status {
        StatusCode::TOO_MANY_REQUESTS => throttled(headers),
        StatusCode::BAD_REQUEST if code == Some("rate_limit") => throttled(headers),
        StatusCode::NOT_FOUND => Error::not_found("thing at the payment provider"),
        // Another attempt at the same is under way there.
        status if status.is_server_error() || status == StatusCode::CONFLICT => {
            Error::new(Kind::PlatformFailed, "The payment provider failed. Nothing was charged; try again.").retryable()
        }
        // Our key, our price or our request: nothing that a caller could put right.
        _ => {
            let message = "The payment provider refused our request, which is our fault. Nothing was charged; ask the \
                           operator of this service.";
            Error::new(Kind::PlatformFailed, message)
        }
    };
    let id = header(headers, "request-id").unwrap_or_default();
    let param = refusal.as_ref().and_then(|refusal| refusal.param.as_deref());
    let kind = refusal.as_ref().map(|refusal| refusal.kind.as_str());
    error.caused_by(format!("{status} type {kind:?} code {code:?} param {param:?} request {id}"))
}

fn throttled(headers: &HeaderMap) -> Error {
    let seconds = header(headers, "retry-after").and_then(|text| text.parse().ok());
    let wait = seconds.map_or(THROTTLE, Duration::from_secs);
    let message = "The payment provider takes no more requests at the moment: try again later.";
    Error::new(Kind::RateLimited, message).retryable().retry_after(wait)
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{HeaderName, HeaderValue};

    fn answer(status: u16, headers: &[(&'static str, &'static str)], body: &'static str) -> Verdict {
        let header = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        let headers = headers.iter().map(header).collect();
        let status = StatusCode::from_u16(status).unwrap();
        judge(Ok(Answer { status, headers, body: Bytes::from_static(body.as_bytes()) }))
    }

    fn is_tried_again(verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::Again(_))
    }

    fn failed(verdict: Verdict) -> Failed {
        match verdict {
            Verdict::Again(failed) | Verdict::Final(failed) => failed,
            Verdict::Answered(_) => panic!("an answer"),
        }
    }

    #[test]
    fn the_provider_decides_what_is_tried_again_and_else_the_status() {
        for (status, again) in [(400, false), (401, false), (402, false), (404, false), (409, true), (429, false)] {
            assert_eq!(is_tried_again(&answer(status, &[], "{}")), again, "{status}");
            assert!(is_tried_again(&answer(status, &[("stripe-should-retry", "true")], "{}")), "{status}");
        }
        for status in [500, 502, 503] {
            assert!(is_tried_again(&answer(status, &[], "<html>")), "{status}");
            assert!(!is_tried_again(&answer(status, &[("stripe-should-retry", "false")], "{}")), "{status}");
            assert!(!is_tried_again(&answer(status, &[("idempotent-replayed", "true")], "{}")), "{status}");
        }
        for failure in [Failure::NotSent, Failure::TimedOut, Failure::Broken] {
            assert!(is_tried_again(&judge(Err(failure))));
        }
    }

    #[test]
    fn only_an_executed_failure_stays_under_its_key() {
        let other = r#"{"error":{"type":"idempotency_error","message":"other parameters"}}"#;
        let in_use = r#"{"error":{"type":"idempotency_error","code":"idempotency_key_in_use","message":"busy"}}"#;
        assert!(failed(answer(500, &[], "{}")).keeps);
        assert!(failed(answer(400, &[], other)).keeps);
        assert!(!failed(answer(409, &[], in_use)).keeps);
        assert!(!failed(answer(400, &[], "{}")).keeps);
        assert!(!failed(judge(Err(Failure::TimedOut))).keeps);
    }

    #[test]
    fn what_the_provider_says_never_reaches_the_caller() {
        let body = r#"{"error":{"type":"invalid_request_error","message":"Invalid API Key provided: sk_test_x"}}"#;
        for status in [400, 401, 403, 404, 429, 500] {
            let error = failed(answer(status, &[("request-id", "req_1")], body)).error;
            let told = format!("{} {:?}", error.message, error.source);
            assert!(!told.contains("sk_test") && told.contains("req_1"), "{told}");
        }
    }

    #[test]
    fn a_refusal_of_our_own_making_is_502_and_not_worth_a_retry() {
        let error = failed(answer(401, &[], "{}")).error;
        assert_eq!((error.kind, error.retryable, error.platform), (Kind::PlatformFailed, false, None));
        let error = failed(answer(429, &[("retry-after", "7")], "{}")).error;
        assert_eq!((error.kind, error.retry_after), (Kind::RateLimited, Some(Duration::from_secs(7))));
        assert_eq!(failed(judge(Err(Failure::TimedOut))).error.kind, Kind::PlatformTimeout);
    }
}

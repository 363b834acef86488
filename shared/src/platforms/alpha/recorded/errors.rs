//! Refusals of the Google Ads API.

use super::body;
use crate::error::Kind;
use crate::outbound::OutboundResponse;
use crate::platforms::alpha::error::error_of;
use http::{HeaderMap, StatusCode};

pub(super) const REPLAYED: &[&str] = &[TEST_TOKEN, PROHIBITED, QUOTA, UNAUTHENTICATED, DISABLED];

/// In an array, because it was the response to `searchStream`.
pub(super) const TEST_TOKEN: &str = "error-developer-token-not-approved.json";
const PROHIBITED: &str = "error-developer-token-prohibited.json";
const QUOTA: &str = "error-quota-developer.json";
const UNAUTHENTICATED: &str = "error-unauthenticated-plain.json";
const DISABLED: &str = "error-service-disabled.json";

/// A recorded error, and its meaning: kind, code, seconds to wait, part of the message.
struct Replay {
    name: &'static str,
    status: u16,
    kind: Kind,
    code: &'static str,
    wait: Option<u64>,
    message: &'static str,
}

const REPLAYS: [Replay; 5] = [
    Replay {
        name: TEST_TOKEN,
        status: 403,
        kind: Kind::Forbidden,
        code: "authorizationError.DEVELOPER_TOKEN_NOT_APPROVED",
        wait: None,
        message: "its operator has to look into it",
    },
    Replay {
        name: PROHIBITED,
        status: 403,
        kind: Kind::Forbidden,
        code: "authorizationError.DEVELOPER_TOKEN_PROHIBITED",
        wait: None,
        message: "its operator has to look into it",
    },
    Replay {
        name: QUOTA,
        status: 429,
        kind: Kind::RateLimited,
        code: "quotaError.RESOURCE_EXHAUSTED",
        wait: Some(40_591),
        message: "all calls of this service",
    },
    Replay {
        name: UNAUTHENTICATED,
        status: 401,
        kind: Kind::TokenExpired,
        code: "UNAUTHENTICATED",
        wait: None,
        message: "authorize the account again",
    },
    Replay {
        name: DISABLED,
        status: 403,
        kind: Kind::Forbidden,
        code: "SERVICE_DISABLED",
        wait: None,
        message: "Contact the operator of this service",
    },
];

#[test]
fn every_recorded_error_has_its_meaning() {
    for replay in REPLAYS {
        let name = replay.name;
        let status = StatusCode::from_u16(replay.status).unwrap();
        let error = error_of(&OutboundResponse { status, headers: HeaderMap::new(), body: body(name).into() });
        assert_eq!((error.kind, error.retryable), (replay.kind, replay.kind == Kind::RateLimited), "{name}");
        assert!(error.message.contains(replay.message), "{name}: {}", error.message);
        assert_eq!(error.retry_after.map(|wait| wait.as_secs()), replay.wait, "{name}");
        let reported = error.platform_error.unwrap();
        assert_eq!((reported.code.as_deref(), reported.field), (Some(replay.code), None), "{name}");
        assert!(!reported.message.is_empty(), "{name}");
    }
}

#[test]
fn a_quota_of_the_service_is_told_in_the_platforms_words() {
    let status = StatusCode::TOO_MANY_REQUESTS;
    let error = error_of(&OutboundResponse { status, headers: HeaderMap::new(), body: body(QUOTA).into() });
    assert!(error.message.to_string().ends_with("Too many requests. Retry in 40591 seconds."), "{}", error.message);
}

//! Answers of the token endpoint.

use super::{account, body};
use crate::domain::Platform;
use crate::error::Kind;
use crate::platforms::AdPlatform;
use crate::platforms::alpha::Alpha;
use crate::platforms::fake::Fake;

pub(super) const REPLAYED: &[&str] =
    &["token-expired-or-revoked.json", "token-bad-request.json", "token-client-unknown.json", "token-page.html"];

#[tokio::test]
async fn every_recorded_token_refusal_has_its_meaning() {
    let meanings = [
        (400, Kind::TokenExpired, false, Some("invalid_grant")),
        (400, Kind::TokenExpired, false, Some("invalid_grant")),
        (401, Kind::Forbidden, false, Some("invalid_client")),
        (400, Kind::PlatformFailed, true, None),
    ];
    for (name, (status, kind, retryable, code)) in REPLAYED.iter().zip(meanings) {
        let fake = Fake::answering(vec![(status, body(name))]);
        let call = fake.session_of(Platform::Alpha, account("1")).call;
        let error = Alpha.refresh(&call, &"refresh-me".into()).await.unwrap_err();
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{name}");
        assert_eq!(error.platform_error.and_then(|reported| reported.code).as_deref(), code, "{name}");
    }
}

//! ID tokens: Core 1.0, section 2, and the mistakes that tests order.

use super::keys::KeyError;
use super::state::{Authentication, Oidc};
use super::{CLIENT, subject};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde_json::{Value, json};

/// Lifetime of a token in seconds.
const LIFETIME_S: i64 = 3_600;

/// A mistake of every ID token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// `aud` names another client.
    WrongAud,
    /// `iss` names another issuer.
    WrongIss,
    /// `nonce` is not the one of the request.
    WrongNonce,
    /// The token ended an hour ago.
    Expired,
    /// The header says `none`, and there is no signature.
    AlgNone,
    /// The person signed in a day ago.
    OldAuthTime,
}

impl Fault {
    /// Every fault with its name at the control address.
    pub(super) const ALL: [(&'static str, Fault); 6] = [
        ("wrong_aud", Fault::WrongAud),
        ("wrong_iss", Fault::WrongIss),
        ("wrong_nonce", Fault::WrongNonce),
        ("expired", Fault::Expired),
        ("alg_none", Fault::AlgNone),
        ("old_auth_time", Fault::OldAuthTime),
    ];
}

/// Makes the ID token of a sign-in.
pub(super) fn issue(
    oidc: &mut Oidc,
    issuer: &str,
    authentication: &Authentication,
    now: Timestamp,
) -> Result<String, KeyError> {
    let fault = oidc.fault;
    let claims = encode(&claims(issuer, authentication, now, fault));
    if fault == Some(Fault::AlgNone) {
        return Ok(format!("{}.{claims}.", encode(&json!({ "alg": "none" }))));
    }
    oidc.keys.sign(|kid| format!("{}.{claims}", encode(&json!({ "alg": "ES256", "typ": "JWT", "kid": kid }))))
}

fn claims(issuer: &str, authentication: &Authentication, now: Timestamp, fault: Option<Fault>) -> Value {
    let is = |other: Fault| fault == Some(other);
    let issued = now.as_second() - if is(Fault::Expired) { 2 * LIFETIME_S } else { 0 };
    let auth_time = authentication.at.as_second() - if is(Fault::OldAuthTime) { 24 * LIFETIME_S } else { 0 };
    let mut claims = json!({
        "iss": if is(Fault::WrongIss) { "https://issuer.example" } else { issuer },
        "sub": subject(&authentication.email),
        "aud": if is(Fault::WrongAud) { "another-client" } else { CLIENT.id },
        "iat": issued,
        "exp": issued + LIFETIME_S,
        "auth_time": auth_time,
        "email": authentication.email,
        "email_verified": true,
    });
    if let Some(nonce) = &authentication.nonce {
        claims["nonce"] = json!(if is(Fault::WrongNonce) { "another-nonce" } else { nonce });
    }
    claims
}

fn encode(part: &Value) -> String {
    URL_SAFE_NO_PAD.encode(part.to_string())
}

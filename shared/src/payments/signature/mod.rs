//! Verifies the signature of a webhook, the header `Stripe-Signature`: `t=1700000000,v1=5257a869…`.
//!
//! The signature is an HMAC of the time, a dot and the raw body. The key is the whole secret, including `whsec_`.
//! <https://docs.stripe.com/webhooks#verify-manually>

use ring::hmac;
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

/// The name of the header.
pub const HEADER: &str = "stripe-signature";
/// Maximum difference between the time of a signature and ours, in seconds.
const TOLERANCE_S: u64 = 300;
/// Length of a signature in bytes.
const LENGTH: usize = 32;
/// Maximum length of the header in bytes.
const MAX_HEADER_LENGTH: usize = 1_024;
/// Maximum number of `v1` signatures. Stripe sends one for each active secret of the endpoint: two while one is rolled.
const MAX_SIGNATURES: usize = 8;

/// The reason why a signature is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignatureError {
    Malformed,
    /// No secret matches any of its signatures.
    Mismatch,
    /// It was signed too long ago, or in the future.
    OutsideTolerance,
}

impl std::fmt::Display for SignatureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            SignatureError::Malformed => {
                "must be sent once, as the payment provider writes it: t=TIME,v1=SIGNATURE, with at most 8 signatures"
            }
            SignatureError::Mismatch => "does not match the body under any signing secret of the endpoint",
            SignatureError::OutsideTolerance => "has a time more than 5 minutes from now",
        })
    }
}

/// Verifies the header for a raw body, at `now` in seconds since 1970. While a secret is rolled there are several
/// signatures and several secrets; one match is enough.
///
/// Anyone can send a header, so the body is hashed once for each secret, however many signatures there are, and only
/// for a time that can be valid.
pub(super) fn verify(secrets: &[SecretString], header: &str, body: &[u8], now: i64) -> Result<(), SignatureError> {
    verify_with(secrets, header, now, |secret, time| sign(secret, time, body))
}

fn verify_with(
    secrets: &[SecretString],
    header: &str,
    now: i64,
    mut sign: impl FnMut(&[u8], &str) -> hmac::Tag,
) -> Result<(), SignatureError> {
    let Header { time, signatures } = Header::read(header).ok_or(SignatureError::Malformed)?;
    let at: i64 = time.parse().map_err(|_| SignatureError::Malformed)?;
    if now.abs_diff(at) > TOLERANCE_S {
        return Err(SignatureError::OutsideTolerance);
    }
    let matches = |secret: &SecretString| {
        let secret = secret.expose_secret().as_bytes();
        if secret.is_empty() {
            return false;
        }
        let expected = sign(secret, time);
        signatures.iter().any(|signature| bool::from(expected.as_ref().ct_eq(signature)))
    };
    if secrets.iter().any(matches) { Ok(()) } else { Err(SignatureError::Mismatch) }
}

fn sign(secret: &[u8], time: &str, body: &[u8]) -> hmac::Tag {
    let mut context = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, secret));
    for part in [time.as_bytes(), b".", body] {
        context.update(part);
    }
    context.sign()
}

struct Header<'a> {
    /// Verbatim, as it was signed.
    time: &'a str,
    signatures: Vec<[u8; LENGTH]>,
}

impl<'a> Header<'a> {
    /// Ignores schemes other than `v1`.
    fn read(header: &'a str) -> Option<Header<'a>> {
        if header.len() > MAX_HEADER_LENGTH {
            return None;
        }
        let mut time = None;
        let mut signatures = Vec::new();
        for part in header.split(',') {
            match part.split_once('=')? {
                ("t", value) if time.is_none() && is_digits(value) => time = Some(value),
                ("t", _) => return None,
                ("v1", value) => signatures.push(decode_hex(value)?),
                _ => {}
            }
        }
        (1..=MAX_SIGNATURES).contains(&signatures.len()).then_some(Header { time: time?, signatures })
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Decodes lowercase hex, as Stripe writes it.
fn decode_hex(text: &str) -> Option<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    let is_lowercase = !text.bytes().any(|byte| byte.is_ascii_uppercase());
    (is_lowercase && hex::decode_to_slice(text, &mut bytes).is_ok()).then_some(bytes)
}

#[cfg(test)]
mod tests;

//! Whether a webhook is the provider's: the header `Stripe-Signature`, `t=1700000000,v1=5257a869…`.
//!
//! Signed is the time, a dot and the body as it came; the key is the whole secret, its `whsec_` included.
//! <https://docs.stripe.com/webhooks#verify-manually>

use ring::hmac;
use secrecy::{ExposeSecret, SecretString};

/// The header's name.
pub const HEADER: &str = "stripe-signature";
/// How far the time of a signature may be from ours, either way, in seconds.
const TOLERANCE_S: u64 = 300;
/// Bytes of a signature.
const LENGTH: usize = 32;

/// Why a webhook is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The header is not of its form.
    Malformed,
    /// No secret makes any of its signatures.
    Mismatch,
    /// It was signed too long ago, or in the future.
    Untimely,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Refused::Malformed => "is missing or malformed",
            Refused::Mismatch => "is not of one of the endpoint's signing secrets over this body",
            Refused::Untimely => "is more than 5 minutes from now",
        })
    }
}

/// Verifies the header over a body as it came, at `now` in seconds since 1970. While a secret is rolled there are
/// several signatures and several secrets; one match is enough.
pub fn verify(secrets: &[SecretString], header: &str, body: &[u8], now: i64) -> Result<(), Refused> {
    let Header { time, signatures } = Header::read(header).ok_or(Refused::Malformed)?;
    let at: i64 = time.parse().map_err(|_| Refused::Malformed)?;
    let signed = [time.as_bytes(), b".", body].concat();
    let is_made_by = |secret: &SecretString| {
        let secret = secret.expose_secret().as_bytes();
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
        // The comparison takes as long for a near miss as for a far one.
        !secret.is_empty() && signatures.iter().any(|signature| hmac::verify(&key, &signed, signature).is_ok())
    };
    if !secrets.iter().any(is_made_by) {
        return Err(Refused::Mismatch);
    }
    if now.abs_diff(at) > TOLERANCE_S { Err(Refused::Untimely) } else { Ok(()) }
}

struct Header<'a> {
    /// As written, because so it was signed.
    time: &'a str,
    signatures: Vec<[u8; LENGTH]>,
}

impl<'a> Header<'a> {
    /// Schemes other than `v1` are let be.
    fn read(header: &'a str) -> Option<Header<'a>> {
        let (mut time, mut signatures) = (None, Vec::new());
        for part in header.split(',') {
            match part.split_once('=')? {
                ("t", value) if time.is_none() && is_digits(value) => time = Some(value),
                ("t", _) => return None,
                ("v1", value) => signatures.push(decode_hex(value)?),
                _ => {}
            }
        }
        (!signatures.is_empty()).then_some(Header { time: time?, signatures })
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

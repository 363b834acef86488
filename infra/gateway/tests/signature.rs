//! The signature of a delivery, verified by the specification of Standard Webhooks, without the code of the service.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::hmac::{HMAC_SHA256, Key, verify};

/// Whether a delivery with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` is signed by a secret.
pub(crate) fn is_signed_by(secret: &str, [id, timestamp, signature]: [&str; 3], body: &[u8]) -> bool {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let tag = STANDARD.decode(signature.strip_prefix("v1,").unwrap()).unwrap();
    let signed = [format!("{id}.{timestamp}.").as_bytes(), body].concat();
    verify(&Key::new(HMAC_SHA256, &key), &signed, &tag).is_ok()
}

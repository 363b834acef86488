//! The headers of a delivery, by the specification of Standard Webhooks
//! (<https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>).

use crate::domain::{EventId, WebhookSecret};
use crate::error::Error;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};
use jiff::Timestamp;
use ring::hmac::{HMAC_SHA256, Key, sign};

/// The headers of an attempt. The signature has a part for each secret, newest first.
pub fn signed_headers(
    secrets: &[WebhookSecret],
    event: EventId,
    at: Timestamp,
    payload: &[u8],
) -> Result<HeaderMap, Error> {
    let (id, seconds) = (event.to_string(), at.as_second().to_string());
    let signed = [id.as_bytes(), b".", seconds.as_bytes(), b".", payload].concat();
    let mut parts = Vec::new();
    for secret in secrets {
        let key = secret.key().ok_or_else(|| Error::internal("the secret of a webhook endpoint is malformed"))?;
        let tag = sign(&Key::new(HMAC_SHA256, &key), &signed);
        parts.push(format!("v1,{}", STANDARD.encode(tag)));
    }
    let value = |text: &str| HeaderValue::from_str(text).map_err(Error::internal);
    Ok(HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (http::HeaderName::from_static("webhook-id"), value(&id)?),
        (http::HeaderName::from_static("webhook-timestamp"), value(&seconds)?),
        (http::HeaderName::from_static("webhook-signature"), value(&parts.join(" "))?),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tags are those of `printf 'evt_….1600000000.{}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:00…00 -binary`
    /// in Base64.
    #[test]
    fn each_secret_signs_the_id_the_time_and_the_payload() {
        let event = EventId::parse("evt_01a230d51280a1b2c3d4e5f60718293a").unwrap();
        let at = Timestamp::from_second(1_600_000_000).unwrap();
        let secrets = [WebhookSecret::from_key([0; 32]), WebhookSecret::from_key([1; 32])];
        let headers = signed_headers(&secrets, event, at, b"{}").unwrap();
        let text = |name: &str| headers[name].to_str().unwrap();
        assert_eq!(text("webhook-id"), event.to_string());
        assert_eq!(text("webhook-timestamp"), "1600000000");
        let parts: Vec<&str> = text("webhook-signature").split(' ').collect();
        let expected =
            ["v1,qABSv1YNrpQFKmCC19JpH3/QKuVRsvyDF/d/i+RAovg=", "v1,iuF1Vlt9vUEBARO3CVPuoS7rbv3vabWUdmwkgUZbXF4="];
        assert_eq!(parts, expected);
    }
}

//! The `Stripe-Signature` header.
//!
//! Verify webhook signatures manually: HMAC-SHA256 over the time, a dot and the body. The key is the whole secret,
//! `whsec_` included.

use ring::hmac;

/// The header for a body sent at `now`, with one `v1` per secret.
pub(super) fn header(secrets: &[String], now: i64, body: &str) -> String {
    let signed = format!("{now}.{body}");
    let mut header = format!("t={now}");
    for secret in secrets {
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        header.push_str(",v1=");
        header.push_str(&hex::encode(hmac::sign(&key, signed.as_bytes())));
    }
    header
}

#[cfg(test)]
mod tests {
    use super::header;

    #[test]
    fn the_whole_secret_signs_time_dot_body() {
        // printf '1700000000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_one
        let one = "401fbbceeb3818dc562ff77127ba1c62e47e24c9c6cde4d7a6eba85e32dbd058";
        let secrets = ["whsec_one".to_owned(), "whsec_two".to_owned()];
        let body = "{\"id\":\"evt_1\"}";
        assert_eq!(header(&secrets[..1], 1_700_000_000, body), format!("t=1700000000,v1={one}"));
        let both = header(&secrets, 1_700_000_000, body);
        assert!(both.starts_with(&format!("t=1700000000,v1={one},v1=")), "{both}");
    }
}

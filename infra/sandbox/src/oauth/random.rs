//! Random text for codes and tokens.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

/// 43 URL-safe characters with 244 random bits.
pub(crate) fn random_token() -> String {
    let mut bytes = Uuid::new_v4().as_bytes().to_vec();
    bytes.extend_from_slice(Uuid::new_v4().as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::random_token;

    #[test]
    fn random_tokens_differ_and_have_43_characters() {
        let token = random_token();
        assert_eq!(token.len(), 43);
        assert_ne!(token, random_token());
    }
}

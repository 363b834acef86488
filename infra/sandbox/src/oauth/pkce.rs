//! Proof Key for Code Exchange, RFC 7636, method S256.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest;

/// True if a text is a well-formed S256 challenge: 32 bytes in base64url without padding.
pub(crate) fn is_challenge(challenge: &str) -> bool {
    URL_SAFE_NO_PAD.decode(challenge).is_ok_and(|bytes| bytes.len() == 32)
}

/// True if the verifier is well-formed (section 4.1) and hashes to the challenge (section 4.6).
pub(crate) fn verifies(verifier: &str, challenge: &str) -> bool {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let is_well_formed = (43..=128).contains(&verifier.len()) && verifier.bytes().all(is_unreserved);
    let hash = digest::digest(&digest::SHA256, verifier.as_bytes());
    is_well_formed && URL_SAFE_NO_PAD.encode(hash) == challenge
}

#[cfg(test)]
mod tests {
    use super::*;

    // The example of RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_example_of_the_rfc_verifies() {
        assert!(is_challenge(CHALLENGE));
        assert!(verifies(VERIFIER, CHALLENGE));
    }

    #[test]
    fn another_verifier_a_short_one_and_the_challenge_are_rejected() {
        assert!(!verifies(&VERIFIER.replace('d', "e"), CHALLENGE));
        assert!(!verifies("short", CHALLENGE));
        assert!(!verifies(CHALLENGE, CHALLENGE));
        assert!(!is_challenge("short"));
    }
}

//! Proof Key for Code Exchange (RFC 7636) with S256, the only method.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use subtle::ConstantTimeEq;

/// Whether a verifier is the one of a challenge. Compares in constant time.
pub(crate) fn is_verifier_of(verifier: &str, challenge: &str) -> bool {
    let is_verifier = (43..=128).contains(&verifier.len())
        && verifier.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte));
    let expected = URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()));
    is_verifier && bool::from(expected.as_bytes().ct_eq(challenge.as_bytes()))
}

#[cfg(test)]
#[test]
fn a_verifier_fits_its_own_challenge_only() {
    // RFC 7636, appendix B.
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    assert!(is_verifier_of(verifier, challenge));
    for (other, challenge) in [
        ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXl", challenge),
        (verifier, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN"),
        (verifier, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM="),
        (verifier, ""),
        (verifier, verifier),
        (challenge, challenge),
        ("", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"),
    ] {
        assert!(!is_verifier_of(other, challenge), "{other} {challenge}");
    }
}

#[cfg(test)]
#[test]
fn a_verifier_has_the_length_and_the_characters_of_the_standard() {
    let fits = |verifier: &str| is_verifier_of(verifier, &URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes())));
    assert!(fits(&"a".repeat(43)) && fits(&"~".repeat(128)));
    assert!(!fits(&"a".repeat(42)) && !fits(&"a".repeat(129)) && !fits(&" ".repeat(43)) && !fits(&"é".repeat(43)));
}

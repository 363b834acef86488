//! SHA-256: what is stored in place of a secret, and ids that follow from what they name.

/// SHA-256 of a text, in hex.
pub fn sha256_hex(text: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

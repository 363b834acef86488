//! SHA-256 digests: they stand in for secrets in the table, and ids derive from them.

/// SHA-256 of a text, in lowercase hex.
pub fn sha256_hex(text: &str) -> String {
    hex::encode(ring::digest::digest(&ring::digest::SHA256, text.as_bytes()))
}

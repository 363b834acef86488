//! SHA-256 digests: they stand in for secrets in the table, ids derive from them, and pages name their scripts by them.

/// SHA-256 of a text, in lowercase hex.
pub fn sha256_hex(text: &str) -> String {
    hex::encode(ring::digest::digest(&ring::digest::SHA256, text.as_bytes()))
}

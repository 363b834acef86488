//! SHA-256 digests: they stand in for secrets in the table, ids derive from them, and pages name their scripts by them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// SHA-256 of a text, in lowercase hex.
pub fn sha256_hex(text: &str) -> String {
    hex::encode(sha256(text))
}

/// SHA-256 of a text, in Base64.
pub fn sha256_base64(text: &str) -> String {
    STANDARD.encode(sha256(text))
}

fn sha256(text: &str) -> ring::digest::Digest {
    ring::digest::digest(&ring::digest::SHA256, text.as_bytes())
}

//! SHA-256 digests: they stand in for secrets in the table, ids derive from them, and pages name their scripts by them.

use jiff::Timestamp;

/// Bits of a sorted id below the time.
const HASH_BITS: u32 = 80;

/// SHA-256 of a text, in lowercase hex.
pub fn sha256_hex(text: &str) -> String {
    hex::encode(ring::digest::digest(&ring::digest::SHA256, text.as_bytes()))
}

/// Longest `Idempotency-Key`, in characters.
pub const MAX_IDEMPOTENCY_KEY_LENGTH: usize = 255;

/// Whether a text can be an `Idempotency-Key`.
pub fn is_idempotency_key(text: &str) -> bool {
    (1..=MAX_IDEMPOTENCY_KEY_LENGTH).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// A number of 128 bits that sorts by time and derives from a name, for the ids of changes and events: 48 bits of
/// milliseconds since 1970, and a hash of the name.
pub(super) fn sorted_id(at: Timestamp, name: &str) -> u128 {
    time_bits(at) | digest_number(name) >> (u128::BITS - HASH_BITS)
}

/// The smallest sorted id of a time.
pub(super) fn time_bits(at: Timestamp) -> u128 {
    let milliseconds = u128::try_from(at.as_millisecond()).unwrap_or_default();
    milliseconds << HASH_BITS
}

/// The time of a sorted id, in whole milliseconds.
pub(super) fn time_of(number: u128) -> Timestamp {
    let milliseconds = i64::try_from(number >> HASH_BITS).unwrap_or_default();
    Timestamp::from_millisecond(milliseconds).unwrap_or_default()
}

/// The first 128 bits of the SHA-256 of a text.
pub(super) fn digest_number(text: &str) -> u128 {
    u128::from_str_radix(sha256_hex(text).get(..32).unwrap_or_default(), 16).unwrap_or_default()
}

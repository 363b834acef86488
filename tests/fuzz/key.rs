//! The API key: its form, checked by a second reader, and that its text never shows.

use shared::auth::{ApiKey, redact_keys};

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Reads the input as a key, and as the digits of one. Returns whether it is a key.
pub(super) fn key(input: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(input) else { return false };
    let is_key = parse(text);
    let shown = redact_keys(text);
    assert_eq!(redact_keys(&shown), shown, "once is enough");
    let digits: String = text.chars().filter(char::is_ascii_alphanumeric).take(54).collect();
    if digits.len() < 54 {
        return is_key;
    }
    for prefix in ["uac_live_", "uac_test_"] {
        let sealed = seal(&format!("{prefix}{digits}"));
        // A customer's id has at most 128 bits.
        let is_customer = number(&digits[..22]).is_some();
        assert_eq!(parse(&sealed), is_customer, "{sealed}");
        let shown = redact_keys(&format!("{text}{sealed}{text}"));
        assert!(!shown.contains(&sealed), "{sealed} stands in {shown}");
    }
    is_key
}

/// Whether it is a key: it formats as it was written, and has the checksum.
fn parse(text: &str) -> bool {
    let Some(key) = ApiKey::parse(text) else { return false };
    assert_eq!(key.reveal(), text);
    assert_eq!(seal(&text[..text.len() - 6]), text);
    assert_eq!(Some(key.customer().0.as_u128()), number(&text[9..31]));
    assert!(text.starts_with(&key.display().prefix) && key.display().prefix.len() == 21 && key.hash().len() == 64);
    assert_eq!(redact_keys(text), "(key)");
    true
}

/// A text with its checksum: CRC-32 bit by bit, in six digits.
pub(super) fn seal(text: &str) -> String {
    let mut crc = u32::MAX;
    for byte in text.bytes() {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        }
    }
    let mut rest = !crc;
    let mut digits = [b'0'; 6];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[rest as usize % 62];
        rest /= 62;
    }
    format!("{text}{}", String::from_utf8_lossy(&digits))
}

fn number(digits: &str) -> Option<u128> {
    digits.bytes().try_fold(0_u128, |sum, digit| {
        let value = ALPHABET.iter().position(|known| *known == digit)?;
        sum.checked_mul(62)?.checked_add(value as u128)
    })
}

//! API keys: format, generation and hash.
//!
//! A key is `uac_live_` or `uac_test_`, 22 base62 characters of the customer id, 32 random ones, and 6 of a CRC-32 over
//! everything before. The pattern `\buac_(live|test)_[0-9A-Za-z]{60}\b` finds every key in a text.

use super::KeySeed;
use crate::domain::{CustomerId, KeyDisplay, sha256_hex};
use crate::error::Error;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CUSTOMER_DIGITS: usize = 22;
/// Length of a whole key: `uac_live_` and 60 characters.
pub(super) const KEY_LENGTH: usize = 69;
const RANDOM_DIGITS: usize = 32;
const CHECKSUM_DIGITS: usize = 6;
/// Digits of the display prefix. All belong to the customer id, none to the random part.
const DISPLAY_DIGITS: usize = 12;
/// Length of the shown end. It belongs to the checksum.
const SHOWN_END: usize = 4;

/// The environment of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A deployed service.
    Live,
    /// A laptop.
    Test,
}

impl Mode {
    /// What a key begins with.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Mode::Live => "uac_live_",
            Mode::Test => "uac_test_",
        }
    }
}

/// A well-formed API key with a valid checksum. `Debug` does not print the secret.
#[derive(Debug)]
pub struct ApiKey {
    customer: CustomerId,
    mode: Mode,
    secret: SecretString,
}

impl ApiKey {
    /// Generates a random key for a customer.
    pub fn generate(customer: CustomerId, mode: Mode) -> Result<ApiKey, Error> {
        Ok(ApiKey::derive(customer, mode, &KeySeed::random()?, Timestamp::UNIX_EPOCH))
    }

    /// The key of a customer that a seed makes at a time.
    pub fn derive(customer: CustomerId, mode: Mode, seed: &KeySeed, at: Timestamp) -> ApiKey {
        let body = format!("{}{}{}", mode.prefix(), base62(customer.0.as_u128(), CUSTOMER_DIGITS), digits(seed, at));
        let secret = format!("{body}{}", checksum(&body)).into();
        ApiKey { customer, mode, secret }
    }

    /// Whether a text begins as keys do.
    pub fn has_prefix(text: &str) -> bool {
        [Mode::Live, Mode::Test].into_iter().any(|mode| text.starts_with(mode.prefix()))
    }

    /// Parses a key. `None` for a malformed key, which is rejected without a read of the store.
    pub fn parse(text: &str) -> Option<ApiKey> {
        let mode = [Mode::Live, Mode::Test].into_iter().find(|mode| text.starts_with(mode.prefix()))?;
        let digits = &text[mode.prefix().len()..];
        let is_key = digits.len() == CUSTOMER_DIGITS + RANDOM_DIGITS + CHECKSUM_DIGITS
            && digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_key || checksum(&text[..text.len() - CHECKSUM_DIGITS]) != text[text.len() - CHECKSUM_DIGITS..] {
            return None;
        }
        let customer = CustomerId(Uuid::from_u128(from_base62(&digits[..CUSTOMER_DIGITS])?));
        Some(ApiKey { customer, mode, secret: text.into() })
    }

    /// The customer named in the key, not yet authenticated.
    pub fn customer(&self) -> CustomerId {
        self.customer
    }

    /// The key's environment.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The parts that are safe to display: `uac_test_` and 12 characters of the customer, and the last four of the
    /// checksum. They give away less than 24 of 190 random bits.
    pub fn display(&self) -> KeyDisplay {
        let customer = base62(self.customer.0.as_u128(), CUSTOMER_DIGITS);
        let last_four = self.reveal().get(KEY_LENGTH - SHOWN_END..).map(str::to_owned);
        KeyDisplay { prefix: format!("{}{}", self.mode.prefix(), &customer[..DISPLAY_DIGITS]), last_four }
    }

    /// The secret itself. It is shown once, on creation.
    pub fn reveal(&self) -> &str {
        self.secret.expose_secret()
    }

    /// The stored form: SHA-256 in hex. A key has 190 random bits, so a slow hash would add nothing.
    pub fn hash(&self) -> String {
        sha256_hex(self.reveal())
    }
}

fn digits(seed: &KeySeed, at: Timestamp) -> String {
    let bytes = (0..).flat_map(|part| seed.secret_bytes(at, part));
    // 248 is the largest multiple of 62 in a byte. Larger bytes would favour the first digits.
    let unbiased = bytes.filter(|byte| *byte < 248).map(|byte| char::from(ALPHABET[usize::from(byte % 62)]));
    unbiased.take(RANDOM_DIGITS).collect()
}

fn checksum(body: &str) -> String {
    base62(u128::from(crc32fast::hash(body.as_bytes())), CHECKSUM_DIGITS)
}

fn base62(mut value: u128, digits: usize) -> String {
    let mut out = vec![b'0'; digits];
    for slot in out.iter_mut().rev() {
        *slot = ALPHABET[usize::try_from(value % 62).unwrap_or_default()];
        value /= 62;
    }
    out.into_iter().map(char::from).collect()
}

fn from_base62(digits: &str) -> Option<u128> {
    digits.bytes().try_fold(0_u128, |value, byte| {
        let digit = ALPHABET.iter().position(|known| *known == byte)?;
        value.checked_mul(62)?.checked_add(digit as u128)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> ApiKey {
        ApiKey::generate(CustomerId(Uuid::from_u128(7)), Mode::Test).unwrap()
    }

    #[test]
    fn a_key_carries_its_customer_and_parses_back() {
        let key = key();
        let read = ApiKey::parse(key.reveal()).unwrap();
        assert_eq!(read.customer(), CustomerId(Uuid::from_u128(7)));
        assert_eq!(read.hash(), key.hash());
        assert_eq!(key.reveal().len(), "uac_test_".len() + 60);
        let KeyDisplay { prefix, last_four } = read.display();
        assert_eq!((read.mode(), prefix.as_str()), (Mode::Test, "uac_test_000000000000"));
        assert!(last_four.is_some_and(|end| end.len() == 4 && key.reveal().ends_with(&end)));
        let largest = ApiKey::generate(CustomerId(Uuid::from_u128(u128::MAX)), Mode::Live).unwrap();
        assert_eq!(ApiKey::parse(largest.reveal()).unwrap().customer(), CustomerId(Uuid::from_u128(u128::MAX)));
    }

    #[test]
    fn the_checksum_rejects_every_changed_character() {
        let good = key().reveal().to_owned();
        for index in 0..good.len() {
            for other in ['0', 'Z', '_', 'é'] {
                let altered: String =
                    good.chars().enumerate().map(|(at, c)| if at == index { other } else { c }).collect();
                assert_eq!(ApiKey::parse(&altered).is_some(), altered == good, "{index}");
            }
        }
    }

    #[test]
    fn malformed_keys_are_rejected() {
        let good = key().reveal().to_owned();
        for text in
            ["", "uac_test_", "uac_live_short", "sk_live_x", &good[1..], &format!("{good} "), &format!("{good}0")]
        {
            assert!(ApiKey::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn debug_does_not_print_the_key() {
        let key = key();
        assert!(!format!("{key:?}").contains(key.reveal()));
    }
}

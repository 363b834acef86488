//! API keys: their form, their hash, and who they open the door for (spec section 5).
//!
//! Form: `uac_live_` or `uac_test_`, 22 base62 characters of the customer id, 32 random ones, and 6 of the CRC-32
//! over all before it. The pattern `\buac_(live|test)_[0-9A-Za-z]{60}\b` finds every key in a text.

use crate::digest::sha256_hex;
use crate::domain::{Allowance, CustomerId, LimitExceeded, Plan};
use crate::error::{Error, Kind};
use crate::store::{Account, Admission, Store};
use jiff::Timestamp;
use ring::rand::{SecureRandom, SystemRandom};
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;
use uuid::Uuid;

/// The header that carries the key.
pub const KEY_HEADER: &str = "x-api-key";

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CUSTOMER_DIGITS: usize = 22;
/// Length of a whole key: `uac_live_` and 60 characters.
const KEY_LENGTH: usize = 69;
const RANDOM_DIGITS: usize = 32;
const CHECKSUM_DIGITS: usize = 6;
/// How many of a key's digits may be shown again: they are of the customer's id, and none of the random ones.
const SHOWN_DIGITS: usize = 12;

/// Which world a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A deployed service.
    Live,
    /// A laptop.
    Test,
}

impl Mode {
    fn prefix(self) -> &'static str {
        match self {
            Mode::Live => "uac_live_",
            Mode::Test => "uac_test_",
        }
    }
}

/// An API key whose checksum is right. Its secret does not print.
#[derive(Debug)]
pub struct ApiKey {
    customer: CustomerId,
    mode: Mode,
    secret: SecretString,
}

impl ApiKey {
    /// A new random key for a customer.
    pub fn generate(customer: CustomerId, mode: Mode) -> Result<ApiKey, Error> {
        let body = format!("{}{}{}", mode.prefix(), base62(customer.0.as_u128(), CUSTOMER_DIGITS), random_digits()?);
        let secret = format!("{body}{}", checksum(&body)).into();
        Ok(ApiKey { customer, mode, secret })
    }

    /// Reads a key. `None` for anything that cannot be one: refused before the store is asked.
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

    /// Whose key it says it is.
    pub fn customer(&self) -> CustomerId {
        self.customer
    }

    /// Which world it is for.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The part that may be shown again and again: `uac_test_` and 12 characters.
    pub fn shown(&self) -> &str {
        &self.reveal()[..self.mode.prefix().len() + SHOWN_DIGITS]
    }

    /// The key itself, to be shown once.
    pub fn reveal(&self) -> &str {
        self.secret.expose_secret()
    }

    /// SHA-256 in hex: what is stored. A key has 190 random bits, so a slow hash would add nothing.
    pub fn hash(&self) -> String {
        sha256_hex(self.reveal())
    }
}

/// A request whose key has proved right.
#[derive(Debug)]
pub struct Entry {
    /// The account. When the request was let in it is counted there.
    pub account: Account,
    /// Where the customer stands now.
    pub allowance: Allowance,
    /// Why the request is not let in all the same: too many.
    pub refusal: Option<Error>,
}

/// Finds out who holds a key, and whether the plan allows one more request.
pub async fn authenticate(store: &Store, key: &ApiKey, now: Timestamp) -> Result<Entry, Error> {
    let hash = key.hash();
    let (account, is_admitted) = match store.admit(key.customer(), &hash, now).await? {
        Admission::Admitted(account) => (account, true),
        Admission::Refused(Some(account)) if account.key_matches(&hash) => (account, false),
        Admission::Refused(_) => return Err(unauthorized()),
    };
    let allowance = account.allowance(now);
    if account.customer.disabled {
        return Ok(Entry { account, allowance, refusal: Some(disabled()) });
    }
    if is_admitted {
        return Ok(Entry { account, allowance: allowance.counted(), refusal: None });
    }
    let refusal = Some(refused(account.customer.plan, &allowance));
    Ok(Entry { account, allowance, refusal })
}

/// The error of whatever a disabled account asks for.
pub fn disabled() -> Error {
    Error::new(Kind::Forbidden, "This account is disabled.")
}

/// A text in which whatever has the form of a key is replaced: keys stand in the oddest places.
pub fn without_keys(text: &str) -> String {
    let is_key = |text: &str| {
        let rest = text.strip_prefix("uac_live_").or_else(|| text.strip_prefix("uac_test_"));
        rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    let (mut shown, mut rest) = (String::new(), text);
    while let Some((before, _)) = rest.split_once("uac_") {
        shown.push_str(before);
        let from = &rest[before.len()..];
        let key = from.get(..KEY_LENGTH).filter(|text| is_key(text));
        shown.push_str(if key.is_some() { "(key)" } else { "uac_" });
        rest = &from[key.map_or("uac_".len(), str::len)..];
    }
    shown + rest
}

/// The error of a request that the plan does not allow for now.
fn refused(plan: Plan, allowance: &Allowance) -> Error {
    let (name, limits) = (plan.as_str(), allowance.limits);
    match allowance.exceeded_limit() {
        Some(LimitExceeded::Rate(wait)) => {
            let (rate, burst) = (limits.requests_per_minute, limits.burst);
            let message = format!(
                "Plan {name} takes {rate} requests a minute, and {burst} at once: send this again after the seconds of \
                 Retry-After."
            );
            Error::new(Kind::RateLimited, message).retryable().retry_after(wait)
        }
        Some(LimitExceeded::Quota(wait)) => {
            let message = format!(
                "The {} requests that plan {name} has in a billing period are used up until {:.0}: wait for the next \
                 period, or change to a larger plan.",
                limits.requests_per_period, allowance.usage.period_end
            );
            Error::new(Kind::QuotaExceeded, message).retry_after(wait)
        }
        None => {
            let message = "Too many requests came at the same moment: send this again in a second.";
            Error::new(Kind::RateLimited, message).retryable().retry_after(Duration::from_secs(1))
        }
    }
}

/// The one answer to a missing, malformed, unknown or rotated key.
pub fn unauthorized() -> Error {
    Error::new(Kind::Unauthorized, "The API key is missing or not valid: send it in the header X-API-Key.")
}

fn random_digits() -> Result<String, Error> {
    let random = SystemRandom::new();
    let mut digits = String::with_capacity(RANDOM_DIGITS);
    while digits.len() < RANDOM_DIGITS {
        let mut bytes = [0; 64];
        random.fill(&mut bytes).map_err(|_| Error::internal("the system gave no random bytes"))?;
        // 248 is the largest multiple of 62 in a byte: what lies above would favour the first digits.
        let unbiased =
            bytes.into_iter().filter(|byte| *byte < 248).map(|byte| char::from(ALPHABET[usize::from(byte % 62)]));
        digits.extend(unbiased.take(RANDOM_DIGITS - digits.len()));
    }
    Ok(digits)
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

    #[test]
    fn a_key_is_taken_out_wherever_it_stands() {
        let key = key();
        let key = key.reveal();
        assert_eq!(key.len(), KEY_LENGTH);
        for (text, shown) in [
            (format!("/v1/{key}"), "/v1/(key)"),
            (format!("/v1/x-{key};/{key}{key}"), "/v1/x-(key);/(key)(key)"),
            ("/v1/uac_live_short/uac_".to_owned(), "/v1/uac_live_short/uac_"),
            (format!("é{key}é"), "é(key)é"),
            (format!("uac_{}é", "é".repeat(40)), &format!("uac_{}é", "é".repeat(40))),
        ] {
            assert_eq!(without_keys(&text), shown);
        }
    }

    fn key() -> ApiKey {
        ApiKey::generate(CustomerId(Uuid::from_u128(7)), Mode::Test).unwrap()
    }

    #[test]
    fn a_key_carries_its_customer_and_reads_back() {
        let key = key();
        let read = ApiKey::parse(key.reveal()).unwrap();
        assert_eq!(read.customer(), CustomerId(Uuid::from_u128(7)));
        assert_eq!(read.hash(), key.hash());
        assert_eq!(key.reveal().len(), "uac_test_".len() + 60);
        assert_eq!((read.mode(), read.shown()), (Mode::Test, "uac_test_000000000000"));
        let largest = ApiKey::generate(CustomerId(Uuid::from_u128(u128::MAX)), Mode::Live).unwrap();
        assert_eq!(ApiKey::parse(largest.reveal()).unwrap().customer(), CustomerId(Uuid::from_u128(u128::MAX)));
    }

    #[test]
    fn every_changed_character_is_refused_by_the_checksum() {
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
    fn what_is_no_key_is_refused() {
        let good = key().reveal().to_owned();
        for text in
            ["", "uac_test_", "uac_live_short", "sk_live_x", &good[1..], &format!("{good} "), &format!("{good}0")]
        {
            assert!(ApiKey::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_key_does_not_print() {
        let key = key();
        assert!(!format!("{key:?}").contains(key.reveal()));
    }
}

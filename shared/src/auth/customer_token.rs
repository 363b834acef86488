//! Tokens that name their customer: the value of the session cookie, and that in the link of an invitation. Each is the
//! customer's id, a dot, and 256 random bits. The id leads to the partition of the record, so a page costs one read.

use super::KeySeed;
use crate::domain::{CustomerId, sha256_hex};
use crate::error::Error;
use crate::vault::random_token;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

/// Length of the random part in base64url.
const RANDOM_LENGTH: usize = 43;

/// A well-formed token, not yet authenticated. `Debug` does not print the secret.
#[derive(Debug)]
pub struct CustomerToken {
    customer: CustomerId,
    secret: SecretString,
}

impl CustomerToken {
    /// Generates a token for a customer.
    pub fn generate(customer: CustomerId) -> Result<CustomerToken, Error> {
        let random = random_token().map_err(Error::internal)?;
        Ok(CustomerToken::of(customer, random.expose_secret()))
    }

    /// The token of the invitation that a form makes. The form gives the same one when it is sent again.
    pub fn derive(customer: CustomerId, seed: &KeySeed) -> CustomerToken {
        CustomerToken::of(customer, &URL_SAFE_NO_PAD.encode(seed.invitation_bytes()))
    }

    fn of(customer: CustomerId, random: &str) -> CustomerToken {
        let secret = format!("{}.{random}", customer.0.simple()).into();
        CustomerToken { customer, secret }
    }

    /// Parses a token.
    pub fn parse(text: &str) -> Option<CustomerToken> {
        let (customer, random) = text.split_once('.')?;
        let is_random = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if customer.len() != 32 || random.len() != RANDOM_LENGTH || !random.bytes().all(is_random) {
            return None;
        }
        let customer = CustomerId(Uuid::try_parse(customer).ok()?);
        Some(CustomerToken { customer, secret: text.into() })
    }

    /// The customer that the token names.
    pub fn customer(&self) -> CustomerId {
        self.customer
    }

    /// The token itself, for the cookie or the link.
    pub fn reveal(&self) -> &str {
        self.secret.expose_secret()
    }

    /// The stored form: SHA-256 in hex.
    pub fn hash(&self) -> String {
        sha256_hex(self.reveal())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_names_its_customer_and_hides_its_secret() {
        let customer = CustomerId(Uuid::from_u128(7));
        let token = CustomerToken::generate(customer).unwrap();
        let parsed = CustomerToken::parse(token.reveal()).unwrap();
        assert_eq!((parsed.customer(), parsed.hash()), (customer, token.hash()));
        assert!(!format!("{token:?}").contains(token.reveal()));
        assert_ne!(token.hash(), CustomerToken::generate(customer).unwrap().hash());
    }

    #[test]
    fn a_form_gives_one_token() {
        let customer = CustomerId(Uuid::from_u128(7));
        let seed = KeySeed::random().unwrap();
        let token = CustomerToken::derive(customer, &seed);
        assert_eq!(CustomerToken::parse(token.reveal()).unwrap().hash(), token.hash());
        assert_eq!(CustomerToken::derive(customer, &seed).hash(), token.hash());
        assert_ne!(CustomerToken::derive(customer, &KeySeed::random().unwrap()).hash(), token.hash());
    }

    #[test]
    fn other_texts_are_no_token() {
        let token = CustomerToken::generate(CustomerId(Uuid::from_u128(7))).unwrap();
        let good = token.reveal();
        let (customer, random) = good.split_once('.').unwrap();
        for text in
            ["", ".", &good[1..], &format!("{good}0"), &format!("{customer}{random}"), &format!("é{customer}.{random}")]
        {
            assert!(CustomerToken::parse(text).is_none(), "{text}");
        }
    }
}

//! The account at the payment provider, from the secret `payment-provider`.

use super::Prices;
use crate::domain::Plan;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

/// Maximum number of signing secrets: the body of a webhook is hashed with each, whoever sent it.
const MAX_WEBHOOK_SECRETS: usize = 4;

/// The secret as stored.
#[derive(Debug, Deserialize)]
pub struct Credentials {
    /// API key, `sk_…`.
    pub secret_key: SecretString,
    /// Signing secrets of the webhook endpoint, `whsec_…`; two while one is rolled.
    pub webhook_secrets: Vec<SecretString>,
    pub prices: Prices,
}

/// The reason why credentials are invalid. Contains no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidCredentials(pub(crate) &'static str);

impl std::fmt::Display for InvalidCredentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for InvalidCredentials {}

impl Credentials {
    /// Rejects an empty webhook secret, with which anyone could sign, and a price of two plans, which is ambiguous.
    pub(super) fn validate(&self) -> Result<(), InvalidCredentials> {
        if self.secret_key.expose_secret().is_empty() {
            return Err(InvalidCredentials("secret_key is empty"));
        }
        if self.webhook_secrets.is_empty() {
            return Err(InvalidCredentials("webhook_secrets is empty; add the signing secret of the webhook endpoint"));
        }
        if self.webhook_secrets.iter().any(|secret| secret.expose_secret().trim().is_empty()) {
            return Err(InvalidCredentials("webhook_secrets contains an empty secret, with which anyone could sign"));
        }
        if self.webhook_secrets.len() > MAX_WEBHOOK_SECRETS {
            return Err(InvalidCredentials("webhook_secrets has more than four secrets; remove those that have ended"));
        }
        let mut prices: Vec<&String> = Plan::ALL.into_iter().flat_map(|plan| self.prices.of(plan)).collect();
        let count = prices.len();
        prices.sort_unstable();
        prices.dedup();
        let is_missing = Plan::ALL.into_iter().any(|plan| self.prices.of(plan).is_empty());
        if is_missing || prices.len() < count || prices.iter().any(|price| price.is_empty()) {
            return Err(InvalidCredentials("prices must contain at least one price per plan, and no price twice"));
        }
        Ok(())
    }
}

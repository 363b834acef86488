//! The secrets of the service, read at start from Secrets Manager.

mod key_ring;

pub use key_ring::Keys;

use crate::domain::Platform;
use crate::payments::Credentials;
use crate::platforms::config::Client;
use crate::sdk::words;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// Names of the secrets below the configured prefix.
pub mod names {
    /// The token key ring: [`crate::vault::KeyRing`] as JSON.
    pub const TOKEN_KEYS: &str = "token-keys";
    /// The OAuth clients: an object from platform word to [`crate::platforms::config::Client`].
    pub const PLATFORM_CLIENTS: &str = "platform-clients";
    /// Our account at the payment provider: [`crate::payments::Credentials`] as JSON.
    pub const PAYMENT_PROVIDER: &str = "payment-provider";
}

/// Everything secret that the service starts with.
pub struct Secrets {
    /// Seals tokens in the store.
    pub token_keys: Keys,
    /// Our client at each platform that is configured.
    pub clients: BTreeMap<Platform, Client>,
    /// Our account at the payment provider, for the function that may read it.
    pub payments: Option<Credentials>,
}

/// A secret that is missing or not of its form. Never quotes the value.
#[derive(Debug)]
pub struct SecretError {
    name: String,
    reason: String,
}

impl std::fmt::Display for SecretError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "secret {}: {}", self.name, self.reason)
    }
}

impl std::error::Error for SecretError {}

impl Secrets {
    /// Reads the secrets, that of the payment provider only on demand. `prefix` stands before every name:
    /// `unified-ads/prod/`.
    pub async fn load(
        client: &aws_sdk_secretsmanager::Client,
        prefix: &str,
        with_payments: bool,
    ) -> Result<Secrets, SecretError> {
        let keys = format!("{prefix}{}", names::TOKEN_KEYS);
        let clients = format!("{prefix}{}", names::PLATFORM_CLIENTS);
        let provider = format!("{prefix}{}", names::PAYMENT_PROVIDER);
        let payments = async { if with_payments { read(client, &provider).await.map(Some) } else { Ok(None) } };
        let (ring, by_word, payments) =
            tokio::try_join!(read(client, &keys), read::<BTreeMap<String, Client>>(client, &clients), payments)?;
        let token_keys = Keys::of_secret(&ring, client.clone(), keys.clone());
        let token_keys = token_keys.map_err(|error| SecretError { name: keys, reason: error.to_string() })?;
        let named = by_word.into_iter().map(|(word, config)| {
            let unknown = || SecretError { name: clients.clone(), reason: "names an unknown platform".to_owned() };
            Platform::parse(&word).map(|platform| (platform, config)).ok_or_else(unknown)
        });
        Ok(Secrets { token_keys, clients: named.collect::<Result<_, _>>()?, payments })
    }
}

async fn read<T: DeserializeOwned>(client: &aws_sdk_secretsmanager::Client, name: &str) -> Result<T, SecretError> {
    let fail = |reason: String| SecretError { name: name.to_owned(), reason };
    let answer = client.get_secret_value().secret_id(name).send().await;
    let answer = answer.map_err(|error| fail(words(&error)))?;
    let text = answer.secret_string().ok_or_else(|| fail("is binary, not text".to_owned()))?;
    // Only where the fault is: the parser's words would quote the value.
    serde_json::from_str(text)
        .map_err(|error| fail(format!("is not of its form (line {}, column {})", error.line(), error.column())))
}

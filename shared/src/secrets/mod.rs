//! The secrets of the service, read from Secrets Manager at start.

mod reader;
mod reloading_vault;
#[cfg(test)]
mod test_server;

pub use reloading_vault::ReloadingVault;

use crate::domain::Platform;
use crate::identity::ClientSecret;
use crate::payments::Credentials;
use crate::platforms::config::Client;
use aws_sdk_secretsmanager::Client as SecretsClient;
use reader::Reader;
use std::collections::BTreeMap;

/// Names of the secrets, without the configured prefix.
pub mod names {
    /// The token key ring: [`crate::vault::KeyRing`] as JSON.
    pub const TOKEN_KEYS: &str = "token-keys";
    /// The OAuth clients as JSON: an object from platform name to [`crate::platforms::config::Client`].
    pub const PLATFORM_CLIENTS: &str = "platform-clients";
    /// The account at the payment provider: [`crate::payments::Credentials`] as JSON.
    pub const PAYMENT_PROVIDER: &str = "payment-provider";
    /// Our client at the issuer of OpenID Connect: [`crate::identity::ClientSecret`] as JSON.
    pub const IDENTITY_PROVIDER: &str = "identity-provider";
}

/// The secrets that a function reads. Its role in `template.yaml` allows exactly these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretAccess {
    /// The token key ring and the OAuth clients, for functions that call ad platforms.
    pub platforms: bool,
    /// The token key ring alone, for functions that encrypt and call no ad platform.
    pub token_keys: bool,
    /// The account at the payment provider.
    pub payments: bool,
    /// Our client at the issuer of OpenID Connect, where one is configured.
    pub identity: bool,
}

impl SecretAccess {
    /// No secrets.
    pub const NONE: SecretAccess =
        SecretAccess { platforms: false, token_keys: false, payments: false, identity: false };
    /// The secrets for ad platforms.
    pub const PLATFORMS: SecretAccess = SecretAccess { platforms: true, ..SecretAccess::NONE };
    /// The key ring alone.
    pub const TOKEN_KEYS: SecretAccess = SecretAccess { token_keys: true, ..SecretAccess::NONE };
    /// The secret for the payment provider.
    pub const PAYMENTS: SecretAccess = SecretAccess { payments: true, ..SecretAccess::NONE };
    /// The secret for the issuer of OpenID Connect.
    pub const IDENTITY: SecretAccess = SecretAccess { identity: true, ..SecretAccess::NONE };
    /// Every secret: for the local gateway, which runs all functions.
    pub const ALL: SecretAccess = SecretAccess { platforms: true, token_keys: true, payments: true, identity: true };

    /// The names of these secrets.
    fn names(self) -> Vec<&'static str> {
        let all = [
            (self.reads_token_keys(), names::TOKEN_KEYS),
            (self.platforms, names::PLATFORM_CLIENTS),
            (self.payments, names::PAYMENT_PROVIDER),
            (self.identity, names::IDENTITY_PROVIDER),
        ];
        all.into_iter().filter(|(is_allowed, _)| *is_allowed).map(|(_, name)| name).collect()
    }

    fn reads_token_keys(self) -> bool {
        self.platforms || self.token_keys
    }
}

/// The secrets that a function starts with.
#[derive(Default)]
pub struct Secrets {
    /// Encrypts for the store, in a function that may read the key ring.
    pub vault: Option<ReloadingVault>,
    /// The OAuth client of each configured platform; empty in a function that may not read them.
    pub clients: BTreeMap<Platform, Client>,
    /// The account at the payment provider, in a function that may read it.
    pub payments: Option<Credentials>,
    /// Our client at the issuer of OpenID Connect, in a function that may read it.
    pub identity: Option<ClientSecret>,
}

/// A missing or invalid secret. Never contains the value.
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
    /// Reads the secrets that a function may read. `prefix` precedes every name: `unified-ads/prod/`.
    pub async fn load(client: &SecretsClient, prefix: &str, access: SecretAccess) -> Result<Secrets, SecretError> {
        let reader = Reader::new(client, prefix, &access.names()).await;
        let vault = async { if access.reads_token_keys() { vault(&reader).await.map(Some) } else { Ok(None) } };
        let clients = async { if access.platforms { clients(&reader).await } else { Ok(BTreeMap::new()) } };
        let payments = reader.read_if(access.payments, names::PAYMENT_PROVIDER);
        let identity = reader.read_if(access.identity, names::IDENTITY_PROVIDER);
        let (vault, clients, payments, identity) = tokio::join!(vault, clients, payments, identity);
        Ok(Secrets { vault: vault?, clients: clients?, payments: payments?, identity: identity? })
    }
}

/// Reads the key ring.
async fn vault(reader: &Reader<'_>) -> Result<ReloadingVault, SecretError> {
    let ring = reader.read(names::TOKEN_KEYS).await?;
    let token_keys = reader.full_name(names::TOKEN_KEYS);
    let vault = ReloadingVault::from_secret(&ring, reader.client.clone(), token_keys.clone());
    vault.map_err(|error| SecretError { name: token_keys, reason: error.to_string() })
}

/// Reads the OAuth clients.
async fn clients(reader: &Reader<'_>) -> Result<BTreeMap<Platform, Client>, SecretError> {
    let by_name = reader.read::<BTreeMap<String, Client>>(names::PLATFORM_CLIENTS).await?;
    let by_platform = by_name.into_iter().map(|(name, config)| {
        let unknown = || SecretError {
            name: reader.full_name(names::PLATFORM_CLIENTS),
            reason: "contains an unknown platform".to_owned(),
        };
        Platform::parse(&name).map(|platform| (platform, config)).ok_or_else(unknown)
    });
    by_platform.collect()
}

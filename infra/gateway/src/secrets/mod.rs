//! The local secrets, as Secrets Manager holds them in a deployment.

mod api;
mod file;
pub(crate) mod generate;
#[cfg(test)]
mod tests;

use crate::engine;
use crate::error::StartError;
use file::{read_values, refused, secrets_file, write_values};
use serde_json::json;
use shared::domain::{Plan, Platform};
use shared::secrets::names;
use shared::vault::{KeyRing, Vault};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

/// Prefix of the name of every local secret.
pub(crate) const PREFIX: &str = "local/";
/// The secret that signs the payment provider's webhooks.
const WEBHOOK_SECRET: &str = "webhook-secret";

type Generate = fn() -> Result<String, StartError>;
/// The secrets that a folder stores, and their generators.
const STORED: [(&str, Generate); 2] =
    [(names::TOKEN_KEYS, generate::key_ring), (WEBHOOK_SECRET, generate::webhook_secret)];

/// Values by secret name, without the prefix.
type Values = BTreeMap<String, String>;

/// The secrets of a gateway. `Debug` shows only their names.
pub(crate) struct LocalSecrets {
    values: RwLock<Values>,
    file: Option<PathBuf>,
}

impl fmt::Debug for LocalSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.values.read().unwrap_or_else(PoisonError::into_inner).keys()).finish()
    }
}

impl LocalSecrets {
    /// Reads `secrets.json` of a folder and generates missing secrets. Without a folder, generates all of them. A
    /// folder with a database must have the file.
    pub(crate) fn load(folder: Option<&Path>) -> Result<LocalSecrets, StartError> {
        let file = folder.map(secrets_file);
        let mut values = match folder {
            Some(folder) => read_or_none(folder)?,
            None => Values::new(),
        };
        let stored = values.len();
        for (name, generate) in STORED {
            if !values.contains_key(name) {
                values.insert(name.to_owned(), generate()?);
            }
        }
        if let Some(file) = &file
            && values.len() > stored
        {
            write_values(file, &values)?;
        }
        Ok(LocalSecrets::with_clients(values, file))
    }

    /// Reads the secrets of a folder on which another gateway runs, without writing to it.
    pub(crate) fn shared(folder: &Path) -> Result<LocalSecrets, StartError> {
        let values = read_values(&secrets_file(folder))?.unwrap_or_default();
        if STORED.iter().any(|(name, _)| !values.contains_key(*name)) {
            return Err(StartError::not_joined(folder, "its secrets.json lacks a secret"));
        }
        Ok(LocalSecrets::with_clients(values, None))
    }

    /// Adds the credentials of the sandbox's platforms, payment provider and issuer. They come from the sandbox at each
    /// start, so a platform that a later version adds has its client.
    fn with_clients(mut values: Values, file: Option<PathBuf>) -> LocalSecrets {
        values.insert(names::PLATFORM_CLIENTS.to_owned(), platform_clients());
        let webhook_secret = values.get(WEBHOOK_SECRET).map_or("", String::as_str);
        values.insert(names::PAYMENT_PROVIDER.to_owned(), payment_provider(webhook_secret));
        values.insert(names::IDENTITY_PROVIDER.to_owned(), identity_provider());
        LocalSecrets { values: RwLock::new(values), file }
    }

    /// The secret that signs the payment provider's webhooks.
    pub(crate) fn webhook_secret(&self) -> String {
        self.value(WEBHOOK_SECRET).unwrap_or_default()
    }

    /// The value of a secret, by its full name.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        self.value(name.strip_prefix(PREFIX)?)
    }

    /// The token key ring.
    pub(crate) fn token_keys(&self) -> String {
        self.value(names::TOKEN_KEYS).unwrap_or_default()
    }

    /// Replaces the token key ring after a check that the vault accepts it.
    pub(crate) fn replace_token_keys(&self, ring: &str) -> Result<(), StartError> {
        validate_ring(ring).map_err(StartError::KeyRing)?;
        self.put(names::TOKEN_KEYS, ring)
    }

    /// Replaces a secret without checks, first in the file.
    pub(crate) fn put(&self, name: &str, value: &str) -> Result<(), StartError> {
        let mut values = self.values.write().unwrap_or_else(PoisonError::into_inner);
        let mut new = values.clone();
        new.insert(name.to_owned(), value.to_owned());
        if let Some(file) = &self.file {
            write_values(file, &new)?;
        }
        *values = new;
        Ok(())
    }

    fn value(&self, name: &str) -> Option<String> {
        self.values.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }
}

/// The stored secrets of a folder; none for one without a database.
fn read_or_none(folder: &Path) -> Result<Values, StartError> {
    let file = secrets_file(folder);
    match read_values(&file)? {
        Some(values) => Ok(values),
        None if engine::file(folder).exists() => Err(refused(&file, "is missing beside a database")),
        None => Ok(Values::new()),
    }
}

/// Checks that the vault accepts a ring. The reason does not quote the ring.
fn validate_ring(ring: &str) -> Result<(), String> {
    let ring: KeyRing = serde_json::from_str(ring).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        format!("the ring is not a valid key ring (line {line}, column {column})")
    })?;
    Vault::new(&ring).map(|_| ()).map_err(|error| error.to_string())
}

fn platform_clients() -> String {
    let client = |platform: Platform| {
        let client = sandbox::client(platform.as_str())?;
        Some((platform.as_str(), json!({ "client_id": client.id, "client_secret": client.secret })))
    };
    json!(Platform::ALL.into_iter().filter_map(client).collect::<BTreeMap<_, _>>()).to_string()
}

/// The credentials of our client at the sandbox's issuer.
fn identity_provider() -> String {
    json!({ "client_secret": sandbox::OIDC_CLIENT.secret }).to_string()
}

/// Credentials and prices at the sandbox's payment provider.
fn payment_provider(webhook_secret: &str) -> String {
    let prices: BTreeMap<_, _> = Plan::ALL.map(|plan| (plan.as_str(), format!("price_{}", plan.as_str()))).into();
    json!({ "secret_key": sandbox::STRIPE_KEY, "webhook_secrets": [webhook_secret], "prices": prices }).to_string()
}

//! The token key ring in use, and how a process that runs on learns of a newer one.
//!
//! An operator changes the ring while functions run. A process that meets a value sealed with a key it does not know
//! reads the ring again, and before it seals it makes sure that its ring is not older than [`MAX_AGE`]: so a key that
//! is no longer the active one seals nothing new after that time.

use super::{SecretError, read};
use crate::vault::{Binding, KeyRing, Vault, VaultError};
use secrecy::SecretString;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

/// A ring that is older is read again before anything is sealed with it.
const MAX_AGE: Duration = Duration::from_secs(5 * 60);
/// For an unknown key the ring is read no more often than this; who needs it sooner waits.
const MIN_AGE: Duration = Duration::from_secs(1);

/// Seals and opens with the ring as it is now.
pub struct Keys {
    source: Option<Source>,
    held: RwLock<Held>,
    reading: Mutex<()>,
}

/// Where the ring comes from.
struct Source {
    client: aws_sdk_secretsmanager::Client,
    name: String,
}

#[derive(Clone)]
struct Held {
    vault: Arc<Vault>,
    since: Instant,
}

impl Keys {
    /// Takes a ring into use that was read from a secret, which is read again when need be.
    pub(crate) fn of_secret(
        ring: &KeyRing,
        client: aws_sdk_secretsmanager::Client,
        name: String,
    ) -> Result<Keys, VaultError> {
        Ok(Keys { source: Some(Source { client, name }), ..Keys::fixed(ring)? })
    }

    /// Takes a ring into use that never changes.
    pub fn fixed(ring: &KeyRing) -> Result<Keys, VaultError> {
        let held = Held { vault: Arc::new(Vault::new(ring)?), since: Instant::now() };
        Ok(Keys { source: None, held: RwLock::new(held), reading: Mutex::new(()) })
    }

    /// Seals a secret for one field of one record.
    pub async fn seal(&self, binding: Binding<'_>, secret: &SecretString) -> Result<String, VaultError> {
        let held = self.held();
        let vault = if held.since.elapsed() > MAX_AGE { self.read_again(held).await } else { held.vault };
        vault.seal(binding, secret)
    }

    /// Opens a value that was sealed for this field of this record.
    pub async fn open(&self, binding: Binding<'_>, sealed: &str) -> Result<SecretString, VaultError> {
        let held = self.held();
        match held.vault.open(binding, sealed) {
            Err(VaultError::UnknownKey) => self.read_again(held).await.open(binding, sealed),
            outcome => outcome,
        }
    }

    /// Whether a value is sealed with the active key.
    pub fn is_current(&self, sealed: &str) -> bool {
        self.held().vault.is_current(sealed)
    }

    fn held(&self) -> Held {
        self.held.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The ring as the secret has it now; of many who ask at once one reads. A ring that cannot be read or used leaves
    /// the old one in use.
    async fn read_again(&self, old: Held) -> Arc<Vault> {
        let Some(source) = &self.source else { return old.vault };
        let _reading = self.reading.lock().await;
        let now = self.held();
        if now.since > old.since {
            return now.vault;
        }
        sleep_until(old.since + MIN_AGE).await;
        let vault = match source.vault().await {
            Ok(vault) => Arc::new(vault),
            Err(error) => {
                tracing::error!(%error, "the token key ring was not read again; the old one stays in use");
                old.vault
            }
        };
        let held = Held { vault: Arc::clone(&vault), since: Instant::now() };
        *self.held.write().unwrap_or_else(PoisonError::into_inner) = held;
        vault
    }
}

impl Source {
    async fn vault(&self) -> Result<Vault, SecretError> {
        let ring: KeyRing = read(&self.client, &self.name).await?;
        Vault::new(&ring).map_err(|error| SecretError { name: self.name.clone(), reason: error.to_string() })
    }
}

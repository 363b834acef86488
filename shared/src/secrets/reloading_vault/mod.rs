//! The token key ring, reloaded at run time.
//!
//! An operator can rotate the key ring while functions run. A process reloads it when the key of a value is unknown,
//! and before sealing when it is older than [`MAX_AGE`]. A key that is no longer active therefore seals nothing after
//! that time, unless reloading fails.

use super::SecretError;
use super::reader::read;
use crate::vault::{Binding, KeyRing, Vault, VaultError};
use aws_sdk_secretsmanager::Client as SecretsClient;
use futures_util::future::BoxFuture;
use secrecy::SecretString;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until, timeout};

/// An older key ring is reloaded before it seals a value.
const MAX_AGE: Duration = Duration::from_secs(5 * 60);
/// Minimum interval between reloads. An earlier request for one waits.
const MIN_AGE: Duration = Duration::from_secs(1);
/// Minimum age of a key ring that a value of anyone makes reload: a flood of values with random key ids reads no more
/// than two secrets a minute.
const MIN_AGE_FOR_ANYONE: Duration = Duration::from_secs(30);
/// Time limit of a reload: tokens that a platform has just issued may be waiting to be sealed.
const RELOAD_TIMEOUT: Duration = Duration::from_secs(5);

/// A [`Vault`] with the current key ring.
pub struct ReloadingVault {
    source: Option<Source>,
    loaded: RwLock<Loaded>,
    reload: Mutex<()>,
}

/// Reads the key ring from its source.
type Source = Box<dyn Fn() -> BoxFuture<'static, Result<Vault, SecretError>> + Send + Sync>;

#[derive(Clone)]
struct Loaded {
    vault: Arc<Vault>,
    /// The time of the last reload, successful or not.
    loaded_at: Instant,
    /// Whether that reload succeeded.
    is_current: bool,
}

impl ReloadingVault {
    /// A vault that reloads its key ring from a secret.
    pub(crate) fn from_secret(
        ring: &KeyRing,
        client: SecretsClient,
        name: String,
    ) -> Result<ReloadingVault, VaultError> {
        let secret = Arc::new((client, name));
        ReloadingVault::from_source(ring, move || {
            let secret = Arc::clone(&secret);
            Box::pin(async move { read_vault(&secret.0, &secret.1).await })
        })
    }

    fn from_source(
        ring: &KeyRing,
        source: impl Fn() -> BoxFuture<'static, Result<Vault, SecretError>> + Send + Sync + 'static,
    ) -> Result<ReloadingVault, VaultError> {
        Ok(ReloadingVault { source: Some(Box::new(source)), ..ReloadingVault::fixed(ring)? })
    }

    /// A vault with a fixed key ring, which is never reloaded.
    pub fn fixed(ring: &KeyRing) -> Result<ReloadingVault, VaultError> {
        let loaded = Loaded { vault: Arc::new(Vault::new(ring)?), loaded_at: Instant::now(), is_current: true };
        Ok(ReloadingVault { source: None, loaded: RwLock::new(loaded), reload: Mutex::new(()) })
    }

    /// Seals a secret for one field of one record.
    pub async fn seal(&self, binding: Binding<'_>, secret: &SecretString) -> Result<String, VaultError> {
        self.fresh().await.vault.seal(binding, secret)
    }

    /// Opens a value that was sealed with the same binding. Reports an unknown key only after a reload.
    pub async fn open(&self, binding: Binding<'_>, sealed: &str) -> Result<SecretString, VaultError> {
        let loaded = self.loaded();
        match loaded.vault.open(binding, sealed) {
            Err(VaultError::UnknownKey) => {
                let loaded = self.reload(loaded).await;
                match loaded.vault.open(binding, sealed) {
                    Err(VaultError::UnknownKey) if !loaded.is_current => Err(VaultError::NewerRingUnavailable),
                    outcome => outcome,
                }
            }
            outcome => outcome,
        }
    }

    /// Opens a value that anyone may have made up. Its key may be one of a newer key ring that is not read yet: then the
    /// value is neither valid nor invalid.
    pub async fn open_of_anyone(&self, binding: Binding<'_>, sealed: &str) -> Result<SecretString, VaultError> {
        let loaded = self.loaded();
        match loaded.vault.open(binding, sealed) {
            Err(VaultError::UnknownKey) if self.source.is_some() && loaded.loaded_at.elapsed() < MIN_AGE_FOR_ANYONE => {
                Err(VaultError::NewerRingUnavailable)
            }
            Err(VaultError::UnknownKey) => self.open(binding, sealed).await,
            outcome => outcome,
        }
    }

    /// Whether all values are sealed with the active key.
    pub async fn are_current(&self, sealed: &[&String]) -> bool {
        let loaded = self.fresh().await;
        sealed.iter().all(|sealed| loaded.vault.is_current(sealed))
    }

    /// The vault, no older than [`MAX_AGE`].
    async fn fresh(&self) -> Loaded {
        let loaded = self.loaded();
        if loaded.loaded_at.elapsed() > MAX_AGE { self.reload(loaded).await } else { loaded }
    }

    fn loaded(&self) -> Loaded {
        self.loaded.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reloads the key ring, once for concurrent requests. If that fails, the old one stays in use.
    async fn reload(&self, old: Loaded) -> Loaded {
        let Some(source) = &self.source else { return old };
        let _guard = self.reload.lock().await;
        let current = self.loaded();
        if current.loaded_at > old.loaded_at {
            return current;
        }
        sleep_until(old.loaded_at + MIN_AGE).await;
        let (vault, is_current) = match source().await {
            Ok(vault) => (Arc::new(vault), true),
            Err(error) => {
                tracing::error!(%error, "reloading the token key ring failed; the old one stays in use");
                (old.vault, false)
            }
        };
        let loaded = Loaded { vault, loaded_at: Instant::now(), is_current };
        *self.loaded.write().unwrap_or_else(PoisonError::into_inner) = loaded.clone();
        loaded
    }
}

async fn read_vault(client: &SecretsClient, name: &str) -> Result<Vault, SecretError> {
    let fail = |reason: String| SecretError { name: name.to_owned(), reason };
    let ring = timeout(RELOAD_TIMEOUT, read::<KeyRing>(client, name)).await;
    let ring = ring.map_err(|_| fail("timed out".to_owned()))??;
    Vault::new(&ring).map_err(|error| fail(error.to_string()))
}

#[cfg(test)]
mod tests;

//! The token key ring in use, and how a process that runs on learns of a newer one.
//!
//! An operator changes the ring while functions run. A process that meets a value sealed with a key it does not know
//! reads the ring again, and before it seals it makes sure that its ring is not older than [`MAX_AGE`]: so a key that
//! is no longer the active one seals nothing new after that time, unless no newer ring can be had.

use super::{SecretError, read};
use crate::vault::{Binding, KeyRing, Vault, VaultError};
use futures_util::future::BoxFuture;
use secrecy::SecretString;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until, timeout};

/// A ring that is older is read again before anything is sealed with it.
const MAX_AGE: Duration = Duration::from_secs(5 * 60);
/// For an unknown key the ring is read no more often than this; who needs it sooner waits.
const MIN_AGE: Duration = Duration::from_secs(1);

/// How long one reading may take: tokens that a platform has just issued may be waiting to be sealed.
const PATIENCE: Duration = Duration::from_secs(5);

/// Seals and opens with the ring as it is now.
pub struct Keys {
    source: Option<Source>,
    held: RwLock<Held>,
    reading: Mutex<()>,
}

/// Reads the ring where it comes from.
type Source = Box<dyn Fn() -> BoxFuture<'static, Result<Vault, SecretError>> + Send + Sync>;

#[derive(Clone)]
struct Held {
    vault: Arc<Vault>,
    /// When it was read, or when that was last tried.
    since: Instant,
    /// Whether it was what the source had at that time.
    is_newest: bool,
}

impl Keys {
    /// Takes a ring into use that was read from a secret, which is read again when need be.
    pub(crate) fn of_secret(
        ring: &KeyRing,
        client: aws_sdk_secretsmanager::Client,
        name: String,
    ) -> Result<Keys, VaultError> {
        let secret = Arc::new((client, name));
        Keys::of_source(ring, move || {
            let secret = Arc::clone(&secret);
            Box::pin(async move { read_vault(&secret.0, &secret.1).await })
        })
    }

    fn of_source(
        ring: &KeyRing,
        source: impl Fn() -> BoxFuture<'static, Result<Vault, SecretError>> + Send + Sync + 'static,
    ) -> Result<Keys, VaultError> {
        Ok(Keys { source: Some(Box::new(source)), ..Keys::fixed(ring)? })
    }

    /// Takes a ring into use that never changes.
    pub fn fixed(ring: &KeyRing) -> Result<Keys, VaultError> {
        let held = Held { vault: Arc::new(Vault::new(ring)?), since: Instant::now(), is_newest: true };
        Ok(Keys { source: None, held: RwLock::new(held), reading: Mutex::new(()) })
    }

    /// Seals a secret for one field of one record.
    pub async fn seal(&self, binding: Binding<'_>, secret: &SecretString) -> Result<String, VaultError> {
        self.fresh().await.vault.seal(binding, secret)
    }

    /// Opens a value that was sealed for this field of this record. That its key is unknown is said only of a ring
    /// that was read just now.
    pub async fn open(&self, binding: Binding<'_>, sealed: &str) -> Result<SecretString, VaultError> {
        let held = self.held();
        match held.vault.open(binding, sealed) {
            Err(VaultError::UnknownKey) => {
                let held = self.read_again(held).await;
                match held.vault.open(binding, sealed) {
                    Err(VaultError::UnknownKey) if !held.is_newest => Err(VaultError::NoNewerRing),
                    outcome => outcome,
                }
            }
            outcome => outcome,
        }
    }

    /// Whether all values are sealed with the active key.
    pub async fn are_current(&self, sealed: &[&String]) -> bool {
        let held = self.fresh().await;
        sealed.iter().all(|sealed| held.vault.is_current(sealed))
    }

    /// The ring, not older than [`MAX_AGE`].
    async fn fresh(&self) -> Held {
        let held = self.held();
        if held.since.elapsed() > MAX_AGE { self.read_again(held).await } else { held }
    }

    fn held(&self) -> Held {
        self.held.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The ring as the source has it now; of many who ask at once one reads. A ring that cannot be read or used leaves
    /// the old one in use.
    async fn read_again(&self, old: Held) -> Held {
        let Some(source) = &self.source else { return old };
        let _reading = self.reading.lock().await;
        let now = self.held();
        if now.since > old.since {
            return now;
        }
        sleep_until(old.since + MIN_AGE).await;
        let (vault, is_newest) = match source().await {
            Ok(vault) => (Arc::new(vault), true),
            Err(error) => {
                tracing::error!(%error, "the token key ring was not read again; the old one stays in use");
                (old.vault, false)
            }
        };
        let held = Held { vault, since: Instant::now(), is_newest };
        *self.held.write().unwrap_or_else(PoisonError::into_inner) = held.clone();
        held
    }
}

async fn read_vault(client: &aws_sdk_secretsmanager::Client, name: &str) -> Result<Vault, SecretError> {
    let fail = |reason: String| SecretError { name: name.to_owned(), reason };
    let ring = timeout(PATIENCE, read::<KeyRing>(client, name)).await;
    let ring = ring.map_err(|_| fail("took too long to read".to_owned()))??;
    Vault::new(&ring).map_err(|error| fail(error.to_string()))
}

#[cfg(test)]
mod tests;

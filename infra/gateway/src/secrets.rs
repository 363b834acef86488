//! The local secrets: made once, kept in `secrets.json`, and served as Secrets Manager serves them.

use crate::data;
use crate::error::{StartError, no_randomness};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::{SecureRandom, SystemRandom};
use serde_json::json;
use shared::domain::{Plan, Platform};
use shared::secrets::names;
use shared::vault::{KeyRing, Vault};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

/// What stands before the name of every local secret.
pub(crate) const PREFIX: &str = "local/";
/// The secret that signs the payment provider's webhooks.
const WEBHOOK_SECRET: &str = "webhook-secret";

type Make = fn() -> Result<String, StartError>;
/// What is made once for a folder, and how.
const MADE: [(&str, Make); 2] = [(names::TOKEN_KEYS, key_ring), (WEBHOOK_SECRET, webhook_secret)];

/// Secrets by their name below the prefix. Only the names print.
pub(crate) struct LocalSecrets {
    values: RwLock<Values>,
    file: Option<PathBuf>,
}

type Values = BTreeMap<String, String>;

impl std::fmt::Debug for LocalSecrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.values.read().unwrap_or_else(PoisonError::into_inner).keys()).finish()
    }
}

impl LocalSecrets {
    /// Reads `secrets.json` of a folder and makes what it lacks; without a folder, everything is new.
    pub(crate) fn load(folder: Option<&Path>) -> Result<LocalSecrets, StartError> {
        let path = folder.map(file);
        let mut values = match &path {
            Some(path) => stored(path)?,
            None => Values::new(),
        };
        let known = values.len();
        for (name, make) in MADE {
            if !values.contains_key(name) {
                values.insert(name.to_owned(), make()?);
            }
        }
        if let Some(path) = path.as_ref().filter(|_| values.len() > known) {
            keep(path, &values)?;
        }
        Ok(LocalSecrets::with_clients(values, path))
    }

    /// The secrets of a folder that another gateway runs on: read, and never written.
    pub(crate) fn shared(folder: &Path) -> Result<LocalSecrets, StartError> {
        let values = stored(&file(folder))?;
        if MADE.iter().any(|(name, _)| !values.contains_key(*name)) {
            return Err(StartError::not_joined(folder, "its secrets.json lacks a secret"));
        }
        Ok(LocalSecrets::with_clients(values, None))
    }

    /// The platforms' clients are not kept: the sandbox says which platforms there are, and it may learn another.
    fn with_clients(mut values: Values, file: Option<PathBuf>) -> LocalSecrets {
        values.insert(names::PLATFORM_CLIENTS.to_owned(), platform_clients());
        let webhook_secret = values.get(WEBHOOK_SECRET).map_or("", String::as_str);
        values.insert(names::PAYMENT_PROVIDER.to_owned(), payment_provider(webhook_secret));
        LocalSecrets { values: RwLock::new(values), file }
    }

    /// The secret that signs the payment provider's webhooks.
    pub(crate) fn webhook_secret(&self) -> String {
        self.read(WEBHOOK_SECRET).unwrap_or_default()
    }

    /// A secret by its full name.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        self.read(name.strip_prefix(PREFIX)?)
    }

    /// The token key ring.
    pub(crate) fn token_keys(&self) -> String {
        self.read(names::TOKEN_KEYS).unwrap_or_default()
    }

    /// Replaces the token key ring, in the file first; one that the vault would not take is refused.
    pub(crate) fn replace_token_keys(&self, ring: &str) -> Result<(), StartError> {
        check_ring(ring)?;
        self.put(names::TOKEN_KEYS, ring)
    }

    /// Replaces a secret, unseen.
    pub(crate) fn put(&self, name: &str, value: &str) -> Result<(), StartError> {
        let mut values = self.values.write().unwrap_or_else(PoisonError::into_inner);
        let mut new = values.clone();
        new.insert(name.to_owned(), value.to_owned());
        if let Some(path) = &self.file {
            keep(path, &new)?;
        }
        *values = new;
        Ok(())
    }

    fn read(&self, name: &str) -> Option<String> {
        self.values.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }
}

/// Whether the vault takes a ring. The error does not quote it.
fn check_ring(ring: &str) -> Result<(), StartError> {
    let ring: KeyRing = serde_json::from_str(ring).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        StartError::KeyRing(format!("the new ring is not of its form (line {line}, column {column})"))
    })?;
    Vault::new(&ring).map(|_| ()).map_err(|error| StartError::KeyRing(error.to_string()))
}

/// Writes what is kept between runs.
fn keep(path: &Path, values: &Values) -> Result<(), StartError> {
    let kept: BTreeMap<_, _> = values.iter().filter(|(name, _)| *name != names::PLATFORM_CLIENTS).collect();
    data::write(path, &format!("{:#}\n", json!(kept)))
}

fn file(folder: &Path) -> PathBuf {
    folder.join("secrets.json")
}

fn stored(path: &Path) -> Result<Values, StartError> {
    let Some(text) = data::read(path)? else { return Ok(Values::new()) };
    serde_json::from_str(&text).map_err(|error| StartError::Content {
        path: path.to_owned(),
        // Only where the fault is: the parser's words would quote a secret.
        reason: format!(
            "does not hold the gateway's secrets (line {}, column {}): move the whole folder away to begin anew",
            error.line(),
            error.column()
        ),
    })
}

fn key_ring() -> Result<String, StartError> {
    Ok(json!({ "active": "k1", "keys": { "k1": STANDARD.encode(random()?) } }).to_string())
}

fn webhook_secret() -> Result<String, StartError> {
    Ok(format!("whsec_{}", URL_SAFE_NO_PAD.encode(random()?)))
}

fn random() -> Result<[u8; 32], StartError> {
    let mut bytes = [0; 32];
    SystemRandom::new().fill(&mut bytes).map_err(|_| no_randomness())?;
    Ok(bytes)
}

fn platform_clients() -> String {
    let client = |platform: Platform| {
        let client = sandbox::client(platform.as_str())?;
        Some((platform.as_str(), json!({ "client_id": client.id, "client_secret": client.secret })))
    };
    json!(Platform::ALL.into_iter().filter_map(client).collect::<BTreeMap<_, _>>()).to_string()
}

/// Our account at the sandbox's payment provider.
fn payment_provider(webhook_secret: &str) -> String {
    let prices: BTreeMap<_, _> = Plan::ALL.map(|plan| (plan.as_str(), format!("price_{}", plan.as_str()))).into();
    json!({ "secret_key": sandbox::STRIPE_KEY, "webhook_secrets": [webhook_secret], "prices": prices }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(secrets: LocalSecrets) -> Values {
        secrets.values.into_inner().unwrap()
    }

    #[test]
    fn secrets_are_made_once_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let first = LocalSecrets::load(Some(folder.path())).unwrap();
        assert!(first.webhook_secret().starts_with("whsec_"));
        let first = values(first);
        assert_eq!(first, values(LocalSecrets::load(Some(folder.path())).unwrap()));
        assert_ne!(first, values(LocalSecrets::load(None).unwrap()));
    }

    #[test]
    fn the_key_ring_is_one_that_the_vault_takes() {
        let secrets = LocalSecrets::load(None).unwrap();
        assert!(check_ring(&secrets.get("local/token-keys").unwrap()).is_ok());
        assert_eq!(secrets.get("token-keys"), None);
        assert_eq!(secrets.get("local/other"), None);
    }

    #[test]
    fn the_payment_providers_secret_signs_with_the_one_that_is_kept() {
        let secrets = LocalSecrets::load(None).unwrap();
        let text = secrets.get("local/payment-provider").unwrap();
        let credentials: shared::payments::Credentials = serde_json::from_str(&text).unwrap();
        assert_eq!(credentials.webhook_secrets.len(), 1);
        assert!(text.contains(&secrets.webhook_secret()) && text.contains(sandbox::STRIPE_KEY));
    }

    #[test]
    fn a_file_from_an_earlier_version_keeps_its_keys_and_gains_what_it_lacks() {
        let folder = tempfile::tempdir().unwrap();
        data::write(&folder.path().join("secrets.json"), r#"{"token-keys":"kept"}"#).unwrap();
        let secrets = LocalSecrets::load(Some(folder.path())).unwrap();
        assert_eq!(secrets.get("local/token-keys").as_deref(), Some("kept"));
        assert!(secrets.webhook_secret().starts_with("whsec_"));
        assert_eq!(values(LocalSecrets::load(Some(folder.path())).unwrap()), values(secrets));
    }

    #[test]
    fn a_new_ring_is_served_and_kept_and_the_other_secrets_stay() {
        let folder = tempfile::tempdir().unwrap();
        let ring = format!(r#"{{"active":"k2","keys":{{"k2":"{}"}}}}"#, STANDARD.encode([2; 32]));
        for folder in [None, Some(folder.path())] {
            let secrets = LocalSecrets::load(folder).unwrap();
            let (webhook, clients) = (secrets.webhook_secret(), secrets.get("local/platform-clients"));
            secrets.replace_token_keys(&ring).unwrap();
            assert_eq!(secrets.get("local/token-keys").as_ref(), Some(&ring));
            assert_eq!((secrets.webhook_secret(), secrets.get("local/platform-clients")), (webhook, clients));
        }
        let file = data::read(&folder.path().join("secrets.json")).unwrap().unwrap();
        assert!(file.contains("k2") && !file.contains("platform-clients"), "{file}");
        let again = LocalSecrets::load(Some(folder.path())).unwrap();
        assert_eq!(again.get("local/token-keys"), Some(ring));
    }

    #[test]
    fn what_is_no_ring_replaces_nothing_and_is_not_quoted() {
        let folder = tempfile::tempdir().unwrap();
        let secrets = LocalSecrets::load(Some(folder.path())).unwrap();
        let before = data::read(&folder.path().join("secrets.json")).unwrap();
        for ring in ["hidden", "{}", r#"{"active":"hidden","keys":{}}"#, r#"{"active":"k1","keys":{"k1":"hidden"}}"#] {
            let error = secrets.replace_token_keys(ring).unwrap_err().to_string();
            assert!(error.starts_with("the token keys stay as they are: ") && !error.contains("hidden"), "{error}");
        }
        assert_eq!(data::read(&folder.path().join("secrets.json")).unwrap(), before);
        let again = LocalSecrets::load(Some(folder.path())).unwrap();
        assert_eq!(values(again), values(secrets));
    }

    #[test]
    fn a_ring_that_cannot_be_kept_is_not_served_either() {
        let folder = tempfile::tempdir().unwrap();
        let secrets = LocalSecrets::load(Some(folder.path())).unwrap();
        let before = secrets.get("local/token-keys");
        folder.close().unwrap();
        let ring = format!(r#"{{"active":"k2","keys":{{"k2":"{}"}}}}"#, STANDARD.encode([2; 32]));
        let error = secrets.replace_token_keys(&ring).unwrap_err().to_string();
        assert!(error.contains("secrets.json"), "{error}");
        assert_eq!(secrets.get("local/token-keys"), before);
    }

    #[test]
    fn shared_secrets_are_those_of_the_folder_and_never_made() {
        let folder = tempfile::tempdir().unwrap();
        assert!(LocalSecrets::shared(folder.path()).unwrap_err().to_string().contains("lacks a secret"));
        assert_eq!(data::read(&file(folder.path())).unwrap(), None);
        let made = LocalSecrets::load(Some(folder.path())).unwrap();
        assert_eq!(values(LocalSecrets::shared(folder.path()).unwrap()), values(made));
    }

    #[test]
    fn a_broken_file_is_refused_unread_and_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secrets.json");
        data::write(&path, r#"{"token-keys":{"hidden""#).unwrap();
        let error = LocalSecrets::load(Some(folder.path())).unwrap_err().to_string();
        assert!(error.contains("secrets.json") && !error.contains("hidden"), "{error}");
        assert_eq!(data::read(&path).unwrap().unwrap(), r#"{"token-keys":{"hidden""#);
    }
}

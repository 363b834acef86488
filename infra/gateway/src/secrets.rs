//! The local secrets: made once, kept in `secrets.json`, and served as Secrets Manager serves them.

use crate::data;
use crate::error::{StartError, no_randomness};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::{SecureRandom, SystemRandom};
use serde_json::json;
use shared::domain::{Plan, Platform};
use shared::secrets::names;
use std::collections::BTreeMap;
use std::path::Path;

/// What stands before the name of every local secret.
pub(crate) const PREFIX: &str = "local/";
/// The secret that signs the payment provider's webhooks.
const WEBHOOK_SECRET: &str = "webhook-secret";

/// Secrets by their name below the prefix.
#[derive(Debug)]
pub(crate) struct LocalSecrets {
    values: BTreeMap<String, String>,
}

impl LocalSecrets {
    /// Reads `secrets.json` of a folder and makes what it lacks; without a folder, everything is new.
    pub(crate) fn load(folder: Option<&Path>) -> Result<LocalSecrets, StartError> {
        let path = folder.map(|folder| folder.join("secrets.json"));
        let mut values = match &path {
            Some(path) => stored(path)?,
            None => BTreeMap::new(),
        };
        let known = values.len();
        for (name, make) in [(names::TOKEN_KEYS, key_ring as fn() -> _), (WEBHOOK_SECRET, webhook_secret)] {
            if !values.contains_key(name) {
                values.insert(name.to_owned(), make()?);
            }
        }
        if let Some(path) = path.filter(|_| values.len() > known) {
            data::write(&path, &format!("{:#}\n", json!(values)))?;
        }
        // Not kept: the sandbox says which platforms there are, and it may learn another.
        values.insert(names::PLATFORM_CLIENTS.to_owned(), platform_clients());
        let webhook_secret = values.get(WEBHOOK_SECRET).map_or("", String::as_str);
        values.insert(names::PAYMENT_PROVIDER.to_owned(), payment_provider(webhook_secret));
        Ok(LocalSecrets { values })
    }

    /// The secret that signs the payment provider's webhooks.
    pub(crate) fn webhook_secret(&self) -> &str {
        self.values.get(WEBHOOK_SECRET).map_or("", String::as_str)
    }

    /// A secret by its full name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name.strip_prefix(PREFIX)?).map(String::as_str)
    }
}

fn stored(path: &Path) -> Result<BTreeMap<String, String>, StartError> {
    let Some(text) = data::read(path)? else { return Ok(BTreeMap::new()) };
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
        let client = sandbox::client(platform.word())?;
        Some((platform.word(), json!({ "client_id": client.id, "client_secret": client.secret })))
    };
    json!(Platform::ALL.into_iter().filter_map(client).collect::<BTreeMap<_, _>>()).to_string()
}

/// Our account at the sandbox's payment provider.
fn payment_provider(webhook_secret: &str) -> String {
    let prices: BTreeMap<_, _> = Plan::ALL.map(|plan| (plan.word(), format!("price_{}", plan.word()))).into();
    json!({ "secret_key": sandbox::STRIPE_KEY, "webhook_secrets": [webhook_secret], "prices": prices }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::vault::{KeyRing, Vault};

    #[test]
    fn secrets_are_made_once_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let first = LocalSecrets::load(Some(folder.path())).unwrap();
        let second = LocalSecrets::load(Some(folder.path())).unwrap();
        assert_eq!(first.values, second.values);
        assert_ne!(LocalSecrets::load(None).unwrap().values, first.values);
        assert!(first.webhook_secret().starts_with("whsec_"));
    }

    #[test]
    fn the_key_ring_is_one_that_the_vault_takes() {
        let secrets = LocalSecrets::load(None).unwrap();
        let ring: KeyRing = serde_json::from_str(secrets.get("local/token-keys").unwrap()).unwrap();
        assert!(Vault::new(&ring).is_ok());
        assert_eq!(secrets.get("token-keys"), None);
        assert_eq!(secrets.get("local/other"), None);
    }

    #[test]
    fn the_payment_providers_secret_signs_with_the_one_that_is_kept() {
        let secrets = LocalSecrets::load(None).unwrap();
        let text = secrets.get("local/payment-provider").unwrap();
        let credentials: shared::payments::Credentials = serde_json::from_str(text).unwrap();
        assert_eq!(credentials.webhook_secrets.len(), 1);
        assert!(text.contains(secrets.webhook_secret()) && text.contains(sandbox::STRIPE_KEY));
    }

    #[test]
    fn a_file_from_an_earlier_version_keeps_its_keys_and_gains_what_it_lacks() {
        let folder = tempfile::tempdir().unwrap();
        data::write(&folder.path().join("secrets.json"), r#"{"token-keys":"kept"}"#).unwrap();
        let secrets = LocalSecrets::load(Some(folder.path())).unwrap();
        assert_eq!(secrets.get("local/token-keys"), Some("kept"));
        assert!(secrets.webhook_secret().starts_with("whsec_"));
        assert_eq!(LocalSecrets::load(Some(folder.path())).unwrap().values, secrets.values);
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

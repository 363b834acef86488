//! Tests of the local secrets: creation, storage and replacement.

use super::*;
use crate::data_folder;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

fn values(secrets: LocalSecrets) -> Values {
    secrets.values.into_inner().unwrap()
}

#[test]
fn secrets_are_generated_once_and_stored() {
    let folder = tempfile::tempdir().unwrap();
    let first = LocalSecrets::load(Some(folder.path())).unwrap();
    assert!(first.webhook_secret().starts_with("whsec_"));
    let first = values(first);
    assert_eq!(first, values(LocalSecrets::load(Some(folder.path())).unwrap()));
    assert_ne!(first, values(LocalSecrets::load(None).unwrap()));
}

#[test]
fn the_generated_key_ring_is_valid() {
    let secrets = LocalSecrets::load(None).unwrap();
    assert!(validate_ring(&secrets.get("local/token-keys").unwrap()).is_ok());
    assert_eq!(secrets.get("token-keys"), None);
    assert_eq!(secrets.get("local/other"), None);
}

#[test]
fn the_payment_provider_gets_the_stored_webhook_secret() {
    let secrets = LocalSecrets::load(None).unwrap();
    let text = secrets.get("local/payment-provider").unwrap();
    let credentials: shared::payments::Credentials = serde_json::from_str(&text).unwrap();
    assert_eq!(credentials.webhook_secrets.len(), 1);
    assert!(text.contains(&secrets.webhook_secret()) && text.contains(sandbox::STRIPE_KEY));
}

#[test]
fn a_file_from_an_earlier_version_keeps_its_keys_and_gains_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    let ring = generate::key_ring().unwrap();
    let stored = json!({ "token-keys": ring }).to_string();
    data_folder::write(&folder.path().join("secrets.json"), &stored).unwrap();
    let secrets = LocalSecrets::load(Some(folder.path())).unwrap();
    assert_eq!(secrets.get("local/token-keys"), Some(ring));
    assert!(secrets.webhook_secret().starts_with("whsec_"));
    assert_eq!(values(LocalSecrets::load(Some(folder.path())).unwrap()), values(secrets));
}

#[test]
fn a_new_ring_is_served_and_stored_and_other_secrets_stay() {
    let folder = tempfile::tempdir().unwrap();
    let ring = format!(r#"{{"active":"k2","keys":{{"k2":"{}"}}}}"#, STANDARD.encode([2; 32]));
    for folder in [None, Some(folder.path())] {
        let secrets = LocalSecrets::load(folder).unwrap();
        let webhook = secrets.webhook_secret();
        let clients = secrets.get("local/platform-clients");
        secrets.replace_token_keys(&ring).unwrap();
        assert_eq!(secrets.get("local/token-keys").as_ref(), Some(&ring));
        assert_eq!((secrets.webhook_secret(), secrets.get("local/platform-clients")), (webhook, clients));
    }
    let file = data_folder::read(&folder.path().join("secrets.json")).unwrap().unwrap();
    assert!(file.contains("k2") && !file.contains("platform-clients"), "{file}");
    let again = LocalSecrets::load(Some(folder.path())).unwrap();
    assert_eq!(again.get("local/token-keys"), Some(ring));
}

#[test]
fn an_invalid_ring_replaces_nothing_and_is_not_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let secrets = LocalSecrets::load(Some(folder.path())).unwrap();
    let before = data_folder::read(&folder.path().join("secrets.json")).unwrap();
    for ring in ["hidden", "{}", r#"{"active":"hidden","keys":{}}"#, r#"{"active":"k1","keys":{"k1":"hidden"}}"#] {
        let error = secrets.replace_token_keys(ring).unwrap_err().to_string();
        assert!(error.starts_with("the token keys were not replaced: ") && !error.contains("hidden"), "{error}");
    }
    assert_eq!(data_folder::read(&folder.path().join("secrets.json")).unwrap(), before);
    let again = LocalSecrets::load(Some(folder.path())).unwrap();
    assert_eq!(values(again), values(secrets));
}

#[test]
fn a_ring_that_cannot_be_stored_is_not_served() {
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
fn shared_secrets_are_read_from_the_folder_and_never_generated() {
    let folder = tempfile::tempdir().unwrap();
    assert!(LocalSecrets::shared(folder.path()).unwrap_err().to_string().contains("lacks a secret"));
    assert_eq!(data_folder::read(&secrets_file(folder.path())).unwrap(), None);
    let stored = LocalSecrets::load(Some(folder.path())).unwrap();
    assert_eq!(values(LocalSecrets::shared(folder.path()).unwrap()), values(stored));
}

#[test]
fn a_broken_file_is_rejected_and_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secrets.json");
    data_folder::write(&path, r#"{"token-keys":{"hidden""#).unwrap();
    let error = LocalSecrets::load(Some(folder.path())).unwrap_err().to_string();
    assert!(error.contains("secrets.json") && !error.contains("hidden"), "{error}");
    assert_eq!(data_folder::read(&path).unwrap().unwrap(), r#"{"token-keys":{"hidden""#);
}

use super::*;
use crate::engine::{Backend, Engine};
use crate::secrets::PREFIX;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use shared::secrets::{SecretAccess, Secrets, names};
use shared::vault::{Binding, VaultError};

/// A ring of one key, or of two keys with the second one active.
fn ring(is_rotated: bool) -> String {
    let [one, two] = [1, 2].map(|byte| STANDARD.encode([byte; 32]));
    if is_rotated {
        json!({ "active": "k2", "keys": { "k1": one, "k2": two } }).to_string()
    } else {
        json!({ "active": "k1", "keys": { "k1": one } }).to_string()
    }
}

#[tokio::test]
async fn an_invalid_ring_leaves_the_old_one_in_use_until_a_valid_one() {
    let secrets = Arc::new(LocalSecrets::load(None).unwrap());
    secrets.replace_token_keys(&ring(false)).unwrap();
    let engine = Engine::start(Backend::Memory).unwrap();
    let client = aws(engine.client.clone(), Some(Arc::clone(&secrets))).secrets_client();
    let load = || Secrets::load(&client, PREFIX, SecretAccess::PLATFORMS);
    let vault = load().await.unwrap().vault.unwrap();
    let binding = Binding { customer: "c", record: "g", field: "f" };
    let older = vault.seal(binding, &"token".into()).await.unwrap();
    secrets.replace_token_keys(&ring(true)).unwrap();
    let newer = load().await.unwrap().vault.unwrap().seal(binding, &"token".into()).await.unwrap();

    for broken in ["no JSON", r#"{"active":"k3","keys":{}}"#] {
        secrets.put(names::TOKEN_KEYS, broken).unwrap();
        assert!(load().await.is_err(), "no process starts with it");
        assert_eq!(vault.open(binding, &newer).await.unwrap_err(), VaultError::NewerRingUnavailable, "{broken}");
        assert!(vault.open(binding, &older).await.is_ok());
        assert!(vault.seal(binding, &"token".into()).await.unwrap().starts_with("v1.k1."));
    }
    secrets.replace_token_keys(&ring(true)).unwrap();
    assert!(vault.open(binding, &newer).await.is_ok());
    assert!(vault.seal(binding, &"token".into()).await.unwrap().starts_with("v1.k2."));
}

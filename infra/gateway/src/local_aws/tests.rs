use super::*;
use crate::engine::{Backend, Engine, socket_path};
use crate::secrets::PREFIX;
use aws_sdk_dynamodb::types::AttributeValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use shared::secrets::{SecretAccess, Secrets, names};
use shared::vault::{Binding, VaultError};
use std::time::Duration;

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

#[tokio::test]
async fn a_call_of_a_joined_process_waits_for_a_store_that_is_busy() {
    let folder = tempfile::tempdir().unwrap();
    let listener = tokio::net::UnixListener::bind(socket_path(folder.path())).unwrap();
    let busy = |_| async {
        tokio::time::sleep(Duration::from_secs(4)).await;
        Ok(service::error(http::StatusCode::OK, "", ""))
    };
    let server = local_http::serve(listener, local_http::Limits::default(), busy, std::future::pending());
    let server = tokio::spawn(server);
    let client = aws_of_folder(folder.path()).dynamodb_client();
    let key = AttributeValue::S("a".to_owned());
    let read = client.get_item().table_name("t").key("pk", key.clone()).key("sk", key).send().await;
    assert!(read.is_ok(), "{read:?}");
    server.abort();
}

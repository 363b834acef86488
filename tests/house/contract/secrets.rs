//! Secrets Manager on every available engine.

use super::{Engines, elsewhere};
use aws_sdk_secretsmanager::config::{BehaviorVersion, Region};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use shared::app::Aws;
use shared::domain::Platform;
use shared::sdk::SharedHttpClient;
use shared::secrets::{SecretAccess, Secrets, names};
use shared::vault::{Binding, VaultError};
use std::env;
use uuid::Uuid;

const PLACE: Binding<'_> = Binding { customer: "c", record: "g", field: "f" };

/// A ring of the keys up to a number. The last one is active.
fn ring(last: u8) -> String {
    let keys = (1..=last).map(|number| (format!("k{number}"), json!(STANDARD.encode([number; 32]))));
    json!({ "active": format!("k{last}"), "keys": serde_json::Map::from_iter(keys) }).to_string()
}

/// The SDK's client, which also writes secrets.
fn operator(aws: &Aws) -> aws_sdk_secretsmanager::Client {
    let mut config = aws_sdk_secretsmanager::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(aws.region.clone()))
        .credentials_provider(aws.credentials.clone())
        .http_client(SharedHttpClient::default());
    config.set_endpoint_url(aws.secrets_endpoint.clone());
    aws_sdk_secretsmanager::Client::from_conf(config.build())
}

#[tokio::test]
async fn a_missing_secret_is_named() {
    let world = Engines::start().await.world;
    let here = world.gateway.config.aws.secrets_client();
    let secrets = Secrets::load(&here, &world.gateway.config.secrets_prefix, SecretAccess::ALL).await.expect("secrets");
    assert_eq!(secrets.clients.len(), Platform::ALL.len());
    let Err(error) = Secrets::load(&here, "elsewhere/", SecretAccess::PLATFORMS).await else {
        panic!("there are none")
    };
    let Ok(endpoint) = env::var("CONTRACT_SECRETS") else { return };

    let aws = Aws { secrets_endpoint: Some(endpoint), ..elsewhere(&world) };
    let there = aws.secrets_client();
    let operator = operator(&aws);
    let prefix = format!("contract/{}/", Uuid::new_v4());
    let Err(other) = Secrets::load(&there, &prefix, SecretAccess::PLATFORMS).await else { panic!("there are none") };
    let code = |error: &shared::secrets::SecretError| error.to_string().contains("ResourceNotFoundException");
    assert!(code(&error) && code(&other), "{error}; {other}");

    let clients = json!({ "alpha_ads": { "client_id": "id", "client_secret": "secret" } }).to_string();
    for (name, value) in [(names::TOKEN_KEYS, ring(1)), (names::PLATFORM_CLIENTS, clients)] {
        let secret = operator.create_secret().name(format!("{prefix}{name}")).secret_string(value);
        secret.send().await.expect("a secret");
    }
    let secrets = Secrets::load(&there, &prefix, SecretAccess::PLATFORMS).await.expect("secrets");
    assert_eq!(secrets.clients.len(), 1);
    let old = secrets.vault.expect("a vault");

    // A process that starts now reads the new ring; so does one that meets a value sealed under it.
    let put = operator.put_secret_value().secret_id(format!("{prefix}{}", names::TOKEN_KEYS)).secret_string(ring(2));
    put.send().await.expect("another ring");
    let new = Secrets::load(&there, &prefix, SecretAccess::PLATFORMS).await.expect("secrets").vault.expect("a vault");
    let sealed = new.seal(PLACE, &"token".into()).await.expect("a seal");
    assert!(sealed.starts_with("v1.k2."), "{sealed}");
    assert!(old.open(PLACE, &sealed).await.is_ok());
    let unknown = sealed.replacen("k2", "k9", 1);
    assert_eq!(old.open(PLACE, &unknown).await.expect_err("no such key"), VaultError::UnknownKey);
}

/// The single reads that replace a failed batch would hide it in the other test.
#[tokio::test]
async fn a_batch_returns_known_secrets_and_names_unknown_ones() {
    let world = Engines::start().await.world;
    let aws = &world.gateway.config.aws;
    let here = Aws { secrets_endpoint: Some(world.endpoints().1), connector: None, ..aws.clone() };
    let prefix = &world.gateway.config.secrets_prefix;
    assert_batch(&operator(&here), [names::TOKEN_KEYS, names::PLATFORM_CLIENTS].map(|name| format!("{prefix}{name}")))
        .await;
    let Ok(endpoint) = env::var("CONTRACT_SECRETS") else { return };
    let operator = operator(&Aws { secrets_endpoint: Some(endpoint), ..elsewhere(&world) });
    let names = ["a", "b"].map(|name| format!("contract/{}/{name}", Uuid::new_v4()));
    for name in &names {
        operator.create_secret().name(name).secret_string("text").send().await.expect("a secret");
    }
    assert_batch(&operator, names).await;
}

/// Reads these secrets and an unknown one with one call.
async fn assert_batch(client: &aws_sdk_secretsmanager::Client, names: [String; 2]) {
    let unknown = "unknown/secret".to_owned();
    let ids = names.iter().chain([&unknown]).cloned().collect();
    let batch = client.batch_get_secret_value().set_secret_id_list(Some(ids)).send().await.expect("a batch");
    let values = batch.secret_values();
    assert!(values.iter().all(|value| value.secret_string().is_some()));
    assert_eq!(values.iter().flat_map(|value| value.name()).collect::<Vec<_>>(), names);
    let errors = batch.errors().iter().map(|error| (error.secret_id(), error.error_code()));
    assert_eq!(errors.collect::<Vec<_>>(), [(Some(&*unknown), Some("ResourceNotFoundException"))]);
}

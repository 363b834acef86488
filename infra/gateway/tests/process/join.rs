//! `--join`: a second gateway over the store, the secrets and the sandbox of the first.

use crate::gateway_process::GatewayProcess;
use crate::process::{run_admin, run_error};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// The files of a folder by name, except the socket, and those of the database, which change at any time.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let entries = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let files = entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()));
    files.filter(|(name, _)| !name.starts_with("dynamodb.sqlite")).collect()
}

#[test]
fn a_joined_gateway_serves_the_same_customers_and_writes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let first = GatewayProcess::on(folder.path());
    let before = contents(folder.path());
    let mut joined = GatewayProcess::joining(folder.path());
    for name in ["api_key", "customer_id", "sandbox", "webhook_secret"] {
        assert_eq!(joined.field(name), first.field(name), "{name}");
    }
    assert_ne!(joined.field("gateway"), first.field("gateway"));
    assert_eq!(joined.signal("-TERM").code(), Some(0));
    assert_eq!(joined.remaining_output(), "");
    assert_eq!(contents(folder.path()), before);
    assert!(run_admin(folder.path(), &["list-customers"]).contains(first.field("customer_id")));
    let again = GatewayProcess::joining(folder.path());
    assert_eq!(again.field("api_key"), first.field("api_key"));
}

#[test]
fn the_error_of_a_failed_join_names_the_reason_and_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let join = || run_error(&["--sandbox", "--json", "--port", "0", "--join", data.to_str().unwrap()]);
    let error = join();
    assert!(error.contains("no such folder") && error.contains("cargo local --data"), "{error}");
    assert!(!data.exists());
    let mut first = GatewayProcess::on(&data);
    first.signal("-TERM");
    assert!(join().contains("no gateway runs on it"));
    let mut killed = GatewayProcess::on(&data);
    killed.signal("-KILL");
    assert!(join().contains("does not answer"));
    let other = folder.path().join("other");
    let _other = GatewayProcess::on(&other);
    for name in ["demo-key", "engine.json"] {
        std::fs::copy(data.join(name), other.join(name)).unwrap();
    }
    let error = run_error(&["--sandbox", "--json", "--port", "0", "--join", other.to_str().unwrap()]);
    assert!(error.contains("does not have the customer of its demo-key"), "{error}");
}

#[test]
fn no_webhook_is_delivered_to_a_gateway_of_the_same_service() {
    const PATH: &str = "/v1/webhook-endpoints";
    let folder = tempfile::tempdir().unwrap();
    let first = GatewayProcess::on(folder.path());
    let joined = GatewayProcess::joining(folder.path());
    let at = |gateway: &GatewayProcess| {
        json!({"url": format!("{}/hooks", gateway.field("gateway")), "types": ["*"]}).to_string()
    };
    for own in [&first, &joined] {
        let (head, body) = joined.send("POST", PATH, &at(own));
        assert!(head.starts_with("HTTP/1.1 400") && body.contains("address of this service"), "{head} {body}");
    }
    let (head, made) = first.send("POST", PATH, &at(&joined));
    assert!(head.starts_with("HTTP/1.1 201"), "the first does not know who has joined: {head} {made}");
    let made: Value = serde_json::from_str(&made).unwrap();
    let one = format!("{PATH}/{}", made["id"].as_str().unwrap());
    let (_, tested) = first.send("POST", &format!("{one}/test"), "");
    assert!(tested.contains("410") && tested.contains("address of the service"), "{tested}");
    let key = json!({"name": "Told", "scopes": ["read"]}).to_string();
    assert!(first.send("POST", "/v1/api-keys", &key).0.starts_with("HTTP/1.1 201"));
    let is_disabled = || {
        sleep(Duration::from_millis(200));
        first.send("GET", &one, "").1.contains("\"disabled\"")
    };
    assert!((0..100).any(|_| is_disabled()), "it is told once: {}", first.send("GET", &one, "").1);
}

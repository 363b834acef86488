//! `gateway listen`: events reach a program on this machine as an endpoint receives them.

mod listener;
mod receiver;

use crate::gateway_process::{GatewayProcess, wait};
use crate::signature::is_signed_by;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use listener::{Listener, listen};
use receiver::{Receiver, Request};
use serde_json::{Value, json};
use shared::auth::{ApiKey, Mode};
use shared::domain::CustomerId;
use std::path::Path;
use std::time::Duration;

/// Three polls with the demo customer's key.
const THREE_POLLS: Duration = Duration::from_secs(3);

/// Creates a key, which is an event, and returns its secret.
fn create_key(process: &GatewayProcess, name: &str, scope: &str) -> String {
    let (head, body) = process.send("POST", "/v1/api-keys", &json!({"name": name, "scopes": [scope]}).to_string());
    assert!(head.starts_with("HTTP/1.1 201 "), "{head}{body}");
    let key: Value = serde_json::from_str(&body).unwrap();
    key["api_key"].as_str().unwrap().to_owned()
}

fn listen_on(folder: &Path, receiver: &Receiver) -> Listener {
    Listener::start(listen(&[&receiver.url("/listen"), "--data", folder.to_str().unwrap()]))
}

/// Verifies the signature of a request, and returns the name of the key that it reports.
fn verified_name(request: &Request, secret: &str) -> String {
    let headers = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(|name| request.headers[name].as_str());
    assert!(is_signed_by(secret, headers, &request.body), "{headers:?}");
    assert_eq!(request.headers["content-type"], "application/json");
    let event: Value = serde_json::from_slice(&request.body).unwrap();
    assert_eq!(event["id"], request.headers["webhook-id"]);
    event["data"]["api_key"]["name"].as_str().unwrap().to_owned()
}

fn new_secret(listener: &Listener) -> String {
    listener.secret.split(' ').next().unwrap().to_owned()
}

#[test]
fn an_event_arrives_as_an_endpoint_receives_it() {
    let folder = tempfile::tempdir().unwrap();
    let process = GatewayProcess::on(folder.path());
    create_key(&process, "before the start", "read");
    let receiver = Receiver::at(0);
    let endpoint = json!({"url": receiver.url("/endpoint"), "types": ["*"]}).to_string();
    let (head, body) = process.send("POST", "/v1/webhook-endpoints", &endpoint);
    assert!(head.starts_with("HTTP/1.1 201 "), "{body}");
    let mut listener = listen_on(folder.path(), &receiver);
    create_key(&process, "Ada \u{1f600}", "read");
    let mut requests = [receiver.next(), receiver.next()];
    requests.sort_by(|a, b| a.path.cmp(&b.path));
    let [delivered, forwarded] = &requests;
    assert_eq!((delivered.path.as_str(), forwarded.path.as_str()), ("/endpoint", "/listen"));
    assert_eq!(delivered.body, forwarded.body);
    assert_eq!(delivered.headers["webhook-id"], forwarded.headers["webhook-id"]);
    let names = |request: &Request| request.headers.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(delivered), names(forwarded));
    assert_eq!(verified_name(forwarded, &new_secret(&listener)), "Ada \u{1f600}");
    let line = listener.line("api_key.created");
    assert!(line.contains(&forwarded.headers["webhook-id"]) && line.contains("  204  "), "{line}");
    assert_eq!(listener.interrupt().code(), Some(0));
}

#[test]
fn no_event_comes_twice_or_is_lost_while_the_receiver_restarts() {
    let folder = tempfile::tempdir().unwrap();
    let process = GatewayProcess::on(folder.path());
    let receiver = Receiver::at(0);
    let listener = listen_on(folder.path(), &receiver);
    let secret = new_secret(&listener);
    create_key(&process, "first", "read");
    assert_eq!(verified_name(&receiver.next(), &secret), "first");
    listener.line("  204  ");
    let port = receiver.port;
    drop(receiver);
    create_key(&process, "missed", "read");
    listener.line("the host accepts no connection");
    let receiver = Receiver::at(port);
    create_key(&process, "second", "read");
    assert_eq!(verified_name(&receiver.next(), &secret), "second");
    receiver.assert_silent(THREE_POLLS);
}

#[test]
fn the_api_may_be_away_for_a_moment() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = GatewayProcess::on(folder.path());
    let port = process.field("gateway").rsplit(':').next().unwrap().to_owned();
    let receiver = Receiver::at(0);
    let secret = format!("whsec_{}", STANDARD.encode([7; 32]));
    let mut command = listen(&[&receiver.url("/listen"), "--types", "api_key.created,change.applied", "--data"]);
    command.arg(folder.path()).env("UNIFIED_ADS_WEBHOOK_SECRET", &secret);
    let listener = Listener::start(command);
    assert_eq!(listener.secret, "that of UNIFIED_ADS_WEBHOOK_SECRET");
    process.signal("-KILL");
    std::thread::sleep(THREE_POLLS);
    let process = GatewayProcess::on_port(&port, folder.path());
    for name in ["a", "b"] {
        create_key(&process, name, "read");
    }
    let names = ["a", "b"].map(|_| verified_name(&receiver.next(), &secret));
    assert_eq!(names, ["a", "b"]);
    receiver.assert_silent(THREE_POLLS);
}

/// Runs a command that must fail, and returns its exit code and standard error.
fn failure(arguments: &[&str], key: Option<&str>) -> (i32, String) {
    let mut command = listen(arguments);
    command.envs(key.map(|key| ("UNIFIED_ADS_KEY", key)));
    let mut child = command.spawn().unwrap();
    wait(&mut child);
    let output = child.wait_with_output().unwrap();
    assert!(output.stdout.is_empty());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(key.is_none_or(|key| !error.contains(key)), "{error}");
    (output.status.code().unwrap(), error)
}

#[test]
fn a_refused_key_and_a_wrong_address_end_it() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let url = "http://localhost:4000/webhooks";
    let (code, error) = failure(&[url, "--data", data], None);
    assert!(code == 1 && error.contains("cargo local"), "{error}");
    let process = GatewayProcess::on(folder.path());
    let api = process.field("gateway");
    let unknown = ApiKey::generate(CustomerId(uuid::Uuid::new_v4()), Mode::Test).unwrap();
    let billing = create_key(&process, "billing", "billing");
    for (api, key, part) in [
        (api, Some(unknown.reveal()), "answers 401"),
        (api, Some(billing.as_str()), "scope read"),
        (api, Some("uac_test_7"), "UNIFIED_ADS_KEY is not an API key"),
        (api, None, "set UNIFIED_ADS_KEY"),
        (process.field("sandbox"), Some(process.field("api_key")), "check --api"),
        ("http://127.0.0.1:9", Some(process.field("api_key")), "does not answer"),
    ] {
        let (code, error) = failure(&[url, "--api", api], key);
        assert!(code == 1 && error.lines().count() == 1 && error.contains(part), "{part}: {error}");
    }
}

#[test]
fn a_receiver_elsewhere_is_refused() {
    let (code, error) = failure(&["https://example.com/webhooks"], None);
    assert!(code == 2 && error.contains("POST /v1/webhook-endpoints"), "{error}");
}

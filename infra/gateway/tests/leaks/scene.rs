//! The real gateway with a log of everything, and a sandbox beside it whose log does not count.

use super::search::Secret;
use aws_credential_types::Credentials;
use aws_sdk_dynamodb::types::AttributeValue;
use axum::body::Bytes;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, Method};
use serde_json::{Value, json};
use shared::app::Aws;
use shared::outbound::{Answer, Outbound, Outgoing};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::Instant;
use url::{Url, form_urlencoded};

const PATIENCE: Duration = Duration::from_secs(60);
/// The files of the folder that are there to hold secrets.
const KEPT_SECRETS: [&str; 2] = ["secrets.json", "demo-key"];

/// Everything that takes part, and what was seen of it.
pub(crate) struct Scene {
    folder: TempDir,
    sandbox: sandbox::Running,
    gateway: Child,
    url: String,
    pub(crate) key: String,
    pub(crate) customer: String,
    http: Outbound,
    seen: Mutex<Seen>,
}

/// What the gateway answered, and the secrets that only this side knows of.
#[derive(Default)]
struct Seen {
    answers: Vec<u8>,
    statuses: BTreeSet<u16>,
    secrets: Vec<Secret>,
}

impl Scene {
    pub(crate) async fn start() -> Scene {
        // In this process, which logs nothing: it plays the outside world, where secrets do belong.
        let sandbox = sandbox::start(sandbox::Options::default()).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut command = command(folder.path());
        command.args(["--port", "0", "--json", "--sandbox-url", &sandbox.url()]);
        let mut gateway = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(gateway.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap();
        let said = |name: &str| ready[name].as_str().unwrap().to_owned();
        let (url, key, customer) = (said("gateway"), said("api_key"), said("customer_id"));
        let http = Outbound::new().unwrap();
        let scene = Scene { folder, sandbox, gateway, url, key, customer, http, seen: Mutex::default() };
        scene.keep("API key", &scene.key);
        scene
    }

    /// Remembers a secret to look for.
    pub(crate) fn keep(&self, what: &str, value: &str) {
        self.seen.lock().unwrap().secrets.push(Secret::new(what, value));
    }

    /// A request to the gateway with the demo customer's key.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: &Value) -> Answer {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.send(method, path, &[("x-api-key", &self.key)], &body).await
    }

    /// A request to the gateway, whose answer is kept whole to be searched. Only the state is taken out of the address
    /// of the consent page before: that address is where it has to be.
    pub(crate) async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let answer = self.carry(method, &format!("{}{path}", self.url), headers, body).await;
        let mut text = answer.body.to_vec();
        if let Some(state) = authorize_url(&answer).as_ref().and_then(|url| parameter(url, "state")) {
            self.keep("state", &state);
            text = String::from_utf8(text).unwrap().replace(&state, "").into_bytes();
        }
        let mut seen = self.seen.lock().unwrap();
        seen.statuses.insert(answer.status.as_u16());
        seen.answers.extend(format!("{}\n{:?}\n", answer.status, answer.headers).into_bytes());
        for value in answer.headers.values() {
            seen.answers.extend([value.as_bytes(), b"\n"].concat());
        }
        seen.answers.extend([text.as_slice(), b"\n\n"].concat());
        answer
    }

    async fn carry(&self, method: &str, url: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let header = |(name, value): &(&str, &str)| (name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
        let headers = headers.iter().map(header).collect::<HeaderMap>();
        let body = Bytes::from(body.to_owned());
        let outgoing = Outgoing { method: method.parse::<Method>().unwrap(), url: url.to_owned(), headers, body };
        self.http.send(outgoing, Instant::now() + PATIENCE).await.unwrap()
    }

    async fn control(&self, method: &str, name: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let answer = self.carry(method, &format!("{}/_sandbox/{name}", self.sandbox.url()), &[], &body).await;
        assert!(answer.status.is_success(), "{name}: {}", String::from_utf8_lossy(&answer.body));
        serde_json::from_slice(&answer.body).unwrap()
    }

    /// Lets the next call of an operation fail, and a list however often it is tried; an empty fault takes back what
    /// was not used up.
    pub(crate) async fn fault(&self, platform: &str, operation: &str, fault: &str) {
        let times = if operation == "list" { 3 } else { 1 };
        let order = match fault {
            "" => json!({"platform": platform, "operation": operation, "times": 0}),
            _ => json!({"platform": platform, "operation": operation, "fault": fault, "times": times}),
        };
        self.control("POST", "faults", &order).await;
    }

    /// The path and query of the callback after a person has decided.
    pub(crate) async fn consent(&self, platform: &str, decision: &str) -> String {
        let answer = self.ask("GET", &format!("/v1/connections/{platform}/authorize"), &Value::Null).await;
        let url = authorize_url(&answer).unwrap();
        let form = [("content-type", "application/x-www-form-urlencoded")];
        let back = self.carry("POST", url.as_str(), &form, &format!("decision={decision}")).await;
        back.headers["location"].to_str().unwrap().strip_prefix(&self.url).unwrap().to_owned()
    }

    /// Connects the first ad account of a platform.
    pub(crate) async fn connect(&self, platform: &str) {
        let back = self.consent(platform, "approve").await;
        assert_eq!(self.send("GET", &back, &[], "").await.status, 200, "{platform}");
    }

    /// Makes the gateway believe that the access tokens of a platform have run out.
    pub(crate) async fn run_out(&self, platform: &str) {
        self.rewrite(platform, "access_expires_at", AttributeValue::S("1970-01-01T00:00:00Z".to_owned())).await;
    }

    /// Makes the gateway believe that every pause that a platform asked for is over.
    pub(crate) async fn end_pauses(&self, platform: &str) {
        self.rewrite(platform, "paused_until", AttributeValue::N("1".to_owned())).await;
    }

    /// Sets an attribute of every record of a platform that has it.
    async fn rewrite(&self, platform: &str, attribute: &str, value: AttributeValue) {
        let client = self.table();
        let is_meant = |item: &&std::collections::HashMap<String, AttributeValue>| {
            item.contains_key(attribute) && item["platform"] == AttributeValue::S(platform.to_owned())
        };
        let answer = client.scan().table_name("unified-ads").consistent_read(true).send().await.unwrap();
        for item in answer.items().iter().filter(is_meant) {
            let update = client.update_item().table_name("unified-ads");
            let update = update.key("pk", item["pk"].clone()).key("sk", item["sk"].clone());
            let update = update.update_expression("SET #attribute = :value");
            let update = update.expression_attribute_names("#attribute", attribute);
            update.expression_attribute_values(":value", value.clone()).send().await.unwrap();
        }
    }

    fn table(&self) -> aws_sdk_dynamodb::Client {
        let engine: Value = serde_json::from_slice(&fs::read(self.data().join("engine.json")).unwrap()).unwrap();
        let aws = Aws {
            region: "us-east-1".to_owned(),
            credentials: Credentials::new("local", "local", None, None, "test"),
            dynamodb_endpoint: engine["endpoint"].as_str().map(str::to_owned),
            secrets_endpoint: None,
        };
        aws.dynamodb_client()
    }

    /// Work of the operator, which logs to the same place. What it prints is a key, for the operator to keep: that is
    /// no leak, and answered here.
    pub(crate) fn admin(&self, task: &[&str]) -> String {
        let output = command(self.folder.path()).arg("admin").args(task).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let key = text.lines().find_map(|line| line.strip_prefix("key ")).unwrap().trim().to_owned();
        self.keep("API key", &key);
        key
    }

    /// Every secret of the story: those of the platforms, of our callers, of our clients' flows, and our own.
    pub(crate) async fn secrets(&self) -> BTreeSet<Secret> {
        let mut secrets: BTreeSet<Secret> = self.seen.lock().unwrap().secrets.iter().cloned().collect();
        for issued in self.control("GET", "secrets", &Value::Null).await["secrets"].as_array().unwrap() {
            let said = |name: &str| issued[name].as_str().unwrap();
            secrets.insert(Secret::new(format!("{} {}", said("platform"), said("kind")), said("value")));
        }
        for request in self.control("GET", "requests", &Value::Null).await["requests"].as_array().unwrap() {
            let form = form_urlencoded::parse(request["body"].as_str().unwrap().as_bytes());
            let verifiers = form.filter(|(name, _)| name == "code_verifier");
            secrets.extend(verifiers.map(|(_, value)| Secret::new("PKCE verifier", value.into_owned())));
        }
        let own: Value = serde_json::from_slice(&fs::read(self.data().join("secrets.json")).unwrap()).unwrap();
        secrets.insert(Secret::new("payment key", sandbox::STRIPE_KEY));
        secrets.insert(Secret::new("webhook secret", own["webhook-secret"].as_str().unwrap()));
        let ring: Value = serde_json::from_str(own["token-keys"].as_str().unwrap()).unwrap();
        for (id, key) in ring["keys"].as_object().unwrap() {
            let text = key.as_str().unwrap();
            secrets.insert(Secret::new(format!("token key {id}"), text));
            secrets.insert(Secret::new(format!("token key {id}, its bytes"), STANDARD.decode(text).unwrap()));
        }
        secrets
    }

    /// Everything that the gateway answered.
    pub(crate) fn answers(&self) -> Vec<u8> {
        self.seen.lock().unwrap().answers.clone()
    }

    pub(crate) fn statuses(&self) -> BTreeSet<u16> {
        self.seen.lock().unwrap().statuses.clone()
    }

    /// Every item of the table as its client shows it.
    pub(crate) async fn items(&self) -> Vec<u8> {
        let mut pages = self.table().scan().table_name("unified-ads").into_paginator().items().send();
        let mut items = String::new();
        while let Some(item) = pages.next().await {
            items.push_str(&format!("{:?}\n", item.unwrap()));
        }
        items.into_bytes()
    }

    /// Every file of the data folder, by its name, but for those that are there to hold secrets.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let names = fs::read_dir(self.data()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let names = names.filter(|name| !KEPT_SECRETS.contains(&name.as_str()));
        names.map(|name| (name.clone(), fs::read(self.data().join(name)).unwrap())).collect()
    }

    /// Ends the gateway as its operator does.
    pub(crate) fn stop(&mut self) {
        let kill = Command::new("kill").args(["-TERM", &self.gateway.id().to_string()]).status().unwrap();
        assert!(kill.success() && self.gateway.wait().unwrap().success());
    }

    pub(crate) fn log(&self) -> Vec<u8> {
        fs::read(log(self.folder.path())).unwrap()
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.gateway.kill();
        let _ = self.gateway.wait();
    }
}

/// The program, told to log all that it can, even what the AWS SDK holds back unless it is asked twice.
fn command(folder: &Path) -> Command {
    let stderr: File = OpenOptions::new().create(true).append(true).open(log(folder)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_gateway"));
    command.env("RUST_LOG", "trace").env("LOG_SENSITIVE_BODIES", "true").env("RUST_BACKTRACE", "full");
    command.arg("--data").arg(folder.join("data")).stdin(Stdio::null()).stderr(stderr);
    command
}

fn log(folder: &Path) -> PathBuf {
    folder.join("log")
}

/// The address of the consent page, where an answer has one.
fn authorize_url(answer: &Answer) -> Option<Url> {
    let body: Value = serde_json::from_slice(&answer.body).ok()?;
    Url::parse(body.get("authorize_url")?.as_str()?).ok()
}

fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
}

//! The real program: what it prints, what it keeps, how it ends, and what it says when it cannot start.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

mod served;

use serde_json::Value;
use served::{Served, end, gateway};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Output;

/// Runs to the end, which must come.
fn run(arguments: &[&str]) -> Output {
    let mut child = gateway(arguments).spawn().unwrap();
    end(&mut child);
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Head and body of the answer to a request with the demo customer's key.
fn get(served: &Served, path: &str) -> (String, String) {
    let mut stream = TcpStream::connect(served.said("gateway").trim_start_matches("http://")).unwrap();
    let key = served.said("api_key");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: h\r\nX-API-Key: {key}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

/// The operator's command on a folder; it must succeed.
fn admin(folder: &Path, task: &[&str]) -> String {
    let output = run(&[&["admin", "--data", folder.to_str().unwrap()], task].concat());
    assert!(output.status.success(), "{task:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn create(folder: &Path, email: &str) -> String {
    let answer = admin(folder, &["create-customer", "--email", email, "--plan", "pro"]);
    answer.lines().find_map(|line| line.strip_prefix("customer  ")).unwrap().to_owned()
}

fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert_eq!(text(&output.stdout), "");
    assert!(error.starts_with("gateway: ") && error.lines().count() == 1 && !error.contains("panicked"), "{error}");
    error
}

#[test]
fn ready_is_one_line_of_json_and_nothing_else_and_a_signal_ends_it_cleanly() {
    for signal in ["-TERM", "-INT"] {
        let mut served = Served::start(&["--sandbox-port", "0", "--memory"]);
        let ready = served.ready.as_object().unwrap().clone();
        let names: Vec<_> = ready.keys().map(String::as_str).collect();
        assert_eq!(names, ["api_key", "customer_id", "gateway", "sandbox", "webhook_secret"]);
        assert!(served.said("gateway").starts_with("http://127.0.0.1:"));
        assert!(served.said("sandbox").starts_with("http://127.0.0.1:"));
        assert!(served.said("api_key").starts_with("uac_test_"));
        assert!(served.said("webhook_secret").starts_with("whsec_"));
        assert_eq!(served.signal(signal).code(), Some(0), "{signal}");
        assert_eq!(served.rest(), "");
    }
}

#[test]
fn a_restart_prints_the_same_customer_and_keeps_what_was_made() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut first = Served::on(&data);
    let made = create(&data, "kept@example.com");
    assert_eq!(first.signal("-TERM").code(), Some(0));
    assert!(!data.join("engine.json").exists());
    let second = Served::on(&data);
    for name in ["api_key", "customer_id", "webhook_secret"] {
        assert_eq!(second.said(name), first.said(name), "{name}");
    }
    let list = admin(&data, &["list-customers"]);
    assert!(list.contains(&made) && list.contains(second.said("customer_id")), "{list}");
    assert_eq!(list.lines().count(), 2, "{list}");
}

#[test]
fn what_was_answered_before_the_end_is_in_the_usage_log() {
    let folder = tempfile::tempdir().unwrap();
    let mut served = Served::on(folder.path());
    let ask = &|n| {
        let (head, _) = get(&served, if n % 4 == 0 { "/v1/connections" } else { "/v1/nothing" });
        head.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap().to_owned()
    };
    // All at once, so that many entries are still to be written when the last answer is there.
    let ids: BTreeSet<String> = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..80).map(|n| scope.spawn(move || ask(n))).collect();
        asking.into_iter().map(|asking| asking.join().unwrap()).collect()
    });
    assert_eq!((served.signal("-TERM").code(), ids.len()), (Some(0), 80));
    let (_, log) = get(&Served::on(folder.path()), "/v1/usage-logs?limit=100");
    let log: Value = serde_json::from_str(&log).unwrap();
    let logged = log["usage_logs"].as_array().unwrap().iter();
    assert_eq!(logged.map(|entry| entry["request_id"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>(), ids);
}

#[test]
fn a_kill_loses_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let mut served = Served::on(folder.path());
    let made: Vec<_> = (0..5).map(|n| create(folder.path(), &format!("c{n}@example.com"))).collect();
    assert!(!served.signal("-KILL").success());
    // With no gateway, and with the next one, which finds what the killed one left behind.
    let alone = admin(folder.path(), &["list-customers"]);
    let again = Served::on(folder.path());
    let beside = admin(folder.path(), &["list-customers"]);
    for list in [alone, beside] {
        assert!(made.iter().all(|id| list.contains(id)), "{list}");
    }
    assert_eq!(again.said("api_key"), served.said("api_key"));
}

#[test]
fn admin_works_with_and_without_a_gateway() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("new");
    let id = create(&data, "first@example.com");
    let served = Served::on(&data);
    let rotated = admin(&data, &["rotate-key", "--customer", &id]);
    assert!(rotated.contains("uac_test_") && !rotated.contains("demo"), "{rotated}");
    admin(&data, &["set-plan", "--customer", &id, "--plan", "enterprise"]);
    admin(&data, &["disable-customer", "--customer", &id]);
    let list = admin(&data, &["list-customers"]);
    let line = list.lines().find(|line| line.contains(&id)).unwrap();
    assert!(line.contains("enterprise") && line.contains("disabled") && line.ends_with("first@example.com"), "{line}");
    let demo = served.said("customer_id").to_owned();
    let rotated = admin(&data, &["rotate-key", "--customer", &demo]);
    drop(served);
    let again = Served::on(&data);
    assert!(rotated.contains(again.said("api_key")), "the demo customer's new key is the one that is printed");
}

#[test]
fn admin_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let nobody = "00000000-0000-4000-8000-000000000000";
    let error = refused(&["admin", "--data", data, "set-plan", "--customer", nobody, "--plan", "pro"]);
    assert!(error.contains(nobody), "{error}");
    let error = refused(&["admin", "--data", &format!("{data}/nowhere"), "list-customers"]);
    assert!(error.contains("nowhere"), "{error}");
    let output = run(&["admin", "--data", data, "create-customer", "--email", "nobody"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("e-mail"));
}

#[test]
fn admin_reaches_a_table_by_name_and_makes_live_keys_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let _served = Served::on(folder.path());
    let engine: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("engine.json")).unwrap()).unwrap();
    let create = ["admin", "--table", "unified-ads", "create-customer", "--email", "live@example.com"];
    let mut command = gateway(&create);
    command.env("AWS_REGION", "us-east-1").env("AWS_ACCESS_KEY_ID", "a").env("AWS_SECRET_ACCESS_KEY", "b");
    let output = command.env("DYNAMODB_ENDPOINT", engine["endpoint"].as_str().unwrap()).output().unwrap();
    assert!(output.status.success() && text(&output.stdout).contains("uac_live_"), "{}", text(&output.stderr));
    let output = gateway(&create).env_remove("AWS_ACCESS_KEY_ID").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("AWS_ACCESS_KEY_ID is not set"));
}

#[test]
fn admin_reseals_a_folder_and_a_table_with_the_keys_that_belong_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let none = "0 of 0 grants were sealed anew; all are sealed with the active key now.\n";
    assert_eq!(admin(folder.path(), &["reseal"]), none);
    let _served = Served::on(folder.path());
    assert_eq!(admin(folder.path(), &["reseal"]), none);
    let mut command = gateway(&["admin", "--table", "unified-ads", "reseal"]);
    command.env("AWS_REGION", "us-east-1").env("AWS_ACCESS_KEY_ID", "a").env("AWS_SECRET_ACCESS_KEY", "b");
    command.env("SECRETS_PREFIX", "missing/").env("SECRETS_MANAGER_ENDPOINT", "http://127.0.0.1:9");
    let output = command.output().unwrap();
    let error = text(&output.stderr);
    assert!(output.status.code() == Some(1) && error.contains("secret missing/"), "{error}");
}

#[test]
fn a_taken_port_is_named_with_the_way_out() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let error = refused(&["--sandbox", "--memory", "--json", "--port", &port, "--sandbox-port", "0"]);
    assert!(error.contains(&port) && error.contains("--port 0"), "{error}");
    let error = refused(&["--sandbox", "--memory", "--json", "--port", "0", "--sandbox-port", &port]);
    assert!(error.contains(&port) && error.contains("--sandbox-port"), "{error}");
}

#[test]
fn a_folder_has_one_gateway() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let _first = Served::on(folder.path());
    let error = refused(&["--sandbox", "--json", "--port", "0", "--sandbox-port", "0", "--data", data]);
    assert!(error.contains(data) && error.contains("in use"), "{error}");
}

/// What a folder holds, by name; the database's own files change whenever it likes.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()));
    files.filter(|(name, _)| !name.starts_with("dynamodb.sqlite")).collect()
}

#[test]
fn one_that_joins_answers_for_the_same_customers_and_leaves_the_folder_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let first = Served::on(folder.path());
    let before = contents(folder.path());
    let mut joined = Served::joined(folder.path());
    for name in ["api_key", "customer_id", "sandbox", "webhook_secret"] {
        assert_eq!(joined.said(name), first.said(name), "{name}");
    }
    assert_ne!(joined.said("gateway"), first.said("gateway"));
    assert_eq!(joined.signal("-TERM").code(), Some(0));
    assert_eq!(joined.rest(), "");
    assert_eq!(contents(folder.path()), before);
    assert!(admin(folder.path(), &["list-customers"]).contains(first.said("customer_id")));
    let again = Served::joined(folder.path());
    assert_eq!(again.said("api_key"), first.said("api_key"));
}

#[test]
fn what_cannot_be_joined_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let join = || refused(&["--sandbox", "--json", "--port", "0", "--join", data.to_str().unwrap()]);
    let error = join();
    assert!(error.contains("no such folder") && error.contains("cargo local --data"), "{error}");
    assert!(!data.exists());
    let mut first = Served::on(&data);
    first.signal("-TERM");
    assert!(join().contains("no gateway runs on it"));
    let mut killed = Served::on(&data);
    killed.signal("-KILL");
    assert!(join().contains("does not answer"));
    // The port of one that was killed may be another's by now.
    let other = folder.path().join("other");
    let _other = Served::on(&other);
    std::fs::copy(other.join("engine.json"), data.join("engine.json")).unwrap();
    assert!(join().contains("does not know its demo customer"));
}

#[test]
fn a_folder_that_cannot_be_used_is_named_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let start = |data: &Path| {
        refused(&["--sandbox", "--json", "--port", "0", "--sandbox-port", "0", "--data", data.to_str().unwrap()])
    };
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(start(&file.join("data")).contains("file/data"));
    assert!(start(&file).contains("file"));
    for name in ["secrets.json", "demo-key", "dynamodb.sqlite", "sandbox.json"] {
        let data = folder.path().join(name.replace('.', "-of-"));
        std::fs::create_dir(&data).unwrap();
        std::fs::write(data.join(name), "this is neither a secret nor a key nor a database\n".repeat(100)).unwrap();
        let error = start(&data);
        assert!(error.contains(name), "{error}");
        assert!(std::fs::read_to_string(data.join(name)).unwrap().starts_with("this is neither"), "{name}");
    }
}

#[test]
fn without_a_sandbox_it_says_what_to_pass() {
    let output = run(&["--memory"]);
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(error.contains("--sandbox ") && error.contains("--sandbox-url URL"), "{error}");
}

//! Files of a data folder that are missing, empty or of another program: nothing in them is replaced without a word.

use crate::gateway_process::GatewayProcess;
use crate::process::{create_customer, run_admin, run_error};
use rusqlite::Connection;
use std::fs;
use std::path::Path;

/// The error of a start on a folder, which must fail.
fn start(folder: &Path) -> String {
    let data = folder.to_str().unwrap();
    run_error(&["--sandbox", "--json", "--port", "0", "--sandbox-port", "0", "--data", data])
}

/// A folder whose gateway has run, with a customer.
fn used_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut process = GatewayProcess::on(folder.path());
    create_customer(folder.path(), "kept@example.com");
    assert_eq!(process.signal("-TERM").code(), Some(0));
    folder
}

/// Asserts that neither the gateway nor `gateway admin` starts, that both say why and what to do, and that the file
/// stays as it is.
fn assert_refused(folder: &Path, name: &str, found: &str) {
    let file = folder.join(name);
    let before = fs::read(&file).ok();
    let data = folder.to_str().unwrap();
    let create = ["admin", "--data", data, "create-customer", "--email", "lost@example.com"];
    for error in [start(folder), run_error(&create), start(folder)] {
        assert!(error.contains(name) && error.contains(found), "{name}, {found}: {error}");
        assert!(error.contains("backup") && error.contains("move"), "{name}, {found}: {error}");
        assert_eq!(fs::read(&file).ok(), before, "{name}, {found}: it has changed");
    }
}

#[test]
fn a_database_that_is_not_the_gateways_is_refused_and_kept() {
    let used = used_folder();
    let whole = fs::read(used.path().join("dynamodb.sqlite")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let foreign = folder.path().join("foreign.sqlite");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
    let foreign = fs::read(foreign).unwrap();
    for (index, (content, found)) in [
        (&b""[..], "is empty"),
        (b"notes about my day\n", "is not a database"),
        (&whole[..whole.len() / 2], "is damaged"),
        (&foreign, "another program"),
    ]
    .into_iter()
    .enumerate()
    {
        let data = folder.path().join(index.to_string());
        fs::create_dir(&data).unwrap();
        fs::copy(used.path().join("secrets.json"), data.join("secrets.json")).unwrap();
        fs::write(data.join("dynamodb.sqlite"), content).unwrap();
        assert_refused(&data, "dynamodb.sqlite", found);
        assert!(!data.join("demo-key").exists() && !data.join("sandbox.json").exists(), "{found}: files were made");
    }
}

#[test]
fn secrets_beside_a_database_are_never_made_anew() {
    let folder = used_folder();
    let file = folder.path().join("secrets.json");
    let whole = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    assert_refused(folder.path(), "secrets.json", "is missing");
    let no_ring = whole.replace("token-keys", "token-kexs");
    let garbled = whole.replace("active", "actixe");
    for (content, found) in [
        ("", "secrets"),
        ("{}", "token-keys"),
        (&whole[..whole.len() / 2], "secrets"),
        (no_ring.as_str(), "token-keys"),
        (garbled.as_str(), "token-keys"),
    ] {
        fs::write(&file, content).unwrap();
        assert_refused(folder.path(), "secrets.json", found);
    }
    fs::write(&file, whole).unwrap();
    assert_eq!(run_admin(folder.path(), &["list-customers"]).lines().count(), 2);
}

#[test]
fn a_sandbox_beside_a_database_is_never_made_anew() {
    let folder = used_folder();
    let file = folder.path().join("sandbox.json");
    fs::remove_file(&file).unwrap();
    let error = start(folder.path());
    assert!(error.contains("sandbox.json is missing") && error.contains("backup"), "{error}");
    assert!(!file.exists(), "the refusal makes no other one");
}

#[test]
fn a_folder_without_its_database_starts_anew_with_the_same_keys() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = GatewayProcess::on(folder.path());
    create_customer(folder.path(), "gone@example.com");
    // A killed gateway leaves the log of its database, which is nothing without it.
    assert!(!first.signal("-KILL").success());
    let secrets = fs::read(folder.path().join("secrets.json")).unwrap();
    fs::remove_file(folder.path().join("dynamodb.sqlite")).unwrap();
    let second = GatewayProcess::on(folder.path());
    assert_eq!(second.field("api_key"), first.field("api_key"));
    assert_eq!(fs::read(folder.path().join("secrets.json")).unwrap(), secrets);
    assert_eq!(run_admin(folder.path(), &["list-customers"]).lines().count(), 1, "the demo customer alone");
}

#[test]
fn a_database_that_was_not_finished_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["dynamodb.sqlite-new", "dynamodb.sqlite-new-wal", "dynamodb.sqlite-new-shm"] {
        fs::write(folder.path().join(name), "a start that was killed\n").unwrap();
    }
    let process = GatewayProcess::on(folder.path());
    assert!(process.field("api_key").starts_with("uac_test_"));
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!names.iter().any(|name| name.to_string_lossy().contains("-new")), "{names:?}");
}

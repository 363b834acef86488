//! A disk that takes no more writes. A limit of the size of files stands for it: it needs no rights and no file system
//! of its own. The operating system's error has another name, and everything after it is the same.

use crate::gateway_process::wait;
use crate::process::text;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The gateway with a limit of the size of its files, in blocks of 512 bytes.
fn limited(blocks: u32, folder: &Path) -> Command {
    let mut command = Command::new("sh");
    // The limit sends a signal, which ends a process that does not expect it.
    let script = format!("ulimit -f {blocks}; exec \"$@\"");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_gateway")]);
    command.args(["--sandbox", "--json", "--port", "0", "--sandbox-port", "0", "--data", folder.to_str().unwrap()]);
    command.env_remove("RUST_LOG").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The text and the page of a response.
fn send(address: &str, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address.trim_start_matches("http://")).unwrap();
    let head = format!("{head}\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\nConnection: close", body.len());
    write!(stream, "{}\r\n\r\n{body}", head.replacen("\r\n", " HTTP/1.1\r\n", 1)).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

/// A gateway that runs, and what it says when it is ready.
fn running(blocks: u32, folder: &Path) -> (Child, Value) {
    let mut child = limited(blocks, folder).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, serde_json::from_str(&line).unwrap())
}

/// Ends a gateway; returns its log.
fn log_of(mut child: Child) -> String {
    child.kill().unwrap();
    let mut log = Vec::new();
    child.stderr.take().unwrap().read_to_end(&mut log).unwrap();
    wait(&mut child);
    text(&log)
}

#[test]
fn a_start_on_a_full_disk_names_the_disk_and_leaves_no_half_database() {
    for blocks in [0, 8] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = limited(blocks, folder.path()).spawn().unwrap();
        assert_eq!(wait(&mut child).code(), Some(1));
        let mut error = String::new();
        child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
        assert!(error.contains("the disk takes no more") && error.contains("Free some space"), "{blocks}: {error}");
        let (mut child, _) = running(1 << 20, folder.path());
        child.kill().unwrap();
        wait(&mut child);
    }
}

#[test]
fn a_store_without_room_is_named_in_the_log_and_on_pages() {
    let folder = tempfile::tempdir().unwrap();
    let (child, ready) = running(2048, folder.path());
    let key = ready["api_key"].as_str().unwrap();
    let head = format!("GET /v1/connections\r\nX-API-Key: {key}");
    let failed = (0..2000).map(|_| send(ready["gateway"].as_str().unwrap(), &head, ""));
    let failed = failed.into_iter().find(|response| !response.starts_with("HTTP/1.1 200 ")).unwrap();
    assert!(failed.starts_with("HTTP/1.1 500 ") && failed.contains("INTERNAL_ERROR"), "{failed}");
    let sign_in = "POST /dashboard/sign-in\r\nSec-Fetch-Site: same-origin";
    // A checkpoint of the store may make room for a few small records.
    let pages = (0..500).map(|_| send(ready["gateway"].as_str().unwrap(), sign_in, ""));
    let page = pages.into_iter().find(|page| !page.starts_with("HTTP/1.1 303 ")).unwrap();
    assert!(page.starts_with("HTTP/1.1 500 ") && page.contains("the disk takes no more data"), "{page}");
    let log = log_of(child);
    assert!(log.contains("the disk takes no more"), "{log}");
    assert!(log.contains(&folder.path().display().to_string()), "{log}");
}

#[test]
fn a_sign_in_without_room_says_that_the_disk_is_full() {
    let folder = tempfile::tempdir().unwrap();
    let (child, ready) = running(512, folder.path());
    let (gateway, sandbox) = (ready["gateway"].as_str().unwrap(), ready["sandbox"].as_str().unwrap());
    let account = r#"{"platform":"alpha_ads","currency":"EUR"}"#;
    let create = "POST /_sandbox/accounts\r\nContent-Type: application/json";
    let full =
        (0..5000).map(|_| send(sandbox, create, account)).find(|response| !response.starts_with("HTTP/1.1 201 "));
    let full = full.unwrap();
    assert!(full.contains("the disk takes no more") && full.contains("sandbox.json"), "{full}");
    let page = send(gateway, "POST /dashboard/sign-in\r\nSec-Fetch-Site: same-origin", "");
    assert!(page.contains("the disk takes no more data") && page.contains("sandbox.json"), "{page}");
    assert!(!page.contains("sign-in service"), "{page}");
    assert!(!folder.path().join("sandbox.json.new").exists(), "a part of a file takes room");
    let log = log_of(child);
    assert!(log.contains("the disk takes no more"), "{log}");
}

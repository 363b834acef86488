//! Access by others: web pages and other users of the machine.

use crate::gateway_process::GatewayProcess;
use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

/// Longer than the header timeout of the servers.
const HEADER_WAIT: Duration = Duration::from_secs(60);

/// The ports on which a process listens for TCP connections.
#[cfg(target_os = "linux")]
fn listening_ports(process: u32) -> std::collections::BTreeSet<u16> {
    let files = fs::read_dir(format!("/proc/{process}/fd")).unwrap();
    let links: Vec<_> = files.filter_map(|file| fs::read_link(file.unwrap().path()).ok()).collect();
    let is_open = |inode: &str| links.iter().any(|link| link.as_os_str() == format!("socket:[{inode}]").as_str());
    let table = fs::read_to_string(format!("/proc/{process}/net/tcp")).unwrap();
    let rows = table.lines().skip(1).map(|row| row.split_whitespace().collect::<Vec<_>>());
    // Columns: local address, remote address, state (0A is LISTEN), and at the end the inode.
    let listening = rows.filter(|row| row[3] == "0A" && is_open(row[9]));
    listening.map(|row| u16::from_str_radix(row[1].rsplit(':').next().unwrap(), 16).unwrap()).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn only_the_api_and_the_sandbox_have_a_port() {
    let folder = tempfile::tempdir().unwrap();
    let process = GatewayProcess::on(folder.path());
    let port = |name: &str| process.field(name).rsplit(':').next().unwrap().parse().unwrap();
    assert_eq!(listening_ports(process.id()), [port("gateway"), port("sandbox")].into());
    let joined = GatewayProcess::joining(folder.path());
    assert_eq!(listening_ports(joined.id()).len(), 1);
}

/// The permissions of a folder and of each file in it.
fn modes(folder: &Path) -> Vec<(String, u32)> {
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = files.map(|file| (file.file_name().into_string().unwrap(), mode(&file.path())));
    [("folder".to_owned(), mode(folder))].into_iter().chain(files).collect()
}

#[test]
fn the_data_folder_and_its_files_become_private_whatever_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    GatewayProcess::on(&data).signal("-KILL");
    for (name, _) in modes(&data).into_iter().skip(1).filter(|(name, _)| name != "engine.sock") {
        fs::set_permissions(data.join(name), Permissions::from_mode(0o644)).unwrap();
    }
    fs::set_permissions(&data, Permissions::from_mode(0o755)).unwrap();
    let process = GatewayProcess::on(&data);
    let accounts = format!("{}/_sandbox/accounts", process.field("sandbox"));
    post(&accounts, r#"{"platform":"alpha_ads","currency":"EUR"}"#);
    let found = modes(&data);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    for name in ["dynamodb.sqlite", "dynamodb.sqlite-wal", "sandbox.json", "secrets.json", "demo-key", "lock"] {
        assert!(names.contains(&name), "{names:?}");
    }
    for (name, mode) in found {
        assert_eq!(mode, if name == "folder" { 0o700 } else { 0o600 }, "{name}: {mode:o}");
    }
}

fn post(url: &str, body: &str) {
    let (host, path) = url.trim_start_matches("http://").split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!("POST /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n");
    write!(stream, "{head}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 201 "), "{response}");
}

#[test]
fn a_connection_without_a_complete_header_is_closed() {
    let process = GatewayProcess::start(&["--sandbox-port", "0", "--memory"]);
    let open = |name: &str| {
        let mut stream = TcpStream::connect(process.field(name).trim_start_matches("http://")).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: h\r\n").unwrap();
        stream.set_read_timeout(Some(HEADER_WAIT)).unwrap();
        stream
    };
    let streams = ["gateway", "sandbox"].map(|name| (name, open(name)));
    for (name, mut stream) in streams {
        let mut response = Vec::new();
        let closed = stream.read_to_end(&mut response);
        assert!(closed.is_ok() && response.is_empty(), "{name}: {closed:?}, {}", String::from_utf8_lossy(&response));
    }
}

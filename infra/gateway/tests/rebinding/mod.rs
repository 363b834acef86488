//! Names that rebind: the name server of an attacker answers a public address to one question and an inner one to the
//! next. The gateway program, with the resolver of the system, must connect to nothing but the public address.
//!
//! The test runs itself again in a user, mount and network namespace of its own. There it is the name server, and every
//! address leads to its listener, so it sees each connection that the gateway would make.

mod name_server;

use crate::gateway_process::GatewayProcess;
use bytes::Bytes;
use http::{HeaderMap, Method};
use name_server::Answers;
use serde_json::{Value, json};
use shared::outbound::{Outbound, OutboundRequest};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

const NAME: &str = "rebinding::a_name_that_rebinds_leads_to_no_inner_address";
/// Set in the namespace.
const INSIDE: &str = "REBINDING_INSIDE";
const UNSHARE: [&str; 6] = ["--user", "--map-root-user", "--mount", "--net", "--", "sh"];
/// All addresses are local there, and this process is the only name server.
const SETUP: &str = r#"set -e
ip link set lo up
ip route add local 0.0.0.0/0 dev lo
ip -6 route add local ::/0 dev lo
echo "nameserver 127.0.0.1" >"$FILES/resolv.conf"
echo "hosts: files dns" >"$FILES/nsswitch.conf"
mount --bind "$FILES/resolv.conf" /etc/resolv.conf
[ ! -e /etc/nsswitch.conf ] || mount --bind "$FILES/nsswitch.conf" /etc/nsswitch.conf
exec "$@""#;

const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(93, 184, 215, 14));
/// Addresses that only the service reaches.
const INNER: [&str; 13] = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.0.0.1",
    "169.254.169.254",
    "100.100.100.200",
    "240.0.0.1",
    "::1",
    "fd00:ec2::254",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::1",
    "2001:0:7f00:1::1",
];
const REFUSED: &str = "the host name resolves to ";

/// The addresses at port 443 to which somebody has connected.
type Connections = Arc<Mutex<Vec<IpAddr>>>;

#[tokio::test]
async fn a_name_that_rebinds_leads_to_no_inner_address() {
    if std::env::var_os(INSIDE).is_some() {
        attack().await;
    } else {
        run_in_namespace();
    }
}

fn run_in_namespace() {
    let is_permitted = Command::new("unshare").args(UNSHARE).args(["-c", "true"]).output();
    if !is_permitted.as_ref().is_ok_and(|output| output.status.success()) {
        println!("{NAME} is skipped: this user may not create namespaces: {is_permitted:?}");
        return;
    }
    let files = tempfile::tempdir().unwrap();
    let mut command = Command::new("unshare");
    command.args(UNSHARE).args(["-c", SETUP, "sh"]).arg(std::env::current_exe().unwrap());
    command.args(["--exact", NAME, "--nocapture"]).env(INSIDE, "1").env("FILES", files.path());
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

/// The names of the attacker, by the answers about them.
fn names() -> HashMap<String, Answers> {
    let inner = INNER.map(|address| address.parse::<IpAddr>().unwrap());
    let rebinding = inner.iter().enumerate().map(|(number, address)| {
        let answers = vec![vec![PUBLIC], vec![*address], vec![PUBLIC], vec![*address]];
        (format!("rebinding-{number}.example.com"), answers)
    });
    let both = inner
        .iter()
        .enumerate()
        .map(|(number, address)| (format!("both-{number}.example.com"), vec![vec![PUBLIC, *address]]));
    rebinding.chain(both).collect()
}

/// Accepts every connection at port 443 and keeps the address to which it was made.
fn listen() -> Connections {
    let listener = TcpListener::bind("[::]:443").unwrap();
    let connections = Connections::default();
    let kept = Arc::clone(&connections);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            kept.lock().unwrap().push(stream.unwrap().local_addr().unwrap().ip().to_canonical());
        }
    });
    connections
}

/// The customer of the gateway.
struct Attacker {
    http: Outbound,
    gateway: String,
    api_key: String,
}

impl Attacker {
    async fn ask(&self, method: Method, path: &str, body: &Value) -> Value {
        let body = if body.is_null() { Bytes::new() } else { body.to_string().into() };
        let headers = [("x-api-key", self.api_key.as_str()), ("content-type", "application/json")];
        let headers = headers.map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        let url = format!("{}/v1/webhook-endpoints{path}", self.gateway);
        let request = OutboundRequest { method, url, headers: HeaderMap::from_iter(headers), body };
        let response = self.http.send(request, Instant::now() + Duration::from_secs(60)).await.unwrap();
        let text = String::from_utf8_lossy(&response.body);
        assert!(response.status.is_success(), "{path}: {} {text}", response.status);
        serde_json::from_str(&text).unwrap()
    }

    /// Sends a test event to an endpoint at a name, and returns why the attempt failed.
    async fn call(&self, endpoint: &str, name: &str) -> String {
        self.ask(Method::PATCH, endpoint, &json!({"url": format!("https://{name}/")})).await;
        let sent = self.ask(Method::POST, &format!("{endpoint}/test"), &Value::Null).await;
        sent["attempts"][0]["error"].as_str().unwrap_or_else(|| panic!("{sent}")).to_owned()
    }
}

/// Runs in the namespace.
async fn attack() {
    name_server::serve(names());
    let connections = listen();
    let folder = tempfile::tempdir().unwrap();
    let process = GatewayProcess::on(folder.path());
    let field = |name: &str| process.field(name).to_owned();
    let attacker = Attacker { http: Outbound::new().unwrap(), gateway: field("gateway"), api_key: field("api_key") };
    let created = attacker.ask(Method::POST, "", &json!({"url": "https://example.com/", "types": ["*"]})).await;
    let endpoint = format!("/{}", created["id"].as_str().unwrap());
    for (number, inner) in INNER.iter().enumerate() {
        let name = format!("rebinding-{number}.example.com");
        for is_inner in [false, true, false, true] {
            let error = attacker.call(&endpoint, &name).await;
            let reached = std::mem::take(&mut *connections.lock().unwrap());
            assert_eq!(reached, if is_inner { vec![] } else { vec![PUBLIC] }, "{inner}: {error}");
            assert_eq!(error.starts_with(REFUSED), is_inner, "{inner}: {error}");
        }
        let error = attacker.call(&endpoint, &format!("both-{number}.example.com")).await;
        assert!(error.starts_with(REFUSED), "{inner} beside a public address: {error}");
        assert!(connections.lock().unwrap().is_empty(), "{inner} beside a public address");
    }
}

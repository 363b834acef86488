//! An address before AWS: it passes everything on, and keeps which permissions that took.

use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// An action of IAM, and what it was done to, as the template calls it.
pub(super) type Permission = (String, String);

/// What is asked through one address.
#[derive(Clone)]
pub(super) struct Tap {
    pub(super) endpoint: String,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    permissions: BTreeSet<Permission>,
    /// The operation that is refused when it next comes.
    refused: Option<&'static str>,
}

const REFUSAL: &str = r#"{"__type":"com.amazonaws.dynamodb.v20120810#ValidationException","message":"a test"}"#;

impl Tap {
    /// Stands before an address.
    pub(super) fn before(upstream: &str) -> Tap {
        let upstream = upstream.strip_prefix("http://").expect("an address").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        let tap = Tap { endpoint, seen: Arc::default() };
        let taken = tap.clone();
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (client, tap, upstream) = (client.expect("a client"), taken.clone(), upstream.clone());
                std::thread::spawn(move || tap.pass_on(&client, &TcpStream::connect(upstream).expect("AWS")));
            }
        });
        tap
    }

    /// What was needed until now.
    pub(super) fn permissions(&self) -> BTreeSet<Permission> {
        self.seen.lock().expect("a lock").permissions.clone()
    }

    /// Refuses an operation, once: what a store in trouble does.
    pub(super) fn refuse_next(&self, operation: &'static str) {
        self.seen.lock().expect("a lock").refused = Some(operation);
    }

    /// Until one of the two hangs up.
    fn pass_on(&self, client: &TcpStream, upstream: &TcpStream) {
        let (mut requests, mut answers) = (BufReader::new(client), BufReader::new(upstream));
        let (mut to_client, mut to_upstream) = (client, upstream);
        while let Some(request) = Message::read(&mut requests) {
            let sent = if self.refuses(&request) {
                let head = format!("HTTP/1.1 400 Bad Request\r\ncontent-length: {}\r\n\r\n", REFUSAL.len());
                to_client.write_all(format!("{head}{REFUSAL}").as_bytes())
            } else {
                to_upstream.write_all(&request.bytes()).expect("AWS takes it");
                let Some(answer) = Message::read(&mut answers) else { return };
                to_client.write_all(&answer.bytes())
            };
            // Who does not wait for the answer hangs up.
            if sent.is_err() {
                return;
            }
        }
    }

    fn refuses(&self, request: &Message) -> bool {
        let target = request.header("x-amz-target").expect("an operation");
        let operation = target.rsplit('.').next().unwrap_or_default();
        let body: Value = serde_json::from_slice(&request.body).expect("JSON");
        let mut seen = self.seen.lock().expect("a lock");
        seen.permissions.extend(needed(operation, &body));
        seen.refused.take_if(|refused| *refused == operation).is_some()
    }
}

/// The permissions that an operation takes. A transaction takes those of its parts.
fn needed(operation: &str, body: &Value) -> Vec<Permission> {
    let on_table = |action: &str| (format!("dynamodb:{action}"), "Table".to_owned());
    let parts = || body["TransactItems"].as_array().expect("parts").iter().flat_map(|part| part.as_object());
    match (operation, &body["IndexName"]) {
        ("GetSecretValue", _) => {
            let name = body["SecretId"].as_str().expect("a name").rsplit('/').next().unwrap_or_default();
            vec![("secretsmanager:GetSecretValue".to_owned(), name.to_owned())]
        }
        ("TransactWriteItems" | "TransactGetItems", _) => {
            let kinds = parts().flat_map(|part| part.keys());
            kinds.map(|kind| on_table(&format!("{}Item", kind.trim_end_matches("Item")))).collect()
        }
        (_, Value::String(index)) => vec![(format!("dynamodb:{operation}"), format!("Table/index/{index}"))],
        _ => vec![on_table(operation)],
    }
}

/// A request or an answer, with a body of the length that it says.
struct Message {
    head: String,
    body: Vec<u8>,
}

impl Message {
    fn read(from: &mut impl BufRead) -> Option<Message> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            // At its end, or when the other hangs up in the middle.
            if from.read_line(&mut head).ok()? == 0 {
                return None;
            }
        }
        let mut message = Message { head, body: Vec::new() };
        message.body = vec![0; message.header("content-length").map_or(0, |length| length.parse().expect("a length"))];
        from.read_exact(&mut message.body).ok()?;
        Some(message)
    }

    fn header(&self, name: &str) -> Option<&str> {
        let named = |line: &&str| line.split(':').next().is_some_and(|known| known.eq_ignore_ascii_case(name));
        self.head.lines().find(named).and_then(|line| line.split_once(':')).map(|(_, value)| value.trim())
    }

    fn bytes(&self) -> Vec<u8> {
        [self.head.as_bytes(), &self.body].concat()
    }
}

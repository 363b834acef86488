//! A proxy in front of AWS: it forwards every request, and records it as IAM sees it.

use super::request::Request;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// The record of one proxy.
#[derive(Clone)]
pub(super) struct Tap {
    pub(super) endpoint: String,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    requests: BTreeSet<Request>,
    /// The operation to refuse the next time.
    refused: Option<&'static str>,
}

const REFUSAL: &str = r#"{"__type":"com.amazonaws.dynamodb.v20120810#ValidationException","message":"a test"}"#;

impl Tap {
    /// Starts a proxy for an address.
    pub(super) fn before(upstream: &str) -> Tap {
        let (upstream, token) = upstream.strip_prefix("http://").and_then(|url| url.split_once('/')).expect("a path");
        let upstream = upstream.to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let endpoint = format!("http://{}/{token}", listener.local_addr().expect("an address"));
        let tap = Tap { endpoint, seen: Arc::default() };
        let taken = tap.clone();
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let client = client.expect("a client");
                let tap = taken.clone();
                let upstream = upstream.clone();
                std::thread::spawn(move || tap.pass_on(&client, &TcpStream::connect(upstream).expect("AWS")));
            }
        });
        tap
    }

    /// The requests so far.
    pub(super) fn requests(&self) -> BTreeSet<Request> {
        self.seen.lock().expect("a lock").requests.clone()
    }

    /// Refuses an operation once, as a failing store does.
    pub(super) fn refuse_next(&self, operation: &'static str) {
        self.seen.lock().expect("a lock").refused = Some(operation);
    }

    /// Forwards until one side hangs up.
    fn pass_on(&self, client: &TcpStream, upstream: &TcpStream) {
        let mut requests = BufReader::new(client);
        let mut responses = BufReader::new(upstream);
        let mut to_client = client;
        let mut to_upstream = upstream;
        while let Some(request) = Message::read(&mut requests) {
            let sent = if self.refuses(&request) {
                let head = format!("HTTP/1.1 400 Bad Request\r\ncontent-length: {}\r\n\r\n", REFUSAL.len());
                to_client.write_all(format!("{head}{REFUSAL}").as_bytes())
            } else {
                to_upstream.write_all(&request.bytes()).expect("AWS takes it");
                let Some(response) = Message::read(&mut responses) else { return };
                to_client.write_all(&response.bytes())
            };
            // A client that does not wait for the response hangs up.
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
        seen.requests.extend(Request::of(operation, &body));
        seen.refused.take_if(|refused| *refused == operation).is_some()
    }
}

/// Reads a request or a response by its content length.
struct Message {
    head: String,
    body: Vec<u8>,
}

impl Message {
    fn read(from: &mut impl BufRead) -> Option<Message> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            // The end of the stream, or a connection that broke off in the middle.
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

//! Fakes the Lambda Runtime API and DynamoDB.

use serde_json::{Value, json};
use shared::auth::ApiKey;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;

/// The response to a `PutItem`.
#[derive(Clone, Copy)]
pub(crate) enum PutResponse {
    Stored,
    Rejected,
    /// No response.
    Hangs,
}

/// Fakes the Runtime API and DynamoDB, as far as the function uses them.
pub(crate) struct Aws {
    pub(crate) key: ApiKey,
    pub(crate) events: Mutex<Receiver<String>>,
    pub(crate) puts: Mutex<VecDeque<PutResponse>>,
    pub(crate) seen: Mutex<Sender<String>>,
    /// The trace headers of DynamoDB calls.
    pub(crate) traces: Arc<Mutex<Vec<String>>>,
}

struct Call {
    path: String,
    target: String,
    trace: String,
    body: Value,
}

impl Aws {
    fn record(&self, call: &str) {
        // The test may have dropped the receiver.
        let _ = self.seen.lock().unwrap().send(call.to_owned());
    }

    /// Status, further headers and body of a response; `None` to hang.
    fn response(&self, call: &Call) -> Option<(&'static str, &'static str, String)> {
        if call.path.ends_with("/invocation/next") {
            self.record("next");
            let headers = "lambda-runtime-aws-request-id: 7\r\nlambda-runtime-deadline-ms: 9999999999999\r\n\
                           lambda-runtime-invoked-function-arn: arn:aws:lambda:eu-central-1:1:function:f\r\n\
                           lambda-runtime-trace-id: Root=1-5759e988-bd862e3fe1be46a994272793;\
                           Parent=53995c3f42cd8ad8;Sampled=1\r\n";
            return Some(("200 OK", headers, self.events.lock().unwrap().recv().ok()?));
        }
        if call.path.ends_with("/invocation/7/response") {
            self.record(&format!("response {}", call.body["statusCode"]));
            return Some(("202 Accepted", "", String::new()));
        }
        let operation = call.target.split('.').nth(1).unwrap_or(&call.path);
        self.record(operation);
        if call.target.starts_with("DynamoDB") {
            self.traces.lock().unwrap().push(call.trace.clone());
        }
        let body = match operation {
            "GetItem" => json!({ "Item": self.account() }),
            "UpdateItem" => json!({ "Attributes": self.account() }),
            "Query" => json!({ "Items": [], "Count": 0, "ScannedCount": 0 }),
            "PutItem" => match self.puts.lock().unwrap().pop_front().unwrap() {
                PutResponse::Stored => json!({}),
                PutResponse::Rejected => {
                    return Some(("400 Bad Request", "", r#"{"__type":"ValidationException"}"#.to_owned()));
                }
                PutResponse::Hangs => return None,
            },
            other => panic!("{other} is not expected"),
        };
        Some(("200 OK", "", body.to_string()))
    }

    fn account(&self) -> Value {
        let key = json!({
            "name": { "S": "default" },
            "key_hash": { "S": self.key.hash() },
            "prefix": { "S": self.key.display().prefix },
            "scopes": { "L": [{ "S": "read" }, { "S": "write" }, { "S": "billing" }] },
            "created_at": { "N": "0" },
        });
        json!({
            "customer_id": { "S": self.key.customer().to_string() },
            "email": { "S": "a@example.com" },
            "plan": { "S": "pro" },
            "created_at": { "S": "2026-01-01T00:00:00Z" },
            "disabled": { "BOOL": false },
            "api_keys": { "M": { "key_default": { "M": key } } },
            "tat": { "N": "0" },
            "period_start": { "N": "0" },
            "period_end": { "N": "4102444800" },
            "used": { "N": "0" },
            "connections_count": { "N": "0" },
        })
    }

    /// Serves on a free port. Returns the address.
    pub(crate) fn serve(self: Arc<Aws>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let aws = Arc::clone(&self);
                thread::spawn(move || aws.serve_connection(stream.unwrap()));
            }
        });
        address
    }

    /// Serves the requests of a connection until the function closes it.
    fn serve_connection(&self, stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut writer = stream;
        loop {
            let call = read(&mut reader)?;
            let Some((status, headers, body)) = self.response(&call) else {
                // Stays open until the function times out.
                let _ = reader.read(&mut [0]);
                return None;
            };
            let length = body.len();
            let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n");
            writer.write_all(format!("{head}{body}").as_bytes()).ok()?;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Call> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|length| *length > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut target = String::new();
    let mut trace = String::new();
    let mut chunked = false;
    let mut body = Vec::new();
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "x-amz-target" => target = value.to_owned(),
            "x-amzn-trace-id" => trace = value.to_owned(),
            "content-length" => length = value.parse().ok()?,
            "transfer-encoding" => chunked = true,
            _ => {}
        }
    }
    loop {
        if chunked {
            line.clear();
            reader.read_line(&mut line).ok()?;
            length = usize::from_str_radix(line.trim_end(), 16).ok()?;
        }
        let mut part = vec![0; length + if chunked { 2 } else { 0 }];
        reader.read_exact(&mut part).ok()?;
        body.extend_from_slice(&part[..length]);
        if !chunked || length == 0 {
            return Some(Call { path, target, trace, body: serde_json::from_slice(&body).unwrap_or_default() });
        }
    }
}

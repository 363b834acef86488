//! The real program of a function on a Lambda of our own: what it calls, and in which order.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

use serde_json::{Value, json};
use shared::auth::{ApiKey, Mode};
use shared::domain::CustomerId;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use uuid::Uuid;

const PATIENCE: Duration = Duration::from_secs(60);
/// As X-Ray writes it.
const TRACE: &str = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1";
const EVENT: &str = include_str!("../../../tests/endpoints/fixtures/event_v2.json");

/// What becomes of a write to the store.
#[derive(Clone, Copy)]
enum Put {
    Kept,
    Refused,
    /// It is never answered.
    Hangs,
}

/// The Runtime API, DynamoDB and Secrets Manager, as much of them as the function asks for.
struct Aws {
    key: ApiKey,
    events: Mutex<Receiver<String>>,
    puts: Mutex<VecDeque<Put>>,
    seen: Mutex<Sender<String>>,
    /// The traces of calls to the store.
    traces: Arc<Mutex<Vec<String>>>,
}

struct Call {
    path: String,
    target: String,
    trace: String,
    body: Value,
}

impl Aws {
    fn saw(&self, what: &str) {
        // Nobody may listen any more.
        let _ = self.seen.lock().unwrap().send(what.to_owned());
    }

    /// Status, further headers and body of an answer; `None` where there never is one.
    fn answer(&self, call: &Call) -> Option<(&'static str, &'static str, String)> {
        if call.path.ends_with("/invocation/next") {
            self.saw("next");
            let headers = "lambda-runtime-aws-request-id: 7\r\nlambda-runtime-deadline-ms: 9999999999999\r\n\
                           lambda-runtime-invoked-function-arn: arn:aws:lambda:eu-central-1:1:function:f\r\n\
                           lambda-runtime-trace-id: Root=1-5759e988-bd862e3fe1be46a994272793;\
                           Parent=53995c3f42cd8ad8;Sampled=1\r\n";
            return Some(("200 OK", headers, self.events.lock().unwrap().recv().ok()?));
        }
        if call.path.ends_with("/invocation/7/response") {
            self.saw(&format!("response {}", call.body["statusCode"]));
            return Some(("202 Accepted", "", String::new()));
        }
        let operation = call.target.split('.').nth(1).unwrap_or(&call.path);
        self.saw(operation);
        if call.target.starts_with("DynamoDB") {
            self.traces.lock().unwrap().push(call.trace.clone());
        }
        let body = match operation {
            "GetSecretValue" => self.secret(call.body["SecretId"].as_str().unwrap()),
            "GetItem" => json!({ "Item": self.account() }),
            "UpdateItem" => json!({ "Attributes": self.account() }),
            "Query" => json!({ "Items": [], "Count": 0, "ScannedCount": 0 }),
            "PutItem" => match self.puts.lock().unwrap().pop_front().unwrap() {
                Put::Kept => json!({}),
                Put::Refused => return Some(("400 Bad Request", "", r#"{"__type":"ValidationException"}"#.to_owned())),
                Put::Hangs => return None,
            },
            other => panic!("{other} is not expected"),
        };
        Some(("200 OK", "", body.to_string()))
    }

    fn secret(&self, name: &str) -> Value {
        let ring = json!({ "active": "k1", "keys": { "k1": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" } });
        let value = if name == "token-keys" { ring } else { json!({}) };
        json!({ "Name": name, "SecretString": value.to_string() })
    }

    fn account(&self) -> Value {
        json!({
            "customer_id": { "S": self.key.customer().to_string() },
            "email": { "S": "a@example.com" },
            "plan": { "S": "pro" },
            "created_at": { "S": "2026-01-01T00:00:00Z" },
            "disabled": { "BOOL": false },
            "key_hash": { "S": self.key.hash() },
        })
    }

    fn serve(self: Arc<Aws>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let aws = Arc::clone(&self);
                thread::spawn(move || aws.converse(stream.unwrap()));
            }
        });
        address
    }

    /// One request after the other, until the function hangs up.
    fn converse(&self, stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut writer = stream;
        loop {
            let call = read(&mut reader)?;
            let Some((status, headers, body)) = self.answer(&call) else {
                // Held open until the function gives up.
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
    let (mut target, mut trace, mut chunked, mut body) = (String::new(), String::new(), false, Vec::new());
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

/// The function at work; killed when the test is over, however it ends.
struct Function {
    child: Child,
    events: Sender<String>,
    seen: Receiver<String>,
    event: String,
    traces: Arc<Mutex<Vec<String>>>,
}

impl Function {
    fn start(puts: &[Put]) -> Function {
        let ((events, given), (sender, seen)) = (channel(), channel());
        let key = ApiKey::generate(CustomerId(Uuid::from_u128(7)), Mode::Live).unwrap();
        let mut event: Value = serde_json::from_str(EVENT).unwrap();
        event["rawPath"] = json!("/v1/usage-logs");
        event["requestContext"]["http"]["path"] = json!("/v1/usage-logs");
        event["headers"]["x-api-key"] = json!(key.reveal());
        let puts = Mutex::new(puts.iter().copied().collect());
        let (given, sender, traces) = (Mutex::new(given), Mutex::new(sender), Arc::default());
        let aws = Aws { key, events: given, puts, seen: sender, traces: Arc::clone(&traces) };
        let address = Arc::new(aws).serve();
        let url = format!("http://{address}");
        let child = Command::new(env!("CARGO_BIN_EXE_usage-logs"))
            .env_clear()
            .envs([("AWS_REGION", "eu-central-1"), ("AWS_ACCESS_KEY_ID", "a"), ("AWS_SECRET_ACCESS_KEY", "b")])
            .envs([("AWS_LAMBDA_FUNCTION_NAME", "f"), ("AWS_LAMBDA_FUNCTION_VERSION", "1")])
            .envs([("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256"), ("TABLE_NAME", "t")])
            .envs([("AWS_LAMBDA_RUNTIME_API", &address)])
            .envs([("DYNAMODB_ENDPOINT", &url), ("SECRETS_MANAGER_ENDPOINT", &url)])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Function { child, events, seen, event: event.to_string(), traces }
    }

    /// All that it calls until it asks for a request.
    fn until_next(&self) -> Vec<String> {
        let mut calls = Vec::new();
        loop {
            let call = self.seen.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{error} after {calls:?}"));
            if call == "next" {
                return calls;
            }
            calls.push(call);
        }
    }

    /// Gives it a request, and answers what it calls from its answer on.
    fn invoke(&self) -> Vec<String> {
        self.events.send(self.event.clone()).unwrap();
        let calls = self.until_next();
        let answered = calls.iter().position(|call| call.starts_with("response")).unwrap();
        assert!(!calls[..answered].contains(&"PutItem".to_owned()), "{calls:?}");
        calls[answered..].to_vec()
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_entry_is_written_after_the_answer_and_before_the_next_request_is_asked_for() {
    let function = Function::start(&[Put::Kept, Put::Kept]);
    assert_eq!(function.until_next(), ["GetSecretValue", "GetSecretValue"]);
    for _ in 0..2 {
        assert_eq!(function.invoke(), ["response 200", "PutItem"]);
    }
}

#[test]
fn a_write_that_fails_or_hangs_does_not_hurt_the_next_request() {
    let function = Function::start(&[Put::Refused, Put::Hangs, Put::Kept]);
    function.until_next();
    for _ in 0..3 {
        assert_eq!(function.invoke(), ["response 200", "PutItem"]);
    }
}

#[test]
fn every_call_to_the_store_carries_the_trace_of_its_request_also_after_the_answer() {
    let function = Function::start(&[Put::Kept]);
    function.until_next();
    function.invoke();
    let traces = function.traces.lock().unwrap();
    assert_eq!(*traces, [TRACE; 4], "the door, the connections, the page, and the entry");
}

//! Runs the real binary of a function on a fake Lambda, and checks its calls and their order.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod aws;

use aws::{Aws, PutResponse};
use serde_json::{Value, json};
use shared::auth::{ApiKey, Mode};
use shared::domain::CustomerId;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use uuid::Uuid;

const TIMEOUT: Duration = Duration::from_secs(60);
/// A trace header of X-Ray.
const TRACE: &str = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1";
const EVENT: &str = include_str!("../../../../tests/endpoints/fixtures/event_v2.json");

/// The running function. Dropping it kills the process.
struct Function {
    child: Child,
    events: Sender<String>,
    seen: Receiver<String>,
    event: String,
    traces: Arc<Mutex<Vec<String>>>,
}

impl Function {
    fn start(puts: &[PutResponse]) -> Function {
        let ((events, given), (sender, seen)) = (channel(), channel());
        let key = ApiKey::generate(CustomerId(Uuid::from_u128(7)), Mode::Live).unwrap();
        let mut event: Value = serde_json::from_str(EVENT).unwrap();
        event["rawPath"] = json!("/v1/usage-logs");
        event["requestContext"]["http"]["path"] = json!("/v1/usage-logs");
        event["headers"]["x-api-key"] = json!(key.reveal());
        let puts = Mutex::new(puts.iter().copied().collect());
        let given = Mutex::new(given);
        let sender = Mutex::new(sender);
        let traces = Arc::default();
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

    /// The calls before the next request for an invocation.
    fn calls_until_next(&self) -> Vec<String> {
        let mut calls = Vec::new();
        loop {
            let call = self.seen.recv_timeout(TIMEOUT).unwrap_or_else(|error| panic!("{error} after {calls:?}"));
            if call == "next" {
                return calls;
            }
            calls.push(call);
        }
    }

    /// Invokes the function. Returns its calls from the response on.
    fn invoke(&self) -> Vec<String> {
        self.events.send(self.event.clone()).unwrap();
        let calls = self.calls_until_next();
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
fn the_usage_entry_is_written_between_response_and_next_invocation() {
    let function = Function::start(&[PutResponse::Stored, PutResponse::Stored]);
    let calls = function.calls_until_next();
    assert!(calls.is_empty(), "the function reads no secret: {calls:?}");
    for _ in 0..2 {
        assert_eq!(function.invoke(), ["response 200", "PutItem"]);
    }
}

#[test]
fn a_failed_or_hanging_write_does_not_affect_the_next_request() {
    let function = Function::start(&[PutResponse::Rejected, PutResponse::Hangs, PutResponse::Stored]);
    function.calls_until_next();
    for _ in 0..3 {
        assert_eq!(function.invoke(), ["response 200", "PutItem"]);
    }
}

#[test]
fn dynamodb_calls_carry_the_trace_even_after_the_response() {
    let function = Function::start(&[PutResponse::Stored]);
    function.calls_until_next();
    function.invoke();
    let traces = function.traces.lock().unwrap();
    assert_eq!(*traces, [TRACE; 3], "account, page, and usage entry");
}

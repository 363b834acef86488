//! Runs the real binary on a fake Lambda, where every other address refuses to be called.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::{Value, json};
use shared::auth::{ApiKey, Mode};
use shared::domain::CustomerId;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use uuid::Uuid;

const EVENT: &str = include_str!("../../../tests/endpoints/fixtures/event_v2.json");
/// Lambda's id of the invocation.
const INVOCATION: &str = "4b1f0c9e-6d1d-4c55-9a3e-0f1d2c3b4a59";

/// The running function. Dropping it kills the process.
struct Function {
    child: Child,
    runtime: TcpListener,
    aws: TcpListener,
}

impl Function {
    fn start() -> Function {
        let runtime = TcpListener::bind("127.0.0.1:0").unwrap();
        runtime.set_nonblocking(true).unwrap();
        // Nothing answers here, so a call to AWS would be seen as a connection.
        let aws = TcpListener::bind("127.0.0.1:0").unwrap();
        aws.set_nonblocking(true).unwrap();
        let endpoint = format!("https://{}", aws.local_addr().unwrap());
        let child = Command::new(env!("CARGO_BIN_EXE_docs"))
            .env_clear()
            .envs([("AWS_REGION", "eu-central-1"), ("AWS_ACCESS_KEY_ID", "a"), ("AWS_SECRET_ACCESS_KEY", "b")])
            .envs([("AWS_LAMBDA_FUNCTION_NAME", "f"), ("AWS_LAMBDA_FUNCTION_VERSION", "1")])
            .envs([("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "128"), ("TABLE_NAME", "t")])
            .env("AWS_LAMBDA_RUNTIME_API", runtime.local_addr().unwrap().to_string())
            .envs([("DYNAMODB_ENDPOINT", &endpoint), ("SECRETS_MANAGER_ENDPOINT", &endpoint)])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Function { child, runtime, aws }
    }

    /// Serves the Runtime API: hands out one event for each path, and returns the responses once the function asks for
    /// a further one.
    fn invoke(&mut self, paths: &[&str]) -> Vec<Value> {
        let key = ApiKey::generate(CustomerId(Uuid::from_u128(7)), Mode::Live).unwrap();
        let (mut events, mut responses) = (paths.iter(), Vec::new());
        loop {
            let mut connection = BufReader::new(self.accept());
            while let Some((path, body)) = read(&mut connection) {
                if path.ends_with("/response") {
                    assert!(path.contains(INVOCATION), "{path}");
                    responses.push(serde_json::from_slice(&body).unwrap());
                    write(connection.get_mut(), "202 Accepted", "");
                    continue;
                }
                let Some(path) = events.next() else { return responses };
                write(connection.get_mut(), "200 OK", &event(path, key.reveal()));
            }
        }
    }

    /// The next connection of the function. Panics if the function ends.
    fn accept(&mut self) -> TcpStream {
        loop {
            match self.runtime.accept() {
                Ok((connection, _)) => {
                    connection.set_nonblocking(false).unwrap();
                    return connection;
                }
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock, "{error}"),
            }
            assert!(self.child.try_wait().unwrap().is_none(), "the function ended");
            sleep(Duration::from_millis(5));
        }
    }

    fn has_called_aws(&self) -> bool {
        !matches!(self.aws.accept(), Err(error) if error.kind() == ErrorKind::WouldBlock)
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn event(path: &str, key: &str) -> String {
    let mut event: Value = serde_json::from_str(EVENT).unwrap();
    event["rawPath"] = json!(path);
    event["requestContext"]["http"]["path"] = json!(path);
    event["headers"]["x-api-key"] = json!(key);
    event.to_string()
}

/// The path and body of a request; `None` at the end of the connection.
fn read(connection: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let mut line = String::new();
    connection.read_line(&mut line).ok().filter(|length| *length > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    while line != "\r\n" {
        line.clear();
        connection.read_line(&mut line).ok()?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body).ok()?;
    Some((path, body))
}

fn write(connection: &mut TcpStream, status: &str, body: &str) {
    let headers = format!(
        "lambda-runtime-aws-request-id: {INVOCATION}\r\nlambda-runtime-deadline-ms: 9999999999999\r\n\
         lambda-runtime-invoked-function-arn: arn:aws:lambda:eu-central-1:1:function:f\r\n"
    );
    let length = body.len();
    write!(connection, "HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}").unwrap();
}

#[test]
fn documents_and_unknown_paths_need_no_call_to_aws() {
    let mut function = Function::start();
    let paths = ["/v1/platforms", "/v1/openapi.json", "/v1/docs", "/", "/wp-login.php", "/v1/nothing"];
    let responses = function.invoke(&paths);
    let statuses: Vec<_> = responses.iter().map(|response| response["statusCode"].as_u64().unwrap()).collect();
    assert_eq!(statuses, [200, 200, 200, 404, 404, 404], "with a well-formed key, which other functions look up");
    assert!(!function.has_called_aws());
}

#[test]
fn a_response_has_the_id_of_the_invocation_in_header_and_body() {
    let [response] = Function::start().invoke(&["/"]).try_into().unwrap();
    assert_eq!(response["headers"]["x-request-id"], INVOCATION, "{response}");
    let body: Value = serde_json::from_str(response["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["request_id"], INVOCATION, "{body}");
}

#[test]
fn a_response_to_https_demands_https_from_then_on() {
    let [response] = Function::start().invoke(&["/v1/docs"]).try_into().unwrap();
    assert_eq!(response["headers"]["strict-transport-security"], "max-age=31536000", "{}", response["headers"]);
}

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
        Function::logging_to(Stdio::null(), &[])
    }

    /// Starts a function with more variables, whose log goes somewhere.
    fn logging_to(log: Stdio, variables: &[(&str, &str)]) -> Function {
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
            .envs(variables.iter().copied())
            .stdout(log)
            .spawn()
            .unwrap();
        Function { child, runtime, aws }
    }

    /// Serves the Runtime API: hands out one event for each path, and returns the responses once the function asks for
    /// a further one.
    fn invoke(&mut self, paths: &[&str]) -> Vec<Value> {
        let key = ApiKey::generate(CustomerId(Uuid::from_u128(7)), Mode::Live).unwrap();
        let events: Vec<Value> = paths.iter().map(|path| event(path, key.reveal())).collect();
        self.invoke_with(&events)
    }

    /// The same with whole events. Panics if an invocation ends in anything but a response.
    fn invoke_with(&mut self, events: &[Value]) -> Vec<Value> {
        let mut events = events.iter();
        let mut responses = Vec::new();
        loop {
            let mut connection = BufReader::new(self.accept());
            while let Some((path, body)) = read(&mut connection) {
                if path.ends_with("/response") {
                    assert!(path.contains(INVOCATION), "{path}");
                    responses.push(serde_json::from_slice(&body).unwrap());
                    write(connection.get_mut(), "202 Accepted", "");
                    continue;
                }
                assert!(path.ends_with("/next"), "{path}: {}", String::from_utf8_lossy(&body));
                let Some(event) = events.next() else { return responses };
                write(connection.get_mut(), "200 OK", &event.to_string());
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

fn event(path: &str, key: &str) -> Value {
    let mut event: Value = serde_json::from_str(EVENT).unwrap();
    event["rawPath"] = json!(path);
    event["requestContext"]["http"]["path"] = json!(path);
    event["headers"]["x-api-key"] = json!(key);
    event
}

/// The error that a response says in the flat shape, with the fields at fault.
fn error(response: &Value) -> (u64, Value, Value) {
    let body: Value = serde_json::from_str(response["body"].as_str().unwrap()).unwrap();
    (response["statusCode"].as_u64().unwrap(), body["code"].clone(), body["details"][0]["field"].clone())
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
    let paths = [
        "/v1/platforms",
        "/v1/health",
        "/v1/openapi.json",
        "/v1/docs",
        "/v1/docs/campaigns",
        "/dashboard/",
        "/",
        "/wp-login.php",
        "/v1/nothing",
    ];
    let responses = function.invoke(&paths);
    let statuses: Vec<_> = responses.iter().map(|response| response["statusCode"].as_u64().unwrap()).collect();
    assert_eq!(
        statuses,
        [200, 200, 200, 200, 200, 303, 404, 404, 404],
        "with a well-formed key, which other functions look up"
    );
    assert!(!function.has_called_aws());
}

#[test]
fn an_assistant_signs_in_at_the_public_address_without_a_call_to_aws() {
    let base = "https://ads.example.com";
    let mut function = Function::logging_to(Stdio::null(), &[("PUBLIC_BASE_URL", base)]);
    let with = |method: &str, path: &str, body: &str| {
        let mut event = event(path, "");
        event["requestContext"]["http"]["method"] = json!(method);
        event["headers"]["host"] = json!("evil.example");
        event["headers"]["content-type"] = json!("application/json");
        event["body"] = json!(body);
        event["isBase64Encoded"] = json!(false);
        event
    };
    let resource = "/.well-known/oauth-protected-resource";
    let (of_mcp, server) = (format!("{resource}/v1/mcp"), "/.well-known/oauth-authorization-server");
    let mut events: Vec<Value> = [resource, &of_mcp, server].map(|path| with("GET", path, "")).into();
    events.push(with("OPTIONS", "/v1/oauth2/register", ""));
    let program = r#"{"client_name": "A", "redirect_uris": ["http://127.0.0.1/callback"]}"#;
    events.extend(vec![with("POST", "/v1/oauth2/register", program); 50]);
    let responses = function.invoke_with(&events);
    for response in &responses[..3] {
        let body: Value = serde_json::from_str(response["body"].as_str().unwrap()).unwrap();
        let named = body["resource"].as_str().or(body["issuer"].as_str()).unwrap();
        assert!(named == base || named == format!("{base}/v1/mcp"), "{body}");
        assert!(!body.to_string().contains("evil"), "{body}");
    }
    assert_eq!(
        (&responses[3]["statusCode"], &responses[3]["headers"]["access-control-allow-origin"]),
        (&json!(204), &json!("*"))
    );
    assert!(responses[4..].iter().all(|response| response["statusCode"] == 201), "{}", responses[4]);
    assert!(!function.has_called_aws(), "a registration is stored nowhere");
}

#[test]
fn a_response_has_the_id_of_the_invocation_in_header_and_body() {
    let [response] = Function::start().invoke(&["/"]).try_into().unwrap();
    assert_eq!(response["headers"]["x-request-id"], INVOCATION, "{response}");
    let body: Value = serde_json::from_str(response["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["request_id"], INVOCATION, "{body}");
}

/// The lines of the log of a function that has answered two requests.
fn log_of_two(variables: &[(&str, &str)]) -> Vec<Value> {
    let mut function = Function::logging_to(Stdio::piped(), variables);
    function.invoke(&["/v1/health", "/v1/health"]);
    function.child.kill().unwrap();
    let log = BufReader::new(function.child.stdout.take().unwrap());
    log.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

#[test]
fn the_log_follows_the_controls_of_lambda() {
    let lines = log_of_two(&[]);
    let [cold, warm] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!((&cold["level"], &cold["cold_start"]), (&json!("INFO"), &json!(true)), "{cold}");
    assert!(warm["cold_start"].is_null() && warm["timestamp"].is_null(), "CloudWatch adds the time: {warm}");
    let lines = log_of_two(&[("AWS_LAMBDA_LOG_FORMAT", "JSON"), ("AWS_LAMBDA_LOG_LEVEL", "INFO"), ("RUST_LOG", "off")]);
    assert!(lines.len() == 2 && lines.iter().all(|line| line["timestamp"].is_string()), "{lines:?}");
    assert_eq!(log_of_two(&[("AWS_LAMBDA_LOG_LEVEL", "ERROR")]), Vec::<Value>::new());
}

#[test]
fn a_response_to_https_demands_https_from_then_on() {
    let [response] = Function::start().invoke(&["/v1/docs"]).try_into().unwrap();
    assert_eq!(response["headers"]["strict-transport-security"], "max-age=31536000", "{}", response["headers"]);
}

#[test]
fn a_query_or_host_that_is_no_uri_is_400_and_no_failed_invocation() {
    let with = |field: &str, value: &str| {
        let mut event = event("/v1/docs", "");
        match field {
            "query" => event["rawQueryString"] = json!(value),
            _ => event["headers"]["host"] = json!(value),
        }
        event
    };
    let malformed = [
        ("query", "a=<b>"),
        ("query", "a=>"),
        ("query", "a=\"b\""),
        ("query", "a=b c"),
        ("query", "\u{7f}"),
        ("Host", "example.com:65536"),
        ("Host", "example.com:99999999999"),
        ("Host", "exa mple.com"),
        ("Host", "<script>"),
        ("Host", "a@b"),
    ];
    let responses = Function::start().invoke_with(&malformed.map(|(field, value)| with(field, value)));
    for (response, (field, value)) in responses.iter().zip(malformed) {
        assert_eq!(error(response), (400, json!("VALIDATION_ERROR"), json!(field)), "{field} {value}: {response}");
    }
    let accepted = ["999.999.999.999", "[::1]:8080", "xn--a", "example.com:65535", ""];
    for response in Function::start().invoke_with(&accepted.map(|host| with("Host", host))) {
        assert_eq!(response["statusCode"], 200, "{response}");
    }
    // The endpoint reads these, and has no parameters.
    let read = ["a=%3Cb%3E&c='{}|^`", "a=\u{e9}"];
    for response in Function::start().invoke_with(&read.map(|query| with("query", query))) {
        assert_eq!(error(&response), (400, json!("VALIDATION_ERROR"), json!("a")), "{response}");
    }
}

#[test]
fn the_document_of_a_shape_is_smaller_and_an_unknown_shape_is_400() {
    let with = |query: &str| {
        let mut event = event("/v1/openapi.json", "");
        event["rawQueryString"] = json!(query);
        event
    };
    let queries = ["", "shape=flat", "shape=enveloped", "shape=Flat", "shape=", "shape=flat&shape=flat"];
    let responses = Function::start().invoke_with(&queries.map(with));
    let lengths: Vec<usize> = responses[..3].iter().map(|response| response["body"].as_str().unwrap().len()).collect();
    assert!(lengths[0] > lengths[1].max(lengths[2]) && lengths[1] > 100_000 && lengths[2] > 100_000, "{lengths:?}");
    for response in &responses[3..] {
        assert_eq!(error(response), (400, json!("VALIDATION_ERROR"), json!("shape")), "{response}");
    }
}

#[test]
fn a_path_that_is_no_uri_is_an_unknown_path() {
    let paths = ["/v1/<b>", "/a b", "/\u{e9}", "//", "/a?b", "/a#b", "", "*", "/%zz"];
    for (response, path) in Function::start().invoke(&paths).iter().zip(paths) {
        assert_eq!(error(response).0, 404, "{path}: {response}");
    }
}

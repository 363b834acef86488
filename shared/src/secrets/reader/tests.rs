use super::super::test_server::{Received, Response, Server};
use super::*;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::{Arc, Mutex};
use tokio::time::Instant;
use tracing_subscriber::filter::LevelFilter;

const MISSING: &str = r#"{"__type":"ResourceNotFoundException","Message":"Not there."}"#;

/// The response of `GetSecretValue`: the name as JSON, or an error for a name with "missing".
fn get(request: &Received) -> Response {
    let name = json(request)["SecretId"].as_str().unwrap().to_owned();
    if name.contains("missing") { Some((400, MISSING.to_owned())) } else { Some((200, entry(&name).to_string())) }
}

/// A response of `BatchGetSecretValue`.
fn batch(values: &[Value]) -> Response {
    Some((200, json!({ "SecretValues": values, "Errors": [], "NextToken": null }).to_string()))
}

fn entry(name: &str) -> Value {
    json!({ "ARN": format!("arn:{name}-1"), "Name": name, "SecretString": json!(name).to_string() })
}

fn json(request: &Received) -> Value {
    serde_json::from_str(&request.body).unwrap()
}

fn is_batch(request: &Received) -> bool {
    request.target == "secretsmanager.BatchGetSecretValue"
}

/// Reads secrets from a server that answers batches so. Returns what was read, and the single reads.
async fn read_all(
    names: &[&str],
    response: impl Fn(&Received) -> Response + Send + Sync + 'static,
) -> (Vec<Result<String, String>>, Vec<String>) {
    let server = Server::answering(move |request| if is_batch(request) { response(request) } else { get(request) });
    let client = server.client();
    let reader = Reader::new(&client, "p/", names).await;
    let mut outcomes = Vec::new();
    for name in names {
        outcomes.push(reader.read(name).await.map_err(|error| error.to_string()));
    }
    let requests = server.received();
    assert!(requests.iter().filter(|request| is_batch(request)).count() <= 1, "{requests:?}");
    let singles = requests.iter().filter(|request| !is_batch(request));
    (outcomes, singles.map(|request| json(request)["SecretId"].as_str().unwrap().to_owned()).collect())
}

fn ok(name: &str) -> Result<String, String> {
    Ok(name.to_owned())
}

#[tokio::test]
async fn several_secrets_take_one_call() {
    let response = |request: &Received| {
        assert_eq!(json(request), json!({ "SecretIdList": ["p/a", "p/b"] }));
        batch(&[entry("p/b"), entry("p/a")])
    };
    assert_eq!(read_all(&["a", "b"], response).await, (vec![ok("p/a"), ok("p/b")], Vec::new()));
}

#[tokio::test]
async fn one_secret_takes_no_batch() {
    let (outcomes, singles) = read_all(&["a"], |_| panic!("a batch")).await;
    assert_eq!((outcomes, singles), (vec![ok("p/a")], vec!["p/a".to_owned()]));
}

#[tokio::test]
async fn a_secret_outside_the_batch_is_read_by_itself_and_named_in_the_error() {
    let (outcomes, singles) = read_all(&["a", "missing", "b"], |_| {
        let error =
            json!({ "SecretId": "p/missing", "ErrorCode": "ResourceNotFoundException", "Message": "Not there." });
        Some((200, json!({ "SecretValues": [entry("p/a")], "Errors": [error], "NextToken": "2" }).to_string()))
    })
    .await;
    let missing = Err("secret p/missing: ResourceNotFoundException: Not there.".to_owned());
    assert_eq!(outcomes, [ok("p/a"), missing, ok("p/b")]);
    assert_eq!(singles, ["p/missing", "p/b"]);
}

#[tokio::test]
async fn a_failed_batch_is_not_retried_and_replaced_by_single_reads() {
    let failures: [fn() -> Response; 5] = [
        || Some((400, r#"{"__type":"ThrottlingException","Message":"Rate exceeded"}"#.to_owned())),
        || Some((400, r#"{"__type":"AccessDeniedException"}"#.to_owned())),
        || Some((500, String::new())),
        || Some((200, "not JSON".to_owned())),
        || None,
    ];
    for failure in failures {
        let (outcomes, singles) = read_all(&["a", "b"], move |_| failure()).await;
        assert_eq!(outcomes, [ok("p/a"), ok("p/b")], "{:?}", failure());
        assert_eq!(singles, ["p/a", "p/b"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_hangs_is_replaced_by_single_reads() {
    let began = Instant::now();
    let (outcomes, _) = read_all(&["a", "b"], |_| Some((0, String::new()))).await;
    assert_eq!(outcomes, [ok("p/a"), ok("p/b")]);
    assert_eq!(began.elapsed(), BATCH_TIMEOUT);
}

#[tokio::test]
async fn an_invalid_value_is_named_but_not_quoted() {
    let (outcomes, _) = read_all(&["a", "b"], |_| {
        let binary = json!({ "Name": "p/a", "SecretBinary": "aGlkZGVu" });
        batch(&[binary, json!({ "Name": "p/b", "SecretString": "hidden" })])
    })
    .await;
    let expected = ["secret p/a: is binary, not text", "secret p/b: is invalid JSON (line 1, column 1)"];
    assert_eq!(outcomes, expected.map(|error| Err(error.to_owned())));
}

/// Reads a secret from a server that answers with these responses in turn; returns the outcome and the requests.
async fn read_from(responses: Vec<(u16, &'static str)>) -> (Result<Value, String>, usize) {
    let server = Server::new(responses);
    let outcome = read(&server.client(), "any").await.map_err(|error| error.to_string());
    (outcome, server.received().len())
}

#[tokio::test(start_paused = true)]
async fn throttling_failures_and_lost_connections_are_retried() {
    let found = (200, r#"{"Name":"any","SecretString":"1"}"#);
    let throttled = (400, r#"{"__type":"com.amazonaws#ThrottlingException"}"#);
    for responses in [vec![(503, "busy"), found], vec![throttled, found], vec![(500, "{}"), (502, ""), found]] {
        assert_eq!(read_from(responses.clone()).await, (Ok(json!(1)), responses.len()), "{responses:?}");
    }
    // Without a response the server closes the connection.
    let (outcome, requests) = read_from(Vec::new()).await;
    assert!(outcome.unwrap_err().starts_with("secret any: "));
    assert_eq!(requests, 3);
}

#[tokio::test]
async fn a_value_is_neither_in_an_error_nor_in_the_log() {
    let written = Written::default();
    let writer = written.clone();
    let log = tracing_subscriber::fmt().with_max_level(LevelFilter::DEBUG).with_writer(move || writer.clone()).finish();
    let guard = tracing::subscriber::set_default(log);
    for response in [r#"{"SecretString": canary}"#, r#"{"Name":"any","SecretString":"canary"}"#] {
        let error = read_from(vec![(200, response)]).await.0.unwrap_err();
        assert!(error.starts_with("secret any: ") && !error.contains("canary"), "{error}");
    }
    for response in [r#"{"SecretValues":[{"Name":"any","SecretString":"canary"}]}"#, r#"{"SecretValues": [canary]}"#] {
        let outcome = read_batch(&Server::new(vec![(200, response)]).client(), vec!["any".to_owned()]).await;
        assert!(!format!("{outcome:?}").contains("canary"), "{outcome:?}");
    }
    drop(guard);
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("Secrets Manager") && !text.contains("canary"), "{text}");
}

/// A log that a test reads.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

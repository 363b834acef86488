use super::super::test_server::{Received, Response, answering, client};
use super::*;
use serde_json::{Value, json};

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
    request.headers["x-amz-target"] == "secretsmanager.BatchGetSecretValue"
}

/// Reads secrets from a server that answers batches so. Returns what was read, and the single reads.
async fn read_all(
    names: &[&str],
    answer: impl Fn(&Received) -> Response + Send + Sync + 'static,
) -> (Vec<Result<String, String>>, Vec<String>) {
    let (endpoint, received) = answering(move |request| if is_batch(request) { answer(request) } else { get(request) });
    let client = client(&endpoint);
    let reader = Reader::new(&client, "p/", names).await;
    let mut outcomes = Vec::new();
    for name in names {
        outcomes.push(reader.read(name).await.map_err(|error| error.to_string()));
    }
    let requests: Vec<Received> = received.try_iter().collect();
    assert!(requests.iter().filter(|request| is_batch(request)).count() <= 1, "{requests:?}");
    let singles = requests.iter().filter(|request| !is_batch(request));
    (outcomes, singles.map(|request| json(request)["SecretId"].as_str().unwrap().to_owned()).collect())
}

fn ok(name: &str) -> Result<String, String> {
    Ok(name.to_owned())
}

#[tokio::test]
async fn several_secrets_take_one_call() {
    let answer = |request: &Received| {
        assert_eq!(json(request), json!({ "SecretIdList": ["p/a", "p/b"] }));
        batch(&[entry("p/b"), entry("p/a")])
    };
    assert_eq!(read_all(&["a", "b"], answer).await, (vec![ok("p/a"), ok("p/b")], Vec::new()));
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

#[tokio::test]
async fn a_batch_that_hangs_is_replaced_by_single_reads() {
    let (outcomes, _) = read_all(&["a", "b"], |_| {
        std::thread::sleep(std::time::Duration::from_secs(2));
        None
    })
    .await;
    assert_eq!(outcomes, [ok("p/a"), ok("p/b")]);
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

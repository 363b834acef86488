use super::*;
use aws_sdk_secretsmanager::config::{BehaviorVersion, Credentials, Region};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};

const FOUND: &str = r#"{"SecretString":"secret"}"#;

/// A secrets server that answers with these statuses in turn and then with 200, and its number of connections.
fn server(first: &'static [u16]) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let (connections, answered) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&connections);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            counted.fetch_add(1, Ordering::SeqCst);
            let mut stream = stream.unwrap();
            let answered = Arc::clone(&answered);
            std::thread::spawn(move || {
                // Requests are small and sequential, so that a read ends with the end of a request.
                let mut bytes = [0; 65_536];
                while let Ok(length @ 1..) = stream.read(&mut bytes) {
                    let is_whole = bytes[..length].ends_with(b"}") || bytes.starts_with(b"GET");
                    if !is_whole {
                        continue;
                    }
                    let status = first.get(answered.fetch_add(1, Ordering::SeqCst)).unwrap_or(&200);
                    let response = format!("HTTP/1.1 {status} -\r\ncontent-length: {}\r\n\r\n{FOUND}", FOUND.len());
                    stream.write_all(response.as_bytes()).unwrap();
                }
            });
        }
    });
    (endpoint, connections)
}

async fn read(http_client: &SharedHttpClient, endpoint: &str) -> String {
    let config = aws_sdk_secretsmanager::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("id", "secret", None, None, "test"))
        .endpoint_url(endpoint)
        .http_client(http_client.clone());
    let client = aws_sdk_secretsmanager::Client::from_conf(config.build());
    let response = client.get_secret_value().secret_id("any").send().await;
    response.unwrap().secret_string().unwrap().to_owned()
}

#[tokio::test]
async fn every_sdk_client_uses_the_warmed_up_connection() {
    let (endpoint, connections) = server(&[]);
    let http_client = SharedHttpClient::default();
    http_client.warm(&endpoint).await;
    assert_eq!(connections.load(Ordering::SeqCst), 1);
    for _ in 0..2 {
        assert_eq!(read(&http_client, &endpoint).await, "secret");
    }
    assert_eq!(connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_connection_is_not_reused_after_a_failure() {
    let (endpoint, connections) = server(&[503]);
    assert_eq!(read(&SharedHttpClient::default(), &endpoint).await, "secret");
    assert_eq!(connections.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn warming_up_an_unreachable_host_does_not_fail() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    SharedHttpClient::default().warm(&format!("http://{closed}")).await;
}

/// A server that answers each connection with these bytes and closes it, and its number of connections.
fn closing_server(response: &'static str) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            counted.fetch_add(1, Ordering::SeqCst);
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 65_536]);
            let _ = stream.write_all(response.as_bytes());
        }
    });
    (endpoint, connections)
}

async fn failure(response: &'static str) -> (ConnectorError, usize) {
    let (endpoint, connections) = closing_server(response);
    let request = HttpRequest::get(endpoint).unwrap();
    let error = SharedHttpClient::default().call(request).await.unwrap_err();
    (error, connections.load(Ordering::SeqCst))
}

#[tokio::test]
async fn a_broken_connection_is_retryable_and_an_invalid_response_is_not() {
    for cut in ["", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"] {
        let (error, connections) = failure(cut).await;
        assert!(error.is_io(), "{cut:?}: {error:?}");
        assert_eq!(connections, 1, "only the SDK retries");
    }
    let (error, _) = failure("nonsense\r\n\r\n").await;
    assert!(error.is_other(), "{error:?}");
}

#[tokio::test]
async fn concurrent_failures_drop_the_connections_once() {
    let http_client = SharedHttpClient::default();
    let (_, generation) = http_client.client().unwrap();
    http_client.drop_connections(generation);
    let (_, next) = http_client.client().unwrap();
    assert_ne!(next, generation);
    http_client.drop_connections(generation);
    assert_eq!(http_client.client().unwrap().1, next);
}

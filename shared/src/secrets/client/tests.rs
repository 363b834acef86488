use super::*;
use crate::sdk::{self, describe};
use aws_sdk_secretsmanager::config::BehaviorVersion as SdkVersion;
use aws_smithy_runtime_api::shared::IntoShared;
use ring::{digest, hmac};
use secrecy::ExposeSecret;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tracing_subscriber::filter::LevelFilter;

const FOUND: (u16, &str) = (200, r#"{"Name":"any","SecretString":"canary"}"#);

/// A request as received.
#[derive(Debug)]
struct Received {
    line: String,
    headers: BTreeMap<String, String>,
    body: String,
}

/// A server that answers with these responses in turn, and the requests that it received.
fn server(responses: Vec<(u16, &'static str)>) -> (String, Receiver<Received>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let (sender, received) = channel();
    let responses = Arc::new(Mutex::new(responses.into_iter()));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (sender, responses) = (sender.clone(), Arc::clone(&responses));
            std::thread::spawn(move || serve(stream.unwrap(), &sender, || responses.lock().unwrap().next()));
        }
    });
    (endpoint, received)
}

fn serve(stream: TcpStream, sender: &Sender<Received>, mut next: impl FnMut() -> Option<(u16, &'static str)>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    while let Some(request) = receive(&mut reader) {
        sender.send(request).unwrap();
        let Some((status, body)) = next() else { return };
        write!(writer, "HTTP/1.1 {status} -\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
    }
}

fn receive(reader: &mut BufReader<TcpStream>) -> Option<Received> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|length| *length > 0)?;
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let headers: BTreeMap<String, String> = lines[1..]
        .iter()
        .map(|line| line.split_once(": ").unwrap())
        .map(|(n, v)| (n.to_lowercase(), v.into()))
        .collect();
    let mut body = vec![0; headers["content-length"].parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    Some(Received { line: lines[0].clone(), headers, body: String::from_utf8(body).unwrap() })
}

fn credentials() -> Credentials {
    Credentials::new("id", "key", Some("token".to_owned()), None, "test")
}

fn http_client() -> SharedHttpClient {
    sdk::SharedHttpClient::default().into_shared()
}

fn client(endpoint: &str) -> SecretsClient {
    let timeouts = TimeoutConfig::builder().operation_attempt_timeout(Duration::from_secs(3)).build();
    SecretsClient::new(endpoint, "eu-central-1".to_owned(), credentials(), timeouts, http_client())
}

async fn failure(responses: Vec<(u16, &'static str)>) -> String {
    let (endpoint, _received) = server(responses);
    describe(&client(&endpoint).get("any").await.unwrap_err())
}

/// The signature by the documented steps:
/// <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html>.
fn expected_signature(request: &Received, signed_headers: &str) -> String {
    let hash = |text: &str| hex::encode(digest::digest(&digest::SHA256, text.as_bytes()));
    let mac = |key: &[u8], text: &str| hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes());
    let headers: String =
        signed_headers.split(';').map(|name| format!("{name}:{}\n", request.headers[name].trim())).collect();
    let canonical = format!("POST\n/\n\n{headers}\n{signed_headers}\n{}", hash(&request.body));
    let time = &request.headers["x-amz-date"];
    let scope = format!("{}/eu-central-1/secretsmanager/aws4_request", &time[..8]);
    let to_sign = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{}", hash(&canonical));
    let key = scope.split('/').fold(b"AWS4key".to_vec(), |key, part| mac(&key, part).as_ref().to_vec());
    hex::encode(mac(&key, &to_sign))
}

#[tokio::test]
async fn the_request_is_the_sdks_and_validly_signed() {
    let (endpoint, received) = server(vec![FOUND; 2]);
    let value = client(&endpoint).get("unified-ads/prod/\"token\"").await.unwrap();
    assert_eq!(value.secret_string.unwrap().expose_secret(), "canary");
    let ours = received.recv().unwrap();
    let config = aws_sdk_secretsmanager::Config::builder()
        .behavior_version(SdkVersion::latest())
        .region(Region::new("eu-central-1"))
        .credentials_provider(credentials())
        .endpoint_url(&endpoint)
        .http_client(http_client());
    let sdk = aws_sdk_secretsmanager::Client::from_conf(config.build());
    sdk.get_secret_value().secret_id("unified-ads/prod/\"token\"").send().await.unwrap();
    let theirs = received.recv().unwrap();
    assert_eq!((&ours.line, &ours.body), (&theirs.line, &theirs.body));
    for header in ["content-type", "host", "x-amz-security-token", "x-amz-target"] {
        assert_eq!(ours.headers[header], theirs.headers[header], "{header}");
    }

    for request in [ours, theirs] {
        let (credential, rest) = request.headers["authorization"].split_once(", SignedHeaders=").unwrap();
        let scope = format!("{}/eu-central-1/secretsmanager/aws4_request", &request.headers["x-amz-date"][..8]);
        assert_eq!(credential, format!("AWS4-HMAC-SHA256 Credential=id/{scope}"));
        let (signed_headers, signature) = rest.split_once(", Signature=").unwrap();
        for header in ["host", "x-amz-date", "x-amz-security-token", "x-amz-target"] {
            assert!(signed_headers.split(';').any(|name| name == header), "{header}");
        }
        assert_eq!(signature, expected_signature(&request, signed_headers));
    }
}

#[tokio::test]
async fn throttling_failures_and_lost_connections_are_retried() {
    let throttled = r#"{"__type":"com.amazonaws#ThrottlingException"}"#;
    for responses in [vec![(503, "busy"), FOUND], vec![(400, throttled), FOUND], vec![(500, "{}"), (502, ""), FOUND]] {
        let (endpoint, received) = server(responses.clone());
        assert!(client(&endpoint).get("any").await.is_ok(), "{responses:?}");
        assert_eq!(received.try_iter().count(), responses.len());
    }
    // Without a response the server closes the connection.
    let (endpoint, received) = server(Vec::new());
    assert!(client(&endpoint).get("any").await.is_err());
    assert_eq!(received.try_iter().count(), 3);
}

#[tokio::test]
async fn a_refusal_is_not_retried_and_has_its_code_and_message() {
    let missing = r#"{"__type":"com.amazonaws.secretsmanager#ResourceNotFoundException:x","Message":"Not there."}"#;
    assert_eq!(failure(vec![(400, missing), FOUND]).await, "ResourceNotFoundException: Not there.");
    let denied = r#"{"__type":"AccessDeniedException","message":"No."}"#;
    assert_eq!(failure(vec![(400, denied), FOUND]).await, "AccessDeniedException: No.");
    assert_eq!(failure(vec![(404, "<html>"), FOUND]).await, "no code: no message");
}

#[tokio::test]
async fn a_value_is_neither_in_an_error_nor_in_the_log() {
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
    let written = Written::default();
    let writer = written.clone();
    let log = tracing_subscriber::fmt().with_max_level(LevelFilter::DEBUG).with_writer(move || writer.clone()).finish();
    let guard = tracing::subscriber::set_default(log);
    let error = failure(vec![(200, r#"{"SecretString": canary}"#)]).await;
    assert!(error.contains("invalid JSON") && !error.contains("canary"), "{error}");
    let (endpoint, _received) = server(vec![FOUND]);
    let value = client(&endpoint).get("any").await.unwrap();
    assert!(!format!("{value:?}").contains("canary"));
    drop(guard);
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("GetSecretValue") && !text.contains("canary"), "{text}");
}

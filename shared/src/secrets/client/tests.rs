use super::super::test_server::{Received, client, credentials, http_client, server};
use super::*;
use aws_sdk_secretsmanager::config::BehaviorVersion as SdkVersion;
use ring::{digest, hmac};
use secrecy::ExposeSecret;
use std::io::Write;
use std::sync::{Arc, Mutex};
use tracing_subscriber::filter::LevelFilter;

const FOUND: (u16, &str) = (200, r#"{"Name":"any","SecretString":"canary"}"#);
const BATCH: (u16, &str) = (200, r#"{"SecretValues":[{"Name":"any","SecretString":"canary"}],"Errors":[]}"#);

async fn failure(responses: Vec<(u16, &'static str)>) -> String {
    let (endpoint, _received) = server(responses);
    client(&endpoint).get("any").await.unwrap_err()
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
async fn the_requests_are_the_sdks_and_validly_signed() {
    let (endpoint, received) = server(vec![FOUND, FOUND, BATCH, BATCH]);
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
    assert_same_request(ours, theirs);
    let names = ["unified-ads/prod/a", "unified-ads/prod/b"].map(str::to_owned);
    let batch = client(&endpoint).get_batch(&names).await.unwrap();
    assert_eq!(batch[0].secret_string.as_ref().unwrap().expose_secret(), "canary");
    let ours = received.recv().unwrap();
    sdk.batch_get_secret_value().set_secret_id_list(Some(names.to_vec())).send().await.unwrap();
    assert_same_request(ours, received.recv().unwrap());
}

/// Asserts that two requests ask for the same, and that both signatures are valid.
fn assert_same_request(ours: Received, theirs: Received) {
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
    for response in [BATCH, (200, r#"{"SecretValues": [canary]}"#)] {
        let (endpoint, _received) = server(vec![response]);
        let outcome = client(&endpoint).get_batch(&["any".to_owned()]).await;
        assert!(!format!("{:?}", outcome).contains("canary"));
    }
    drop(guard);
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("BatchGetSecretValue") && !text.contains("canary"), "{text}");
}

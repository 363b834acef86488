//! The part of the Secrets Manager API that the service uses: `GetSecretValue` in AWS JSON 1.1.

use super::LocalSecrets;
use crate::error::StartError;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde_json::{Value, json};
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A running server. Dropping it stops the server.
pub(crate) struct SecretsServer {
    /// `http://127.0.0.1:PORT`.
    pub(crate) endpoint: String,
    server: JoinHandle<()>,
}

impl SecretsServer {
    /// Serves secrets on a free port.
    pub(crate) async fn start(secrets: Arc<LocalSecrets>) -> Result<SecretsServer, StartError> {
        let unavailable = |source| StartError::Port { port: 0, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(unavailable)?;
        let endpoint = format!("http://{}", listener.local_addr().map_err(unavailable)?);
        let service = Router::new().fallback(answer).with_state(secrets);
        let server = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, service).await {
                tracing::error!(%error, "the local Secrets Manager stopped");
            }
        });
        Ok(SecretsServer { endpoint, server })
    }
}

impl Drop for SecretsServer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn answer(State(secrets): State<Arc<LocalSecrets>>, headers: HeaderMap, body: Bytes) -> Response {
    let target = headers.get("x-amz-target").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if target != "secretsmanager.GetSecretValue" {
        return error_response("UnknownOperationException", "The local Secrets Manager supports only GetSecretValue.");
    }
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    let Some(name) = request.get("SecretId").and_then(Value::as_str) else {
        return error_response("InvalidRequestException", "SecretId is missing.");
    };
    match secrets.get(name) {
        Some(value) => respond(StatusCode::OK, &secret(name, &value)),
        None => error_response("ResourceNotFoundException", "Secrets Manager can't find the specified secret."),
    }
}

fn secret(name: &str, value: &str) -> Value {
    json!({
        "ARN": format!("arn:aws:secretsmanager:us-east-1:000000000000:secret:{name}"),
        "Name": name,
        "VersionId": "00000000-0000-4000-8000-000000000000",
        "VersionStages": ["AWSCURRENT"],
        "SecretString": value,
    })
}

fn error_response(kind: &str, message: &str) -> Response {
    respond(StatusCode::BAD_REQUEST, &json!({ "__type": kind, "Message": message }))
}

fn respond(status: StatusCode, body: &Value) -> Response {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    let json = axum::http::HeaderValue::from_static("application/x-amz-json-1.1");
    response.headers_mut().insert(axum::http::header::CONTENT_TYPE, json);
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::local_aws;
    use crate::secrets::PREFIX;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use http_body_util::BodyExt;
    use shared::secrets::{SecretAccess, Secrets, names};
    use shared::vault::{Binding, VaultError};

    async fn call(target: &'static str, body: &'static str) -> (StatusCode, Value) {
        let secrets = Arc::new(LocalSecrets::load(None).unwrap());
        let headers = HeaderMap::from_iter([("x-amz-target".parse().unwrap(), target.parse().unwrap())]);
        let response = answer(State(secrets), headers, Bytes::from_static(body.as_bytes())).await;
        let status = response.status();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap())
    }

    /// A ring of one key, or of two keys with the second one active.
    fn ring(is_rotated: bool) -> String {
        let [one, two] = [1, 2].map(|byte| STANDARD.encode([byte; 32]));
        if is_rotated {
            json!({ "active": "k2", "keys": { "k1": one, "k2": two } }).to_string()
        } else {
            json!({ "active": "k1", "keys": { "k1": one } }).to_string()
        }
    }

    #[tokio::test]
    async fn an_invalid_ring_leaves_the_old_one_in_use_until_a_valid_one() {
        let secrets = Arc::new(LocalSecrets::load(None).unwrap());
        secrets.replace_token_keys(&ring(false)).unwrap();
        let server = SecretsServer::start(Arc::clone(&secrets)).await.unwrap();
        let client = local_aws("http://127.0.0.1:9", Some(&server.endpoint)).secrets_client();
        let load = || Secrets::load(&client, PREFIX, SecretAccess::PLATFORMS);
        let vault = load().await.unwrap().vault.unwrap();
        let binding = Binding { customer: "c", record: "g", field: "f" };
        let older = vault.seal(binding, &"token".into()).await.unwrap();
        secrets.replace_token_keys(&ring(true)).unwrap();
        let newer = load().await.unwrap().vault.unwrap().seal(binding, &"token".into()).await.unwrap();

        for broken in ["no JSON", r#"{"active":"k3","keys":{}}"#] {
            secrets.put(names::TOKEN_KEYS, broken).unwrap();
            assert!(load().await.is_err(), "no process starts with it");
            assert_eq!(vault.open(binding, &newer).await.unwrap_err(), VaultError::NewerRingUnavailable, "{broken}");
            assert!(vault.open(binding, &older).await.is_ok());
            assert!(vault.seal(binding, &"token".into()).await.unwrap().starts_with("v1.k1."));
        }
        secrets.replace_token_keys(&ring(true)).unwrap();
        assert!(vault.open(binding, &newer).await.is_ok());
        assert!(vault.seal(binding, &"token".into()).await.unwrap().starts_with("v1.k2."));
    }

    #[tokio::test]
    async fn a_known_secret_is_returned_as_text() {
        let (status, body) = call("secretsmanager.GetSecretValue", r#"{"SecretId":"local/platform-clients"}"#).await;
        assert_eq!(status, StatusCode::OK);
        let clients: Value = serde_json::from_str(body["SecretString"].as_str().unwrap()).unwrap();
        assert!(clients["alpha_ads"]["client_secret"].is_string());
    }

    #[tokio::test]
    async fn an_unknown_secret_is_a_resource_not_found_exception() {
        let (status, body) = call("secretsmanager.GetSecretValue", r#"{"SecretId":"local/nothing"}"#).await;
        assert_eq!((status, body["__type"].as_str()), (StatusCode::BAD_REQUEST, Some("ResourceNotFoundException")));
    }

    #[tokio::test]
    async fn other_operations_and_invalid_requests_are_rejected() {
        let (_, body) = call("secretsmanager.PutSecretValue", "{}").await;
        assert_eq!(body["__type"], "UnknownOperationException");
        let (_, body) = call("secretsmanager.GetSecretValue", "not json").await;
        assert_eq!(body["__type"], "InvalidRequestException");
    }
}

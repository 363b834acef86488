//! The part of the Secrets Manager API that the service uses, in AWS JSON 1.1: `GetSecretValue` and
//! `BatchGetSecretValue`.

use super::LocalSecrets;
use serde_json::{Value, json};

/// Most secrets in a batch.
const MAX_BATCH: usize = 20;
/// Code and message of the error for an unknown secret.
const MISSING: (&str, &str) = ("ResourceNotFoundException", "Secrets Manager can't find the specified secret.");

impl LocalSecrets {
    /// The status and the body of the response to a request; `target` names the operation.
    pub(crate) fn respond(&self, target: &str, request: &[u8]) -> (u16, String) {
        let outcome = self.outcome(target, request);
        let (status, body) = outcome.map_or_else(|error| (400, error), |secret| (200, secret));
        (status, body.to_string())
    }

    fn outcome(&self, target: &str, request: &[u8]) -> Result<Value, Value> {
        let request: Value = serde_json::from_slice(request).unwrap_or_default();
        match target {
            "secretsmanager.GetSecretValue" => self.secret_value(&request),
            "secretsmanager.BatchGetSecretValue" => self.secret_values(&request),
            _ => {
                let message = "The local Secrets Manager supports only GetSecretValue and BatchGetSecretValue.";
                Err(error("UnknownOperationException", message))
            }
        }
    }

    fn secret_value(&self, request: &Value) -> Result<Value, Value> {
        let name = request.get("SecretId").and_then(Value::as_str);
        let name = name.ok_or_else(|| error("InvalidRequestException", "SecretId is missing."))?;
        self.get(name).map(|value| secret(name, &value)).ok_or_else(|| error(MISSING.0, MISSING.1))
    }

    fn secret_values(&self, request: &Value) -> Result<Value, Value> {
        let names = request.get("SecretIdList").and_then(Value::as_array).filter(|names| names.len() <= MAX_BATCH);
        let names: Option<Vec<&str>> = names.and_then(|names| names.iter().map(Value::as_str).collect());
        let invalid = || error("InvalidRequestException", "SecretIdList is not a list of at most 20 names.");
        let (mut values, mut errors) = (Vec::new(), Vec::new());
        for name in names.ok_or_else(invalid)? {
            match self.get(name) {
                Some(value) => values.push(secret(name, &value)),
                None => errors.push(json!({ "SecretId": name, "ErrorCode": MISSING.0, "Message": MISSING.1 })),
            }
        }
        Ok(json!({ "SecretValues": values, "Errors": errors }))
    }
}

fn error(kind: &str, message: &str) -> Value {
    json!({ "__type": kind, "Message": message })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn call(target: &str, body: &str) -> (u16, Value) {
        let (status, body) = LocalSecrets::load(None).unwrap().respond(target, body.as_bytes());
        (status, serde_json::from_str(&body).unwrap())
    }

    #[test]
    fn a_known_secret_is_returned_as_text() {
        let (status, body) = call("secretsmanager.GetSecretValue", r#"{"SecretId":"local/platform-clients"}"#);
        assert_eq!(status, 200);
        let clients: Value = serde_json::from_str(body["SecretString"].as_str().unwrap()).unwrap();
        assert!(clients["alpha_ads"]["client_secret"].is_string());
    }

    #[test]
    fn an_unknown_secret_is_a_resource_not_found_exception() {
        let (status, body) = call("secretsmanager.GetSecretValue", r#"{"SecretId":"local/nothing"}"#);
        assert_eq!((status, body["__type"].as_str()), (400, Some("ResourceNotFoundException")));
    }

    #[test]
    fn a_batch_returns_known_secrets_and_an_error_for_each_other_one() {
        let names = r#"{"SecretIdList":["local/platform-clients","local/nothing","local/token-keys"]}"#;
        let (status, body) = call("secretsmanager.BatchGetSecretValue", names);
        let named = |list: &str, name: &str| {
            body[list].as_array().unwrap().iter().map(|entry| entry[name].clone()).collect::<Vec<_>>()
        };
        assert_eq!(
            (status, named("SecretValues", "Name")),
            (200, vec!["local/platform-clients".into(), "local/token-keys".into()])
        );
        assert!(body["SecretValues"][1]["SecretString"].is_string());
        assert_eq!(named("Errors", "SecretId"), ["local/nothing"]);
        assert_eq!(named("Errors", "ErrorCode"), ["ResourceNotFoundException"]);
    }

    #[test]
    fn a_batch_has_at_most_20_names() {
        for (length, expected) in [(20, 200), (21, 400)] {
            let names = json!({ "SecretIdList": vec!["local/token-keys"; length] }).to_string();
            assert_eq!(call("secretsmanager.BatchGetSecretValue", &names).0, expected);
        }
        let (_, body) = call("secretsmanager.BatchGetSecretValue", "{}");
        assert_eq!(body["__type"], "InvalidRequestException");
    }

    #[test]
    fn other_operations_and_invalid_requests_are_rejected() {
        let (_, body) = call("secretsmanager.PutSecretValue", "{}");
        assert_eq!(body["__type"], "UnknownOperationException");
        let (_, body) = call("secretsmanager.GetSecretValue", "not json");
        assert_eq!(body["__type"], "InvalidRequestException");
    }
}

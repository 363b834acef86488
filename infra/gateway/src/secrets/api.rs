//! The part of the Secrets Manager API that the service uses: `GetSecretValue` in AWS JSON 1.1.

use super::LocalSecrets;
use serde_json::{Value, json};

impl LocalSecrets {
    /// The status and the body of the response to a request; `target` names the operation.
    pub(crate) fn answer(&self, target: &str, request: &[u8]) -> (u16, String) {
        let outcome = self.secret_value(target, request);
        let (status, body) = outcome.map_or_else(|error| (400, error), |secret| (200, secret));
        (status, body.to_string())
    }

    fn secret_value(&self, target: &str, request: &[u8]) -> Result<Value, Value> {
        let error = |kind: &str, message: &str| json!({ "__type": kind, "Message": message });
        if target != "secretsmanager.GetSecretValue" {
            let message = "The local Secrets Manager supports only GetSecretValue.";
            return Err(error("UnknownOperationException", message));
        }
        let request: Value = serde_json::from_slice(request).unwrap_or_default();
        let name = request.get("SecretId").and_then(Value::as_str);
        let name = name.ok_or_else(|| error("InvalidRequestException", "SecretId is missing."))?;
        let missing = || error("ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
        self.get(name).map(|value| secret(name, &value)).ok_or_else(missing)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn call(target: &str, body: &str) -> (u16, Value) {
        let (status, body) = LocalSecrets::load(None).unwrap().answer(target, body.as_bytes());
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
    fn other_operations_and_invalid_requests_are_rejected() {
        let (_, body) = call("secretsmanager.PutSecretValue", "{}");
        assert_eq!(body["__type"], "UnknownOperationException");
        let (_, body) = call("secretsmanager.GetSecretValue", "not json");
        assert_eq!(body["__type"], "InvalidRequestException");
    }
}

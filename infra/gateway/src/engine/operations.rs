//! The operations of the DynamoDB API that the service uses, in AWS JSON 1.0.

use dynoxide::{Database, DynoxideError};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The status and the body of a response.
pub(crate) type EngineResponse = (u16, String);

/// The response to an operation, such as `GetItem`: its status and its body.
pub fn respond(database: &Database, operation: &str, request: &[u8]) -> (u16, String) {
    call(database, operation, request).map_or_else(|error| failed(&error), |response| (200, response))
}

/// The response of a failed operation.
pub(super) fn failed(error: &DynoxideError) -> EngineResponse {
    (error.status_code(), error.to_json())
}

/// Runs an operation.
pub(super) fn call(database: &Database, operation: &str, request: &[u8]) -> Result<String, DynoxideError> {
    match operation {
        "GetItem" => convert(request, |request| database.get_item(request)),
        "BatchGetItem" => convert(request, |request| database.batch_get_item(request)),
        "BatchWriteItem" => convert(request, |request| database.batch_write_item(request)),
        "PutItem" => convert(request, |request| database.put_item(request)),
        "UpdateItem" => convert(request, |request| database.update_item(request)),
        "DeleteItem" => convert(request, |request| database.delete_item(request)),
        "Query" => convert(request, |request| database.query(request)),
        "Scan" => convert(request, |request| database.scan(request)),
        "TransactWriteItems" => convert(request, |request| database.transact_write_items(request)),
        other => Err(DynoxideError::ValidationException(format!("the local store does not support {other:?}"))),
    }
}

fn convert<I: DeserializeOwned, O: Serialize>(
    request: &[u8],
    call: impl FnOnce(I) -> Result<O, DynoxideError>,
) -> Result<String, DynoxideError> {
    let request = serde_json::from_slice(request);
    let request = request.map_err(|error| DynoxideError::SerializationException(error.to_string()))?;
    let internal = |error: serde_json::Error| DynoxideError::InternalServerError(error.to_string());
    serde_json::to_string(&call(request)?).map_err(internal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{TABLE, create_table};
    use serde_json::{Value, json};

    #[test]
    fn operations_are_called_and_failures_have_the_form_of_dynamodb() {
        let database = Database::memory().unwrap();
        create_table(&database).unwrap();
        let call = |operation: &str, request: &str| {
            let (status, body) = respond(&database, operation, request.as_bytes());
            (status, serde_json::from_str::<Value>(&body).unwrap())
        };
        let item = json!({"pk": {"S": "p"}, "sk": {"S": "s"}, "n": {"N": "1"}});
        let put = json!({"TableName": TABLE, "Item": item, "ConditionExpression": "attribute_not_exists(pk)"});
        assert_eq!(call("PutItem", &put.to_string()), (200, json!({})));
        let scan = json!({"TableName": TABLE}).to_string();
        assert_eq!(call("Scan", &scan).1["Items"], json!([item]));
        for (operation, request, kind) in [
            ("PutItem", put.to_string().as_str(), "ConditionalCheckFailedException"),
            ("PutItem", "{", "SerializationException"),
            ("PutItem", r#"{"TableName":"other","Item":{}}"#, "ResourceNotFoundException"),
            ("DropEverything", "{}", "ValidationException"),
        ] {
            let (status, body) = call(operation, request);
            let found = body["__type"].as_str().unwrap().rsplit('#').next();
            assert_eq!((status, found), (400, Some(kind)), "{operation}: {body}");
        }
    }
}

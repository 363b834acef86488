//! Reads the fields of a parsed message.

use super::error::AdsError;
use super::proto::{Message, Writable};
use serde_json::Value;

pub(crate) fn text<'a>(input: &'a Value, field: &str) -> Option<&'a str> {
    input.get(field).and_then(Value::as_str)
}

pub(crate) fn int(input: &Value, field: &str) -> Option<i64> {
    input.get(field).and_then(Value::as_i64)
}

pub(crate) fn boolean(input: &Value, field: &str) -> Option<bool> {
    input.get(field).and_then(Value::as_bool)
}

/// An enum constant. `UNSPECIFIED` counts as absent, and `UNKNOWN` is an error.
pub(crate) fn constant<'a>(input: &'a Value, field: &str) -> Result<Option<&'a str>, AdsError> {
    match text(input, field) {
        Some("UNKNOWN") => {
            let code = ("requestError", "INVALID_ENUM_VALUE");
            Err(AdsError::new(code, "Enum value is not permitted.").at(field).with_trigger("UNKNOWN"))
        }
        Some("UNSPECIFIED") | None => Ok(None),
        constant => Ok(constant),
    }
}

/// The paths of an operation's update mask.
pub(crate) fn update_mask(operation: &Value) -> Vec<&str> {
    let paths = operation.get("update_mask").and_then(Value::as_array);
    paths.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Rejects output-only fields in a create.
pub(crate) fn reject_output_fields(input: &Value, message: &Message, errors: &mut Vec<AdsError>) {
    for field in message.0.iter().filter(|field| field.writable == Writable::Never) {
        if input.get(field.name).is_none() {
            continue;
        }
        let code = match field.name {
            "id" => ("newResourceCreationError", "CANNOT_SET_ID_FOR_CREATE"),
            _ => ("fieldError", "VALUE_MUST_BE_UNSET"),
        };
        errors.push(AdsError::new(code, "The field is set by the platform alone.").at(field.name));
    }
}

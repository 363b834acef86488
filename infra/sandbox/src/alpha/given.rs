//! Reads the fields of a parsed message, and the checks that every resource shares.

use serde_json::Value;

use super::error::AdsError;
use super::proto::{Kind, Message, Writable};

pub(crate) fn text<'a>(given: &'a Value, field: &str) -> Option<&'a str> {
    given.get(field).and_then(Value::as_str)
}

pub(crate) fn int(given: &Value, field: &str) -> Option<i64> {
    given.get(field).and_then(Value::as_i64)
}

pub(crate) fn boolean(given: &Value, field: &str) -> Option<bool> {
    given.get(field).and_then(Value::as_bool)
}

/// An enum constant; `UNSPECIFIED` is as good as absent, `UNKNOWN` may not be sent.
pub(crate) fn constant<'a>(given: &'a Value, field: &str) -> Result<Option<&'a str>, AdsError> {
    match text(given, field) {
        Some("UNKNOWN") => {
            let code = ("requestError", "INVALID_ENUM_VALUE");
            Err(AdsError::new(code, "Enum value is not permitted.").at(field).on("UNKNOWN"))
        }
        Some("UNSPECIFIED") | None => Ok(None),
        constant => Ok(constant),
    }
}

/// Fields that only the platform sets may not come with a new resource.
pub(crate) fn refuse_output(given: &Value, message: &Message, errors: &mut Vec<AdsError>) {
    for field in message.0.iter().filter(|field| field.writable == Writable::Never) {
        if given.get(field.name).is_none() {
            continue;
        }
        let code = match field.name {
            "id" => ("newResourceCreationError", "CANNOT_SET_ID_FOR_CREATE"),
            _ => ("fieldError", "VALUE_MUST_BE_UNSET"),
        };
        errors.push(AdsError::new(code, "The field is set by the platform alone.").at(field.name));
    }
}

/// Where a path of an update mask leads.
pub(crate) enum Target {
    /// To a field that may be changed.
    Field,
    /// To a field that the sandbox does not imitate.
    Unimitated,
    Wrong(AdsError),
}

/// Follows a path of an update mask through a message.
pub(crate) fn target(message: &'static Message, path: &str) -> Target {
    let wrong = |value, why: &str| {
        let group = if value == "IMMUTABLE_FIELD" { "fieldError" } else { "fieldMaskError" };
        Target::Wrong(AdsError::new((group, value), why).at(path).on(path))
    };
    let mut inside = message;
    let mut steps = path.split('.').peekable();
    while let Some(step) = steps.next() {
        let Some(field) = inside.0.iter().find(|field| field.name == step) else {
            return wrong("FIELD_NOT_FOUND", "The field mask contained an invalid field.");
        };
        if field.writable != Writable::Always {
            return wrong("IMMUTABLE_FIELD", "The field cannot be modified.");
        }
        match (field.kind, steps.peek()) {
            (Kind::Unimitated, _) => return Target::Unimitated,
            (Kind::Message(_), _) if field.oneof.is_some() => return Target::Unimitated,
            (Kind::Message(next), Some(_)) => inside = next,
            (Kind::Message(_), None) => {
                return wrong("FIELD_HAS_SUBFIELDS", "The field mask names a field with subfields.");
            }
            (_, Some(_)) => {
                return wrong("FIELD_NOT_FOUND", "The field mask contained an invalid field.");
            }
            (_, None) => return Target::Field,
        }
    }
    wrong("FIELD_NOT_FOUND", "The field mask contained an empty path.")
}

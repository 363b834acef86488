//! Checks the paths of an update mask.

use super::error::AdsError;
use super::proto::{Message, Type, Writable};

/// The name of the mask's field.
pub(crate) const UPDATE_MASK: &str = "update_mask";

/// The field at a path of an update mask.
pub(crate) enum MaskedField {
    Mutable,
    /// Google has the field, and the sandbox does not support it.
    Unsupported,
    Invalid(AdsError),
}

/// An error of the mask itself.
pub(crate) fn mask_error(value: &'static str, why: &str) -> AdsError {
    AdsError::new(("fieldMaskError", value), why).at(UPDATE_MASK)
}

/// Resolves a path of an update mask.
pub(crate) fn resolve(message: &'static Message, path: &str) -> MaskedField {
    let invalid = |value, why: &str| {
        let group = if value == "IMMUTABLE_FIELD" { "fieldError" } else { "fieldMaskError" };
        MaskedField::Invalid(AdsError::new((group, value), why).at(path).with_trigger(path))
    };
    let mut message = message;
    let mut names = path.split('.').peekable();
    while let Some(name) = names.next() {
        let Some(field) = message.0.iter().find(|field| field.name == name) else {
            return invalid("FIELD_NOT_FOUND", "The field mask contained an invalid field.");
        };
        if field.writable != Writable::Always {
            return invalid("IMMUTABLE_FIELD", "The field cannot be modified.");
        }
        match (field.value_type, names.peek()) {
            (Type::Unsupported, _) => return MaskedField::Unsupported,
            (Type::Message(_), _) if field.oneof.is_some() => return MaskedField::Unsupported,
            (Type::Message(inner), Some(_)) => message = inner,
            (Type::Message(_), None) => {
                return invalid("FIELD_HAS_SUBFIELDS", "The field mask names a field with subfields.");
            }
            (_, Some(_)) => {
                return invalid("FIELD_NOT_FOUND", "The field mask contained an invalid field.");
            }
            (_, None) => return MaskedField::Mutable,
        }
    }
    invalid("FIELD_NOT_FOUND", "The field mask contained an empty path.")
}

/// Rejects a mask with an invalid path.
pub(crate) fn check(message: &'static Message, mask: &[&str]) -> Result<(), Vec<AdsError>> {
    let errors = mask.iter().filter_map(|path| match resolve(message, path) {
        MaskedField::Invalid(error) if error.code.0 == "fieldMaskError" => Some(error.at(UPDATE_MASK)),
        MaskedField::Invalid(error) => Some(error),
        _ => None,
    });
    let errors: Vec<AdsError> = errors.collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

//! What all objects have: an id whose prefix tells the kind, and fields that are null.

use serde_json::Value;
use uuid::Uuid;

/// A fresh id: `prefix` and `length` characters, 64 at most.
pub(super) fn fresh(prefix: &str, length: usize) -> String {
    let random = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    format!("{prefix}{}", random.get(..length).unwrap_or(&random))
}

/// An object with the fields that nothing here fills: they are sent as null, not left out.
pub(super) fn with_null(mut object: Value, names: &[&str]) -> Value {
    for name in names {
        object[*name] = Value::Null;
    }
    object
}

#[cfg(test)]
mod tests {
    use super::fresh;

    #[test]
    fn ids_have_their_prefix_and_length_and_differ() {
        let id = fresh("cs_test_", 56);
        assert_eq!((id.len(), id.starts_with("cs_test_")), (64, true));
        assert_ne!(id, fresh("cs_test_", 56));
    }
}

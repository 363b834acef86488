//! Object ids with the prefix of their type, and fields that are always null.

use serde_json::Value;
use uuid::Uuid;

/// A random id: `prefix` and `length` hexadecimal digits, 64 at most.
pub(crate) fn random_id(prefix: &str, length: usize) -> String {
    let digits = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    format!("{prefix}{}", digits.get(..length).unwrap_or(&digits))
}

/// Adds fields that the sandbox never fills. Stripe sends such fields as null and does not omit them.
pub(crate) fn with_null(mut object: Value, names: &[&str]) -> Value {
    for name in names {
        object[*name] = Value::Null;
    }
    object
}

#[cfg(test)]
mod tests {
    use super::random_id;

    #[test]
    fn ids_have_their_prefix_and_length_and_differ() {
        let id = random_id("cs_test_", 56);
        assert_eq!((id.len(), id.starts_with("cs_test_")), (64, true));
        assert_ne!(id, random_id("cs_test_", 56));
    }
}

//! A customer's own name for one of its users, to whom connections belong (D78).

use std::fmt;

/// A customer's own name for the user that connections belong to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExternalRef(String);

impl ExternalRef {
    /// Most characters.
    pub const MAX_CHARS: usize = 100;
    /// What [`ExternalRef::parse`] requires.
    pub const RULE: &str = "must be 1 to 100 ASCII letters, digits, and - _ . : @";

    /// Parses a name. Its characters need no escape in a URL, and none of them divides a key of the table. Stored
    /// names are parsed alike, so this rule may become wider, but not narrower.
    pub fn parse(text: &str) -> Option<ExternalRef> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:@".contains(&byte);
        let is_valid = (1..=Self::MAX_CHARS).contains(&text.len()) && text.bytes().all(is_plain);
        is_valid.then(|| ExternalRef(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ExternalRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_short_and_of_plain_characters() {
        for text in ["user42", "a", "tenant-7:user_42@shop.example", &"9".repeat(ExternalRef::MAX_CHARS)] {
            assert_eq!(ExternalRef::parse(text).unwrap().as_str(), text);
        }
        for text in ["", "user 42", "a#b", "a/b", "é", "a\n", "a,b", &"9".repeat(ExternalRef::MAX_CHARS + 1)] {
            assert_eq!(ExternalRef::parse(text), None, "{text}");
        }
        assert!(ExternalRef::RULE.contains(&ExternalRef::MAX_CHARS.to_string()));
    }
}

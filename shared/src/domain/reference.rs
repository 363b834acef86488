//! A customer's own reference for what it asks for, such as the number of an order (D162).

use std::fmt;

/// A customer's own reference for a request. Many requests may have the same one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference(String);

impl Reference {
    /// Most characters.
    pub const MAX_CHARS: usize = 255;
    /// What [`Reference::parse`] requires.
    pub const RULE: &str = "must be 1 to 255 visible ASCII characters, without spaces";

    /// Parses a reference. Its characters are those of an `Idempotency-Key`: two that look alike are equal, and none
    /// reorders or hides the text beside it. Stored ones are parsed alike, so this rule may become wider, but not
    /// narrower.
    pub fn parse(text: &str) -> Option<Reference> {
        let is_valid = (1..=Self::MAX_CHARS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_valid.then(|| Reference(text.to_owned()))
    }

    /// The reference.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_has_visible_ascii_characters_only() {
        for text in ["order-42", "!", "~", "a/b?c=d&e#f%20\"'<>\\", &"9".repeat(Reference::MAX_CHARS)] {
            assert_eq!(Reference::parse(text).unwrap().as_str(), text);
        }
        for text in ["", " ", "order 42", "a\n", "a\tb", "é", "\u{202e}a", "a\u{7f}", &"9".repeat(256)] {
            assert_eq!(Reference::parse(text), None, "{text:?}");
        }
        assert!(Reference::RULE.contains(&Reference::MAX_CHARS.to_string()));
    }
}

//! Patterns of texts: each `{}` stands for any part.

/// The parts of a text at the `{}` of a pattern; `None` for a text of another form.
pub(super) fn captures<'t>(pattern: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut literals = pattern.split("{}");
    let mut rest = text.strip_prefix(literals.next()?)?;
    let mut parts = Vec::new();
    let mut literals = literals.peekable();
    while let Some(literal) = literals.next() {
        let is_last = literals.peek().is_none();
        let (part, after) = match is_last {
            true => (rest.strip_suffix(literal)?, ""),
            false => rest.split_once(literal)?,
        };
        parts.push(part);
        rest = after;
    }
    rest.is_empty().then_some(parts)
}

/// A template with what stands in its slots: `{1} needs an end`.
pub(super) fn filled(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut pieces = template.split('{');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (slot, after) = piece.split_once('}').unwrap_or((piece, ""));
        text.push_str(&value(slot));
        text.push_str(after);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_text_are_found_in_order() {
        assert_eq!(captures("a {} on {}", "a 5 on Meta"), Some(vec!["5", "Meta"]));
        assert_eq!(captures("{} then {}.", "é then ü."), Some(vec!["é", "ü"]));
        assert_eq!(captures("{}", ""), Some(vec![""]));
        assert_eq!(captures("exact", "exact"), Some(Vec::new()));
        for (pattern, text) in [("exact", "exactly"), ("a {} b", "a b"), ("{}.", "no dot"), ("a{}", "b")] {
            assert_eq!(captures(pattern, text), None, "{pattern}");
        }
    }

    #[test]
    fn a_part_is_not_a_template() {
        assert_eq!(filled("{1} and {2}!", |slot| format!("{{{slot}}}")), "{1} and {2}!");
    }
}

//! A request to a platform, as a page shows it: nothing in a name hides or moves what stands behind it.

use shared::domain::is_hidden;

/// A request as it would be sent. Characters that hide or reorder others are escaped as JSON escapes them; a form has them
/// percent-encoded. The template shows the rest from left to right.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ExactRequest {
    /// Method and address.
    pub(crate) line: String,
    pub(crate) body: String,
}

impl ExactRequest {
    pub(crate) fn new(method: &str, url: &str, body: &str) -> ExactRequest {
        ExactRequest { line: visible(&format!("{method} {url}")), body: visible(body) }
    }
}

/// The text with an escape for each character that cannot be seen.
fn visible(text: &str) -> String {
    let shown = text.chars().map(|c| match c {
        '\n' => c.to_string(),
        _ if c.is_control() || is_hidden(c) => escaped(c),
        _ => c.to_string(),
    });
    shown.collect()
}

fn escaped(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_escaped_and_the_json_is_the_same() {
        let body = "{\"name\":\"A\u{202E}\u{E0041} \u{2066}é שלום\",\"budget\":\"500\"}";
        let shown = ExactRequest::new("POST", "https://ads.test/v1", body);
        assert_eq!(shown.line, "POST https://ads.test/v1");
        assert_eq!(shown.body, "{\"name\":\"A\\u202e\\udb40\\udc41 \\u2066é שלום\",\"budget\":\"500\"}");
        let value = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
        assert_eq!(value(&shown.body), value(body));
    }
}

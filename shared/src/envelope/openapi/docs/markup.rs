//! The markup of descriptions: paragraphs, `code` and **strong**.

use askama::filters::{Html, Safe, escape};

/// The paragraphs of a description.
pub(super) fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n\n").filter(|paragraph| !paragraph.is_empty())
}

/// The paragraphs of a description, each with the title that it begins with: `**Title.** Text`.
pub(super) fn titled_paragraphs(text: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    paragraphs(text).map(|paragraph| {
        let titled = paragraph.strip_prefix("**").and_then(|rest| rest.split_once(".** "));
        titled.map_or((None, paragraph), |(title, text)| (Some(title), text))
    })
}

/// Converts `code` and **strong** to HTML, and escapes all other text.
pub(super) fn inline(text: &str) -> Safe<String> {
    let Ok(escaped) = escape(text, Html);
    Safe(between("`", "code", &between("**", "strong", &escaped.to_string())))
}

/// Escapes a text between tags, where quotation marks mean themselves. JSON is full of them.
pub(super) fn code_text(text: &str) -> Safe<String> {
    Safe(text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
}

/// Replaces pairs of a mark with an HTML element.
fn between(mark: &str, element: &str, text: &str) -> String {
    let parts = text.split(mark).enumerate();
    parts
        .map(|(index, part)| if index % 2 == 1 { format!("<{element}>{part}</{element}>") } else { part.to_owned() })
        .collect()
}

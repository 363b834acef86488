//! The stylesheet, the script and the icon.

use shared::envelope::{Asset, WebReply};
use std::sync::LazyLock;

static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("/dashboard/assets/style.", "css", "text/css; charset=utf-8", style()));
static SCRIPT: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("/dashboard/assets/script.", "js", "text/javascript; charset=utf-8", script()));
static ICON: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("/dashboard/assets/icon.", "svg", "image/svg+xml", include_str!("../../assets/icon.svg"))
});

/// The address of the stylesheet.
pub(crate) fn style_path() -> &'static str {
    STYLE.path()
}

/// The address of the script.
pub(crate) fn script_path() -> &'static str {
    SCRIPT.path()
}

/// The address of the icon.
pub(crate) fn icon_path() -> &'static str {
    ICON.path()
}

/// The asset at an address.
pub(crate) fn find(path: &str) -> Option<WebReply> {
    [&STYLE, &SCRIPT, &ICON].into_iter().find_map(|asset| asset.at(path))
}

/// The stylesheet as it is sent, also without the spaces that it does not need. A text within quotes stays as it is.
pub(crate) fn style() -> String {
    let text = without_comments(include_str!("../../assets/style.css"), "/*", "*/");
    let parts = text.split('"').enumerate();
    let parts = parts.map(|(number, part)| if number % 2 == 0 { without_spaces(part) } else { part.to_owned() });
    parts.collect::<Vec<_>>().join("\"")
}

fn without_spaces(rules: &str) -> String {
    let close = |text: String, mark: &str| text.replace(&format!(" {mark}"), mark).replace(&format!("{mark} "), mark);
    let closed = ["{", "}", ";", ",", ">"].into_iter().fold(rules.to_owned(), close).replace(": ", ":");
    ["{", "}", ";", ","].into_iter().fold(closed, |text, mark| text.replace(&format!("{mark}\n"), mark))
}

/// The script as it is sent: one file for the browser, of two.
pub(crate) fn script() -> String {
    without_comments(concat!(include_str!("../../assets/script.js"), include_str!("../../assets/keys.js")), "// ", "\n")
}

/// A file as browsers need it: without comments, indentation and empty lines. Nothing else in the file may look like a
/// comment.
fn without_comments(text: &str, begin: &str, end: &str) -> String {
    let mut parts = text.split(begin);
    let first = parts.next().unwrap_or_default();
    let kept = parts.map(|part| part.split_once(end).map_or("", |(_, rest)| rest));
    let kept: String = [first].into_iter().chain(kept).collect();
    let lines = kept.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// The bytes of the stylesheet and the script, as browsers get them.
#[cfg(test)]
pub(crate) fn sent_bytes() -> usize {
    [style(), script()].iter().filter_map(|text| shared::envelope::gzip(text)).map(|packed| packed.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::Platform;

    #[test]
    fn every_platform_has_a_mark() {
        for platform in Platform::ALL {
            let word = platform.display_name().split(' ').next().unwrap();
            assert!(style().contains(&format!("}}.{word}::before{{content:\"{}\"", &word[..1])), "{word}");
        }
    }

    #[test]
    fn spaces_are_sent_where_they_mean_something() {
        assert_eq!(without_spaces("a > b :is(c, d) { e: f g }\nh\n{ }"), "a>b :is(c,d){e:f g}h\n{}");
        assert!(style().contains("content:attr(data-label) \": \""), "a text");
    }

    #[test]
    fn the_script_has_both_of_its_files() {
        assert!(script().contains("function count() {") && script().contains("function showKeys() {"));
    }

    #[test]
    fn comments_are_not_sent() {
        let style = "/* All\n   of it. */\na { color: red }\n@media print {\n  b { top: 0 }\n}\n/* End */";
        assert_eq!(without_comments(style, "/*", "*/"), "a { color: red }\n@media print {\nb { top: 0 }\n}");
        let script = "// Why.\nif (a) {\n  // Later.\n  b(\"https://c/\");\n}\n";
        assert_eq!(without_comments(script, "// ", "\n"), "if (a) {\nb(\"https://c/\");\n}");
    }
}

//! Statements of the pages about the code: decisions, table records, modules, log messages, tests, reasons of errors.

use super::{code_spans, pages, prose, read, sources};
use crate::openapi::contract::document;
use serde_json::Value;
use shared::domain::Reason;
use shared::store::table_keys;
use std::collections::BTreeSet;

/// The numbers of decisions in a text, such as `D16`.
fn decisions_in(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| is_decision(word)).collect()
}

fn is_decision(word: &str) -> bool {
    let digits = word.strip_prefix('D').unwrap_or_default();
    (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[test]
fn every_decision_that_the_code_names_is_in_decisions() {
    let decisions = read("docs/decisions.md");
    let mut named = 0;
    for (path, text) in sources(false) {
        for comment in text.lines().filter(|line| line.trim_start().starts_with("//")) {
            for number in decisions_in(comment) {
                let heading = format!("### {number}: ");
                assert!(decisions.contains(&heading), "{}: docs/decisions.md has no {number}", path.display());
                named += 1;
            }
        }
    }
    assert!(named > 0, "no source names a decision");
}

#[test]
fn every_decision_has_one_heading_and_at_most_ten_lines() {
    let decisions = read("docs/decisions.md");
    let mut known = BTreeSet::new();
    for decision in decisions.split("\n### ").skip(1) {
        let (heading, text) = decision.split_once('\n').unwrap_or((decision, ""));
        let (number, title) = heading.split_once(": ").unwrap_or((heading, ""));
        assert!(is_decision(number) && !title.is_empty(), "no number or no title: {heading}");
        assert!(known.insert(number), "{number} twice");
        let (text, _) = text.split_once("\n## ").unwrap_or((text, ""));
        let lines = text.lines().filter(|line| !line.is_empty()).count();
        assert!((1..=10).contains(&lines), "{number} has {lines} lines");
    }
    assert!(known.len() > 100, "{known:?}");
    let (contents, _) = decisions.split_once("\n## ").expect("a section");
    for section in decisions.lines().filter_map(|line| line.strip_prefix("## ")) {
        assert!(contents.contains(&format!("[{section}](#")), "the contents lack {section}");
    }
}

/// The constant parts of the keys in `table_keys.rs`: `LINK#`, `ACCOUNT` and the others.
fn parts_of_keys() -> BTreeSet<String> {
    let text = read("shared/src/store/table_keys.rs");
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let strings: Vec<&str> = code.flat_map(|line| line.split('"').skip(1).step_by(2)).collect();
    let upper = |c: char| c.is_ascii_uppercase() || c == '_' || c == '#';
    // Every second part is the name of an argument, in braces.
    let parts = strings.iter().flat_map(|string| string.split(['{', '}']).step_by(2));
    parts.filter(|part| part.len() > 2 && part.chars().all(upper)).map(str::to_owned).collect()
}

#[test]
fn architecture_lists_every_record_of_the_table() {
    let page = read("docs/architecture.md");
    let (_, section) = page.split_once("## Table records").expect("the section");
    let (section, _) = section.split_once("\n## ").expect("the next section");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let listed: Vec<&str> = rows.flat_map(|row| row.split('|').skip(1).take(2).flat_map(code_spans)).collect();
    let parts = parts_of_keys();
    assert!(parts.contains("CHANGE#"), "{parts:?}");
    // The values of `due_kind` are in the index only.
    let of_index = [
        table_keys::DUE_GRANT,
        table_keys::DUE_ROTATING,
        table_keys::DUE_PENDING,
        table_keys::DUE_CHANGE,
        table_keys::DUE_SCHEDULED,
        table_keys::DUE_BULK,
        table_keys::DUE_MONTHLY_BUDGETS,
        table_keys::DUE_ERASURE,
        table_keys::OPEN_OTHERS,
        table_keys::OPEN_APPROVAL,
        table_keys::OPEN_LATE,
    ];
    for part in parts.iter().filter(|part| !of_index.contains(&part.as_str())) {
        let is_listed = listed.iter().any(|key| key.starts_with(part.as_str()));
        assert!(is_listed, "docs/architecture.md, \"Table records\", lacks {part}");
    }
    for key in listed {
        let part = key.split('{').next().unwrap_or_default();
        assert!(
            part.is_empty() || parts.contains(part),
            "table_keys.rs builds no {key}, which docs/architecture.md lists"
        );
    }
}

#[test]
fn architecture_lists_every_module_of_the_library() {
    let page = read("docs/architecture.md");
    let library = read("shared/src/lib.rs");
    let modules = library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    for module in modules {
        let row = page.lines().filter(|line| line.starts_with("| `")).any(|line| {
            let first = line.split('|').nth(1).unwrap_or_default();
            code_spans(first).contains(&module)
        });
        assert!(row, "docs/architecture.md, \"Modules\", lacks {module}");
    }
}

/// Whether a code span quotes a log message: at least three words, without the punctuation of code.
fn is_log_message(text: &str) -> bool {
    let starts_small = text.starts_with(|c: char| c.is_ascii_lowercase());
    let is_prose = |c: char| c.is_ascii_alphabetic() || " ':;,".contains(c);
    starts_small && text.split(' ').count() >= 3 && text.chars().all(is_prose)
}

#[test]
fn every_quoted_log_message_is_in_the_code() {
    let texts: Vec<String> = sources(false).map(|(_, text)| text).collect();
    for page in ["docs/operating.md", "docs/incidents.md"] {
        let text = read(page);
        for message in prose(&text).flat_map(code_spans).filter(|span| is_log_message(span)) {
            let is_logged = texts.iter().any(|text| text.contains(message));
            assert!(is_logged, "{page}: no code logs `{message}`");
        }
    }
}

/// Whether a code span is the name of a test: a sentence of at least six words.
fn is_test_name(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    text.chars().all(is_word) && text.matches('_').count() >= 5
}

#[test]
fn every_test_that_a_page_names_exists() {
    let texts: Vec<String> = sources(true).map(|(_, text)| text).collect();
    for page in pages() {
        let text = read(&page);
        for name in prose(&text).flat_map(code_spans).filter(|span| is_test_name(span)) {
            let declaration = format!("fn {name}(");
            let exists = texts.iter().any(|text| text.contains(&declaration));
            assert!(exists, "{}: there is no test {name}", page.display());
        }
    }
}

#[test]
fn api_md_lists_every_reason_with_its_codes() {
    let page = read("docs/api.md");
    let (_, section) = page.split_once("### Reasons").expect("the section");
    let (section, _) = section.split_once("\n## ").expect("the next section");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let listed: Vec<(&str, Vec<&str>)> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').collect();
            (code_spans(cells[1])[0], code_spans(cells[2]))
        })
        .collect();
    let known: Vec<(&str, Vec<&str>)> =
        Reason::ALL.into_iter().map(|reason| (reason.as_str(), reason.codes().to_vec())).collect();
    assert_eq!(listed, known);
}

#[test]
fn the_openapi_document_has_every_reason() {
    let listed =
        document()["components"]["schemas"]["ErrorReason"]["enum"].as_array().expect("the enumeration").clone();
    assert_eq!(listed, Reason::ALL.map(|reason| Value::from(reason.as_str())));
}

#[test]
fn the_codes_of_a_reason_are_codes_of_the_api() {
    let codes =
        document()["components"]["schemas"]["FlatErrorCode"]["enum"].as_array().expect("the enumeration").clone();
    for reason in Reason::ALL {
        for code in reason.codes() {
            assert!(codes.contains(&Value::from(*code)), "{reason:?}: {code}");
        }
    }
}

//! The table of reasons in docs/api.md, and those of the OpenAPI document.

use super::{code_spans, read};
use serde_json::Value;
use shared::domain::Reason;
use shared::envelope::openapi;

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
    let document: Value = serde_json::from_str(openapi::document()).expect("JSON");
    let listed = document["components"]["schemas"]["ErrorReason"]["enum"].as_array().expect("the enumeration").clone();
    assert_eq!(listed, Reason::ALL.map(|reason| Value::from(reason.as_str())));
}

#[test]
fn the_codes_of_a_reason_are_codes_of_the_api() {
    let document: Value = serde_json::from_str(openapi::document()).expect("JSON");
    let codes = document["components"]["schemas"]["FlatErrorCode"]["enum"].as_array().expect("the enumeration").clone();
    for reason in Reason::ALL {
        for code in reason.codes() {
            assert!(codes.contains(&Value::from(*code)), "{reason:?}: {code}");
        }
    }
}

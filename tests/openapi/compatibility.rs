//! A program that was written for the former document works with the present one. `docs/openapi.json` is the former
//! document. An addition is written there by `INSTA_UPDATE=always cargo test -p tests compatibility`; a difference that
//! breaks a program is refused, also there, unless `BREAKING=yes` says that it is wanted.

use super::breaks::breaks;
use serde_json::Value;
use shared::envelope::Shape;
use shared::envelope::openapi::{document, document_of};
use std::fs;
use std::path::Path;

/// The documents in the repository.
fn documents() -> [(&'static str, &'static str); 3] {
    [
        ("openapi.json", document()),
        ("openapi.flat.json", document_of(Shape::Flat)),
        ("openapi.enveloped.json", document_of(Shape::Enveloped)),
    ]
}

fn is_set(name: &str, value: &str) -> bool {
    std::env::var(name).is_ok_and(|given| given == value)
}

#[test]
fn no_difference_from_the_kept_document_breaks_a_program() {
    let mut outdated = Vec::new();
    for (name, text) in documents() {
        let path = Path::new("../docs").join(name);
        let present: Value = serde_json::from_str(text).expect("JSON");
        let former: Option<Value> =
            fs::read_to_string(&path).ok().map(|text| serde_json::from_str(&text).expect("JSON"));
        let broken = former.as_ref().map_or_else(Vec::new, |former| breaks(former, &present));
        assert!(
            broken.is_empty() || is_set("BREAKING", "yes"),
            "these break programs; undo them, or write the documents with BREAKING=yes and say it in the changelog:\n{}",
            broken.join("\n")
        );
        if former.as_ref() != Some(&present) {
            outdated.push((path, format!("{present:#}\n")));
        }
    }
    if is_set("INSTA_UPDATE", "always") {
        outdated.drain(..).for_each(|(path, text)| fs::write(path, text).expect("a written document"));
    }
    let names: Vec<_> = outdated.iter().map(|(path, _)| path.display()).collect();
    assert!(names.is_empty(), "write {names:?} anew: INSTA_UPDATE=always cargo test -p tests compatibility");
}

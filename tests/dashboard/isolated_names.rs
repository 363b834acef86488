//! External names are in `<bdi>` on every page, so that right-to-left text does not reorder its neighbors.

use crate::house::architecture::{files, read, root};

/// The last part of a value that somebody outside of this program has written.
const OUTSIDE: [&str; 5] = ["account", "campaign", "who", "email", "of"];
/// What has a `name` of our own.
const OURS: [&str; 8] = ["status", "plan", "month", "scope", "client", "field", "choice", "group"];
/// The other names that are ours: a plan, a platform on its button, and a section in the menu.
const OURS_ALONE: [&str; 4] =
    ["billing.html: standing.name", "connect.html: name", "layout.html: name", "sign_in.html: name"];

/// The values of a template, each with the HTML before it.
fn values(template: &str) -> Vec<(String, &str)> {
    let (mut html, mut values) = (String::new(), Vec::new());
    let mut rest = template;
    while let Some(at) = rest.find("{{").into_iter().chain(rest.find("{%")).min() {
        let (end, is_value) = if rest[at..].starts_with("{{") { ("}}", true) } else { ("%}", false) };
        html.push_str(&rest[..at]);
        let inner = rest[at + 2..].split(end).next().expect("the end of a tag");
        if is_value {
            values.push((html.clone(), inner.trim_matches([' ', '-']).split('|').next().unwrap_or_default()));
        }
        rest = &rest[at + 2 + inner.len() + 2..];
    }
    values
}

/// Whether a value is a name from outside.
fn is_outside(value: &str) -> bool {
    let parts: Vec<&str> = value.split('.').collect();
    match parts.as_slice() {
        [.., of, "name"] => !OURS.contains(of),
        ["name"] => true,
        [.., last] => OUTSIDE.contains(last),
        [] => false,
    }
}

#[test]
fn external_names_are_isolated_by_bdi() {
    let (mut checked, mut bare) = (0, Vec::new());
    for path in files(&root().join("functions/dashboard/src"), "html") {
        let template = read(&path);
        for (before, value) in values(&template).into_iter().filter(|(_, value)| is_outside(value)) {
            let is_attribute = before.rfind('<') > before.rfind('>');
            checked += 1;
            if !is_attribute && before.matches("<bdi").count() <= before.matches("</bdi>").count() {
                let file = path.file_name().expect("a name").to_string_lossy();
                bare.push(format!("{file}: {value}"));
            }
        }
    }
    assert!(checked > 60, "{checked}");
    bare.sort_unstable();
    assert_eq!(bare, OURS_ALONE);
}

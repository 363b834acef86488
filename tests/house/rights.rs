//! Every read of a handler from the store is filtered by the rights of the caller. The pipeline filters its own reads:
//! `RequiredConnections::visible`.
//!
//! This reads text: one filter in a file is enough for all its reads. `tests/spending/visibility.rs` makes the requests.

use super::architecture::{functions, read, root, rust_files};
use std::collections::BTreeSet;
use std::path::Path;

/// Functions whose requests are of a person, who sees everything of the customer, or of nobody.
const WITHOUT_A_KEY: [&str; 4] = ["dashboard", "deliveries", "maintenance", "webhooks"];

/// Types that hold a [`shared::domain::Resource`].
const HOLDERS: [&str; 5] = ["ChangePage", "ConnectionBatch", "Create", "CustomerConnections", "EventPage"];

/// The two ways through the gate.
const GATE: [&str; 2] = ["call.visible(", "call.require_visible("];

/// Reads of files that do not ask the gate, each with its reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("connections/src/authorize.rs", "connections", "counts them against the plan"),
    ("connections/src/callback/mod.rs", "named_connections", "has no caller, but the consent of a user"),
    ("connections/src/confirm.rs", "named_connections", "those that the request has connected"),
    ("webhook-endpoints/src/replay.rs", "event", "is about an endpoint of the whole account"),
    ("connections/src/connect.rs", "named_connections", "those that the consent connects"),
];

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
}

/// The types of which the rights decide, and those that hold one.
fn guarded_types() -> BTreeSet<String> {
    let rights = read(&root().join("shared/src/domain/rights.rs"));
    let named = rights.split("Resource for ").skip(1).filter_map(|rest| words(rest).find(|word| !word.is_empty()));
    named.filter(|name| *name != "T").chain(HOLDERS).map(str::to_owned).collect()
}

/// The operations of the store that return such a type: their names, and the types that they return.
fn guarded_reads() -> (BTreeSet<String>, BTreeSet<String>) {
    let guarded = guarded_types();
    let (mut reads, mut returned) = (BTreeSet::new(), BTreeSet::new());
    for file in rust_files(&root().join("shared/src/store")) {
        for rest in read(&file).split("pub async fn ").skip(1) {
            let signature = rest.split(" {\n").next().unwrap_or_default();
            let types = signature.rsplit_once("->").map_or("", |(_, types)| types);
            let found: Vec<&str> = words(types).filter(|word| guarded.contains(*word)).collect();
            if !found.is_empty() {
                reads.extend(words(signature).next().map(str::to_owned));
                returned.extend(found.into_iter().map(str::to_owned));
            }
        }
    }
    (reads, returned)
}

/// The guarded reads in a text without white space.
fn reads_in<'a>(text: &str, reads: &'a BTreeSet<String>) -> Vec<&'a str> {
    let is_read = |name: &&String| ["store.", "store()."].iter().any(|store| text.contains(&format!("{store}{name}(")));
    reads.iter().filter(is_read).map(String::as_str).collect()
}

#[test]
fn every_read_of_a_handler_is_filtered_by_the_rights_of_its_key() {
    let (reads, returned) = guarded_reads();
    for name in HOLDERS {
        assert!(returned.contains(name), "no read of the store returns {name} any more");
    }
    let (folder, mut excepted, mut asking) = (root().join("functions"), BTreeSet::new(), 0);
    for function in functions().iter().filter(|function| !WITHOUT_A_KEY.contains(&function.as_str())) {
        for file in rust_files(&folder.join(function).join("src")) {
            let text: String = read(&file).split_whitespace().collect();
            let found = reads_in(&text, &reads);
            if GATE.iter().any(|gate| text.contains(gate)) {
                asking += usize::from(!found.is_empty());
                continue;
            }
            let path = file.strip_prefix(&folder).expect("below the functions");
            for name in found {
                let known = EXCEPTIONS.iter().find(|(known, read, _)| Path::new(known) == path && *read == name);
                let (file, read, _) = known.unwrap_or_else(|| {
                    panic!(
                        "{}: {name} reads what a key may not see. Pass it through Call::visible or \
                         Call::require_visible, or say in EXCEPTIONS why not",
                        path.display()
                    )
                });
                excepted.insert((*file, *read));
            }
        }
    }
    let named: BTreeSet<(&str, &str)> = EXCEPTIONS.iter().map(|(file, read, _)| (*file, *read)).collect();
    assert_eq!(excepted, named, "an exception that none needs");
    assert!(asking >= 7, "only {asking} files that read by themselves ask the gate");
}

#[test]
fn no_function_uses_rights_directly() {
    for file in rust_files(&root().join("functions")) {
        let asks = words(&read(&file)).any(|word| word == "Rights");
        assert!(!asks, "{}: ask Call::visible or Call::require_visible", file.display());
    }
}

//! Compares the requests of a function with the statements of its role, both ways.

use super::request::{GUARDED, Request};
use super::template::Statement;
use std::collections::BTreeSet;

/// The actions that can set attributes.
const SETS_ATTRIBUTES: [&str; 2] = ["dynamodb:PutItem", "dynamodb:UpdateItem"];

/// Asserts that a role allows every request of its function, and nothing that no request needs.
pub(super) fn compare(function: &str, statements: &[Statement], requests: &BTreeSet<Request>) {
    let is_allowed = |request: &&Request| statements.iter().any(|statement| statement.allows(request));
    let missing: Vec<_> = requests.iter().filter(|request| !is_allowed(request)).collect();
    assert!(missing.is_empty(), "{function} needs what its role in template.yaml lacks: {missing:#?}");
    let unused: Vec<_> = statements.iter().flat_map(|statement| unused(statement, requests)).collect();
    assert!(unused.is_empty(), "the role of {function} in template.yaml allows what no scenario needs: {unused:#?}");
    for statement in statements {
        for action in SETS_ATTRIBUTES.into_iter().filter(|action| statement.actions.contains(action)) {
            let expected = never_named(action, requests);
            assert_eq!(statement.withheld, expected, "attributes that {function} never names with {action}");
        }
    }
}

/// Each action of a statement with each of its resources and families, unless a request uses it.
fn unused(statement: &Statement, requests: &BTreeSet<Request>) -> Vec<(String, String, Option<String>)> {
    let keys: Vec<Option<&String>> = match statement.keys.is_empty() {
        true => vec![None],
        false => statement.keys.iter().map(Some).collect(),
    };
    let mut unused = Vec::new();
    for action in &statement.actions {
        for resource in &statement.resources {
            for key in &keys {
                let uses = |request: &Request| {
                    statement.allows(request)
                        && request.action == *action
                        && request.resource == *resource
                        && key.is_none_or(|key| request.keys.contains(key))
                };
                if !requests.iter().any(uses) {
                    unused.push(((*action).to_owned(), resource.clone(), key.cloned()));
                }
            }
        }
    }
    unused
}

/// The guarded attributes that no request names with an action.
fn never_named(action: &str, requests: &BTreeSet<Request>) -> BTreeSet<&'static str> {
    let of_action = requests.iter().filter(|request| request.action == action);
    let named: BTreeSet<_> = of_action.flat_map(|request| request.attributes.iter().copied()).collect();
    GUARDED.into_iter().filter(|attribute| !named.contains(attribute)).collect()
}

//! Compares the requests of a function with the statements of its role, both ways.

use super::request::{GUARDED, Request};
use super::template::Statement;
use std::collections::BTreeSet;

/// The actions that can set attributes.
pub(super) const SETS_ATTRIBUTES: [&str; 2] = ["dynamodb:PutItem", "dynamodb:UpdateItem"];

/// The requests that a role does not allow, and the parts of the role that no request needs.
pub(super) fn differences(statements: &[Statement], requests: &BTreeSet<Request>) -> Vec<String> {
    let is_allowed = |request: &&Request| statements.iter().any(|statement| statement.allows(request));
    let refused = requests.iter().filter(|request| !is_allowed(request)).map(|request| format!("lacks {request:?}"));
    let too_wide = statements.iter().flat_map(|statement| {
        unused(statement, requests).into_iter().chain(not_withheld(statement, requests)).collect::<Vec<_>>()
    });
    refused.chain(too_wide).collect()
}

/// Each action of a statement with each of its resources and families, unless a request uses it.
fn unused(statement: &Statement, requests: &BTreeSet<Request>) -> Vec<String> {
    let mut unused = Vec::new();
    for action in &statement.actions {
        let is_used = |uses: &dyn Fn(&Request) -> bool| {
            requests.iter().any(|request| request.action == *action && statement.allows(request) && uses(request))
        };
        let resources =
            statement.resources.iter().filter(|resource| !is_used(&|request| request.resource == **resource));
        unused.extend(resources.map(|resource| format!("needs no {action} on {resource}")));
        let keys = statement.keys.iter().filter(|key| !is_used(&|request| request.keys.contains(*key)));
        unused.extend(keys.map(|key| format!("needs no {action} on {key}")));
    }
    unused
}

/// The guarded attributes that no request names with an action, and that the statement does not withhold.
fn not_withheld(statement: &Statement, requests: &BTreeSet<Request>) -> Vec<String> {
    let mut open = Vec::new();
    for action in SETS_ATTRIBUTES.into_iter().filter(|action| statement.actions.contains(action)) {
        let of_action = requests.iter().filter(|request| request.action == action);
        let named: BTreeSet<_> = of_action.flat_map(|request| request.attributes.iter().copied()).collect();
        let wanted = GUARDED.into_iter().filter(|name| !named.contains(name) && !statement.withheld.contains(name));
        open.extend(wanted.map(|name| format!("does not withhold {name} from {action}")));
    }
    open
}

fn statement(actions: &[&'static str], keys: &[&str]) -> Statement {
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    let withheld = GUARDED.into_iter().filter(|name| *name != "plan").collect();
    Statement { actions: actions.to_vec(), resources: vec!["Table".to_owned()], keys, withheld }
}

fn request(action: &str, keys: &[&str], attributes: &[&'static str]) -> Request {
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    let attributes = attributes.iter().copied().collect();
    Request { action: action.to_owned(), resource: "Table".to_owned(), keys, attributes }
}

#[test]
fn the_comparison_finds_roles_that_are_too_narrow_or_too_wide() {
    const UPDATE: &str = "dynamodb:UpdateItem";
    let usual = || request(UPDATE, &["CUSTOMER#*"], &["plan"]);
    let of = |statement: Statement, requests: &[Request]| {
        differences(&[statement], &requests.iter().cloned().collect()).len()
    };
    let fitting = || statement(&[UPDATE], &["CUSTOMER#*"]);
    assert_eq!(of(fitting(), &[usual()]), 0);
    assert_eq!(of(fitting(), &[usual(), request(UPDATE, &["CUSTOMER#*"], &["api_keys"])]), 1, "withheld");
    assert_eq!(of(fitting(), &[usual(), request(UPDATE, &["CUSTOMER#*", "STATE#*"], &[])]), 1, "another family");
    assert_eq!(of(fitting(), &[usual(), request("dynamodb:GetItem", &["CUSTOMER#*"], &[])]), 1, "another action");
    assert_eq!(of(statement(&[UPDATE], &["CUSTOMER#*", "STATE#*"]), &[usual()]), 1, "an unused family");
    assert_eq!(of(fitting(), &[request(UPDATE, &["CUSTOMER#*"], &[])]), 1, "an attribute that is not withheld");
    let idle = statement(&[UPDATE, "dynamodb:DeleteItem"], &["CUSTOMER#*"]);
    assert_eq!(of(idle, &[usual()]), 2, "an unused action, on the table and on its family");
}

//! The tables of `docs/configuration.md` under "Permissions" against the roles.

use super::comparison::SETS_ATTRIBUTES;
use super::request::GUARDED;
use super::template::{Statement, functions, statements};

const PAGE: &str = include_str!("../../../docs/configuration.md");
/// The columns of the first table.
const ACTIONS: [&str; 7] =
    ["GetItem", "BatchGetItem", "Query", "ConditionCheckItem", "PutItem", "UpdateItem", "DeleteItem"];

/// The first cell of a function's row, and the families that its statements name for each action.
fn access_row(function: &str) -> String {
    let statements = statements(function);
    let cells = ACTIONS.map(|action| {
        let action = format!("dynamodb:{action}");
        let of_action = statements.iter().filter(|statement| statement.actions.contains(&action.as_str()));
        let families: Vec<String> = of_action.flat_map(names).collect();
        families.join(", ")
    });
    let row = [format!("`{function}`")].into_iter().chain(cells).map(|cell| format!("| {cell} ").replace("|  ", "| "));
    format!("{}|", row.collect::<String>())
}

/// The families of a statement without `#*`, or its index.
fn names(statement: &Statement) -> Vec<String> {
    let families = statement.keys.iter().map(|key| format!("`{}`", key.trim_end_matches("#*")));
    let indexes = statement.resources.iter().filter_map(|resource| resource.strip_prefix("Table/index/"));
    families.chain(indexes.map(|index| format!("index `{index}`"))).collect()
}

/// The row of an attribute: the functions that may set it with each action.
fn attribute_row(attribute: &str) -> String {
    let cells = SETS_ATTRIBUTES.map(|action| {
        let may_set = |function: &&str| {
            let may = |one: &Statement| one.actions.contains(&action) && !one.withheld.contains(attribute);
            statements(function).iter().any(may)
        };
        let functions: Vec<String> = functions().into_iter().filter(may_set).map(|name| format!("`{name}`")).collect();
        if functions.is_empty() { "none".to_owned() } else { functions.join(", ") }
    });
    format!("| `{attribute}` | {} |", cells.join(" | "))
}

#[test]
fn configuration_shows_the_permissions_of_the_roles() {
    let section =
        PAGE.split("\n## Permissions\n").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a section");
    let written: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
    let expected: Vec<String> =
        functions().into_iter().map(access_row).chain(GUARDED.into_iter().map(attribute_row)).collect();
    assert_eq!(written, expected, "the page should have:\n{}", expected.join("\n"));
}

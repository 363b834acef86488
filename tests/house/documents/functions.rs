//! The shell loops over functions in the operator's pages against the template.

use super::read;
use crate::house::template::resources;
use std::collections::BTreeSet;

/// The functions whose policy permits an action that begins so.
fn permitted(action: &str) -> BTreeSet<String> {
    let policies = resources().into_iter().filter_map(|(name, lines)| Some((name.strip_suffix("Policy")?, lines)));
    let permits = |lines: &[&str]| lines.iter().any(|line| line.contains(action));
    policies.filter(|(_, lines)| permits(lines)).map(|(function, _)| function.to_owned()).collect()
}

/// The functions of the loop with this command in a page.
fn loop_with(page: &str, command: &str) -> BTreeSet<String> {
    let text = read(page);
    let loops = text.split("for name in ").skip(1).map(|rest| rest.split("done").next().unwrap_or_default());
    let found = loops.into_iter().find(|body| body.contains(command)).unwrap_or_else(|| panic!("{page}: {command}"));
    let names = found.split(';').next().unwrap_or_default();
    names.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn writes_are_stopped_in_every_function_that_writes_the_table() {
    let writers = permitted("dynamodb:PutItem");
    assert_eq!(writers, permitted("dynamodb:UpdateItem"), "the action that stands for all writes");
    assert_eq!(loop_with("docs/incidents.md", "put-function-concurrency"), writers);
}

#[test]
fn every_function_that_reads_a_secret_is_restarted() {
    let restarted = loop_with("docs/operating.md", "update-function-configuration");
    let readers = permitted("secretsmanager:GetSecretValue");
    assert!(!readers.is_empty());
    assert_eq!(restarted, readers);
}

//! The permissions that `template.yaml` grants each function.

use super::tap::Permission;
use shared::digest::sha256_hex;
use std::collections::{BTreeMap, BTreeSet};

const TEMPLATE: &str = include_str!("../../../template.yaml");

/// The lines of each resource, by its name.
pub(super) fn resources() -> BTreeMap<&'static str, Vec<&'static str>> {
    let body = TEMPLATE.split("\nResources:\n").nth(1).and_then(|rest| rest.split("\nOutputs:\n").next());
    let mut resources: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut current = "";
    for line in body.expect("resources").lines() {
        match line.strip_prefix("  ").and_then(|rest| rest.strip_suffix(':')) {
            Some(name) if !name.starts_with(' ') => current = name,
            _ => resources.entry(current).or_default().push(line.trim()),
        }
    }
    resources
}

/// The functions, without the suffix of their names.
pub(super) fn functions() -> BTreeSet<&'static str> {
    let resources = resources();
    let functions = resources.iter().filter(|(_, lines)| lines.contains(&"Type: AWS::Serverless::Function"));
    functions.map(|(name, _)| name.strip_suffix("Function").expect("a function's name")).collect()
}

/// The permissions in the policy of a function's role, beside its own log.
pub(super) fn allowed(function: &str) -> BTreeSet<Permission> {
    let resources = resources();
    let (role, policy) = (format!("{function}Role"), format!("{function}Policy"));
    let uses = format!("Role: !GetAtt {role}.Arn");
    assert!(resources[format!("{function}Function").as_str()].contains(&uses.as_str()), "{function} lacks its role");
    let attached = format!("Roles: [!Ref {role}]");
    assert!(resources[policy.as_str()].contains(&attached.as_str()), "{policy} is not the policy of {role}");
    let mut permissions = BTreeSet::new();
    for statement in resources[policy.as_str()].split(|line| *line == "- Effect: Allow").skip(1) {
        let items = |of: &str| {
            let from = statement.iter().position(|line| *line == of).expect("a list") + 1;
            statement[from..].iter().map_while(|line| line.strip_prefix("- ")).collect::<Vec<_>>()
        };
        for action in items("Action:") {
            permissions.extend(items("Resource:").into_iter().map(|resource| (action.to_owned(), named(resource))));
        }
    }
    for action in ["logs:CreateLogStream", "logs:PutLogEvents"] {
        let own = (action.to_owned(), format!("!GetAtt {function}Logs.Arn"));
        assert!(permissions.remove(&own), "{function} cannot write its log: {own:?}");
    }
    permissions
}

/// The revision that the description of a function's policy must name: a digest of its document, without comments.
pub(super) fn revision(function: &str) -> String {
    let resources = resources();
    let lines = resources[format!("{function}Policy").as_str()].iter().skip_while(|line| **line != "PolicyDocument:");
    let document: Vec<&str> = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).copied().collect();
    sha256_hex(&document.join("\n"))[..8].to_owned()
}

/// The name of a resource in calls: a secret has the end of its name.
fn named(resource: &str) -> String {
    if let Some(of_table) = resource.strip_prefix("!Sub \"${Table.Arn}") {
        return format!("Table{}", of_table.trim_end_matches('"'));
    }
    if let Some(secret) = resource.strip_prefix("!GetAtt ").and_then(|rest| rest.strip_suffix(".Id")) {
        let resources = resources();
        let name = resources[secret].iter().find_map(|line| line.strip_prefix("Name: ")).expect("a name");
        return name.trim_end_matches('"').rsplit('/').next().unwrap_or_default().to_owned();
    }
    if resource == "!GetAtt Table.Arn" { "Table".to_owned() } else { resource.to_owned() }
}

/// Lines that grant something in a form that this reader does not understand, or without a bound.
pub(super) fn strange_lines() -> Vec<&'static str> {
    let is_strange = |line: &&str| {
        let is_statement = *line == "- Effect: Allow"
            || line.starts_with("Statement: [{ Effect: Allow, Principal: { Service: lambda.amazonaws.com }");
        let foreign =
            ["ManagedPolicyArns", "Policies:", "AWS::IAM::Policy", "AWS::IAM::RolePolicy", "NotAction", "NotResource"];
        line.contains("Effect:") && !is_statement
            || foreign.iter().any(|word| line.contains(word))
            || line.contains('*') && !line.starts_with('#')
    };
    TEMPLATE.lines().map(str::trim).filter(is_strange).collect()
}

//! Reads the roles in `template.yaml`. A form that it does not know fails the test.

use super::request::{EVERYTHING, Request};
use crate::house::template::{self, TEMPLATE};
use shared::domain::sha256_hex;
use shared::store::table_keys::PARTITION_PREFIXES;
use std::collections::{BTreeMap, BTreeSet};

const LOG_ACTIONS: [&str; 2] = ["logs:CreateLogStream", "logs:PutLogEvents"];

/// The lines of each resource without their indentation, by its name.
pub(super) fn resources() -> BTreeMap<&'static str, Vec<&'static str>> {
    let trimmed = |lines: Vec<&'static str>| lines.into_iter().map(str::trim).collect();
    template::resources().into_iter().map(|(name, lines)| (name, trimmed(lines))).collect()
}

/// The functions, without the suffix of their names.
pub(super) fn functions() -> BTreeSet<&'static str> {
    let resources = resources();
    let functions = resources.iter().filter(|(_, lines)| lines.contains(&"Type: AWS::Serverless::Function"));
    functions.map(|(name, _)| name.strip_suffix("Function").expect("a function's name")).collect()
}

/// A statement of a role.
#[derive(Debug, Default)]
pub(super) struct Statement {
    pub(super) actions: Vec<&'static str>,
    pub(super) resources: Vec<String>,
    /// The families of partition keys that it is limited to; empty without a limit.
    pub(super) keys: BTreeSet<String>,
    /// The attributes that a request must not name.
    pub(super) withheld: BTreeSet<&'static str>,
}

impl Statement {
    /// Returns `true` if IAM allows a request by this statement.
    pub(super) fn allows(&self, request: &Request) -> bool {
        self.actions.contains(&request.action.as_str())
            && self.resources.contains(&request.resource)
            && (self.keys.is_empty() || request.keys.is_subset(&self.keys))
            && request.attributes.is_disjoint(&self.withheld)
    }

    fn parse(lines: &[&'static str]) -> Statement {
        let mut statement = Statement::default();
        let mut part = "";
        for line in lines {
            match (part, *line, line.strip_prefix("- ")) {
                (_, "Action:" | "Resource:" | "Condition:", _)
                | (_, "ForAllValues:StringLike:" | "ForAllValues:StringNotLike:", _)
                | ("ForAllValues:StringLike:", "dynamodb:LeadingKeys:", _)
                | ("ForAllValues:StringNotLike:", "dynamodb:Attributes:", _) => part = line,
                ("Action:", _, Some(action)) => statement.actions.push(action),
                ("Resource:", _, Some(resource)) => statement.resources.push(named(resource)),
                ("dynamodb:LeadingKeys:", _, Some(key)) => drop(statement.keys.insert(key.to_owned())),
                ("dynamodb:Attributes:", _, Some(attribute)) => drop(statement.withheld.insert(attribute)),
                _ => panic!("an unknown line of a statement: {line}"),
            }
        }
        statement
    }
}

/// The statements in the policy of a function's role, beside the one for its own log.
pub(super) fn statements(function: &str) -> Vec<Statement> {
    let resources = resources();
    let (role, policy) = (format!("{function}Role"), format!("{function}Policy"));
    let uses = format!("Role: !GetAtt {role}.Arn");
    assert!(resources[format!("{function}Function").as_str()].contains(&uses.as_str()), "{function} lacks its role");
    let attached = format!("Roles: [!Ref {role}]");
    assert!(resources[policy.as_str()].contains(&attached.as_str()), "{policy} is not the policy of {role}");
    let lines = resources[policy.as_str()].iter().copied();
    let lines: Vec<_> = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let statements = lines.split(|line| *line == "- Effect: Allow").skip(1);
    let (logs, others): (Vec<_>, Vec<_>) =
        statements.map(Statement::parse).partition(|statement| statement.actions == LOG_ACTIONS);
    let own = format!("!GetAtt {function}Logs.Arn");
    assert!(logs.len() == 1 && logs[0].resources == [own], "{function} writes to its own log only: {logs:?}");
    others
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

/// Returns `true` if a pattern is a family of partition keys.
pub(super) fn is_family(pattern: &str) -> bool {
    pattern.strip_suffix('*').is_some_and(|prefix| PARTITION_PREFIXES.contains(&prefix))
}

/// Returns `true` if something else bounds the pattern: the families, or the test of the statements on everything.
fn is_bounded(pattern: &str) -> bool {
    is_family(pattern) || pattern == EVERYTHING
}

/// Lines that grant something in a form that this reader does not understand, or without a bound.
pub(super) fn strange_lines() -> Vec<&'static str> {
    let is_strange = |line: &&str| {
        let is_statement = *line == "- Effect: Allow"
            || line.starts_with("Statement: [{ Effect: Allow, Principal: { Service: lambda.amazonaws.com }");
        let foreign =
            ["ManagedPolicyArns", "Policies:", "AWS::IAM::Policy", "AWS::IAM::RolePolicy", "NotAction", "NotResource"];
        line.contains("Effect:") && !is_statement
            || foreign.iter().any(|word| line.contains(word)) && !line.starts_with("Policies: { SignInPolicy:")
            || line.contains('*') && !line.starts_with('#') && !line.strip_prefix("- ").is_some_and(is_bounded)
    };
    TEMPLATE.lines().map(str::trim).filter(is_strange).collect()
}

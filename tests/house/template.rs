//! Reads `template.yaml`: its resources, its routes, and the defaults of its parameters.

use super::architecture::value_after;
use std::collections::{BTreeMap, BTreeSet};

/// The text.
pub(super) const TEMPLATE: &str = include_str!("../../template.yaml");
/// The path of the route of unknown paths and methods below `/v1`.
pub(super) const GREEDY_PATH: &str = "/v1/{proxy+}";
/// The paths of the routes of the dashboard, for every method.
pub(super) const DASHBOARD_PATHS: [&str; 2] = ["/dashboard", "/dashboard/{proxy+}"];

/// The lines of each resource, by its name.
pub(super) fn resources() -> BTreeMap<&'static str, Vec<&'static str>> {
    let body = TEMPLATE.split("\nResources:\n").nth(1).and_then(|rest| rest.split("\nOutputs:\n").next());
    let mut resources: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut current = "";
    for line in body.expect("resources").lines() {
        match line.strip_prefix("  ").and_then(|rest| rest.strip_suffix(':')) {
            Some(name) if !name.starts_with(' ') => current = name,
            _ => resources.entry(current).or_default().push(line),
        }
    }
    resources
}

/// A route of the API. Method and path of `$default` are empty.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Route {
    pub(super) function: String,
    pub(super) method: String,
    pub(super) path: String,
}

impl Route {
    pub(super) fn new(function: &str, method: &str, path: &str) -> Route {
        Route { function: function.to_owned(), method: method.to_owned(), path: path.to_owned() }
    }
}

/// The routes of the API.
pub(super) fn routes() -> Vec<Route> {
    let mut routes = Vec::new();
    for (function, lines) in resources() {
        for line in lines.into_iter().filter(|line| line.contains("Properties: { ApiId: !Ref Api")) {
            let [method, path] = ["Method: ", "Path: "].map(|name| value_after(line, name).unwrap_or_default());
            routes.push(Route::new(function, method, path));
        }
    }
    routes
}

/// The table, each secret and each log have the key of the operator, if there is one.
#[test]
fn the_key_of_the_operator_encrypts_all_that_is_kept() {
    let kinds = ["AWS::DynamoDB::Table", "AWS::SecretsManager::Secret", "AWS::Logs::LogGroup"];
    let kind = |lines: &[&'static str]| lines.iter().find_map(|line| value_after(line, "Type: "));
    let keeps = |lines: &[&'static str]| kind(lines).is_some_and(|kind| kinds.contains(&kind));
    let keeping: Vec<_> = resources().into_iter().filter(|(_, lines)| keeps(lines)).collect();
    assert!(keeping.len() > 15, "{keeping:?}");
    for (name, lines) in keeping {
        assert!(lines.iter().any(|line| line.contains("!Ref KmsKeyArn")), "{name}");
    }
}

/// The default of a parameter.
pub(super) fn default_of(parameter: &str) -> &'static str {
    let lines = TEMPLATE.split(&format!("\n  {parameter}:\n")).nth(1).expect("the parameter");
    lines.lines().find_map(|line| line.trim().strip_prefix("Default: ")).expect("a default")
}

/// The functions in an alarm's expression over the metrics of several functions.
fn functions_in(alarm: &str) -> Vec<&'static str> {
    let lines = resources().remove(alarm).unwrap_or_else(|| panic!("the template has no {alarm}"));
    lines.into_iter().filter_map(|line| value_after(line, "Value: !Ref ")?.strip_suffix("Function")).collect()
}

/// CloudWatch accepts at most 10 metrics in the expression of an alarm, a limit that AWS does not raise
/// (<https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-limits.html>).
#[test]
fn every_function_is_in_one_alarm_of_at_most_ten() {
    let all = resources();
    let all: BTreeSet<&str> = all.keys().filter_map(|name| name.strip_suffix("Function")).collect();
    for metric in ["Errors", "Throttles"] {
        let alarms = [functions_in(&format!("{metric}Alarm")), functions_in(&format!("Background{metric}Alarm"))];
        assert!(alarms.iter().all(|functions| (1..=10).contains(&functions.len())), "{metric}: {alarms:?}");
        let named: Vec<&str> = alarms.concat();
        assert_eq!(named.len(), all.len(), "{metric}: {named:?}");
        assert_eq!(named.into_iter().collect::<BTreeSet<_>>(), all, "{metric}");
    }
}

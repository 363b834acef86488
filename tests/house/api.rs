//! The API in `template.yaml`: its routes, its throttle and its access log.

use super::template::{self, DASHBOARD_PATHS, GREEDY_PATH, Route, default_of};
use serde_json::Value;
use shared::domain::Plan;
use shared::routes::{self, ROUTES};
use std::collections::{BTreeMap, BTreeSet};

/// The variables of the access log. Those left out hold paths, queries and headers, which may hold secrets.
const LOGGED: [&str; 13] = [
    "error.message",
    "httpMethod",
    "identity.sourceIp",
    "integration.error",
    "integration.integrationStatus",
    "integration.latency",
    "integration.requestId",
    "integration.status",
    "requestId",
    "responseLatency",
    "responseLength",
    "routeKey",
    "status",
];

impl Route {
    /// The rank of the route among those that match a request, as API Gateway ranks them: a full match, then a greedy
    /// one, then `$default`. Of full matches the one with fewer parameters is more specific.
    fn rank(&self, method: &str, path: &str) -> Option<(u8, usize)> {
        if self.path.is_empty() {
            return Some((0, 0));
        }
        if self.method != "ANY" && self.method != method {
            return None;
        }
        if let Some(prefix) = self.path.strip_suffix("{proxy+}") {
            return path.strip_prefix(prefix).filter(|rest| !rest.is_empty()).map(|_| (1, 0));
        }
        let segments = self.path.split('/');
        let sent = path.split('/');
        let is_same = segments.clone().count() == sent.clone().count();
        let mut pairs = segments.clone().zip(sent);
        let is_match = is_same && pairs.all(|(own, sent)| own == sent || own.starts_with('{') && !sent.is_empty());
        is_match.then(|| (2, segments.filter(|segment| !segment.starts_with('{')).count()))
    }
}

/// The name of a function in the template.
fn in_template(function: routes::Function) -> String {
    format!("{function:?}Function")
}

#[test]
fn the_routes_of_the_template_are_the_routes_of_the_gateway() {
    let of_table = ROUTES.iter().flat_map(|route| {
        let function = in_template(route.endpoint.function());
        route.methods().iter().map(move |method| Route::new(&function, method, route.path))
    });
    let unrouted = [Route::new("UsageLogsFunction", "ANY", GREEDY_PATH), Route::new("DocsFunction", "", "")];
    let dashboard = DASHBOARD_PATHS.map(|path| Route::new("DashboardFunction", "ANY", path));
    let deployed: BTreeSet<_> = template::routes().into_iter().collect();
    assert_eq!(deployed, of_table.chain(unrouted).chain(dashboard).collect());
}

#[test]
fn api_gateway_and_the_route_table_choose_the_same_function() {
    let deployed = template::routes();
    let endpoints = ROUTES.iter().map(|route| (route.method, route.path.replace(['{', '}'], "x")));
    let unrouted = [
        ("PUT", "/v1/campaigns"),
        ("QUERY", "/v1/connections/a"),
        ("POST", "/v1/docs"),
        ("POST", "/v1/docs/campaigns"),
        ("HEAD", "/v1/docs"),
        ("HEAD", "/v1/campaigns"),
        ("HEAD", "/dashboard"),
        ("GET", "/v1/docs/a/b"),
        ("GET", "/v1/nothing"),
        ("GET", "/v1/campaigns/a/b"),
        ("GET", "/v1"),
        ("GET", "/"),
        ("POST", "/wp-login.php"),
        ("GET", "/v10/campaigns"),
        ("GET", "/v1/"),
        ("GET", "/dashboard"),
        ("POST", "/dashboard/sign-in"),
        ("PUT", "/dashboard/a/b"),
        ("GET", "/dashboard/"),
        ("GET", "/dashboards"),
    ];
    for (method, path) in endpoints.chain(unrouted.map(|(method, path)| (method, path.to_owned()))) {
        let chosen = deployed.iter().filter_map(|route| Some((route.rank(method, &path)?, &route.function)));
        let (_, chosen) = chosen.max().expect("a route");
        assert_eq!(*chosen, in_template(routes::function(method, &path)), "{method} {path}");
    }
}

/// The lines of the template's API.
fn api() -> Vec<&'static str> {
    template::resources()["Api"].iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_throttle_admits_a_customer_with_the_largest_plan() {
    for limit in ["ThrottlingRateLimit", "ThrottlingBurstLimit"] {
        assert!(api().contains(&format!("{limit}: !Ref {limit}").as_str()), "the API does not use {limit}");
    }
    let number = |parameter| default_of(parameter).parse::<u32>().expect("a number");
    let largest = Plan::Enterprise.limits();
    assert!(number("ThrottlingRateLimit") >= largest.requests_per_minute.div_ceil(60));
    assert!(number("ThrottlingBurstLimit") >= largest.burst);
}

/// The access log's format, as YAML folds its lines.
fn format() -> String {
    let lines = api();
    let first = lines.iter().position(|line| *line == "Format: >-").expect("a format") + 1;
    lines[first..].join(" ")
}

#[test]
fn the_access_log_is_json_with_the_id_that_callers_see() {
    let format = format();
    let line: BTreeMap<String, Value> =
        serde_json::from_str(&format).unwrap_or_else(|error| panic!("{error}: {format}"));
    // Lambda's id of the invocation: `IncomingRequest` takes the same one.
    assert_eq!(line["request_id"], "$context.integration.requestId");
    assert_eq!(line["api_request_id"], "$context.requestId", "API Gateway demands it");
}

#[test]
fn the_access_log_names_no_path_query_or_header() {
    let line: BTreeMap<String, String> = serde_json::from_str(&format()).expect("JSON");
    let variables: BTreeSet<&str> = line.values().filter_map(|value| value.strip_prefix("$context.")).collect();
    assert_eq!(variables.len(), line.len(), "{line:?}");
    assert_eq!(variables, BTreeSet::from(LOGGED));
}

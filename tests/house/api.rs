//! The routes of the API in `template.yaml`.

use super::architecture::{read, root, value_after};
use shared::routes::{self, ROUTES};
use std::collections::BTreeSet;

/// The greedy route, whose function writes the usage log.
const GREEDY: &str = "/v1/{proxy+}";

/// A route of the template.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Deployed {
    function: String,
    /// Empty for `$default`.
    method: String,
    /// Empty for `$default`.
    path: String,
}

impl Deployed {
    fn new(function: &str, method: &str, path: &str) -> Deployed {
        Deployed { function: function.to_owned(), method: method.to_owned(), path: path.to_owned() }
    }

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
        let (segments, sent) = (self.path.split('/'), path.split('/'));
        let is_same = segments.clone().count() == sent.clone().count();
        let mut pairs = segments.clone().zip(sent);
        let is_match = is_same && pairs.all(|(own, sent)| own == sent || own.starts_with('{') && !sent.is_empty());
        is_match.then(|| (2, segments.filter(|segment| !segment.starts_with('{')).count()))
    }
}

/// The routes of the template.
fn deployed() -> BTreeSet<Deployed> {
    let template = read(&root().join("template.yaml"));
    let (mut function, mut found) = ("", BTreeSet::new());
    for line in template.lines() {
        if let Some(name) = line.strip_prefix("  ").and_then(|rest| rest.strip_suffix(':'))
            && !name.starts_with(' ')
        {
            function = name;
        }
        if line.contains("Properties: { ApiId: !Ref Api") {
            let [method, path] = ["Method: ", "Path: "].map(|name| value_after(line, name).unwrap_or_default());
            found.insert(Deployed::new(function, method, path));
        }
    }
    found
}

/// The name of a function in the template.
fn in_template(function: routes::Function) -> String {
    format!("{function:?}Function")
}

#[test]
fn the_routes_of_the_template_are_the_routes_of_the_gateway() {
    let of_table = ROUTES.iter().map(|route| {
        let function = in_template(route.endpoint.function());
        Deployed::new(&function, route.method, route.path)
    });
    let unrouted = [Deployed::new("UsageLogsFunction", "ANY", GREEDY), Deployed::new("DocsFunction", "", "")];
    assert_eq!(deployed(), of_table.chain(unrouted).collect());
}

#[test]
fn api_gateway_and_the_route_table_choose_the_same_function() {
    let deployed = deployed();
    let endpoints = ROUTES.iter().map(|route| (route.method, route.path.replace(['{', '}'], "x")));
    let unrouted = [
        ("PUT", "/v1/campaigns"),
        ("QUERY", "/v1/connections/a"),
        ("POST", "/v1/docs"),
        ("GET", "/v1/nothing"),
        ("GET", "/v1/campaigns/a/b"),
        ("GET", "/v1"),
        ("GET", "/"),
        ("POST", "/wp-login.php"),
        ("GET", "/v10/campaigns"),
    ];
    for (method, path) in endpoints.chain(unrouted.map(|(method, path)| (method, path.to_owned()))) {
        let chosen = deployed.iter().filter_map(|route| Some((route.rank(method, &path)?, &route.function)));
        let (_, chosen) = chosen.max().expect("a route");
        assert_eq!(*chosen, in_template(routes::function(method, &path)), "{method} {path}");
    }
}

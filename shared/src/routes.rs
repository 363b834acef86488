//! Every path of the interface and the function that answers it: what the gateway routes by, what `template.yaml`
//! is checked against, and where 404 and 405 come from.

/// The functions, one per endpoint group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Function {
    /// `functions/campaigns`; also answers whatever matches no route.
    Campaigns,
    /// `functions/connections`.
    Connections,
    /// `functions/redirect-uris`.
    RedirectUris,
    /// `functions/api-keys`.
    ApiKeys,
    /// `functions/usage-logs`.
    UsageLogs,
    /// `functions/billing`.
    Billing,
}

/// One method on one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// Who answers.
    pub function: Function,
    /// Method in upper case.
    pub method: &'static str,
    /// Path as the specification writes it, with `{name}` for a parameter.
    pub path: &'static str,
}

const fn route(function: Function, method: &'static str, path: &'static str) -> Route {
    Route { function, method, path }
}

/// The table.
pub const ROUTES: &[Route] = &[
    route(Function::Campaigns, "POST", "/v1/campaigns"),
    route(Function::Campaigns, "GET", "/v1/campaigns"),
    route(Function::Campaigns, "GET", "/v1/campaigns/{id}"),
    route(Function::Campaigns, "GET", "/v1/campaigns/intents/{request_id}"),
    route(Function::Campaigns, "PATCH", "/v1/campaigns/{id}"),
    route(Function::Campaigns, "DELETE", "/v1/campaigns/{id}"),
    route(Function::Campaigns, "GET", "/v1/platforms"),
    route(Function::Campaigns, "GET", "/v1/openapi.json"),
    route(Function::Campaigns, "GET", "/v1/docs"),
    route(Function::Connections, "GET", "/v1/connections"),
    route(Function::Connections, "POST", "/v1/connections/sync"),
    route(Function::Connections, "PATCH", "/v1/connections/{id}"),
    route(Function::Connections, "DELETE", "/v1/connections/{id}"),
    route(Function::Connections, "GET", "/v1/connections/{platform}/authorize"),
    route(Function::Connections, "GET", "/v1/oauth/callback/{platform}"),
    route(Function::RedirectUris, "POST", "/v1/redirect-uris"),
    route(Function::RedirectUris, "GET", "/v1/redirect-uris"),
    route(Function::RedirectUris, "DELETE", "/v1/redirect-uris/{id}"),
    route(Function::ApiKeys, "POST", "/v1/api-keys/rotate"),
    route(Function::UsageLogs, "GET", "/v1/usage-logs"),
    route(Function::Billing, "POST", "/v1/billing/create-checkout-session"),
    route(Function::Billing, "POST", "/v1/billing/portal"),
    route(Function::Billing, "GET", "/v1/billing/status"),
    route(Function::Billing, "GET", "/v1/billing/return"),
    route(Function::Billing, "POST", "/v1/billing/webhook"),
    route(Function::Billing, "GET", "/v1/customer/me"),
];

/// Whether a path is answered without an API key: a platform or the payment provider sends a browser there, the
/// payment provider signs what it sends, or it tells nothing of anybody.
pub fn is_public(path: &str) -> bool {
    path.starts_with("/v1/oauth/callback/")
        || matches!(
            path,
            "/v1/platforms" | "/v1/openapi.json" | "/v1/docs" | "/v1/billing/return" | "/v1/billing/webhook"
        )
}

/// Whether a path speaks the enveloped shape only, whatever the method or the header says (D1 in the README).
pub fn is_enveloped(path: &str) -> bool {
    path == "/v1/redirect-uris" || path.starts_with("/v1/redirect-uris/")
}

/// What a method and a path lead to.
#[derive(Debug, PartialEq, Eq)]
pub enum Match {
    /// A route, and the value of its parameter (empty when it has none).
    Found(&'static Route, String),
    /// The path exists, the method does not; these do.
    WrongMethod(Vec<&'static str>),
    /// No such path.
    Nothing,
}

impl Match {
    /// Who answers. What is no route is the campaigns function's, where `template.yaml` sends it too.
    pub fn function(&self) -> Function {
        match self {
            Match::Found(route, _) => route.function,
            Match::WrongMethod(_) | Match::Nothing => Function::Campaigns,
        }
    }
}

impl Route {
    /// Whether the endpoint has two shapes (spec 1.5).
    pub fn is_two_shaped(&self) -> bool {
        self.path.starts_with("/v1/campaigns")
    }
}

/// Finds the route of a request. The path is compared as it was sent: nothing is decoded or normalised. A path that is
/// written out in the table is no value of another route's parameter: it has its own methods only.
pub fn find(method: &str, path: &str) -> Match {
    let is_written_out = ROUTES.iter().any(|route| route.path == path);
    let mut allow = Vec::new();
    for route in ROUTES.iter().filter(|route| !is_written_out || route.path == path) {
        let Some(parameter) = parameter_of(route.path, path) else { continue };
        if route.method == method {
            return Match::Found(route, parameter.to_owned());
        }
        allow.push(route.method);
    }
    if allow.is_empty() { Match::Nothing } else { Match::WrongMethod(allow) }
}

fn parameter_of<'a>(template: &str, path: &'a str) -> Option<&'a str> {
    let Some((before, rest)) = template.split_once('{') else {
        return (template == path).then_some("");
    };
    let after = rest.split_once('}').map_or("", |(_, after)| after);
    let value = path.strip_prefix(before)?.strip_suffix(after)?;
    (!value.is_empty() && !value.contains('/')).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_finds_its_route_and_parameter() {
        assert!(matches!(find("GET", "/v1/campaigns"), Match::Found(route, _) if route.path == "/v1/campaigns"));
        assert!(matches!(find("PATCH", "/v1/campaigns/alpha_1_2"), Match::Found(_, id) if id == "alpha_1_2"));
        assert!(
            matches!(find("GET", "/v1/connections/alpha_ads/authorize"), Match::Found(_, word) if word == "alpha_ads")
        );
    }

    #[test]
    fn a_known_path_with_another_method_names_the_methods_it_has() {
        assert_eq!(find("QUERY", "/v1/campaigns"), Match::WrongMethod(vec!["POST", "GET"]));
        assert_eq!(find("POST", "/v1/campaigns/x"), Match::WrongMethod(vec!["GET", "PATCH", "DELETE"]));
        assert_eq!(
            find("PATCH", "/v1/connections/sync"),
            Match::WrongMethod(vec!["POST"]),
            "no connection is called so"
        );
    }

    #[test]
    fn anything_else_is_no_route() {
        for path in ["/", "/v1", "/v1/campaigns/", "/v1/campaigns/a/b", "/v1/connections//authorize", "/V1/campaigns"] {
            assert_eq!(find("GET", path), Match::Nothing, "{path}");
        }
    }
}

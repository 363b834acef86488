use super::*;

#[test]
fn a_path_finds_its_route_and_parameter() {
    assert!(matches!(find("GET", "/v1/campaigns"), Match::Found(route, _) if route.path == "/v1/campaigns"));
    assert!(matches!(find("PATCH", "/v1/campaigns/alpha_1_2"), Match::Found(_, id) if id == "alpha_1_2"));
    assert!(matches!(find("GET", "/v1/connections/alpha_ads/authorize"), Match::Found(_, word) if word == "alpha_ads"));
}

#[test]
fn another_method_on_a_known_path_lists_the_allowed_methods() {
    assert_eq!(find("QUERY", "/v1/campaigns"), Match::MethodNotAllowed(vec!["POST", "GET", "HEAD"]));
    assert_eq!(find("POST", "/v1/campaigns/x"), Match::MethodNotAllowed(vec!["GET", "HEAD", "PATCH", "DELETE"]));
    assert_eq!(
        find("PATCH", "/v1/connections/sync"),
        Match::MethodNotAllowed(vec!["POST"]),
        "`sync` is no connection id"
    );
}

#[test]
fn what_reads_answers_head_and_a_redirect_target_does_not() {
    for path in ["/v1/docs", "/v1/docs/campaigns", "/v1/openapi.json", "/v1/platforms", "/v1/health", "/v1/customer/me"]
    {
        assert_eq!(find("HEAD", path), find("GET", path), "{path}");
    }
    assert_eq!(find("PUT", "/v1/docs"), Match::MethodNotAllowed(vec!["GET", "HEAD"]));
    for path in ["/v1/oauth/callback/alpha_ads", "/v1/billing/return", "/v1/connections/alpha_ads/authorize"] {
        assert_eq!(find("HEAD", path), Match::MethodNotAllowed(vec!["GET"]), "{path}");
    }
}

#[test]
fn any_other_path_is_not_found() {
    for path in
        ["/", "/v1", "/v1/", "/v1/campaigns/", "/v1/campaigns/a/b", "/v1/connections//authorize", "/V1/campaigns"]
    {
        assert_eq!(find("GET", path), Match::NotFound, "{path}");
    }
}

#[test]
fn the_issuer_has_one_address_of_metadata() {
    for path in [
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/v1/mcp",
        "/.well-known/oauth-authorization-server/",
        "/.well-known/oauth-authorization-server/v1/mcp",
        "/.well-known/oauth-protected-resource/v1",
        "/.well-known/oauth-protected-resource/v1/mcp/",
    ] {
        assert_eq!((find("GET", path), function("GET", path)), (Match::NotFound, Function::Docs), "{path}");
    }
    for (path, of_path) in [
        (RESOURCE_METADATA, vec!["GET", "HEAD", "OPTIONS"]),
        ("/.well-known/oauth-protected-resource", vec!["GET", "HEAD", "OPTIONS"]),
        ("/.well-known/oauth-authorization-server", vec!["GET", "HEAD", "OPTIONS"]),
        (REGISTER, vec!["POST", "OPTIONS"]),
    ] {
        assert_eq!(find("PUT", path), Match::MethodNotAllowed(of_path.clone()), "{path}");
        assert!(of_path.into_iter().all(|method| function(method, path) == Function::Docs), "{path}");
    }
}

#[test]
fn an_unrouted_request_has_a_function_by_its_path() {
    for (method, path) in [("GET", "/v1/nothing"), ("PUT", "/v1/campaigns"), ("POST", "/v1/docs")] {
        assert_eq!(function(method, path), Function::UsageLogs, "{method} {path}");
    }
    for path in ["/", "/v1", "/v10/campaigns", "/V1/campaigns", "/wp-login.php", "*", ""] {
        assert_eq!(function("GET", path), Function::Docs, "{path}");
    }
    assert_eq!(function("HEAD", "/v1/docs"), Function::Docs);
    assert_eq!(function("HEAD", "/v1/campaigns"), Function::Campaigns);
    assert_eq!(function("GET", "/v1/docs"), Function::Docs);
    assert_eq!(function("GET", "/v1/docs/campaigns"), Function::Docs);
    assert_eq!(function("GET", "/v1/campaigns"), Function::Campaigns);
}

#[test]
fn the_dashboard_has_a_function_of_its_own() {
    for path in ["/dashboard", "/dashboard/sign-in", "/dashboard/a/b"] {
        assert_eq!(function("POST", path), Function::Dashboard, "{path}");
    }
    for path in ["/dashboard/", "/dashboards", "/v1/dashboard", "/Dashboard"] {
        assert_ne!(function("GET", path), Function::Dashboard, "{path}");
        assert_eq!(is_dashboard_with_slash(path), path == "/dashboard/", "{path}");
    }
}

#[test]
fn unrouted_paths_below_a_route_share_its_authentication_and_shape() {
    let public = [
        "/v1/oauth/callback/",
        "/v1/oauth/callback/a/b",
        "/v1/docs",
        "/v1/docs/x",
        "/v1/docs/a/b",
        "/v1/billing/webhook",
    ];
    let keyed = ["/v1/oauth/callback", "/v1/docsx", "/v1/billing/webhook/", "/v1/campaigns", "/", "/v1/nothing"];
    assert!(public.into_iter().all(is_public) && !keyed.into_iter().any(is_public));
    let enveloped = ["/v1/redirect-uris", "/v1/redirect-uris/", "/v1/redirect-uris/a/b"];
    let others = ["/v1/redirect-uris2", "/v1/redirect-uri", "/v1/campaigns", "/"];
    assert!(enveloped.into_iter().all(is_enveloped) && !others.into_iter().any(is_enveloped));
}

#[test]
fn each_route_has_its_own_endpoint() {
    for (index, route) in ROUTES.iter().enumerate() {
        assert!(ROUTES[..index].iter().all(|other| other.endpoint != route.endpoint), "{:?}", route.endpoint);
    }
}

#[test]
fn the_scope_of_a_route_follows_from_its_method_and_path() {
    for route in ROUTES {
        let Authentication::ApiKey(scopes) = route.authentication else { continue };
        if route.endpoint == Endpoint::Mcp(McpEndpoint::SendMessage) {
            assert_eq!(scopes, [Scope::Read, Scope::Write, Scope::Campaigns], "each tool needs its own");
            continue;
        }
        let decisions =
            [CampaignsEndpoint::ReviewChange, CampaignsEndpoint::ApproveChange, CampaignsEndpoint::RejectChange];
        if decisions.map(Endpoint::Campaigns).contains(&route.endpoint) {
            assert_eq!(scopes, [Scope::Approve], "{}: a decision needs a scope of its own", route.path);
            continue;
        }
        let expected = match (route.method, route.path) {
            ("GET", "/v1/connections/{platform}/authorize") => Scope::Write,
            ("GET", _) | ("POST", "/v1/connections/sync") => Scope::Read,
            ("POST", path) if path.starts_with("/v1/billing/") => Scope::Billing,
            _ => Scope::Write,
        };
        let reads_accounts = [ConnectionsEndpoint::ListConnections, ConnectionsEndpoint::GetConnection];
        let reads_accounts = reads_accounts.map(Endpoint::Connections).contains(&route.endpoint);
        let is_about_campaigns = matches!(route.endpoint, Endpoint::Campaigns(_)) || reads_accounts;
        let expected: Vec<Scope> =
            [expected].into_iter().chain(is_about_campaigns.then_some(Scope::Campaigns)).collect();
        assert_eq!(scopes, expected, "{} {}", route.method, route.path);
    }
}

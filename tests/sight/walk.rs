//! Every endpoint that takes a key, as one user of two. A new endpoint does not compile without its row here, nor without
//! the one in `routes/users.rs`.

use super::{Answer, HEADER, Stage, User, draft, send};
use serde_json::{Value, json};
use shared::domain::Scope;
use shared::routes::{
    ApiKeysEndpoint, Authentication, BillingEndpoint, CampaignsEndpoint, ConnectionsEndpoint, Endpoint, ForUser,
    McpEndpoint, ROUTES, Route, Shapes, UsageLogsEndpoint, WebhookEndpointsEndpoint,
};
use std::collections::BTreeMap;

/// A request and its status in the flat shape.
struct Row {
    /// What the path names.
    parameter: String,
    query: String,
    body: Value,
    status: u16,
}

fn row(parameter: &str, query: &str, body: Value, status: u16) -> Row {
    Row { parameter: parameter.to_owned(), query: query.to_owned(), body, status }
}

/// A request about something of the other user: the same 404 as for what does not exist.
fn foreign(parameter: &str, body: Value) -> Row {
    row(parameter, "", body, 404)
}

fn list(query: &str, status: u16) -> Row {
    row("", query, Value::Null, status)
}

/// The requests of an endpoint that acts for a user, who is not this one.
fn rows(endpoint: Endpoint, own: &User, other: &User) -> Vec<Row> {
    match endpoint {
        Endpoint::Campaigns(endpoint) => campaign_rows(endpoint, own, other),
        Endpoint::Connections(endpoint) => connection_rows(endpoint, own, other),
        Endpoint::WebhookEndpoints(WebhookEndpointsEndpoint::ListEvents) => {
            vec![list("?limit=100", 200), list("?type=connection.activated", 200)]
        }
        Endpoint::UsageLogs(UsageLogsEndpoint::ListUsageLogs) => {
            vec![list("?limit=100", 200), list(&format!("?request_id={}", other.request), 200)]
        }
        Endpoint::Mcp(McpEndpoint::SendMessage) => {
            ["list_accounts", "list_campaigns", "get_insights"].map(|tool| row("", "", call_of(tool), 200)).into()
        }
        Endpoint::ApiKeys(
            ApiKeysEndpoint::CreateKey
            | ApiKeysEndpoint::ListKeys
            | ApiKeysEndpoint::UpdateKey
            | ApiKeysEndpoint::DeleteKey
            | ApiKeysEndpoint::RotateKey
            | ApiKeysEndpoint::StopKey,
        )
        | Endpoint::WebhookEndpoints(
            WebhookEndpointsEndpoint::CreateWebhookEndpoint
            | WebhookEndpointsEndpoint::ListWebhookEndpoints
            | WebhookEndpointsEndpoint::GetWebhookEndpoint
            | WebhookEndpointsEndpoint::UpdateWebhookEndpoint
            | WebhookEndpointsEndpoint::DeleteWebhookEndpoint
            | WebhookEndpointsEndpoint::RotateWebhookSecret
            | WebhookEndpointsEndpoint::TestWebhookEndpoint
            | WebhookEndpointsEndpoint::ListDeliveries
            | WebhookEndpointsEndpoint::ReplayEvents,
        )
        | Endpoint::Billing(
            BillingEndpoint::CreateCheckout
            | BillingEndpoint::CreatePortal
            | BillingEndpoint::GetBillingStatus
            | BillingEndpoint::BillingReturn
            | BillingEndpoint::GetCustomer,
        )
        | Endpoint::Assistants(_)
        | Endpoint::RedirectUris(_)
        | Endpoint::Webhooks(_)
        | Endpoint::Docs(_) => Vec::new(),
    }
}

fn campaign_rows(endpoint: CampaignsEndpoint, own: &User, other: &User) -> Vec<Row> {
    let (campaign, connection) = (other.campaign.as_str(), other.connections[0].as_str());
    let lists = [
        list("", 200),
        list(&format!("?connection_id={connection}"), 404),
        list(&format!("?organization_id={}", other.accounts[0]), 404),
        list("?platform=beta_ads", 200),
    ];
    match endpoint {
        CampaignsEndpoint::CreateCampaign => {
            let mut chosen = draft("Chosen");
            chosen["connection_id"] = json!(connection);
            vec![row("", "", chosen, 403), row("", "?dry_run=true", draft("Dry"), 200)]
        }
        CampaignsEndpoint::ListCampaigns | CampaignsEndpoint::ListInsights => lists.into(),
        CampaignsEndpoint::GetCampaign
        | CampaignsEndpoint::DeleteCampaign
        | CampaignsEndpoint::GetInsights
        | CampaignsEndpoint::GetDelivery => {
            vec![foreign(campaign, Value::Null)]
        }
        CampaignsEndpoint::GetIntents => vec![foreign(&other.request, Value::Null)],
        CampaignsEndpoint::UpdateCampaign => vec![
            foreign(campaign, json!({"status": "PAUSED"})),
            row(campaign, "?dry_run=true", json!({"budget_amount": 9}), 404),
        ],
        CampaignsEndpoint::SetStatuses => vec![
            foreign("", json!({"status": "PAUSED", "ids": [campaign]})),
            foreign("", json!({"status": "PAUSED", "connection_id": connection})),
            foreign("", json!({"status": "PAUSED", "ids": [own.campaign, campaign]})),
        ],
        CampaignsEndpoint::SetBudgets => {
            vec![foreign("", json!({"budgets": [{"id": campaign, "budget_amount": 8}]}))]
        }
        CampaignsEndpoint::GetStatuses => vec![foreign(&other.bulk, Value::Null), row(&own.bulk, "", Value::Null, 200)],
        CampaignsEndpoint::ListChanges => vec![list("?limit=100", 200), list(&format!("?campaign_id={campaign}"), 200)],
        CampaignsEndpoint::GetChange => {
            vec![foreign(&other.change, Value::Null), row(&own.change, "", Value::Null, 200)]
        }
        CampaignsEndpoint::CancelChange => vec![foreign(&other.waiting, Value::Null)],
        CampaignsEndpoint::UndoChange => {
            [&other.change, &other.waiting, &other.bulk].map(|id| foreign(id, Value::Null)).into()
        }
        CampaignsEndpoint::ReviewChange => {
            vec![foreign(&other.waiting, Value::Null), row(&own.waiting, "", Value::Null, 409)]
        }
        CampaignsEndpoint::ApproveChange => {
            vec![foreign(&other.waiting, json!({"version": "v", "approved_by": "Ada"}))]
        }
        CampaignsEndpoint::RejectChange => vec![foreign(&other.waiting, json!({"rejected_by": "Ada"}))],
        CampaignsEndpoint::GetLimits => vec![list("", 200)],
    }
}

fn connection_rows(endpoint: ConnectionsEndpoint, own: &User, other: &User) -> Vec<Row> {
    let connection = other.connections[1].as_str();
    match endpoint {
        ConnectionsEndpoint::ListConnections => vec![list("", 200), list("?limit=1", 200)],
        ConnectionsEndpoint::SyncConnections => vec![list("", 200)],
        ConnectionsEndpoint::GetConnection => {
            vec![foreign(connection, Value::Null), row(&own.connections[1], "", Value::Null, 200)]
        }
        ConnectionsEndpoint::LabelConnection => vec![foreign(connection, json!({"label": "Mine"}))],
        ConnectionsEndpoint::RemoveConnection => vec![
            foreign(connection, Value::Null),
            row(connection, "?dry_run=true", Value::Null, 404),
            row(&own.connections[1], "?dry_run=true", Value::Null, 200),
        ],
        ConnectionsEndpoint::ConfirmConnection => vec![foreign(connection, json!({"confirmation_code": "x"}))],
        ConnectionsEndpoint::Authorize => vec![row("alpha_ads", "", Value::Null, 200)],
        ConnectionsEndpoint::ListUsers => vec![list("", 200), list("?limit=1", 200)],
        ConnectionsEndpoint::GetUser => vec![foreign(other.name, Value::Null), row(own.name, "", Value::Null, 200)],
        ConnectionsEndpoint::PutUser => vec![foreign(other.name, json!({"label": "Mine"}))],
        ConnectionsEndpoint::PauseUser | ConnectionsEndpoint::ResumeUser => vec![foreign(other.name, Value::Null)],
        ConnectionsEndpoint::EraseUser => vec![row(other.name, "?erase=true", Value::Null, 404)],
        ConnectionsEndpoint::ExportUser => vec![foreign(other.name, Value::Null), row(own.name, "", Value::Null, 200)],
        ConnectionsEndpoint::Callback => Vec::new(),
    }
}

/// The call of a tool.
fn call_of(tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}})
}

/// Routes that take a key.
fn keyed() -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().filter(|route| matches!(route.authentication, Authentication::ApiKey(_)))
}

/// The path of a route for a parameter.
fn path_of(route: &Route, parameter: &str) -> String {
    match (route.path.split_once('{'), route.path.split_once('}')) {
        (Some((before, _)), Some((_, after))) => format!("{before}{parameter}{after}"),
        _ => route.path.to_owned(),
    }
}

/// Asserts that an answer names nothing of a user but what the request itself has named.
fn names_none(what: &str, answer: &Answer, user: &User, sent: &str) {
    for name in user.names().into_iter().filter(|name| !sent.contains(name)) {
        assert!(!answer.text.contains(name), "{what}: {name} in {answer:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn no_endpoint_tells_a_user_anything_of_another() {
    walk(&Stage::new().await).await;
}

#[tokio::test(start_paused = true)]
async fn no_endpoint_tells_it_after_all_that_can_happen_either() {
    walk(&Stage::busy().await).await;
}

/// What must not change of the other user: its campaign, and what waits.
async fn untouched(stage: &Stage, other: &User) -> [Value; 2] {
    let read = async |path: String| {
        let answer = stage.ask_for_all("GET", &path, &Value::Null).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    };
    let campaign = read(format!("/v1/campaigns/{}", other.campaign)).await;
    let kept = ["name", "status", "budget_amount"].map(|field| campaign[field].clone());
    [json!(kept), read(format!("/v1/changes/{}", other.waiting)).await["state"].clone()]
}

async fn walk(stage: &Stage) {
    let [own, other] = &stage.users;
    let before = untouched(stage, other).await;
    let decider = stage.with_scopes(&json!(["approve"])).await;
    let mut routes: Vec<&Route> = keyed().filter(|route| route.endpoint.for_user() == ForUser::Acts).collect();
    // The log first: later it has the paths of the user's own requests, which name the other user.
    routes.sort_by_key(|route| !matches!(route.endpoint, Endpoint::UsageLogs(_)));
    for route in routes {
        let decides = route.authentication == Authentication::ApiKey(&[Scope::Approve]);
        let world = if decides { &decider } else { &stage.world };
        let rows = rows(route.endpoint, own, other);
        assert!(!rows.is_empty(), "{} {} acts for a user and has no row", route.method, route.path);
        for Row { parameter, query, body, status } in rows {
            let path = format!("{}{query}", path_of(route, &parameter));
            let shapes: &[&str] = if route.shapes == Shapes::Both { &["flat", "enveloped"] } else { &["flat"] };
            for shape in shapes {
                let headers = [(HEADER, own.name), ("x-api-shape", shape)];
                let what = format!("{} {path} {body} {shape}", route.method);
                let answer = send(&stage.app, world, &headers, route.method, &path, &body).await;
                // A body or filter of the flat shape may be invalid in the other one; it is not served in any case.
                let is_expected = answer.status == status || *shape == "enveloped" && answer.status == 400;
                assert!(is_expected, "{what}: {answer:?}");
                names_none(&what, &answer, other, &format!("{path}{body}"));
            }
        }
    }
    assert_eq!(untouched(stage, other).await, before);
}

/// The lists of which the user gets a part have more for the customer: so the walk above can fail.
#[tokio::test(start_paused = true)]
async fn the_customer_itself_sees_what_each_user_does_not() {
    let stage = Stage::new().await;
    for (path, field) in [
        ("/v1/connections", "connections"),
        ("/v1/users", "users"),
        ("/v1/campaigns", "unified"),
        ("/v1/insights", "accounts"),
        ("/v1/changes?limit=100", "changes"),
        ("/v1/events?limit=100", "events"),
        ("/v1/usage-logs?limit=100", "usage_logs"),
    ] {
        let mut counts = BTreeMap::new();
        for user in &stage.users {
            let seen = super::ask(&stage.app, &stage.world, Some(user.name), "GET", path, &Value::Null).await;
            counts.insert(user.name, seen.body[field].as_array().expect("a list").len());
            assert!(user.names().iter().any(|name| seen.text.contains(name)), "{path}: {seen:?}");
        }
        let all = stage.ask_for_all("GET", path, &Value::Null).await;
        let total = all.body[field].as_array().expect("a list").len();
        assert!(counts.values().all(|count| (1..total).contains(count)), "{path}: {counts:?} of {total}");
        let by_query = format!("{path}{}external_ref=shop_a", if path.contains('?') { "&" } else { "?" });
        let by_query = stage.ask_for_all("GET", &by_query, &Value::Null).await;
        let count = by_query.body[field].as_array().expect("a list").len();
        // The usage log has grown by the requests of this test.
        assert!(count == counts["shop_a"] || field == "usage_logs" && count > counts["shop_a"], "{path}: {by_query:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_of_the_whole_account_refuses_a_request_for_a_user() {
    let stage = Stage::new().await;
    for route in keyed() {
        let ForUser::CustomerWide(what) = route.endpoint.for_user() else { continue };
        let path = path_of(route, "x");
        let refused = stage.ask(route.method, &path, &Value::Null).await;
        // Redirect URIs have the enveloped shape only.
        let message = refused.body["error"].as_str().or_else(|| refused.body["error"]["message"].as_str());
        let is_said = message.is_some_and(|message| message.starts_with(what));
        assert!(refused.status == 403 && is_said, "{} {path}: {refused:?}", route.method);
        let by_query = stage.ask_for_all(route.method, &format!("{path}?external_ref=shop_a"), &Value::Null).await;
        assert_eq!(by_query.status, 403, "{} {path}: {by_query:?}", route.method);
    }
}

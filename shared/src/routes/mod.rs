//! The route table: method, path, function, authentication and response shapes of every endpoint. Functions match on
//! [`Endpoint`]; the gateway, `template.yaml` and the OpenAPI document follow this table.

mod endpoint;
mod nearest;
mod users;

pub use endpoint::{
    ApiKeysEndpoint, AssistantsEndpoint, BillingEndpoint, CampaignsEndpoint, ConnectionsEndpoint, DocsEndpoint,
    Endpoint, Function, McpEndpoint, RedirectUrisEndpoint, UsageLogsEndpoint, WebhookEndpointsEndpoint,
    WebhooksEndpoint,
};
pub use nearest::nearest;
pub use users::ForUser;

use crate::domain::Scope;
use Authentication::{ApiKey, Public};
use Endpoint::{
    ApiKeys, Assistants, Billing, Campaigns, Connections, Docs, Mcp, RedirectUris, UsageLogs, WebhookEndpoints,
    Webhooks,
};
use Shapes::{Both, Enveloped, Flat};
use WebhookEndpointsEndpoint::{
    CreateWebhookEndpoint, DeleteWebhookEndpoint, GetWebhookEndpoint, ListDeliveries, ListEvents, ListWebhookEndpoints,
    ReplayEvents, RotateWebhookSecret, TestWebhookEndpoint, UpdateWebhookEndpoint,
};

/// The authentication of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authentication {
    /// An API key with one of these scopes in the `X-API-Key` header.
    ApiKey(&'static [Scope]),
    /// No API key: the endpoint is a redirect target, verifies a signature, or serves public documents.
    Public,
}

/// The response shapes of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shapes {
    /// Flat only.
    Flat,
    /// Enveloped only.
    Enveloped,
    /// Either, as the request chooses.
    Both,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    pub endpoint: Endpoint,
    /// The HTTP method in upper case.
    pub method: &'static str,
    /// The path, with `{name}` for a parameter.
    pub path: &'static str,
    pub authentication: Authentication,
    pub shapes: Shapes,
    /// Whether its requests count against the quota, and are refused beyond it; what leads to an upgrade stays open
    /// (D31). All count against the rate.
    pub counts: bool,
}

const fn route(
    endpoint: Endpoint,
    method: &'static str,
    path: &'static str,
    authentication: Authentication,
    shapes: Shapes,
) -> Route {
    Route { endpoint, method, path, authentication, shapes, counts: true }
}

const READ: Authentication = ApiKey(&[Scope::Read]);
const WRITE: Authentication = ApiKey(&[Scope::Write]);
const APPROVE: Authentication = ApiKey(&[Scope::Approve]);
const BILLING: Authentication = ApiKey(&[Scope::Billing]);
const READ_CAMPAIGNS: Authentication = ApiKey(&[Scope::Read, Scope::Campaigns]);
const CHANGE_CAMPAIGNS: Authentication = ApiKey(&[Scope::Write, Scope::Campaigns]);
/// The scopes of a key decide which tools it has.
const TOOLS: Authentication = ApiKey(&[Scope::Read, Scope::Write, Scope::Campaigns]);

/// The table.
pub const ROUTES: &[Route] = &[
    route(Campaigns(CampaignsEndpoint::CreateCampaign), "POST", "/v1/campaigns", CHANGE_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::ListCampaigns), "GET", "/v1/campaigns", READ_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::GetCampaign), "GET", "/v1/campaigns/{id}", READ_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::GetIntents), "GET", "/v1/campaigns/intents/{request_id}", READ_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::SetStatuses), "POST", "/v1/campaigns/status", CHANGE_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::SetBudgets), "POST", "/v1/campaigns/budgets", CHANGE_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::GetStatuses), "GET", "/v1/campaigns/status/{bulk_id}", READ_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::GetInsights), "GET", "/v1/campaigns/{id}/insights", READ_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::GetDelivery), "GET", "/v1/campaigns/{id}/delivery", READ_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::ListInsights), "GET", "/v1/insights", READ_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::UpdateCampaign), "PATCH", "/v1/campaigns/{id}", CHANGE_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::DeleteCampaign), "DELETE", "/v1/campaigns/{id}", CHANGE_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::ListChanges), "GET", "/v1/changes", READ_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::GetChange), "GET", "/v1/changes/{id}", READ_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::CancelChange), "POST", "/v1/changes/{id}/cancel", CHANGE_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::UndoChange), "POST", "/v1/changes/{id}/undo", CHANGE_CAMPAIGNS, Both),
    route(Campaigns(CampaignsEndpoint::ReviewChange), "GET", "/v1/changes/{id}/review", APPROVE, Both),
    route(Campaigns(CampaignsEndpoint::ApproveChange), "POST", "/v1/changes/{id}/approve", APPROVE, Both),
    route(Campaigns(CampaignsEndpoint::RejectChange), "POST", "/v1/changes/{id}/reject", APPROVE, Both),
    route(Campaigns(CampaignsEndpoint::GetLimits), "GET", "/v1/limits", READ_CAMPAIGNS, Flat),
    route(Connections(ConnectionsEndpoint::ListConnections), "GET", "/v1/connections", READ_CAMPAIGNS, Flat),
    route(Connections(ConnectionsEndpoint::SyncConnections), "POST", "/v1/connections/sync", READ, Flat),
    route(Connections(ConnectionsEndpoint::GetConnection), "GET", "/v1/connections/{id}", READ_CAMPAIGNS, Flat),
    route(Connections(ConnectionsEndpoint::LabelConnection), "PATCH", "/v1/connections/{id}", WRITE, Flat),
    route(Connections(ConnectionsEndpoint::RemoveConnection), "DELETE", "/v1/connections/{id}", WRITE, Flat),
    route(Connections(ConnectionsEndpoint::ConfirmConnection), "POST", "/v1/connections/{id}/confirm", WRITE, Flat),
    route(Connections(ConnectionsEndpoint::Authorize), "GET", "/v1/connections/{platform}/authorize", WRITE, Flat),
    route(Connections(ConnectionsEndpoint::Callback), "GET", "/v1/oauth/callback/{platform}", Public, Flat),
    route(Connections(ConnectionsEndpoint::ListUsers), "GET", "/v1/users", READ, Flat),
    route(Connections(ConnectionsEndpoint::GetUser), "GET", "/v1/users/{external_ref}", READ, Flat),
    route(Connections(ConnectionsEndpoint::PutUser), "PUT", "/v1/users/{external_ref}", WRITE, Flat),
    route(Connections(ConnectionsEndpoint::PauseUser), "POST", "/v1/users/{external_ref}/pause", WRITE, Flat),
    route(Connections(ConnectionsEndpoint::ResumeUser), "POST", "/v1/users/{external_ref}/resume", WRITE, Flat),
    route(Connections(ConnectionsEndpoint::EraseUser), "DELETE", "/v1/users/{external_ref}", WRITE, Flat),
    route(Connections(ConnectionsEndpoint::ExportUser), "GET", "/v1/users/{external_ref}/export", READ, Flat),
    route(RedirectUris(RedirectUrisEndpoint::RegisterRedirectUri), "POST", "/v1/redirect-uris", WRITE, Enveloped),
    route(RedirectUris(RedirectUrisEndpoint::ListRedirectUris), "GET", "/v1/redirect-uris", READ, Enveloped),
    route(RedirectUris(RedirectUrisEndpoint::RemoveRedirectUri), "DELETE", "/v1/redirect-uris/{id}", WRITE, Enveloped),
    route(ApiKeys(ApiKeysEndpoint::CreateKey), "POST", "/v1/api-keys", WRITE, Flat),
    route(ApiKeys(ApiKeysEndpoint::ListKeys), "GET", "/v1/api-keys", READ, Flat),
    route(ApiKeys(ApiKeysEndpoint::UpdateKey), "PATCH", "/v1/api-keys/{id}", WRITE, Flat),
    route(ApiKeys(ApiKeysEndpoint::DeleteKey), "DELETE", "/v1/api-keys/{id}", WRITE, Flat),
    route(ApiKeys(ApiKeysEndpoint::RotateKey), "POST", "/v1/api-keys/rotate", WRITE, Flat),
    route(ApiKeys(ApiKeysEndpoint::StopKey), "POST", "/v1/api-keys/{id}/stop", WRITE, Flat),
    route(Assistants(AssistantsEndpoint::CreateToken), "POST", "/v1/oauth2/token", Public, Flat),
    route(Assistants(AssistantsEndpoint::RevokeToken), "POST", "/v1/oauth2/revoke", Public, Flat),
    route(WebhookEndpoints(CreateWebhookEndpoint), "POST", "/v1/webhook-endpoints", WRITE, Flat),
    route(WebhookEndpoints(ListWebhookEndpoints), "GET", "/v1/webhook-endpoints", READ, Flat),
    route(WebhookEndpoints(GetWebhookEndpoint), "GET", "/v1/webhook-endpoints/{id}", READ, Flat),
    route(WebhookEndpoints(UpdateWebhookEndpoint), "PATCH", "/v1/webhook-endpoints/{id}", WRITE, Flat),
    route(WebhookEndpoints(DeleteWebhookEndpoint), "DELETE", "/v1/webhook-endpoints/{id}", WRITE, Flat),
    route(WebhookEndpoints(RotateWebhookSecret), "POST", "/v1/webhook-endpoints/{id}/rotate-secret", WRITE, Flat),
    route(WebhookEndpoints(TestWebhookEndpoint), "POST", "/v1/webhook-endpoints/{id}/test", WRITE, Flat),
    route(WebhookEndpoints(ListDeliveries), "GET", "/v1/webhook-endpoints/{id}/deliveries", READ, Flat),
    route(WebhookEndpoints(ReplayEvents), "POST", "/v1/webhook-endpoints/{id}/replay", WRITE, Flat),
    route(WebhookEndpoints(ListEvents), "GET", "/v1/events", READ, Flat),
    route(UsageLogs(UsageLogsEndpoint::ListUsageLogs), "GET", "/v1/usage-logs", READ, Flat),
    route(Billing(BillingEndpoint::CreateCheckout), "POST", "/v1/billing/create-checkout-session", BILLING, Flat)
        .without_quota(),
    route(Billing(BillingEndpoint::CreatePortal), "POST", "/v1/billing/portal", BILLING, Flat).without_quota(),
    route(Billing(BillingEndpoint::GetBillingStatus), "GET", "/v1/billing/status", READ, Flat).without_quota(),
    route(Billing(BillingEndpoint::BillingReturn), "GET", "/v1/billing/return", Public, Flat),
    route(Webhooks(WebhooksEndpoint::BillingWebhook), "POST", "/v1/billing/webhook", Public, Flat),
    route(Billing(BillingEndpoint::GetCustomer), "GET", "/v1/customer/me", READ, Flat).without_quota(),
    route(Mcp(McpEndpoint::SendMessage), "POST", MCP, TOOLS, Flat),
    route(Docs(DocsEndpoint::ListPlatforms), "GET", "/v1/platforms", Public, Flat),
    route(Docs(DocsEndpoint::GetHealth), "GET", "/v1/health", Public, Flat),
    route(Docs(DocsEndpoint::GetDescription), "GET", "/v1/openapi.json", Public, Flat),
    route(Docs(DocsEndpoint::GetDocs), "GET", "/v1/docs", Public, Flat),
    route(Docs(DocsEndpoint::GetDocsPage), "GET", "/v1/docs/{page}", Public, Flat),
    route(Docs(DocsEndpoint::GetResourceMetadata), "GET", RESOURCE_METADATA, Public, Flat),
    route(Docs(DocsEndpoint::GetRootResourceMetadata), "GET", "/.well-known/oauth-protected-resource", Public, Flat),
    route(Docs(DocsEndpoint::GetServerMetadata), "GET", "/.well-known/oauth-authorization-server", Public, Flat),
    route(Docs(DocsEndpoint::RegisterClient), "POST", REGISTER, Public, Flat),
];

/// The result of routing a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Match {
    /// A route, and the value of its path parameter (empty without one).
    Found(&'static Route, String),
    /// The path supports only these methods.
    MethodNotAllowed(Vec<&'static str>),
    /// No route has this path.
    NotFound,
}

impl Match {
    /// The endpoint, if the request has one.
    pub fn endpoint(&self) -> Option<Endpoint> {
        match self {
            Match::Found(route, _) => Some(route.endpoint),
            Match::MethodNotAllowed(_) | Match::NotFound => None,
        }
    }
}

impl Route {
    /// The methods that it answers. What answers GET answers HEAD, too, as GET without its body. The GET that begins a
    /// consent does not, nor does a redirect target: a GET of it completes what a person began elsewhere. What pages of
    /// every origin may call answers the question of their browser, too.
    pub fn methods(&self) -> &[&'static str] {
        let is_document = matches!(self.endpoint, Docs(_)) && self.method == "GET";
        let reads = is_document || self.authentication != Public && !self.changes();
        match (reads, self.endpoint.is_of_sign_in()) {
            (true, true) => &["GET", "HEAD", "OPTIONS"],
            (true, false) => &["GET", "HEAD"],
            (false, true) => &["POST", "OPTIONS"],
            (false, false) => std::slice::from_ref(&self.method),
        }
    }

    /// Whether its requests may change something: those that are no GET, and the GET that begins a consent. A person who
    /// only looks may not make them (D176), not even as a dry run, which is a question before a change.
    pub fn changes(&self) -> bool {
        let writes = |scopes: &[Scope]| scopes.contains(&Scope::Write);
        let asks_to_write = matches!(self.authentication, ApiKey(scopes) if writes(scopes));
        self.method != "GET" || asks_to_write
    }

    /// The same route outside of the quota: what a customer needs to upgrade.
    const fn without_quota(self) -> Route {
        Route { counts: false, ..self }
    }

    /// Whether a path is this route's, or lies below its prefix.
    fn covers(&self, path: &str) -> bool {
        self.path.split_once('{').map_or(path == self.path, |(prefix, _)| path.starts_with(prefix))
    }
}

/// The endpoint of agents, for which assistants get their tokens.
pub const MCP: &str = "/v1/mcp";
/// Where a program reads how it gets a token for [`MCP`]: the place that RFC 9728 derives from its address.
pub const RESOURCE_METADATA: &str = "/.well-known/oauth-protected-resource/v1/mcp";
/// Where a program registers.
pub const REGISTER: &str = "/v1/oauth2/register";

/// Whether a path has the prefix of well-known addresses (RFC 8615), which have no version.
pub fn is_well_known(path: &str) -> bool {
    path.starts_with("/.well-known/")
}

/// The first page of the dashboard. All others are below it. The function `dashboard` has the table of them: pages are
/// no endpoints of the API.
pub const DASHBOARD: &str = "/dashboard";

/// Whether a path is that of the first page with a slash too many. API Gateway sends it to the function of unknown
/// paths, which leads to the page.
pub fn is_dashboard_with_slash(path: &str) -> bool {
    path.strip_suffix('/') == Some(DASHBOARD)
}

/// Whether a path belongs to the dashboard.
pub fn is_dashboard(path: &str) -> bool {
    let below = path.strip_prefix(DASHBOARD);
    below.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('/').is_some_and(|page| !page.is_empty()))
}

/// The function that answers a request. `template.yaml`, too, sends unrouted requests below `/v1` to a function that
/// writes the usage log, and all others to one without the table.
pub fn function(method: &str, path: &str) -> Function {
    if is_dashboard(path) {
        return Function::Dashboard;
    }
    let unrouted = || {
        if path.strip_prefix("/v1/").is_some_and(|rest| !rest.is_empty()) {
            Function::UsageLogs
        } else {
            Function::Docs
        }
    };
    find(method, path).endpoint().map_or_else(unrouted, Endpoint::function)
}

/// Whether a path, routed or not, belongs to public endpoints.
pub fn is_public(path: &str) -> bool {
    ROUTES.iter().any(|route| route.authentication == Public && route.covers(path))
}

/// Whether a path takes messages of agents. What reaches no handler there does not count, because their older clients ask
/// for a stream once.
pub fn is_of_agents(path: &str) -> bool {
    ROUTES.iter().any(|route| matches!(route.endpoint, Mcp(_)) && route.path == path)
}

/// Whether a path, routed or not, belongs to endpoints with the enveloped shape only (D1).
pub fn is_enveloped(path: &str) -> bool {
    ROUTES.iter().any(|route| route.shapes == Enveloped && route.covers(path))
}

/// Routes a request. Paths compare as sent, without decoding or normalization. A literal path takes precedence over a
/// parameter for every method: `/v1/connections/sync` never names a connection.
pub fn find(method: &str, path: &str) -> Match {
    let is_literal = ROUTES.iter().any(|route| route.path == path);
    let mut allow = Vec::new();
    for route in ROUTES.iter().filter(|route| !is_literal || route.path == path) {
        let Some(parameter) = match_path(route.path, path) else { continue };
        if route.methods().contains(&method) {
            return Match::Found(route, parameter.to_owned());
        }
        allow.extend(route.methods());
    }
    if allow.is_empty() { Match::NotFound } else { Match::MethodNotAllowed(allow) }
}

/// The value of a template's parameter in a path; empty for a template without one.
fn match_path<'a>(template: &str, path: &'a str) -> Option<&'a str> {
    let Some((before, rest)) = template.split_once('{') else {
        return (template == path).then_some("");
    };
    let after = rest.split_once('}').map_or("", |(_, after)| after);
    let value = path.strip_prefix(before)?.strip_suffix(after)?;
    (!value.is_empty() && !value.contains('/')).then_some(value)
}

#[cfg(test)]
mod tests;

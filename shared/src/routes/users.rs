//! What a request that acts for a user does at each endpoint (D159). Every endpoint has its row here.

use super::{
    ApiKeysEndpoint, AssistantsEndpoint, BillingEndpoint, CampaignsEndpoint, ConnectionsEndpoint, DocsEndpoint,
    Endpoint, McpEndpoint, RedirectUrisEndpoint, UsageLogsEndpoint, WebhookEndpointsEndpoint, WebhooksEndpoint,
};

/// What a request that acts for a user does at an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForUser {
    /// It sees and changes what belongs to the user, and nothing else.
    Acts,
    /// It is refused: the endpoint is about the whole customer. The start of the sentence that says so.
    CustomerWide(&'static str),
    /// It is about the key of the request alone, or takes no key.
    Unaffected,
}

const KEYS: ForUser = ForUser::CustomerWide("API keys belong to the whole account");
const REDIRECT_URIS: ForUser = ForUser::CustomerWide("Redirect URIs belong to the whole account");
const WEBHOOKS: ForUser = ForUser::CustomerWide("Webhook endpoints belong to the whole account");
const BILLING: ForUser = ForUser::CustomerWide("Plan, usage and billing belong to the whole account");

impl Endpoint {
    /// What a request that acts for a user does here.
    pub fn for_user(self) -> ForUser {
        match self {
            Endpoint::Campaigns(endpoint) => of_campaigns(endpoint),
            Endpoint::Connections(endpoint) => of_connections(endpoint),
            Endpoint::RedirectUris(endpoint) => match endpoint {
                RedirectUrisEndpoint::RegisterRedirectUri
                | RedirectUrisEndpoint::ListRedirectUris
                | RedirectUrisEndpoint::RemoveRedirectUri => REDIRECT_URIS,
            },
            Endpoint::ApiKeys(endpoint) => match endpoint {
                ApiKeysEndpoint::CreateKey
                | ApiKeysEndpoint::ListKeys
                | ApiKeysEndpoint::UpdateKey
                | ApiKeysEndpoint::DeleteKey
                | ApiKeysEndpoint::StopKey => KEYS,
                ApiKeysEndpoint::RotateKey => ForUser::Unaffected,
            },
            Endpoint::Assistants(AssistantsEndpoint::CreateToken | AssistantsEndpoint::RevokeToken) => {
                ForUser::Unaffected
            }
            Endpoint::WebhookEndpoints(endpoint) => of_webhook_endpoints(endpoint),
            Endpoint::UsageLogs(UsageLogsEndpoint::ListUsageLogs) => ForUser::Acts,
            Endpoint::Billing(endpoint) => match endpoint {
                BillingEndpoint::CreateCheckout
                | BillingEndpoint::CreatePortal
                | BillingEndpoint::GetBillingStatus
                | BillingEndpoint::GetCustomer => BILLING,
                BillingEndpoint::BillingReturn => ForUser::Unaffected,
            },
            Endpoint::Webhooks(WebhooksEndpoint::BillingWebhook) => ForUser::Unaffected,
            Endpoint::Mcp(McpEndpoint::SendMessage) => ForUser::Acts,
            Endpoint::Docs(endpoint) => match endpoint {
                DocsEndpoint::ListPlatforms
                | DocsEndpoint::GetHealth
                | DocsEndpoint::GetDescription
                | DocsEndpoint::GetDocs
                | DocsEndpoint::GetDocsPage
                | DocsEndpoint::GetResourceMetadata
                | DocsEndpoint::GetRootResourceMetadata
                | DocsEndpoint::GetServerMetadata
                | DocsEndpoint::RegisterClient => ForUser::Unaffected,
            },
        }
    }
}

fn of_campaigns(endpoint: CampaignsEndpoint) -> ForUser {
    match endpoint {
        CampaignsEndpoint::CreateCampaign
        | CampaignsEndpoint::ListCampaigns
        | CampaignsEndpoint::GetCampaign
        | CampaignsEndpoint::GetIntents
        | CampaignsEndpoint::GetInsights
        | CampaignsEndpoint::GetDelivery
        | CampaignsEndpoint::ListInsights
        | CampaignsEndpoint::UpdateCampaign
        | CampaignsEndpoint::DeleteCampaign
        | CampaignsEndpoint::SetStatuses
        | CampaignsEndpoint::SetBudgets
        | CampaignsEndpoint::GetStatuses
        | CampaignsEndpoint::ListChanges
        | CampaignsEndpoint::GetChange
        | CampaignsEndpoint::CancelChange
        | CampaignsEndpoint::UndoChange
        | CampaignsEndpoint::ReviewChange
        | CampaignsEndpoint::ApproveChange
        | CampaignsEndpoint::RejectChange
        | CampaignsEndpoint::GetLimits => ForUser::Acts,
    }
}

fn of_connections(endpoint: ConnectionsEndpoint) -> ForUser {
    match endpoint {
        ConnectionsEndpoint::ListConnections
        | ConnectionsEndpoint::GetConnection
        | ConnectionsEndpoint::SyncConnections
        | ConnectionsEndpoint::LabelConnection
        | ConnectionsEndpoint::RemoveConnection
        | ConnectionsEndpoint::Authorize
        | ConnectionsEndpoint::ConfirmConnection
        | ConnectionsEndpoint::ListUsers
        | ConnectionsEndpoint::GetUser
        | ConnectionsEndpoint::PutUser
        | ConnectionsEndpoint::PauseUser
        | ConnectionsEndpoint::ResumeUser
        | ConnectionsEndpoint::EraseUser
        | ConnectionsEndpoint::ExportUser => ForUser::Acts,
        ConnectionsEndpoint::Callback => ForUser::Unaffected,
    }
}

fn of_webhook_endpoints(endpoint: WebhookEndpointsEndpoint) -> ForUser {
    match endpoint {
        WebhookEndpointsEndpoint::ListEvents => ForUser::Acts,
        WebhookEndpointsEndpoint::CreateWebhookEndpoint
        | WebhookEndpointsEndpoint::ListWebhookEndpoints
        | WebhookEndpointsEndpoint::GetWebhookEndpoint
        | WebhookEndpointsEndpoint::UpdateWebhookEndpoint
        | WebhookEndpointsEndpoint::DeleteWebhookEndpoint
        | WebhookEndpointsEndpoint::RotateWebhookSecret
        | WebhookEndpointsEndpoint::TestWebhookEndpoint
        | WebhookEndpointsEndpoint::ListDeliveries
        | WebhookEndpointsEndpoint::ReplayEvents => WEBHOOKS,
    }
}

//! The endpoints, grouped by the function that answers them. Variants are named after the operations of the OpenAPI
//! document: `CreateCampaign` is `createCampaign`.

/// A Lambda function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Function {
    /// `functions/campaigns`.
    Campaigns,
    /// `functions/connections`.
    Connections,
    /// `functions/redirect-uris`.
    RedirectUris,
    /// `functions/api-keys`.
    ApiKeys,
    /// `functions/assistants`.
    Assistants,
    /// `functions/webhook-endpoints`.
    WebhookEndpoints,
    /// `functions/usage-logs`. It also answers unrouted requests below `/v1`.
    UsageLogs,
    /// `functions/billing`.
    Billing,
    /// `functions/webhooks`.
    Webhooks,
    /// `functions/mcp`.
    Mcp,
    /// `functions/docs`. It also answers every other unrouted request.
    Docs,
    /// `functions/dashboard`. Its pages are in no row of the table.
    Dashboard,
}

/// An endpoint of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// `functions/campaigns`.
    Campaigns(CampaignsEndpoint),
    /// `functions/connections`.
    Connections(ConnectionsEndpoint),
    /// `functions/redirect-uris`.
    RedirectUris(RedirectUrisEndpoint),
    /// `functions/api-keys`.
    ApiKeys(ApiKeysEndpoint),
    /// `functions/assistants`.
    Assistants(AssistantsEndpoint),
    /// `functions/webhook-endpoints`.
    WebhookEndpoints(WebhookEndpointsEndpoint),
    /// `functions/usage-logs`.
    UsageLogs(UsageLogsEndpoint),
    /// `functions/billing`.
    Billing(BillingEndpoint),
    /// `functions/webhooks`.
    Webhooks(WebhooksEndpoint),
    /// `functions/mcp`.
    Mcp(McpEndpoint),
    /// `functions/docs`.
    Docs(DocsEndpoint),
}

impl Endpoint {
    /// The function that answers.
    pub fn function(self) -> Function {
        match self {
            Endpoint::Campaigns(_) => Function::Campaigns,
            Endpoint::Connections(_) => Function::Connections,
            Endpoint::RedirectUris(_) => Function::RedirectUris,
            Endpoint::ApiKeys(_) => Function::ApiKeys,
            Endpoint::Assistants(_) => Function::Assistants,
            Endpoint::WebhookEndpoints(_) => Function::WebhookEndpoints,
            Endpoint::UsageLogs(_) => Function::UsageLogs,
            Endpoint::Billing(_) => Function::Billing,
            Endpoint::Webhooks(_) => Function::Webhooks,
            Endpoint::Mcp(_) => Function::Mcp,
            Endpoint::Docs(_) => Function::Docs,
        }
    }

    /// Whether an `Idempotency-Key` has an effect. Elsewhere it is refused, because it would protect nothing (D52).
    pub fn takes_idempotency_key(self) -> bool {
        match self {
            Endpoint::Campaigns(endpoint) => matches!(
                endpoint,
                CampaignsEndpoint::CreateCampaign
                    | CampaignsEndpoint::SetStatuses
                    | CampaignsEndpoint::SetBudgets
                    | CampaignsEndpoint::UndoChange
                    | CampaignsEndpoint::UpdateCampaign
                    | CampaignsEndpoint::DeleteCampaign
            ),
            Endpoint::Billing(endpoint) => {
                matches!(endpoint, BillingEndpoint::CreateCheckout | BillingEndpoint::CreatePortal)
            }
            Endpoint::Connections(_)
            | Endpoint::RedirectUris(_)
            | Endpoint::ApiKeys(_)
            | Endpoint::Assistants(_)
            | Endpoint::WebhookEndpoints(_)
            | Endpoint::UsageLogs(_)
            | Endpoint::Webhooks(_)
            | Endpoint::Mcp(_)
            | Endpoint::Docs(_) => false,
        }
    }

    /// Whether it belongs to the sign-in of assistants. Its form is that of OAuth, and pages of every origin may call it: a
    /// host that runs in a browser has no other way, and the request carries no cookie.
    pub fn is_of_sign_in(self) -> bool {
        match self {
            Endpoint::Docs(endpoint) => endpoint.is_of_sign_in(),
            Endpoint::Assistants(_) => true,
            _ => false,
        }
    }

    /// Whether its requests with a key wait for ad platforms, or for a customer's own endpoint.
    pub fn calls_platforms(self) -> bool {
        match self {
            Endpoint::Campaigns(endpoint) => match endpoint {
                CampaignsEndpoint::CreateCampaign
                | CampaignsEndpoint::ListCampaigns
                | CampaignsEndpoint::GetCampaign
                | CampaignsEndpoint::GetInsights
                | CampaignsEndpoint::GetDelivery
                | CampaignsEndpoint::ListInsights
                | CampaignsEndpoint::SetStatuses
                | CampaignsEndpoint::SetBudgets
                | CampaignsEndpoint::UndoChange
                | CampaignsEndpoint::ReviewChange
                | CampaignsEndpoint::ApproveChange
                | CampaignsEndpoint::UpdateCampaign
                | CampaignsEndpoint::DeleteCampaign => true,
                CampaignsEndpoint::GetIntents
                | CampaignsEndpoint::ListChanges
                | CampaignsEndpoint::GetChange
                | CampaignsEndpoint::CancelChange
                | CampaignsEndpoint::RejectChange
                | CampaignsEndpoint::GetLimits
                | CampaignsEndpoint::GetStatuses => false,
            },
            Endpoint::Connections(endpoint) => match endpoint {
                ConnectionsEndpoint::SyncConnections
                | ConnectionsEndpoint::RemoveConnection
                | ConnectionsEndpoint::ConfirmConnection => true,
                ConnectionsEndpoint::ListConnections
                | ConnectionsEndpoint::GetConnection
                | ConnectionsEndpoint::LabelConnection
                | ConnectionsEndpoint::Authorize
                | ConnectionsEndpoint::Callback
                | ConnectionsEndpoint::ListUsers
                | ConnectionsEndpoint::GetUser
                | ConnectionsEndpoint::PutUser
                | ConnectionsEndpoint::PauseUser
                | ConnectionsEndpoint::ResumeUser
                | ConnectionsEndpoint::EraseUser
                | ConnectionsEndpoint::ExportUser => false,
            },
            Endpoint::WebhookEndpoints(endpoint) => endpoint == WebhookEndpointsEndpoint::TestWebhookEndpoint,
            Endpoint::Mcp(_) => true,
            Endpoint::RedirectUris(_)
            | Endpoint::ApiKeys(_)
            | Endpoint::Assistants(_)
            | Endpoint::UsageLogs(_)
            | Endpoint::Billing(_)
            | Endpoint::Webhooks(_)
            | Endpoint::Docs(_) => false,
        }
    }
}

/// The endpoints of `functions/campaigns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CampaignsEndpoint {
    /// Creates a campaign, or one in each of several ad accounts.
    CreateCampaign,
    /// Lists campaigns over all connections.
    ListCampaigns,
    GetCampaign,
    /// Reads the outcome of a create request.
    GetIntents,
    /// Reads what a campaign did.
    GetInsights,
    /// Reads whether a campaign is shown, and its ads.
    GetDelivery,
    /// Lists what the campaigns of all connections did.
    ListInsights,
    UpdateCampaign,
    DeleteCampaign,
    /// Activates or pauses many campaigns.
    SetStatuses,
    /// Changes the budgets of many campaigns.
    SetBudgets,
    /// Reads the progress of a bulk change.
    GetStatuses,
    /// Lists changes of campaigns.
    ListChanges,
    GetChange,
    /// Cancels a change that waits for its time.
    CancelChange,
    /// Undoes a change or a bulk change.
    UndoChange,
    /// Reads what a person decides on.
    ReviewChange,
    /// Approves a change that waits for a person.
    ApproveChange,
    /// Rejects a change that waits for a person.
    RejectChange,
    /// Reads the remaining amounts of the spending limit of the key.
    GetLimits,
}

/// The endpoints of `functions/connections`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionsEndpoint {
    ListConnections,
    GetConnection,
    /// Checks all connections with their platforms.
    SyncConnections,
    /// Changes label and user.
    LabelConnection,
    RemoveConnection,
    /// Starts an OAuth authorization.
    Authorize,
    /// Connects the ad accounts of a consent that waits for it.
    ConfirmConnection,
    /// The OAuth redirect target.
    Callback,
    /// Lists the users to whom connections belong.
    ListUsers,
    GetUser,
    /// Sets the label and the spending limit of a user.
    PutUser,
    /// Pauses what runs in the connections of a user, and keeps it paused.
    PauseUser,
    ResumeUser,
    /// Erases what is stored of a user.
    EraseUser,
    /// Reads what is stored of a user.
    ExportUser,
}

/// The endpoints of `functions/redirect-uris`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectUrisEndpoint {
    RegisterRedirectUri,
    ListRedirectUris,
    RemoveRedirectUri,
}

/// The endpoints of `functions/api-keys`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiKeysEndpoint {
    CreateKey,
    ListKeys,
    /// Changes the name, the scopes or the spending limit of a key.
    UpdateKey,
    DeleteKey,
    /// Rotates the API key of the request.
    RotateKey,
    /// Stops a key, and pauses the campaigns that run because of it.
    StopKey,
}

/// The endpoints of `functions/assistants`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssistantsEndpoint {
    /// Exchanges the code of a consent, or refreshes tokens.
    CreateToken,
    /// Signs out the assistant of a token.
    RevokeToken,
}

/// The endpoints of `functions/webhook-endpoints`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookEndpointsEndpoint {
    CreateWebhookEndpoint,
    ListWebhookEndpoints,
    GetWebhookEndpoint,
    UpdateWebhookEndpoint,
    DeleteWebhookEndpoint,
    /// Replaces the secret that signs.
    RotateWebhookSecret,
    /// Sends a `ping` at once.
    TestWebhookEndpoint,
    /// Lists the deliveries of an endpoint.
    ListDeliveries,
    /// Delivers events once more.
    ReplayEvents,
    /// Lists what happened.
    ListEvents,
}

/// The endpoints of `functions/usage-logs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageLogsEndpoint {
    ListUsageLogs,
}

/// The endpoints of `functions/billing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BillingEndpoint {
    /// Starts the purchase of a plan.
    CreateCheckout,
    /// Opens the payment provider's customer portal.
    CreatePortal,
    /// Reads plan, subscription and usage.
    GetBillingStatus,
    /// The page after a visit to the payment provider.
    BillingReturn,
    /// Reads the customer of the API key.
    GetCustomer,
}

/// The endpoints of `functions/webhooks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhooksEndpoint {
    /// Receives the payment provider's events.
    BillingWebhook,
}

/// The endpoints of `functions/mcp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum McpEndpoint {
    /// Answers a message of an agent. Only calls of tools count against rate and quota.
    SendMessage,
}

/// The endpoints of `functions/docs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocsEndpoint {
    /// Lists the platforms and their capabilities.
    ListPlatforms,
    /// Says that the service answers.
    GetHealth,
    /// Serves the OpenAPI document.
    GetDescription,
    /// Serves the first page of the reference, which is made from the OpenAPI document.
    GetDocs,
    /// Serves another page of the reference.
    GetDocsPage,
    /// Says where an assistant gets a token for the endpoint of agents (RFC 9728).
    GetResourceMetadata,
    /// The same at the address without the path of the resource, where some hosts look first.
    GetRootResourceMetadata,
    /// Says how this service gives tokens (RFC 8414).
    GetServerMetadata,
    /// Registers the program of an agents' host (RFC 7591). Nothing is stored.
    RegisterClient,
}

impl DocsEndpoint {
    /// Whether it belongs to the sign-in of assistants.
    fn is_of_sign_in(self) -> bool {
        match self {
            DocsEndpoint::GetResourceMetadata
            | DocsEndpoint::GetRootResourceMetadata
            | DocsEndpoint::GetServerMetadata
            | DocsEndpoint::RegisterClient => true,
            DocsEndpoint::ListPlatforms
            | DocsEndpoint::GetHealth
            | DocsEndpoint::GetDescription
            | DocsEndpoint::GetDocs
            | DocsEndpoint::GetDocsPage => false,
        }
    }
}

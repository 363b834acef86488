//! The tools: which there are, which a key has, and what each does.

mod arguments;
mod change;
mod definition;
mod delivery;
mod lists;
mod preview;
mod read;
mod requested_change;
mod schema;
mod waiting_budgets;
mod warnings;

use crate::answer::{Answer, ToolError};
use crate::api::Api;
use crate::object::Object;
pub(crate) use definition::definitions;
use shared::domain::{ApiKeyInfo, CampaignId, ChangeKind, Scope};
use shared::error::Error;
use shared::serve::RequiredConnections;
use shared::store::ConnectionRef;

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    ListAccounts,
    ListCampaigns,
    GetCampaign,
    GetDelivery,
    GetInsights,
    GetLimits,
    GetChange,
    PreviewChange,
    /// A change that a preview confirms. Its kind is a `kind` of `preview_change`.
    Change(ChangeKind),
    PauseCampaign,
}

impl Tool {
    /// Every tool, in the order of `tools/list`.
    pub(crate) const ALL: [Tool; 12] = [
        Tool::ListAccounts,
        Tool::ListCampaigns,
        Tool::GetCampaign,
        Tool::GetDelivery,
        Tool::GetInsights,
        Tool::GetLimits,
        Tool::GetChange,
        Tool::PreviewChange,
        Tool::Change(ChangeKind::Create),
        Tool::Change(ChangeKind::Update),
        Tool::Change(ChangeKind::Delete),
        Tool::PauseCampaign,
    ];

    /// The name in the protocol.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Tool::ListAccounts => "list_accounts",
            Tool::ListCampaigns => "list_campaigns",
            Tool::GetCampaign => "get_campaign",
            Tool::GetDelivery => "get_delivery",
            Tool::GetInsights => "get_insights",
            Tool::GetLimits => "get_limits",
            Tool::GetChange => "get_change",
            Tool::PreviewChange => "preview_change",
            Tool::Change(ChangeKind::Create) => "create_campaign",
            Tool::Change(ChangeKind::Update) => "update_campaign",
            Tool::Change(ChangeKind::Delete) => "delete_campaign",
            Tool::PauseCampaign => "pause_campaign",
        }
    }

    /// The tool with a name.
    pub(crate) fn parse(name: &str) -> Option<Tool> {
        Tool::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// The arguments of a call, where a text that stands for an object or a number becomes one.
    pub(crate) fn arguments(self, json: &str) -> String {
        arguments::coerce(self, json)
    }

    /// Whether a key has the tool: its scopes permit the requests that the tool makes.
    pub(crate) fn is_of(self, key: &ApiKeyInfo) -> bool {
        let has = |scope: Scope| key.scopes.contains(&scope) || key.scopes.contains(&Scope::Campaigns);
        match self {
            Tool::PauseCampaign => has(Scope::Write),
            Tool::PreviewChange | Tool::Change(_) => has(Scope::Read) && has(Scope::Write),
            _ => has(Scope::Read),
        }
    }

    /// The connections that the tool is about, read while the call is admitted.
    pub(crate) fn required_connections(self, arguments: &str) -> RequiredConnections {
        let Ok(arguments) = Object::parse(arguments) else { return RequiredConnections::None };
        let arguments = if self == Tool::PreviewChange { arguments.nested("arguments") } else { Some(arguments) };
        let Some(arguments) = arguments else { return RequiredConnections::None };
        let campaign = arguments.text("campaign_id").as_deref().and_then(CampaignId::parse);
        match (arguments.text("connection_id"), campaign) {
            (_, Some(campaign)) => RequiredConnections::Named(ConnectionRef::of_campaign(&campaign)),
            (Some(connection), None) => RequiredConnections::id(&connection),
            (None, None) => RequiredConnections::None,
        }
    }

    /// Whether the tool only previews. A refusal of a preview by the spending limit makes no event.
    pub(crate) fn is_preview(self) -> bool {
        self == Tool::PreviewChange
    }

    /// Does what the call asks for.
    pub(crate) async fn run(self, api: &Api<'_>, arguments: Object<'_>) -> Result<Answer, Error> {
        match self.answer(api, arguments).await {
            Err(ToolError::Refused(refusal)) => Ok(refusal),
            Err(ToolError::Failed(error)) => Err(error),
            Ok(answer) => Ok(answer),
        }
    }

    async fn answer(self, api: &Api<'_>, arguments: Object<'_>) -> Result<Answer, ToolError> {
        // Clients send null for what they leave out. A change knows which null means something.
        let arguments = if matches!(self, Tool::Change(_)) { arguments } else { arguments.without_nulls(&[]) };
        arguments::check(self, &arguments)?;
        match self {
            Tool::ListAccounts => lists::list_accounts(api, arguments).await,
            Tool::ListCampaigns => lists::list_campaigns(api, arguments).await,
            Tool::GetCampaign => read::get_campaign(api, arguments).await,
            Tool::GetDelivery => delivery::get_delivery(api, arguments).await,
            Tool::GetInsights => read::get_insights(api, arguments).await,
            Tool::GetLimits => read::get_limits(api, arguments).await,
            Tool::GetChange => read::get_change(api, arguments).await,
            Tool::PreviewChange => preview::preview(api, arguments).await,
            Tool::Change(kind) => change::change(api, kind, arguments).await,
            Tool::PauseCampaign => change::pause(api, arguments).await,
        }
    }
}

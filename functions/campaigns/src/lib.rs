//! The campaigns endpoints: create, list, get, update, delete, insights, and the history of changes.

mod bulk;
mod changes;
mod chosen_connection;
mod create;
mod cursor;
mod delete;
mod delivery;
mod dry_run;
mod edit;
mod get;
mod insights;
mod intents;
mod limits;
mod list;
mod list_page;
mod listed_connections;
mod merge;
mod request;
mod resume;
mod targets;
mod update;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::domain::CampaignId;
use shared::routes::{CampaignsEndpoint, Endpoint};
use shared::secrets::SecretAccess;
use shared::serve::{
    Answer, ApiRequest, IncomingRequest, RequiredConnections, serve, serve_connected, serve_connected_with_prefetch,
    serve_with_prefetch,
};
use shared::store::ConnectionRef;
use std::sync::Arc;

/// The secrets that the function reads.
pub const SECRETS: SecretAccess = SecretAccess::PLATFORMS;

/// What an error calls a campaign.
const CAMPAIGN: &str = "campaign";

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    answer(IncomingRequest::new(app, request)).await.into()
}

/// Answers a request.
pub async fn answer(incoming: IncomingRequest) -> Answer {
    let Some(Endpoint::Campaigns(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await };
    match endpoint {
        CampaignsEndpoint::CreateCampaign => {
            serve_connected(incoming, create::required_connections, create::create).await
        }
        CampaignsEndpoint::ListCampaigns => {
            let required = listed_connections::required_connections;
            serve_connected_with_prefetch(incoming, required, listed_connections::prefetch, list::list).await
        }
        CampaignsEndpoint::ListInsights => {
            let required = listed_connections::required_connections;
            serve_connected_with_prefetch(incoming, required, insights::prefetch, insights::list).await
        }
        CampaignsEndpoint::GetInsights => serve_connected(incoming, connection_of_campaign, insights::get).await,
        CampaignsEndpoint::GetDelivery => serve_connected(incoming, connection_of_campaign, delivery::get).await,
        CampaignsEndpoint::GetCampaign => serve_connected(incoming, connection_of_campaign, get::get).await,
        CampaignsEndpoint::GetIntents => serve_with_prefetch(incoming, intents::prefetch, intents::intents).await,
        CampaignsEndpoint::ListChanges => serve(incoming, changes::list).await,
        CampaignsEndpoint::GetChange => serve_with_prefetch(incoming, changes::prefetch, changes::get).await,
        CampaignsEndpoint::SetStatuses => {
            serve_connected(incoming, |_| RequiredConnections::All, bulk::set_statuses).await
        }
        CampaignsEndpoint::SetBudgets => {
            serve_connected(incoming, |_| RequiredConnections::All, bulk::set_budgets).await
        }
        CampaignsEndpoint::GetStatuses => serve_with_prefetch(incoming, bulk::prefetch, bulk::status).await,
        CampaignsEndpoint::CancelChange => serve(incoming, changes::cancel).await,
        CampaignsEndpoint::UndoChange => {
            let all = |_: &ApiRequest| RequiredConnections::All;
            serve_connected_with_prefetch(incoming, all, changes::prefetch_undo_target, changes::undo).await
        }
        CampaignsEndpoint::ReviewChange => serve_with_prefetch(incoming, changes::prefetch, changes::review).await,
        CampaignsEndpoint::ApproveChange => serve_with_prefetch(incoming, changes::prefetch, changes::approve).await,
        CampaignsEndpoint::RejectChange => serve_with_prefetch(incoming, changes::prefetch, changes::reject).await,
        CampaignsEndpoint::GetLimits => serve(incoming, limits::limits).await,
        CampaignsEndpoint::UpdateCampaign => {
            serve_connected_with_prefetch(incoming, connection_of_campaign, update::prefetch, update::update).await
        }
        CampaignsEndpoint::DeleteCampaign => serve_connected(incoming, connection_of_campaign, delete::delete).await,
    }
}

/// The connections of the ad accounts that may hold the campaign in the path.
fn connection_of_campaign(request: &ApiRequest) -> RequiredConnections {
    let id = CampaignId::parse(&request.parameter);
    RequiredConnections::Named(id.as_ref().map(ConnectionRef::of_campaign).unwrap_or_default())
}

//! The campaigns endpoints: create, list, get, update, delete, insights, and the history of changes.

mod bulk;
mod changes;
mod chosen_connection;
mod create;
mod cursor;
mod delete;
mod dry_run;
mod get;
mod insights;
mod intents;
mod limits;
mod list;
mod list_page;
mod listed_connections;
mod merge;
mod repeat;
mod request;
mod resume;
mod targets;
mod update;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::domain::{Campaign, CampaignId, CampaignRecord, Connection, PlatformCampaign};
use shared::error::Error;
use shared::routes::{CampaignsEndpoint, Endpoint};
use shared::secrets::SecretAccess;
use shared::serve::{
    ApiRequest, Call, IncomingRequest, RequiredConnections, serve, serve_connected, serve_connected_with_prefetch,
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
    let incoming = IncomingRequest::new(app, request);
    let Some(Endpoint::Campaigns(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await };
    match endpoint {
        CampaignsEndpoint::CreateCampaign => {
            serve_connected(incoming, create::required_connections, create::create).await
        }
        CampaignsEndpoint::ListCampaigns => {
            serve_with_prefetch(incoming, listed_connections::prefetch, list::list).await
        }
        CampaignsEndpoint::ListInsights => serve_with_prefetch(incoming, insights::prefetch, insights::list).await,
        CampaignsEndpoint::GetInsights => serve_connected(incoming, connection_of_campaign, insights::get).await,
        CampaignsEndpoint::GetCampaign => serve_connected(incoming, connection_of_campaign, get::get).await,
        CampaignsEndpoint::GetIntents => serve_with_prefetch(incoming, intents::prefetch, intents::intents).await,
        CampaignsEndpoint::ListChanges => serve(incoming, changes::list).await,
        CampaignsEndpoint::GetChange => serve_with_prefetch(incoming, changes::prefetch, changes::get).await,
        CampaignsEndpoint::SetStatuses => serve_connected(incoming, |_| RequiredConnections::All, bulk::start).await,
        CampaignsEndpoint::GetStatuses => serve_with_prefetch(incoming, bulk::prefetch, bulk::status).await,
        CampaignsEndpoint::CancelChange => serve(incoming, changes::cancel).await,
        CampaignsEndpoint::GetLimits => serve(incoming, async |call| limits::limits(call)).await,
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

/// The campaign that the path names, in a connected ad account; 404 in every other case.
fn named_campaign(call: &Call) -> Result<(CampaignId, &Connection, String), Error> {
    let not_found = || Error::not_found(CAMPAIGN);
    let id = CampaignId::parse(&call.request.parameter).ok_or_else(not_found)?;
    let (connection, remote_id) = call.connected.find_campaign(&id).ok_or_else(not_found)?;
    let remote_id = remote_id.to_owned();
    Ok((id, connection, remote_id))
}

/// Completes a campaign from its stored record; 404 for one that the caller may not see. If the read of the record
/// failed, the platform's data stands alone.
fn complete(
    call: &Call,
    campaign: PlatformCampaign,
    connection: &Connection,
    record: Result<Option<CampaignRecord>, Error>,
) -> Result<Campaign, Error> {
    let record = record.unwrap_or_else(|error| {
        tracing::error!(campaign = %campaign.id, %error, source = error.source, "campaign record not read");
        None
    });
    call.require_visible(campaign.complete(&connection.id, record), CAMPAIGN)
}

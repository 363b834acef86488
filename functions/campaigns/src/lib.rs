//! The campaigns endpoints: create, list, get, update, delete, what the platforms can express, and what the whole
//! interface is. Also answers whatever matches no route.

mod create;
mod cursor;
mod delete;
mod description;
mod get;
mod intents;
mod list;
mod platforms;
mod read_back;
mod targets;
mod update;

use lambda_http::http::Method;
use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::domain::{Campaign, CampaignId, Connection};
use shared::envelope::Reply;
use shared::error::Error;
use shared::routes::is_public;
use shared::serve::{ApiRequest, Call, serve, serve_public, serve_with_prefetch};
use shared::store::CampaignRecord;
use std::sync::Arc;

/// Answers one request.
pub async fn answer(app: Arc<App>, request: Request) -> Response<Body> {
    if is_public(request.uri().path()) {
        return serve_public(app, request, |call| async move { route_public(&call) }).await;
    }
    if request.method() == Method::GET && request.uri().path().starts_with(intents::PATH) {
        return serve_with_prefetch(app, request, intents::read, tell).await;
    }
    serve(app, request, route).await
}

fn route_public(call: &ApiRequest) -> Result<Reply, Error> {
    match call.operation() {
        ("GET", "/v1/platforms") => platforms::platforms(call),
        ("GET", "/v1/openapi.json") => description::openapi(call),
        ("GET", "/v1/docs") => description::docs(call),
        _ => Err(Error::not_found("path")),
    }
}

/// What is read while the key is checked.
async fn tell(call: Call, found: intents::Found) -> Result<Reply, Error> {
    match call.request.operation() {
        ("GET", "/v1/campaigns/intents/{request_id}") => intents::intents(&call, found).await,
        _ => Err(Error::not_found("path")),
    }
}

async fn route(call: Call) -> Result<Reply, Error> {
    match call.request.operation() {
        ("POST", "/v1/campaigns") => create::create(&call).await,
        ("GET", "/v1/campaigns") => list::list(&call).await,
        ("GET", "/v1/campaigns/{id}") => get::get(&call).await,
        ("PATCH", "/v1/campaigns/{id}") => update::update(&call).await,
        ("DELETE", "/v1/campaigns/{id}") => delete::delete(&call).await,
        _ => Err(Error::not_found("path")),
    }
}

/// The campaign that a path names, in an account that the customer has connected. Everything else is the same 404.
fn named_campaign(call: &Call) -> Result<(CampaignId, &Connection, String), Error> {
    let not_found = || Error::not_found("campaign");
    let id = CampaignId::parse(&call.request.parameter).ok_or_else(not_found)?;
    let (connection, remote_id) = call.connected.find_campaign(&id).ok_or_else(not_found)?;
    let remote_id = remote_id.to_owned();
    Ok((id, connection, remote_id))
}

/// Adds what our own record knows. It only completes the answer: when it cannot be read, the platform's word stands.
fn complete(campaign: &mut Campaign, record: Result<Option<CampaignRecord>, Error>) {
    match record {
        Ok(Some(record)) => record.apply_to(campaign),
        Ok(None) => {}
        Err(error) => {
            tracing::error!(campaign = %campaign.id, %error, source = error.source, "a campaign's record was not read");
        }
    }
}

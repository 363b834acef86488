//! The redirect URI endpoints: register, list, remove. A URI has one spelling, so that it can be compared by character
//! (D35). They use the enveloped shape only.

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::domain::{CustomerId, MAX_REDIRECT_URIS, Reason, RedirectUriId, RegisteredUri};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Reply, read_redirect_uri};
use shared::error::{Error, Kind};
use shared::routes::{Endpoint, RedirectUrisEndpoint};
use shared::secrets::SecretAccess;
use shared::serve::{Answer, ApiRequest, Call, IncomingRequest, serve, serve_with_prefetch};
use shared::store::Registration;
use std::sync::Arc;

/// The function reads no secrets.
pub const SECRETS: SecretAccess = SecretAccess::NONE;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    answer(IncomingRequest::new(app, request)).await.into()
}

/// Answers a request.
pub async fn answer(incoming: IncomingRequest) -> Answer {
    let Some(Endpoint::RedirectUris(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await };
    match endpoint {
        RedirectUrisEndpoint::RegisterRedirectUri => serve(incoming, register).await,
        RedirectUrisEndpoint::ListRedirectUris => {
            serve_with_prefetch(incoming, prefetch, async |call: &Call, uris| list(call, uris)).await
        }
        RedirectUrisEndpoint::RemoveRedirectUri => serve(incoming, remove).await,
    }
}

/// Registers a URI that the OAuth callback may redirect to.
async fn register(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let uri = read_redirect_uri(call.request.json_body()?)?;
    let registered = RegisteredUri { uri, created_at: call.request.now };
    match call.store().register_redirect_uri(call.customer.id, &registered).await? {
        Registration::Registered => Ok(Reply::RedirectUriRegistered(registered)),
        Registration::Duplicate => {
            let message = "This redirect URI is already registered.";
            Err(Error::new(Kind::Conflict, message).because(Reason::AlreadyExists))
        }
        Registration::LimitReached => {
            let message = format!("exceeds the limit of {MAX_REDIRECT_URIS} registered URIs; remove one first");
            Err(Error::field("uri", message))
        }
    }
}

/// Reads the URIs, during authentication.
async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Result<Vec<RegisteredUri>, Error> {
    request.app.store.redirect_uris(customer).await
}

/// Lists the registered URIs, newest first.
fn list(call: &Call, uris: Result<Vec<RegisteredUri>, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    uris.map(Reply::RedirectUris)
}

/// Removes a URI. Authorizations in progress no longer redirect to it either.
async fn remove(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let not_found = || Error::not_found("redirect URI");
    let id = RedirectUriId::parse(&call.request.parameter).ok_or_else(not_found)?;
    if call.store().remove_redirect_uri(call.customer.id, &id).await? { Ok(Reply::Done) } else { Err(not_found()) }
}

//! The API key endpoints: create, list, change and delete (D41), rotate (D29), stop (D65).

mod create;
mod delete;
mod key_not_written;
mod limit;
mod list;
mod rotate;
mod stop;
mod update;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::domain::ApiKeys;
use shared::envelope::Reply;
use shared::error::Error;
use shared::routes::{ApiKeysEndpoint, Endpoint};
use shared::secrets::SecretAccess;
use shared::serve::{
    Answer, ApiRequest, Call, IncomingRequest, RequiredConnections, serve_connected, serve_connected_with_prefetch,
};
use std::sync::Arc;

/// The function reads no secrets.
pub const SECRETS: SecretAccess = SecretAccess::NONE;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    answer(IncomingRequest::new(app, request)).await.into()
}

/// Answers a request.
pub async fn answer(incoming: IncomingRequest) -> Answer {
    let Some(Endpoint::ApiKeys(endpoint)) = incoming.endpoint() else { return incoming.reject_unrouted().await };
    match endpoint {
        ApiKeysEndpoint::CreateKey => serve_connected(incoming, limit::required_connections, create::create).await,
        ApiKeysEndpoint::ListKeys => serve_all(incoming, |_| RequiredConnections::None, list::list).await,
        ApiKeysEndpoint::UpdateKey => serve_all(incoming, limit::required_connections, update::update).await,
        ApiKeysEndpoint::DeleteKey => serve_all(incoming, |_| RequiredConnections::None, delete::delete).await,
        ApiKeysEndpoint::RotateKey => serve_all(incoming, |_| RequiredConnections::None, rotate::rotate).await,
        ApiKeysEndpoint::StopKey => serve_all(incoming, |_| RequiredConnections::None, stop::stop).await,
    }
}

/// Serves an endpoint about all keys of a customer. A session knows them; the admission of an API key reads those of no
/// assistant, so they are read beside it.
async fn serve_all(
    incoming: IncomingRequest,
    required: impl FnOnce(&ApiRequest) -> RequiredConnections,
    handler: impl AsyncFnOnce(&Call, ApiKeys) -> Result<Reply, Error>,
) -> Answer {
    let knows_all = incoming.session_caller().is_some();
    let assistants = async |request: &ApiRequest, customer| {
        if knows_all { Ok(None) } else { request.app.store.assistant_keys(customer).await.map(Some) }
    };
    let with_all = async |call: &Call, assistants: Result<Option<ApiKeys>, Error>| {
        let keys = match assistants? {
            Some(assistants) => call.keys.clone().with_assistants_of(&assistants),
            None => call.keys.clone(),
        };
        handler(call, keys).await
    };
    serve_connected_with_prefetch(incoming, required, assistants, with_all).await
}

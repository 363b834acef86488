//! `listWebhookEndpoints` and `getWebhookEndpoint`.

use crate::not_found;
use shared::domain::{CustomerId, EndpointId, WebhookEndpoint};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::{ApiRequest, Call};

/// Lists the endpoints, newest first.
pub(crate) fn list(call: &Call, endpoints: Result<Vec<WebhookEndpoint>, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    endpoints.map(Reply::WebhookEndpoints)
}

/// Reads the endpoints, during authentication.
pub(crate) async fn prefetch_all(request: &ApiRequest, customer: CustomerId) -> Result<Vec<WebhookEndpoint>, Error> {
    request.app.store.webhook_endpoints(customer).await
}

/// Gets an endpoint.
pub(crate) fn get(call: &Call, endpoint: Result<Option<WebhookEndpoint>, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    Ok(Reply::WebhookEndpoint(Box::new(endpoint?.ok_or_else(not_found)?)))
}

/// Reads the endpoint in the path, during authentication.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Result<Option<WebhookEndpoint>, Error> {
    match EndpointId::parse(&request.parameter) {
        Some(id) => request.app.store.webhook_endpoint(customer, &id).await,
        None => Ok(None),
    }
}

//! `createWebhookEndpoint`.

use crate::address::check_url;
use shared::domain::{EndpointId, EndpointSecrets, EndpointStatus, MAX_WEBHOOK_ENDPOINTS, WebhookEndpoint};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{EndpointRequest, Reply, read_endpoint_request};
use shared::error::{Error, Kind};
use shared::serve::Call;
use shared::webhook_secrets::new_secret;

/// Creates an enabled endpoint. Its secret is in this response only.
pub(crate) async fn create(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let body = call.request.json_body()?;
    let request = read_endpoint_request(body, |text| check_url(call, text))?;
    let EndpointRequest { url, types, shape, description } = request;
    let id = EndpointId::generate();
    let (secret, sealed) = new_secret(&call.request.app, call.customer.id, &id).await?;
    let endpoint = WebhookEndpoint {
        id,
        url,
        types,
        shape,
        description,
        status: EndpointStatus::Enabled,
        disabled_reason: None,
        created_at: call.request.now,
        secrets: EndpointSecrets { current: sealed, previous: None },
    };
    let created = call.store().create_webhook_endpoint(call.customer.id, &endpoint).await;
    let advice = "List the webhook endpoints, and delete the new one if it is there.";
    if created.map_err(|error| error.may_have_taken_effect(advice))? {
        return Ok(Reply::WebhookEndpointCreated { endpoint: Box::new(endpoint), secret });
    }
    let message = format!("There are {MAX_WEBHOOK_ENDPOINTS} webhook endpoints already. Delete one first.");
    Err(Error::new(Kind::Conflict, message))
}

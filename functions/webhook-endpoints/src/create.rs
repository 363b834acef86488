//! `createWebhookEndpoint`.

use crate::address::check_url;
use crate::replaced_meanwhile;
use shared::auth::KeySeed;
use shared::domain::{EndpointId, EndpointSecrets, EndpointStatus, MAX_WEBHOOK_ENDPOINTS, Reason, WebhookEndpoint};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{EndpointRequest, Reply, read_endpoint_request};
use shared::error::{Error, Kind};
use shared::serve::Call;
use shared::webhook_secrets::{has_secret, seal_secret};

/// Creates an enabled endpoint. Its secret is in this response only. A form that is sent twice creates one endpoint.
pub(crate) async fn create(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let body = call.request.json_body()?;
    let request = read_endpoint_request(body, |text| check_url(call, text))?;
    let EndpointRequest { url, types, shape, description } = request;
    let seed = call.caller.key_seed()?;
    let (id, created_at) = (seed.endpoint_id(), call.request.now);
    let secret = seed.webhook_secret(Some(created_at));
    let sealed = seal_secret(&call.request.app, call.customer.id, &id, &secret).await?;
    let endpoint = WebhookEndpoint {
        id,
        url,
        types,
        shape,
        description,
        status: EndpointStatus::Enabled,
        disabled_reason: None,
        missed_since: None,
        created_at,
        secrets: EndpointSecrets { current: sealed, previous: None },
    };
    let created = call.store().create_webhook_endpoint(call.customer.id, &endpoint).await;
    let advice = "List the webhook endpoints, and delete the new one if it is there.";
    if created.map_err(|error| error.may_have_taken_effect(advice))? {
        return Ok(Reply::WebhookEndpointCreated { endpoint: Box::new(endpoint), secret });
    }
    made_before(call, &seed, &endpoint.id).await
}

/// The endpoint that an earlier request of the same form has made, with its secret. Without one there are too many.
async fn made_before(call: &Call, seed: &KeySeed, id: &EndpointId) -> Result<Reply, Error> {
    let (app, customer) = (&call.request.app, call.customer.id);
    let Some(endpoint) = call.store().webhook_endpoint(customer, id).await? else {
        let message = format!("There are {MAX_WEBHOOK_ENDPOINTS} webhook endpoints already. Delete one first.");
        return Err(Error::new(Kind::Conflict, message).because(Reason::LimitReached));
    };
    let secret = seed.webhook_secret(Some(endpoint.created_at));
    match has_secret(app, customer, &endpoint, &secret).await? {
        true => Ok(Reply::WebhookEndpointCreated { endpoint: Box::new(endpoint), secret }),
        false => Err(replaced_meanwhile()),
    }
}

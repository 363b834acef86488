//! Webhook endpoints: create, list, get, change, delete, rotate the secret (D66).

use crate::not_found;
use shared::auth::KeySeed;
use shared::deliveries::end_pause;
use shared::domain::delivery::EndpointHealth;
use shared::domain::{
    CustomerId, EndpointId, EndpointSecrets, EndpointStatus, EndpointUrl, MAX_WEBHOOK_ENDPOINTS, Reason,
    WebhookEndpoint,
};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{EndpointRequest, Reply, read_endpoint_changes, read_endpoint_request};
use shared::error::{Error, Kind};
use shared::serve::{ApiRequest, Call};
use shared::webhook_secrets::{has_secret, seal_secret};

/// An endpoint, and how it does.
pub(crate) type EndpointWithHealth = (WebhookEndpoint, EndpointHealth);

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
    if !has_secret(app, customer, &endpoint, &secret).await? {
        return Err(replaced_meanwhile());
    }
    Ok(Reply::WebhookEndpointCreated { endpoint: Box::new(endpoint), secret })
}

/// Lists the endpoints, newest first.
pub(crate) fn list(call: &Call, endpoints: Result<Vec<EndpointWithHealth>, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    endpoints.map(Reply::WebhookEndpoints)
}

/// Reads the endpoints, during authentication.
pub(crate) async fn prefetch_all(request: &ApiRequest, customer: CustomerId) -> Result<Vec<EndpointWithHealth>, Error> {
    request.app.store.webhook_endpoints_with_health(customer).await
}

/// Gets an endpoint.
pub(crate) fn get(call: &Call, endpoint: Result<Option<EndpointWithHealth>, Error>) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let (endpoint, health) = endpoint?.ok_or_else(not_found)?;
    Ok(Reply::WebhookEndpoint { endpoint: Box::new(endpoint), paused_until: health.pause_end(call.request.now) })
}

/// Reads the endpoint in the path with its health, during authentication.
pub(crate) async fn prefetch_with_health(
    request: &ApiRequest,
    customer: CustomerId,
) -> Result<Option<EndpointWithHealth>, Error> {
    match EndpointId::parse(&request.parameter) {
        Some(id) => request.app.store.webhook_endpoint_with_health(customer, &id).await,
        None => Ok(None),
    }
}

/// Reads the endpoint in the path, during authentication.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Result<Option<WebhookEndpoint>, Error> {
    match EndpointId::parse(&request.parameter) {
        Some(id) => request.app.store.webhook_endpoint(customer, &id).await,
        None => Ok(None),
    }
}

/// Changes the fields that the body has.
pub(crate) async fn update(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let changes = read_endpoint_changes(call.request.json_body()?, |text| check_url(call, text))?;
    let id = id_in_path(call)?;
    let advised = |error: Error| error.may_have_taken_effect("Send the request again: it has the same effect.");
    let (store, customer) = (call.store(), call.customer.id);
    let endpoint = store.update_webhook_endpoint(customer, &id, &changes).await.map_err(advised)?;
    let endpoint = Box::new(endpoint.ok_or_else(not_found)?);
    let read = store.webhook_endpoint_with_health(customer, &id).await.map_err(advised)?;
    let health = read.map(|(_, health)| health).unwrap_or_default();
    // Another address is another server, and who enables an endpoint has seen to it.
    if changes.url.is_some() || changes.status == Some(EndpointStatus::Enabled) {
        end_pause_of(call, &id, health).await.map_err(advised)?;
        return Ok(Reply::WebhookEndpoint { endpoint, paused_until: None });
    }
    Ok(Reply::WebhookEndpoint { endpoint, paused_until: health.pause_end(call.request.now) })
}

/// Ends the pause of an endpoint that has one, and makes due what waits for it. One that is over already may be what an
/// earlier request has not finished.
pub(crate) async fn end_pause_of(call: &Call, endpoint: &EndpointId, health: EndpointHealth) -> Result<(), Error> {
    match health.paused_until {
        Some(_) => end_pause(call.store(), call.customer.id, endpoint, call.request.app.clock.now()).await,
        None => Ok(()),
    }
}

/// Deletes an endpoint and its secret.
pub(crate) async fn delete(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let deleted = call.store().delete_webhook_endpoint(call.customer.id, &id_in_path(call)?).await;
    let advice = "Send the request again: 404 means that the webhook endpoint is deleted.";
    if deleted.map_err(|error| error.may_have_taken_effect(advice))? { Ok(Reply::Done) } else { Err(not_found()) }
}

/// Replaces the secret of an endpoint. The new one is in this response only, and the old one signs for another day. A form
/// replaces the secret that its page showed, once.
pub(crate) async fn rotate(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let (app, customer, id) = (&call.request.app, call.customer.id, id_in_path(call)?);
    let secret = call.caller.key_seed()?.webhook_secret(None);
    let sealed = seal_secret(app, customer, &id, &secret).await?;
    let version = call.caller.key_form().and_then(|form| form.version.as_ref());
    let version = version.map(|version| version.parse().unwrap_or_default());
    let rotated = call.store().rotate_webhook_secret(customer, &id, &sealed, version, call.request.now).await;
    let advice = "Rotate again to get a secret. Only the two newest sign, which then may not be the one that you have.";
    let endpoint = rotated.map_err(|error| error.may_have_taken_effect(advice))?.ok_or_else(not_found)?;
    if endpoint.secrets.current != sealed && !has_secret(app, customer, &endpoint, &secret).await? {
        return Err(replaced_meanwhile());
    }
    Ok(Reply::WebhookSecretRotated { endpoint: Box::new(endpoint), secret })
}

/// Checks the address that a body has. The reason of a refusal continues the name of the field.
fn check_url(call: &Call, text: &str) -> Result<EndpointUrl, String> {
    let url = call.request.app.webhook_urls.check(text).map_err(|refusal| refusal.to_string())?;
    Ok(EndpointUrl::of_checked(url.into()))
}

/// The endpoint that the path names. An id that no endpoint can have is not found either.
fn id_in_path(call: &Call) -> Result<EndpointId, Error> {
    EndpointId::parse(&call.request.parameter).ok_or_else(not_found)
}

/// A person replaced the secret after the page of another one showed the endpoint.
fn replaced_meanwhile() -> Error {
    let message = "The secret of this webhook endpoint was replaced meanwhile, and the new one was shown there only. If \
                   nobody has it, replace it again.";
    Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile)
}

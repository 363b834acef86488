//! The secrets of webhook endpoints: made, encrypted for the store, and decrypted to sign.

use crate::app::App;
use crate::domain::{
    CustomerId, EndpointId, EndpointSecrets, PreviousSecret, SealedSecret, WebhookEndpoint, WebhookSecret,
};
use crate::error::Error;
use crate::vault::{Binding, Reseal};
use jiff::Timestamp;

/// Both secrets of an endpoint are sealed for the same field: a rotation moves the current one in the store.
const FIELD: &str = "webhook_secret";

/// Whether an endpoint has this secret now.
pub async fn has_secret(
    app: &App,
    customer: CustomerId,
    endpoint: &WebhookEndpoint,
    secret: &WebhookSecret,
) -> Result<bool, Error> {
    Ok(open(app, customer, &endpoint.id, &endpoint.secrets.current).await?.key() == secret.key())
}

/// The secrets that sign the deliveries of an endpoint at a time, newest first: two for a day after a rotation.
pub async fn signing_secrets(
    app: &App,
    customer: CustomerId,
    endpoint: &WebhookEndpoint,
    now: Timestamp,
) -> Result<Vec<WebhookSecret>, Error> {
    let mut secrets = Vec::new();
    for sealed in endpoint.secrets.signing(now) {
        secrets.push(open(app, customer, &endpoint.id, sealed).await?);
    }
    Ok(secrets)
}

/// Reseals the secrets of an endpoint with the active key, unless they already are.
pub async fn reseal_endpoint(app: &App, customer: CustomerId, endpoint: &WebhookEndpoint) -> Result<Reseal, Error> {
    let EndpointSecrets { current, previous } = &endpoint.secrets;
    let sealed: Vec<&String> = [Some(current), previous.as_ref().map(|previous| &previous.secret)]
        .into_iter()
        .flatten()
        .map(|s| &s.0)
        .collect();
    if app.vault()?.are_current(&sealed).await {
        return Ok(Reseal::Current);
    }
    let reseal = async |sealed: &SealedSecret| {
        let secret = open(app, customer, &endpoint.id, sealed).await?;
        seal_secret(app, customer, &endpoint.id, &secret).await
    };
    let previous = match previous {
        Some(PreviousSecret { secret, until }) => Some(PreviousSecret { secret: reseal(secret).await?, until: *until }),
        None => None,
    };
    let new = EndpointSecrets { current: reseal(current).await?, previous };
    let is_stored = app.store.reseal_webhook_secrets(customer, endpoint, &new).await?;
    Ok(if is_stored { Reseal::Renewed } else { Reseal::Superseded })
}

/// The encrypted form of a secret of an endpoint.
pub async fn seal_secret(
    app: &App,
    customer: CustomerId,
    endpoint: &EndpointId,
    secret: &WebhookSecret,
) -> Result<SealedSecret, Error> {
    let customer = customer.to_string();
    let sealed = app.vault()?.seal(binding(&customer, endpoint), secret.reveal()).await;
    sealed.map(SealedSecret).map_err(Error::internal)
}

async fn open(
    app: &App,
    customer: CustomerId,
    endpoint: &EndpointId,
    sealed: &SealedSecret,
) -> Result<WebhookSecret, Error> {
    let customer = customer.to_string();
    let opened = app.vault()?.open(binding(&customer, endpoint), &sealed.0).await.map_err(Error::internal)?;
    WebhookSecret::parse(opened).ok_or_else(|| Error::internal("the secret of a webhook endpoint is malformed"))
}

fn binding<'a>(customer: &'a str, endpoint: &'a EndpointId) -> Binding<'a> {
    Binding { customer, record: endpoint.as_str(), field: FIELD }
}

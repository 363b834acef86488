//! The item of a webhook endpoint.

use crate::domain::webhook_endpoint::{EndpointSecrets, PreviousSecret, SealedSecret};
use crate::domain::{CustomerId, EndpointId, EndpointStatus, EndpointUrl, EventTypes, PayloadShape, WebhookEndpoint};
use crate::error::Error;
use crate::store::{Item, from_item, table_keys, to_item};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::millisecond;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// Its names are none of DynamoDB's reserved words.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct EndpointItem {
    endpoint_id: EndpointId,
    endpoint_url: EndpointUrl,
    event_types: EventTypes,
    payload_shape: PayloadShape,
    description: Option<String>,
    endpoint_status: EndpointStatus,
    disabled_reason: Option<String>,
    #[serde(default, with = "millisecond::optional")]
    missed_since: Option<Timestamp>,
    #[serde(with = "millisecond::required")]
    created_at: Timestamp,
    secret: String,
    previous_secret: Option<String>,
    #[serde(default, with = "millisecond::optional")]
    previous_until: Option<Timestamp>,
}

pub(super) fn endpoint_item(customer: CustomerId, endpoint: &WebhookEndpoint) -> Result<Item, Error> {
    let WebhookEndpoint {
        id,
        url,
        types,
        shape,
        description,
        status,
        disabled_reason,
        missed_since,
        created_at,
        secrets,
    } = endpoint.clone();
    let EndpointSecrets { current, previous } = secrets;
    let previous = previous.map(|PreviousSecret { secret, until }| (secret.0, until));
    let (previous_secret, previous_until) = previous.unzip();
    let item = EndpointItem {
        endpoint_id: id,
        endpoint_url: url,
        event_types: types,
        payload_shape: shape,
        description,
        endpoint_status: status,
        disabled_reason,
        missed_since,
        created_at,
        secret: current.0,
        previous_secret,
        previous_until,
    };
    to_item(&table_keys::webhook_endpoint(customer, &endpoint.id), &item)
}

pub(super) fn parse_endpoint(item: Item) -> Result<WebhookEndpoint, Error> {
    let EndpointItem {
        endpoint_id: id,
        endpoint_url: url,
        event_types: types,
        payload_shape: shape,
        description,
        endpoint_status: status,
        disabled_reason,
        missed_since,
        created_at,
        secret,
        previous_secret,
        previous_until,
    } = from_item(item)?;
    let previous = previous_secret.zip(previous_until);
    let previous = previous.map(|(secret, until)| PreviousSecret { secret: SealedSecret(secret), until });
    let secrets = EndpointSecrets { current: SealedSecret(secret), previous };
    Ok(WebhookEndpoint {
        id,
        url,
        types,
        shape,
        description,
        status,
        disabled_reason,
        missed_since,
        created_at,
        secrets,
    })
}

#[cfg(test)]
#[test]
fn an_endpoint_is_stored_as_ever_and_read_as_it_was() {
    let now = Timestamp::constant(1_790_000_000, 0);
    let secret = |text: &str| SealedSecret(text.to_owned());
    let few = WebhookEndpoint {
        id: EndpointId::of_bits(&[7; 32]),
        url: EndpointUrl::of_checked("https://example.com/hook".to_owned()),
        types: EventTypes::All,
        shape: PayloadShape::Enveloped,
        description: None,
        status: EndpointStatus::Enabled,
        disabled_reason: None,
        missed_since: None,
        created_at: now,
        secrets: EndpointSecrets { current: secret("new"), previous: None },
    };
    let all = WebhookEndpoint {
        types: EventTypes::Only([crate::domain::EventKind::ChangeApplied].into()),
        description: Some("note".to_owned()),
        disabled_reason: Some("GONE".to_owned()),
        missed_since: Some(now),
        secrets: EndpointSecrets {
            current: secret("new"),
            previous: Some(PreviousSecret { secret: secret("old"), until: now }),
        },
        ..few.clone()
    };
    let customer = CustomerId(uuid::Uuid::nil());
    let endpoints = [all, few];
    let items = endpoints.clone().map(|endpoint| endpoint_item(customer, &endpoint).unwrap());
    crate::store::stored::assert_stored("endpoint", items.clone());
    assert_eq!(items.map(|item| parse_endpoint(item).unwrap()), endpoints);
}

//! The item of a webhook endpoint.

use crate::domain::webhook_endpoint::{EndpointSecrets, PreviousSecret, SealedSecret};
use crate::domain::{CustomerId, EndpointId, EndpointStatus, EndpointUrl, EventTypes, PayloadShape, WebhookEndpoint};
use crate::error::Error;
use crate::store::{Item, from_item, table_keys, text, to_item};
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// Its times are in milliseconds since 1970. Its names are none of DynamoDB's reserved words.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct EndpointItem {
    endpoint_id: String,
    endpoint_url: String,
    event_types: Vec<String>,
    payload_shape: String,
    description: Option<String>,
    endpoint_status: String,
    disabled_reason: Option<String>,
    missed_since: Option<i64>,
    created_at: i64,
    secret: String,
    previous_secret: Option<String>,
    previous_until: Option<i64>,
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
    } = endpoint;
    let EndpointSecrets { current, previous } = secrets;
    let item = EndpointItem {
        endpoint_id: id.to_string(),
        endpoint_url: url.as_str().to_owned(),
        event_types: types.names().into_iter().map(str::to_owned).collect(),
        payload_shape: shape.as_str().to_owned(),
        description: description.clone(),
        endpoint_status: status.as_str().to_owned(),
        disabled_reason: disabled_reason.clone(),
        missed_since: missed_since.map(Timestamp::as_millisecond),
        created_at: created_at.as_millisecond(),
        secret: current.0.clone(),
        previous_secret: previous.as_ref().map(|previous| previous.secret.0.clone()),
        previous_until: previous.as_ref().map(|previous| previous.until.as_millisecond()),
    };
    to_item(&table_keys::webhook_endpoint(customer, id), &item)
}

pub(super) fn parse_endpoint(item: Item) -> Result<WebhookEndpoint, Error> {
    let EndpointItem {
        endpoint_id,
        endpoint_url,
        event_types,
        payload_shape,
        description,
        endpoint_status,
        disabled_reason,
        missed_since,
        created_at,
        secret,
        previous_secret,
        previous_until,
    } = from_item(item)?;
    let previous = previous_secret
        .zip(previous_until)
        .map(|(secret, until)| Ok::<_, Error>(PreviousSecret { secret: SealedSecret(secret), until: time(until)? }));
    Ok(WebhookEndpoint {
        id: EndpointId::parse(&endpoint_id).ok_or_else(corrupt)?,
        url: EndpointUrl::of_checked(endpoint_url),
        types: EventTypes::from_stored(&event_types),
        shape: PayloadShape::parse(&payload_shape).ok_or_else(corrupt)?,
        description,
        status: EndpointStatus::parse(&endpoint_status).ok_or_else(corrupt)?,
        disabled_reason,
        missed_since: missed_since.map(time).transpose()?,
        created_at: time(created_at)?,
        secrets: EndpointSecrets { current: SealedSecret(secret), previous: previous.transpose()? },
    })
}

/// The types as an attribute.
pub(super) fn type_names(types: &EventTypes) -> AttributeValue {
    AttributeValue::L(types.names().into_iter().map(text).collect())
}

fn time(ms: i64) -> Result<Timestamp, Error> {
    Timestamp::from_millisecond(ms).map_err(Error::internal)
}

fn corrupt() -> Error {
    Error::internal("a webhook endpoint has an unknown id, shape or status")
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

//! Webhook endpoints. They use the flat shape only; the shape of the payload is theirs to choose (D66).

use super::fields::Fields;
use super::wire::iso_millis;
use crate::domain::delivery::EndpointHealth;
use crate::domain::webhook_endpoint::EndpointSnapshot;
use crate::domain::{
    ChoiceRule, EndpointChanges, EndpointStatus, EndpointUrl, EventTypes, PayloadShape, WebhookEndpoint, WebhookSecret,
};
use crate::error::Error;
use jiff::Timestamp;
use secrecy::ExposeSecret;
use serde::Serialize;

/// Maximum length of a description, in characters.
const MAX_DESCRIPTION_CHARS: usize = 200;

/// The body of `createWebhookEndpoint`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointRequest {
    pub url: EndpointUrl,
    pub types: EventTypes,
    /// Flat if the body has none.
    pub shape: PayloadShape,
    pub description: Option<String>,
}

/// Reads the body of `createWebhookEndpoint`. The check of `url` says what is wrong, after the name of the field.
pub fn read_endpoint_request(
    body: &[u8],
    check_url: impl Fn(&str) -> Result<EndpointUrl, String>,
) -> Result<EndpointRequest, Error> {
    let mut fields = Fields::parse(body)?;
    let url = read_url(&mut fields, check_url);
    let url = fields.require("url", url);
    let types = read_types(&mut fields);
    let types = fields.require("types", types);
    let shape = read_shape(&mut fields).unwrap_or(PayloadShape::Flat);
    let description = read_description(&mut fields).flatten();
    fields.finish()?;
    let request = url.zip(types).map(|(url, types)| EndpointRequest { url, types, shape, description });
    request.ok_or_else(|| Error::internal("a required field is missing without a field error"))
}

/// Reads the body of `updateWebhookEndpoint`, with the same check of `url`.
pub fn read_endpoint_changes(
    body: &[u8],
    check_url: impl Fn(&str) -> Result<EndpointUrl, String>,
) -> Result<EndpointChanges, Error> {
    let mut fields = Fields::parse(body)?;
    let changes = EndpointChanges {
        url: read_url(&mut fields, check_url),
        types: read_types(&mut fields),
        shape: read_shape(&mut fields),
        description: read_description(&mut fields),
        status: fields.one_of("status", &EndpointStatus::ALL.map(EndpointStatus::as_str), EndpointStatus::parse),
    };
    fields.finish()?;
    if changes == EndpointChanges::default() {
        Err(Error::field("body", "must have at least one of url, types, shape, description and status"))
    } else {
        Ok(changes)
    }
}

fn read_url(fields: &mut Fields<'_>, check_url: impl Fn(&str) -> Result<EndpointUrl, String>) -> Option<EndpointUrl> {
    let text = fields.string("url")?;
    check_url(&text).map_err(|reason| fields.add_error("url", reason)).ok()
}

fn read_types(fields: &mut Fields<'_>) -> Option<EventTypes> {
    let names = fields.strings("types")?;
    EventTypes::parse(&names).map_err(|reason| fields.add_error("types", ChoiceRule::EventTypes(reason))).ok()
}

fn read_shape(fields: &mut Fields<'_>) -> Option<PayloadShape> {
    fields.one_of("shape", &PayloadShape::ALL.map(PayloadShape::as_str), PayloadShape::parse)
}

/// Null is no description.
fn read_description(fields: &mut Fields<'_>) -> Option<Option<String>> {
    let is_present = fields.has("description");
    match fields.nullable_string("description") {
        Some(text) => fields.check_text("description", &text, MAX_DESCRIPTION_CHARS).then_some(Some(text)),
        None => is_present.then_some(None),
    }
}

/// An endpoint on the wire, with its secret once.
#[derive(Serialize)]
pub(super) struct WireEndpoint<'a> {
    id: String,
    url: String,
    types: Vec<&'static str>,
    shape: &'static str,
    description: Option<String>,
    status: &'static str,
    disabled_reason: Option<String>,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    paused_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<&'a str>,
}

impl From<&WebhookEndpoint> for WireEndpoint<'_> {
    fn from(endpoint: &WebhookEndpoint) -> Self {
        EndpointSnapshot::from(endpoint).into()
    }
}

impl From<EndpointSnapshot> for WireEndpoint<'_> {
    fn from(endpoint: EndpointSnapshot) -> Self {
        let EndpointSnapshot { id, url, types, shape, description, status, disabled_reason, created_at } = endpoint;
        WireEndpoint {
            id: id.to_string(),
            url: url.as_str().to_owned(),
            types: types.names(),
            shape: shape.as_str(),
            description,
            status: status.as_str(),
            disabled_reason,
            created_at: iso_millis(created_at),
            paused_until: None,
            secret: None,
        }
    }
}

/// The body of `getWebhookEndpoint` and `updateWebhookEndpoint`.
pub(super) fn body(endpoint: &WebhookEndpoint, paused_until: Option<Timestamp>) -> WireEndpoint<'static> {
    WireEndpoint { paused_until: paused_until.map(iso_millis), ..WireEndpoint::from(endpoint) }
}

/// The body of `createWebhookEndpoint` and `rotateWebhookSecret`.
pub(super) fn body_with_secret<'a>(endpoint: &WebhookEndpoint, secret: &'a WebhookSecret) -> WireEndpoint<'a> {
    WireEndpoint { secret: Some(secret.reveal().expose_secret()), ..WireEndpoint::from(endpoint) }
}

/// The body of `listWebhookEndpoints`.
#[derive(Serialize)]
pub(super) struct EndpointList<'a> {
    webhook_endpoints: Vec<WireEndpoint<'a>>,
}

/// The body of `listWebhookEndpoints`.
pub(super) fn list_body(endpoints: &[(WebhookEndpoint, EndpointHealth)], now: Timestamp) -> EndpointList<'static> {
    let endpoint = |(endpoint, health): &(WebhookEndpoint, EndpointHealth)| body(endpoint, health.pause_end(now));
    EndpointList { webhook_endpoints: endpoints.iter().map(endpoint).collect() }
}

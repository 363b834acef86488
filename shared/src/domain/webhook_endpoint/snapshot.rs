//! An endpoint as an event tells it.

use super::{EndpointId, EndpointStatus, EndpointUrl, EventTypes, PayloadShape, WebhookEndpoint};
use jiff::Timestamp;

/// An endpoint without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointSnapshot {
    pub id: EndpointId,
    pub url: EndpointUrl,
    pub types: EventTypes,
    pub shape: PayloadShape,
    pub description: Option<String>,
    pub status: EndpointStatus,
    pub disabled_reason: Option<String>,
    pub created_at: Timestamp,
}

impl From<&WebhookEndpoint> for EndpointSnapshot {
    fn from(endpoint: &WebhookEndpoint) -> EndpointSnapshot {
        let WebhookEndpoint {
            id,
            url,
            types,
            shape,
            description,
            status,
            disabled_reason,
            missed_since: _,
            created_at,
            secrets: _,
        } = endpoint.clone();
        EndpointSnapshot { id, url, types, shape, description, status, disabled_reason, created_at }
    }
}

//! A webhook endpoint as it was at an event.

use super::corrupt;
use crate::domain::webhook_endpoint::EndpointSnapshot;
use crate::domain::{EndpointId, EndpointStatus, EndpointUrl, EventTypes, PayloadShape};
use crate::error::Error;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct EndpointAttribute {
    id: String,
    url: String,
    types: Vec<String>,
    shape: String,
    description: Option<String>,
    status: String,
    disabled_reason: Option<String>,
    created_at: Timestamp,
}

impl EndpointAttribute {
    pub(super) fn of(endpoint: &EndpointSnapshot) -> EndpointAttribute {
        let EndpointSnapshot { id, url, types, shape, description, status, disabled_reason, created_at } = endpoint;
        EndpointAttribute {
            id: id.to_string(),
            url: url.as_str().to_owned(),
            types: types.names().into_iter().map(str::to_owned).collect(),
            shape: shape.as_str().to_owned(),
            description: description.clone(),
            status: status.as_str().to_owned(),
            disabled_reason: disabled_reason.clone(),
            created_at: *created_at,
        }
    }

    pub(super) fn parse(self) -> Result<EndpointSnapshot, Error> {
        let EndpointAttribute { id, url, types, shape, description, status, disabled_reason, created_at } = self;
        Ok(EndpointSnapshot {
            id: EndpointId::parse(&id).ok_or_else(corrupt)?,
            url: EndpointUrl::of_checked(url),
            types: EventTypes::from_stored(&types),
            shape: PayloadShape::parse(&shape).ok_or_else(corrupt)?,
            description,
            status: EndpointStatus::parse(&status).ok_or_else(corrupt)?,
            disabled_reason,
            created_at,
        })
    }
}

//! A connection in the item of an event.

use super::corrupt;
use crate::domain::{Connection, ConnectionBefore, ConnectionStatus, ExternalRef, Subject};
use crate::error::Error;
use crate::store::connection::{ConnectionItem, connection_of};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A connection as it was then.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct ConnectionAttribute {
    now: ConnectionItem,
    before: Option<BeforeAttribute>,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct BeforeAttribute {
    status: String,
    reason: Option<String>,
    /// `None` in events from before they were told: they were the same.
    names: Option<NamesAttribute>,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct NamesAttribute {
    label: Option<String>,
    external_ref: Option<String>,
}

impl ConnectionAttribute {
    pub(super) fn of(connection: &Connection, previous: Option<&ConnectionBefore>) -> ConnectionAttribute {
        let before = previous.map(|ConnectionBefore { status, reason, label, external_ref }| BeforeAttribute {
            status: status.as_str().to_owned(),
            reason: reason.clone(),
            names: Some(NamesAttribute {
                label: label.clone(),
                external_ref: external_ref.as_ref().map(ExternalRef::to_string),
            }),
        });
        ConnectionAttribute { now: connection.into(), before }
    }

    pub(super) fn parse(self) -> Result<Subject, Error> {
        let ConnectionAttribute { now, before } = self;
        let now = connection_of(now)?;
        let parse_before = |BeforeAttribute { status, reason, names }| {
            let status = ConnectionStatus::parse(&status).ok_or_else(corrupt)?;
            let (label, external_ref) = match names {
                Some(NamesAttribute { label, external_ref }) => {
                    (label, external_ref.as_deref().and_then(ExternalRef::parse))
                }
                None => (now.label.clone(), now.external_ref.clone()),
            };
            Ok::<_, Error>(ConnectionBefore { status, reason, label, external_ref })
        };
        let previous = before.map(parse_before).transpose()?;
        Ok(Subject::Connection { connection: Box::new(now), previous })
    }
}

//! A connection in the item of an event.

use super::corrupt;
use crate::domain::{Connection, ConnectionBefore, ConnectionStatus, Subject};
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
}

impl ConnectionAttribute {
    pub(super) fn of(connection: &Connection, previous: Option<&ConnectionBefore>) -> ConnectionAttribute {
        let before = previous.map(|ConnectionBefore { status, reason }| BeforeAttribute {
            status: status.as_str().to_owned(),
            reason: reason.clone(),
        });
        ConnectionAttribute { now: connection.into(), before }
    }

    pub(super) fn parse(self) -> Result<Subject, Error> {
        let ConnectionAttribute { now, before } = self;
        let parse_before = |BeforeAttribute { status, reason }| {
            let status = ConnectionStatus::parse(&status).ok_or_else(corrupt)?;
            Ok::<_, Error>(ConnectionBefore { status, reason })
        };
        let previous = before.map(parse_before).transpose()?;
        Ok(Subject::Connection { connection: Box::new(connection_of(now)?), previous })
    }
}

//! A connection in the item of an event.

use crate::domain::{CampaignDefaults, Connection, ConnectionBefore, ConnectionStatus, ExternalRef, Subject};
use crate::store::connection::ConnectionAttributes;
use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as, skip_serializing_none};

/// A connection as it was then.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct ConnectionAttribute {
    #[serde(with = "ConnectionAttributes")]
    now: Connection,
    before: Option<BeforeAttribute>,
}

#[serde_as]
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct BeforeAttribute {
    #[serde_as(as = "DisplayFromStr")]
    status: ConnectionStatus,
    reason: Option<String>,
    /// `None` in older events, which did not store it; the value had not changed.
    names: Option<NamesAttribute>,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct NamesAttribute {
    label: Option<String>,
    external_ref: Option<ExternalRef>,
    campaign_defaults: Option<CampaignDefaults>,
}

impl From<ConnectionBefore> for BeforeAttribute {
    fn from(before: ConnectionBefore) -> BeforeAttribute {
        let ConnectionBefore { status, reason, label, external_ref, campaign_defaults } = before;
        BeforeAttribute { status, reason, names: Some(NamesAttribute { label, external_ref, campaign_defaults }) }
    }
}

impl ConnectionAttribute {
    pub(super) fn of(connection: &Connection, previous: Option<&ConnectionBefore>) -> ConnectionAttribute {
        ConnectionAttribute { now: connection.clone(), before: previous.cloned().map(BeforeAttribute::from) }
    }

    pub(super) fn subject(self) -> Subject {
        let ConnectionAttribute { now, before } = self;
        let previous = before.map(|BeforeAttribute { status, reason, names }| {
            let same = ConnectionBefore { status, reason, ..ConnectionBefore::of(&now) };
            match names {
                Some(NamesAttribute { label, external_ref, campaign_defaults }) => {
                    ConnectionBefore { label, external_ref, campaign_defaults, ..same }
                }
                None => same,
            }
        });
        Subject::Connection { connection: Box::new(now), previous }
    }
}

//! A connection in the item of an event.

use super::corrupt;
use crate::domain::{CampaignDefaults, Connection, ConnectionBefore, ConnectionStatus, ExternalRef, Subject};
use crate::error::Error;
use crate::store::campaign_defaults::DefaultsAttribute;
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
    campaign_defaults: Option<DefaultsAttribute>,
}

impl From<&ConnectionBefore> for BeforeAttribute {
    fn from(before: &ConnectionBefore) -> BeforeAttribute {
        let ConnectionBefore { status, reason, label, external_ref, campaign_defaults } = before;
        BeforeAttribute {
            status: status.as_str().to_owned(),
            reason: reason.clone(),
            names: Some(NamesAttribute {
                label: label.clone(),
                external_ref: external_ref.as_ref().map(ExternalRef::to_string),
                campaign_defaults: campaign_defaults.as_ref().map(DefaultsAttribute::from),
            }),
        }
    }
}

impl ConnectionAttribute {
    pub(super) fn of(connection: &Connection, previous: Option<&ConnectionBefore>) -> ConnectionAttribute {
        ConnectionAttribute { now: connection.into(), before: previous.map(BeforeAttribute::from) }
    }

    pub(super) fn parse(self) -> Result<Subject, Error> {
        let ConnectionAttribute { now, before } = self;
        let now = connection_of(now)?;
        let parse_before = |BeforeAttribute { status, reason, names }| {
            let status = ConnectionStatus::parse(&status).ok_or_else(corrupt)?;
            let same = ConnectionBefore { status, reason, ..ConnectionBefore::of(&now) };
            Ok::<_, Error>(match names {
                Some(NamesAttribute { label, external_ref, campaign_defaults }) => ConnectionBefore {
                    label,
                    external_ref: external_ref.as_deref().and_then(ExternalRef::parse),
                    campaign_defaults: campaign_defaults.map(CampaignDefaults::from),
                    ..same
                },
                None => same,
            })
        };
        let previous = before.map(parse_before).transpose()?;
        Ok(Subject::Connection { connection: Box::new(now), previous })
    }
}

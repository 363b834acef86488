//! A connection as a row of the page.

use super::new_campaigns::NewCampaigns;
use crate::kit::connections::Summary;
use crate::kit::text::readable_text;
use shared::domain::{Connection, ConnectionStatus};

/// A connection, with what its forms show.
pub(super) struct Row {
    pub(super) summary: Summary,
    pub(super) label: String,
    /// What its new campaigns have; `None` while its consent is not complete.
    pub(super) new_campaigns: Option<NewCampaigns>,
    pub(super) last_synced_at: String,
}

impl Row {
    pub(super) fn of(connection: Connection) -> Row {
        let summary = Summary::of(&connection);
        let Connection { platform, status, label, campaign_defaults, last_synced_at, .. } = connection;
        let is_connected = status != ConnectionStatus::Pending;
        Row {
            summary,
            label: label.unwrap_or_default(),
            new_campaigns: NewCampaigns::of(platform, campaign_defaults).filter(|_| is_connected),
            last_synced_at: readable_text(last_synced_at, "never"),
        }
    }
}

//! Campaigns that cannot be read now: they and their ad accounts are named as they are kept.

use super::preview::OtherCampaign;
use crate::client::accounts::Connection;
use crate::client::api::Refusal;
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::campaign::CampaignSummary;
use shared::domain::{Campaign, CampaignId};
use shared::serve::WebRequest;
use std::collections::HashMap;

/// What names campaigns that cannot be read.
#[derive(Default)]
pub(super) struct Unread {
    pub(super) kept: HashMap<String, CampaignSummary>,
    pub(super) connections: Vec<Connection>,
}

impl Unread {
    /// Reads what is kept, if one of these could not be read.
    pub(super) async fn of(
        request: &WebRequest,
        person: &SignedIn,
        campaigns: &[(String, Result<Campaign, Refusal>)],
        connections: &[Connection],
    ) -> Unread {
        if campaigns.iter().all(|(_, campaign)| campaign.is_ok()) {
            return Unread::default();
        }
        Unread { kept: readings::kept_campaigns(request, person).await, connections: connections.to_vec() }
    }

    /// The name of a campaign; without a kept one it is only a campaign.
    pub(super) fn name(&self, id: &str) -> String {
        self.kept.get(id).map_or_else(|| "A campaign".to_owned(), |campaign| campaign.name.clone())
    }

    /// A campaign with its ad account, and why it could not be read.
    pub(super) fn campaign(&self, id: String, refusal: &Refusal) -> OtherCampaign {
        let account = CampaignId::parse(&id).map(|campaign| {
            let known = self.connections.iter().find(|connection| connection.contains(&campaign));
            known.map_or_else(|| campaign.platform().display_name().to_owned(), Connection::name)
        });
        let account = account.map(|account| format!("{account}: ")).unwrap_or_default();
        OtherCampaign { name: self.name(&id), reason: format!("{account}{}", refusal.in_full()), id }
    }
}

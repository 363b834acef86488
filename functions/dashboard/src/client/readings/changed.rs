//! What programs, agents and monthly budgets have changed a moment ago. They tell no page, so the records of changes say it.

use crate::client::accounts::Connection;
use jiff::{SignedDuration, Timestamp};
use shared::domain::{CampaignId, Change, ChangeFilters, CustomerId};
use shared::serve::WebRequest;

/// A reading is older than this after three minutes, and then it is read again anyhow. The rest is for a change that waited.
const LATELY: SignedDuration = SignedDuration::from_mins(5);
/// Most changes that a page reads for it.
const MOST: i32 = 100;

/// A campaign that was changed, and when that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Changed {
    campaign: CampaignId,
    at: Timestamp,
}

impl Changed {
    /// The campaigns that were changed a moment ago. Without an answer of the store there are none: then the pages show the
    /// changes some minutes later.
    pub(super) async fn lately(request: &WebRequest, customer: CustomerId) -> Vec<Changed> {
        let filters = ChangeFilters { from: Some(request.now - LATELY), ..ChangeFilters::default() };
        match request.app.store.history(customer, &filters, None, MOST, request.now).await {
            Ok(page) => page.changes.iter().filter_map(Changed::of).collect(),
            Err(error) => {
                tracing::warn!(%error, source = error.source, "the latest changes were not read");
                Vec::new()
            }
        }
    }

    fn of(change: &Change) -> Option<Changed> {
        Some(Changed { campaign: change.campaign.clone()?, at: change.settled_at? })
    }

    /// Whether it is a campaign of a connection, and a reading that began at a time may not know the change.
    pub(super) fn is_after(&self, began: Timestamp, connection: &Connection) -> bool {
        began <= self.at && connection.contains(&self.campaign)
    }
}

#[cfg(test)]
impl Changed {
    /// A change of a campaign that was seen at a time.
    pub(super) fn seen(campaign: &str, at: Timestamp) -> Changed {
        Changed { campaign: CampaignId::parse(campaign).unwrap(), at }
    }
}

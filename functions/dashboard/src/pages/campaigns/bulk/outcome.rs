//! The outcome of a bulk change: what it sets, the campaigns that have it, and those that do not.

use crate::client::campaigns::StartedBulk;
use crate::kit::campaign::Switch;
use shared::domain::{CampaignId, CampaignStatus, Change, ChangeError, ChangeState};
use shared::envelope::BulkStatus;

/// What it does with its campaigns; `None` if it changes budgets.
pub(super) fn switch(bulk: &BulkStatus) -> Option<Switch> {
    bulk.status().map(|status| match status {
        CampaignStatus::Active => Switch::Activate,
        _ => Switch::Pause,
    })
}

/// All of its changes.
pub(super) fn changes(bulk: &BulkStatus) -> impl Iterator<Item = &Change> {
    bulk.accounts.iter().flat_map(|(_, changes)| changes)
}

/// The number of campaigns in which it is done.
pub(in super::super) fn done(bulk: &BulkStatus) -> usize {
    changes(bulk).filter(|change| is_done(change)).count()
}

pub(super) fn is_done(change: &Change) -> bool {
    change.state == ChangeState::Applied
}

/// The campaigns that keep their values, and why.
pub(in super::super) fn not_changed<'a>(
    started: &'a StartedBulk,
    bulk: &'a BulkStatus,
) -> Vec<(&'a CampaignId, &'a ChangeError)> {
    let refused = started.refused.iter().map(|refused| (&refused.campaign, &refused.error));
    let failed = changes(bulk).filter_map(|change| Some((change.campaign.as_ref()?, change.state.error()?)));
    refused.chain(failed).collect()
}

/// The name of a change's campaign, as far as the change has read it, or its id.
pub(super) fn name(change: &Change) -> String {
    let read = change.after.as_ref().or(change.before.as_ref());
    let id = || change.campaign.as_ref().map(CampaignId::to_string).unwrap_or_default();
    read.map_or_else(id, |values| values.name.clone())
}

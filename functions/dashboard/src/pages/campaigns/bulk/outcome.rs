//! What a change of many campaigns has set, and where it is done.

use crate::kit::campaign::Switch;
use shared::domain::{BulkAccount, CampaignId, CampaignStatus, Change, ChangeState};
use shared::envelope::BulkStatus;

/// What it does with its campaigns.
pub(super) fn switch(bulk: &BulkStatus) -> Switch {
    match bulk.accounts.first() {
        Some((BulkAccount { status: CampaignStatus::Active, .. }, _)) => Switch::Activate,
        _ => Switch::Pause,
    }
}

/// What undoes it.
pub(super) fn inverse(bulk: &BulkStatus) -> Switch {
    match switch(bulk) {
        Switch::Activate => Switch::Pause,
        Switch::Pause => Switch::Activate,
    }
}

/// What is done in an ad account, given by its platform and its number there; in all of them for an empty one.
pub(super) fn done<'a>(bulk: &'a BulkStatus, account: &str) -> Vec<&'a Change> {
    let chosen = bulk.accounts.iter().filter(|(one, _)| account.is_empty() || target(one) == account);
    chosen.flat_map(|(_, changes)| changes).filter(|change| is_done(change)).collect()
}

/// The ad account in a form.
pub(super) fn target(account: &BulkAccount) -> String {
    format!("{}:{}", account.platform.as_upper(), account.account_id)
}

pub(super) fn is_done(change: &Change) -> bool {
    change.state == ChangeState::Applied
}

/// The name of a change's campaign, as far as the change has read it, or its id.
pub(super) fn name(change: &Change) -> String {
    let read = change.after.as_ref().or(change.before.as_ref());
    let id = || change.campaign.as_ref().map(CampaignId::to_string).unwrap_or_default();
    read.map_or_else(id, |values| values.name.clone())
}

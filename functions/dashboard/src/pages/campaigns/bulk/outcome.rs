//! The outcome of a bulk change: what it sets, the campaigns that have it, and those that do not.

use super::table::SHOWN;
use crate::client::campaigns::StartedBulk;
use crate::kit::campaign::Switch;
use shared::domain::{Action, BulkAction, CampaignId, CampaignStatus, Change, ChangeError, ChangeState};
use shared::envelope::BulkStatus;

/// What it does with its campaigns; `None` if it changes budgets, or not all in the same way.
pub(super) fn switch(bulk: &BulkStatus) -> Option<Switch> {
    bulk.status().map(|status| match status {
        CampaignStatus::Active => Switch::Activate,
        _ => Switch::Pause,
    })
}

/// Whether it gives campaigns the values from before a set of changes.
pub(super) fn reverts(bulk: &BulkStatus) -> bool {
    bulk.accounts.first().is_some_and(|(account, _)| account.action == BulkAction::UndoSet)
}

/// Whether it changes both budgets and the status of campaigns, as the undo of a revert does.
pub(super) fn is_mixed(bulk: &BulkStatus) -> bool {
    let sets_status = |change: &Change| matches!(&change.action, Action::Update(asked) if asked.status.is_some());
    switch(bulk).is_none() && changes(bulk).any(sets_status)
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

/// The campaigns that keep their values, by their ids: as many as a page of the list has.
pub(super) fn kept_as_before(bulk: &BulkStatus) -> Vec<String> {
    let refused = bulk.accounts.iter().flat_map(|(account, _)| &account.refused).map(|refused| &refused.campaign);
    let failed = changes(bulk).filter(|change| change.state.error().is_some() && !is_done(change));
    let kept = refused.chain(failed.filter_map(|change| change.campaign.as_ref()));
    kept.take(SHOWN).map(CampaignId::to_string).collect()
}

/// The name of a change's campaign, as far as the change has read it, or its id.
pub(in super::super) fn name(change: &Change) -> String {
    let read = change.after.as_ref().or(change.before.as_ref());
    let id = || change.campaign.as_ref().map(CampaignId::to_string).unwrap_or_default();
    read.map_or_else(id, |values| values.name.clone())
}

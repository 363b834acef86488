//! Settles an edit whose process has ended, or whose campaign could not be read back.

use super::neighbors::{Neighbors, neighbors};
use super::settle::{cancel_others, touch_record};
use crate::changes::failure::change_error;
use crate::changes::spending_limit::{AttemptState, end};
use crate::domain::spending::AccountDay;
use crate::domain::{
    Action, CampaignStatus, CampaignValues, Change, ChangeState, Connection, EditedFields, Ending, Platform,
    ReadCampaign, Settlement,
};
use crate::error::{Error, Kind};
use crate::tokens::PlatformContext;
use jiff::{SignedDuration, Timestamp};

/// Reads the campaign of an edit without an outcome, and stores what became of the edit. `false` if it is too early:
/// the platform may still carry out the edit.
pub async fn settle_unknown(
    context: PlatformContext<'_>,
    connection: &Connection,
    change: &Change,
) -> Result<bool, Error> {
    let Some(campaign) = &change.campaign else { return Err(Error::internal("an edit has no campaign")) };
    let store = &context.app.store;
    let remote_id = campaign.remote_in(&change.account_id).unwrap_or_default();
    let began = context.app.clock.now();
    let read = match context.get_campaign(connection, remote_id).await {
        Ok(read) => Some(CampaignValues::of(&read)),
        Err(error) if error.kind == Kind::NotFound => None,
        Err(error) => return Err(error),
    };
    let (is_found, mut is_overwritten) = (read.is_some(), false);
    let is_removed = read.as_ref().is_none_or(|read| read.status.is_final());
    let seen = seen(change, read.as_ref(), began);
    let mut found = ObservedOutcome { state: state_of(&change.action, read.as_ref(), change.platform), after: read };
    if found.state != ChangeState::Applied {
        if began < change.conclusive_from() {
            return Ok(false);
        }
        let neighbors = neighbors(store, change, began).await?;
        if neighbors.is_followed {
            return Ok(false);
        }
        is_overwritten = neighbors.is_overwritten;
        found = found.given_neighbors(change, neighbors);
    }
    let ObservedOutcome { state, after } = found;
    // Its attempt had no full effect, so the next one follows.
    if state != ChangeState::Applied && change.is_retried(began) && is_found && !is_overwritten {
        // A pause of a monthly budget remembers that the campaign ran, should the platform carry out the lost one later:
        // the next attempt would find it paused, as if by somebody else.
        let is_own_pause = change.is_held && change.pauses();
        let is_kept = is_own_pause || matches!(state, ChangeState::PartlyApplied(_));
        let before = if is_kept { change.before.as_ref() } else { None };
        let waits = Ending::Waits(before, change.next_attempt(began, SignedDuration::ZERO));
        return end(store, change, &waits, AttemptState::default(), AccountDay::of(connection, began)).await;
    }
    let at = context.app.clock.now();
    if matches!(state, ChangeState::Applied | ChangeState::PartlyApplied(_)) {
        touch_record(store, change, at).await;
    }
    if state == ChangeState::Applied && is_removed {
        cancel_others(store, change, at).await;
    }
    let settlement = Settlement { state, campaign: None, before: None, after, seen, at };
    let known = AttemptState::default();
    end(store, change, &Ending::Settled(&settlement), known, AccountDay::of(connection, at)).await?;
    Ok(true)
}

/// The campaign as it was read. A campaign that its platform does not know counts as removed.
fn seen(change: &Change, read: Option<&CampaignValues>, read_at: Timestamp) -> Option<ReadCampaign> {
    let removed = || {
        let before = change.values_before()?;
        Some(CampaignValues { status: CampaignStatus::Archived, ..before.clone() })
    };
    read.cloned().or_else(removed).map(|values| ReadCampaign { values, read_at })
}

/// The outcome of an edit, and the campaign that shows it.
struct ObservedOutcome {
    state: ChangeState,
    after: Option<CampaignValues>,
}

impl ObservedOutcome {
    /// The outcome of an update, given the changes around it. A later change may have overwritten it, and a field that
    /// the campaign had before is not applied by it.
    fn given_neighbors(self, change: &Change, neighbors: Neighbors) -> ObservedOutcome {
        let Action::Update(changes) = &change.action else { return self };
        let applied = |values: &CampaignValues| EditedFields::of(changes, values).applied;
        let reads: Vec<CampaignValues> = self.after.into_iter().chain(neighbors.later).collect();
        let is_seen = |field: &&str| reads.iter().any(|read| applied(read).contains(field));
        let is_complete = changes.field_names().iter().all(is_seen);
        let Some(best) = reads.into_iter().max_by_key(|read| applied(read).len()) else {
            return ObservedOutcome { state: self.state, after: None };
        };
        let had = change.before.as_ref().or(neighbors.earlier.as_ref()).map(applied);
        match state_of(&change.action, Some(&best), change.platform) {
            ChangeState::Applied => ObservedOutcome { state: ChangeState::Applied, after: Some(best) },
            // No read shows all of it at once.
            _ if is_complete => ObservedOutcome { state: ChangeState::Applied, after: None },
            ChangeState::PartlyApplied(error) if had == Some(applied(&best)) => {
                ObservedOutcome { state: ChangeState::Failed(error), after: Some(best) }
            }
            state => ObservedOutcome { state, after: Some(best) },
        }
    }
}

/// The outcome of an edit by a read of the campaign. `None` is a campaign that its platform does not know.
fn state_of(action: &Action, read: Option<&CampaignValues>, platform: Platform) -> ChangeState {
    let is_removed = read.is_none_or(|read| read.status.is_final());
    let changes = match action {
        Action::Update(changes) => changes,
        Action::Delete if is_removed => return ChangeState::Applied,
        Action::Delete | Action::Create(_) => return ChangeState::Failed(change_error(&not_applied(platform))),
    };
    let Some(read) = read else {
        return if changes.status.is_some_and(CampaignStatus::is_final) {
            ChangeState::Applied
        } else {
            ChangeState::Failed(change_error(&Error::not_found("campaign")))
        };
    };
    let fields = EditedFields::of(changes, read);
    let error = || change_error(&not_applied(platform));
    match (fields.is_complete(), fields.has_applied()) {
        (true, _) => ChangeState::Applied,
        (false, true) => ChangeState::PartlyApplied(error()),
        (false, false) => ChangeState::Failed(error()),
    }
}

fn not_applied(platform: Platform) -> Error {
    let platform = platform.display_name();
    let message =
        format!("{platform} gave no clear answer. The campaign was read later: it does not have this change.");
    Error::new(Kind::PlatformFailed, message)
}

//! The undo of a bulk change, or of a set of changes, in an ad account. Its waiting changes are canceled, and changed campaigns get their former
//! values back, unless somebody has changed them since. A change without an outcome is undone once it has one.

use super::account::{OverruledBy, overruled_by, paused_later};
use super::{BulkOutcome, finish};
use crate::changes::failure::change_error;
use crate::changes::undo::no_inverse;
use crate::concurrent::for_each;
use crate::domain::{
    Action, BulkAccount, BulkAction, CampaignId, Change, ChangeId, ChangeState, Inverse, Listing, Purpose, Reason,
    RefusedCampaign, Undoable, undo_all,
};
use crate::error::{Error, Kind};
use crate::store::Store;
use jiff::Timestamp;

/// What the undo does about one campaign.
#[derive(Debug)]
enum UndoStep {
    /// It makes this change.
    Make(Box<Change>),
    /// It waits until each change has its outcome.
    Wait,
    /// Nothing: the campaign is as it was.
    Nothing,
    Refuse(Error),
}

/// Undoes a bulk change in an ad account, or the changes that the account names, as far as they have their outcomes. Until
/// all have, the account stays pending for maintenance. `is_continued` says that an earlier attempt has begun it: what a
/// later bulk change has paused since stays paused.
pub(super) async fn undo_account(
    store: &Store,
    account: BulkAccount,
    is_continued: bool,
    now: Timestamp,
) -> Result<BulkOutcome, Error> {
    let overruled = overruled_by(store, &account, is_continued).await?;
    let (listing, ids) = undone(store, &account).await?;
    let known = store.changes_by_id(account.customer, &ids, now).await?;
    let withdrawn = for_each(known, |change| async move { withdraw(store, change, now).await }).await?;
    let mut outcome = BulkOutcome { refused: Vec::new(), ..BulkOutcome::of(account) };
    outcome.canceled = withdrawn.iter().filter(|one| one.is_canceled).map(|one| one.change.id).collect();
    let (mut inverses, mut waits) = (Vec::new(), matches!(listing, Listing::Pending(_)));
    for (campaign, changes) in by_campaign(&withdrawn) {
        match step(&outcome.account, campaign, changes) {
            UndoStep::Make(inverse) if overruled == Some(OverruledBy::Pause) && inverse.activates() => {
                outcome.refused.push(RefusedCampaign { campaign: campaign.clone(), error: paused_later() });
            }
            UndoStep::Make(inverse) => inverses.push(*inverse),
            UndoStep::Wait => waits = true,
            UndoStep::Nothing => outcome.unchanged.push(campaign.clone()),
            UndoStep::Refuse(error) => {
                outcome.refused.push(RefusedCampaign { campaign: campaign.clone(), error: change_error(&error) });
            }
        }
    }
    let mut ids: Vec<ChangeId> = inverses.iter().map(|change| change.id).collect();
    // Keep the ids of inverses that an earlier attempt has stored, also if this one would not make them.
    let earlier = outcome.account.changes.iter().filter(|id| !ids.contains(id)).copied().collect::<Vec<_>>();
    ids.extend(earlier);
    outcome.changes = store.begin_all(inverses, now).await?;
    let listing = match (waits, outcome.account.is_retried(now)) {
        (false, _) => Listing::Listed,
        (true, true) => Listing::Pending(None),
        (true, false) => Listing::Failed(change_error(&without_outcome())),
    };
    finish(store, outcome, listing, ids, now).await
}

/// The changes that are undone in an ad account, and whether these are all.
async fn undone(store: &Store, account: &BulkAccount) -> Result<(Listing, Vec<ChangeId>), Error> {
    let BulkAction::Undo(of) = account.action else { return Ok((Listing::Listed, account.undoes.clone())) };
    let other = store.bulk_in_account_of(account, of).await?;
    Ok(other.map_or((Listing::Listed, Vec::new()), |other| (other.listing, other.changes)))
}

/// The changes of each campaign, in the order in which the campaigns come first. A create that has made none has nothing to
/// undo.
fn by_campaign(withdrawn: &[Withdrawn]) -> Vec<(&CampaignId, Vec<&Change>)> {
    let mut campaigns: Vec<(&CampaignId, Vec<&Change>)> = Vec::new();
    for Withdrawn { change, .. } in withdrawn {
        let Some(campaign) = &change.campaign else { continue };
        match campaigns.iter_mut().find(|(known, _)| *known == campaign) {
            Some((_, changes)) => changes.push(change),
            None => campaigns.push((campaign, vec![change])),
        }
    }
    campaigns
}

/// An undone change that does not wait any more.
struct Withdrawn {
    change: Change,
    is_canceled: bool,
}

/// Cancels a change if it waits.
async fn withdraw(store: &Store, change: Change, now: Timestamp) -> Result<Withdrawn, Error> {
    if !change.is_open() {
        return Ok(Withdrawn { change, is_canceled: false });
    }
    let undone = Error::new(Kind::Conflict, "It was undone together with others.").because(Reason::Superseded);
    let canceled = ChangeState::Canceled(Some(change_error(&undone)));
    match store.end_waiting(&change, &canceled, now).await? {
        Some(change) => Ok(Withdrawn { change, is_canceled: true }),
        // Its attempt has begun.
        None => {
            let latest = store.change(change.customer, change.id).await?;
            Ok(Withdrawn { change: latest.unwrap_or(change), is_canceled: false })
        }
    }
}

fn step(account: &BulkAccount, campaign: &CampaignId, changes: Vec<&Change>) -> UndoStep {
    let Some(last) = changes.last().copied() else { return UndoStep::Nothing };
    match undo_all(changes) {
        Undoable::By(inverse) => UndoStep::Make(Box::new(inverse_of(account, last, campaign, inverse))),
        Undoable::Nothing => UndoStep::Nothing,
        Undoable::Waits => UndoStep::Wait,
        Undoable::Never(change) => UndoStep::Refuse(no_inverse(change)),
        Undoable::ChangedBetween => UndoStep::Refuse(changed_between()),
    }
}

/// The change that undoes another one, due now.
fn inverse_of(account: &BulkAccount, change: &Change, campaign: &CampaignId, inverse: Inverse) -> Change {
    let Inverse { changes, only_if } = inverse;
    let (id, action) = (account.change_id(campaign), Action::Update(changes));
    let undoing = Change::scheduled(id, change.target(), account.origin(), Purpose::Bulk, action, account.created_at);
    Change { only_if: Some(only_if), ..undoing }
}

fn changed_between() -> Error {
    let message = "Somebody else has changed it between these changes, so the values from before them are not its former \
                   ones. Change the campaign itself.";
    Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile)
}

fn without_outcome() -> Error {
    let message = "Not all of its changes had an outcome within a day. What has one is undone.";
    Error::new(Kind::Conflict, message).because(Reason::StateConflict)
}

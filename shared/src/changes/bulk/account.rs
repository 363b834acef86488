//! A bulk change in one ad account: one change for each campaign that the action applies to.

use super::classify::{ClassifiedCampaigns, classify};
use super::effect::BulkTerms;
use super::{BulkOutcome, finish};
use crate::changes::failure::change_error;
use crate::changes::user_pause::is_of_user_pause;
use crate::domain::{
    Action, BulkAccount, BulkAction, CampaignId, CampaignStatus, CampaignValues, Change, ChangeError, ChangeId,
    ChangeState, Connection, Listing, PlatformCampaign, Reason, StatusSet,
};
use crate::error::{Error, Kind};
use crate::platforms::ListRequest;
use crate::store::Store;
use crate::tokens::PlatformContext;
use jiff::Timestamp;

/// Campaigns of one page.
const PAGE_SIZE: usize = 100;

/// The waiting changes of an ad account when a pause of it begins.
#[derive(Debug, Default)]
pub(super) struct CanceledActivations {
    /// Activations that a pause has canceled.
    canceled: Vec<ChangeId>,
    /// Other waiting changes. The pause cancels those that would start their campaign.
    remaining: Vec<Change>,
}

/// Reads the campaigns of an ad account that are not removed.
pub(in crate::changes) async fn list_account(
    context: PlatformContext<'_>,
    connection: &Connection,
) -> Result<Vec<PlatformCampaign>, Error> {
    let (mut campaigns, mut after) = (Vec::new(), None);
    loop {
        let request = &ListRequest { statuses: StatusSet::not_final(), limit: PAGE_SIZE, after };
        let page = context
            .in_account(connection, |adapter, session| async move { adapter.list_campaigns(&session, request).await });
        let page = page.await?;
        campaigns.extend(page.rows);
        after = match page.positions.last() {
            Some(last) if page.has_more => Some(last.clone()),
            _ => return Ok(campaigns),
        };
    }
}

/// Lists an ad account, and stores a change for each campaign that the action applies to. If that fails, the account
/// stays pending for maintenance. `is_continued` says that an earlier attempt may have stored changes.
pub(super) async fn list_and_change(
    context: PlatformContext<'_>,
    connection: Result<&Connection, Error>,
    account: BulkAccount,
    is_continued: bool,
) -> Result<BulkOutcome, Error> {
    let overruled = overruled_by(&context.app.store, &account, is_continued).await?;
    if overruled == Some(OverruledBy::Pause) {
        return end(context, account, paused_later()).await;
    }
    if let Ok(connection) = connection
        && is_continued
        && is_of_former_user(context, connection, &account).await?
    {
        return end(context, account, moved()).await;
    }
    let prefix = CampaignId::new(account.platform, &account.account_id, "").to_string();
    // Cancel before the read: otherwise an activation that begins in between would be missed by both.
    let cancellation = match overruled {
        Some(OverruledBy::Undo) => CanceledActivations::default(),
        _ => cancel_activations(context, &account, &[prefix]).await?,
    };
    let listed = match connection {
        Ok(connection) => list_account(context, connection).await.map(|campaigns| (connection, campaigns)),
        Err(missing) => Err(missing),
    };
    let (connection, campaigns) = match listed {
        Ok(listed) => listed,
        Err(error) => {
            return Ok(BulkOutcome { canceled: cancellation.canceled, ..postpone(context, account, error).await? });
        }
    };
    let asked = BulkTerms { action: account.action, budgets: &[], is_flat: false };
    let classified = classify(context, connection, &account, asked, campaigns, is_continued).await?;
    let classified = match overruled {
        // The undo finds the changes that an earlier attempt has stored in the account.
        Some(OverruledBy::Undo) => classified.only_earlier(),
        _ => classified,
    };
    store_classified(context, account, classified, cancellation).await
}

/// Ends an unfinished bulk change: its campaigns are not read any more.
async fn end(context: PlatformContext<'_>, account: BulkAccount, reason: ChangeError) -> Result<BulkOutcome, Error> {
    let account = BulkAccount { listing: Listing::Failed(reason), ..account };
    context.app.store.put_bulk_account(&account, context.app.clock.now()).await?;
    Ok(BulkOutcome::of(account))
}

/// Whether the connection has come to another user, so that what was asked for does not concern its campaigns any more. A
/// pause continues, unless it is that of the former user: it is the safe side.
async fn is_of_former_user(
    context: PlatformContext<'_>,
    connection: &Connection,
    account: &BulkAccount,
) -> Result<bool, Error> {
    let Some(user) = account.external_ref.as_ref().filter(|_| account.has_moved(connection)) else { return Ok(false) };
    if !account.pauses() {
        return Ok(true);
    }
    is_of_user_pause(&context.app.store, account.customer, user, account.bulk).await
}

/// The reason of a bulk change whose ad account belongs to another user now.
fn moved() -> ChangeError {
    let message = "The connection was given to another user before its campaigns were read.";
    change_error(&Error::new(Kind::Conflict, message).because(Reason::Superseded))
}

/// Why an unfinished bulk change must not continue: a later bulk change overrules it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OverruledBy {
    /// It has paused the ad account, which this one activates.
    Pause,
    /// It undoes this one.
    Undo,
}

/// The later bulk change that overrules this one. Only a bulk change that an earlier attempt may have begun can be
/// overruled. An undo counts as an activation.
pub(super) async fn overruled_by(
    store: &Store,
    account: &BulkAccount,
    is_continued: bool,
) -> Result<Option<OverruledBy>, Error> {
    if !is_continued {
        return Ok(None);
    }
    let all = store.bulk_changes(account.customer).await?;
    let is_same_account =
        |other: &&BulkAccount| other.platform == account.platform && other.account_id == account.account_id;
    let is_activation = account.is_undo() || account.action == BulkAction::Status(CampaignStatus::Active);
    let overruled = all.iter().filter(is_same_account).filter_map(|other| {
        if other.action == BulkAction::Undo(account.bulk) {
            return Some(OverruledBy::Undo);
        }
        let is_paused = is_activation && other.pauses() && other.created_at > account.created_at;
        is_paused.then_some(OverruledBy::Pause)
    });
    Ok(overruled.max_by_key(|overruled| *overruled == OverruledBy::Undo))
}

/// The reason of an activation that a later pause has overruled.
pub(super) fn paused_later() -> ChangeError {
    let message = "The campaigns were paused by a later request.";
    change_error(&Error::new(Kind::Conflict, message).because(Reason::Superseded))
}

/// Cancels the scheduled activations of campaigns whose ids begin with one of these prefixes, if the bulk change
/// pauses.
pub(super) async fn cancel_activations(
    context: PlatformContext<'_>,
    account: &BulkAccount,
    prefixes: &[String],
) -> Result<CanceledActivations, Error> {
    if !account.pauses() {
        return Ok(CanceledActivations::default());
    }
    let now = context.app.clock.now();
    let (canceled, remaining) =
        context.app.store.cancel_activations(account, prefixes, &paused_with_others(), now).await?;
    Ok(CanceledActivations { canceled, remaining })
}

/// Cancels waiting changes that would start a campaign which the pause leaves alone, such as a later end of a campaign
/// that has ended. Returns all changes that the pause has canceled.
async fn cancel_starts(
    store: &Store,
    campaigns: &[PlatformCampaign],
    cancellation: CanceledActivations,
    now: Timestamp,
) -> Result<Vec<ChangeId>, Error> {
    let CanceledActivations { mut canceled, remaining } = cancellation;
    for change in remaining {
        let campaign = campaigns.iter().find(|campaign| change.campaign.as_ref() == Some(&campaign.id));
        let (Action::Update(changes), Some(campaign)) = (&change.action, campaign) else { continue };
        let (values, at) = (CampaignValues::of(campaign), change.apply_at.unwrap_or(now).max(now));
        if values.is_started_by(&changes.clone().against(&values), at) {
            let ended = store.end_waiting(&change, &paused_with_others(), now).await?;
            canceled.extend(ended.map(|ended| ended.id));
        }
    }
    Ok(canceled)
}

fn paused_with_others() -> ChangeState {
    let message = "The campaign was paused together with others.";
    ChangeState::Canceled(Some(change_error(&Error::new(Kind::Conflict, message).because(Reason::Superseded))))
}

/// The result of an earlier request that has listed the whole ad account. Campaigns are not read again: their present
/// status may be the work of somebody else.
pub(super) async fn stored_outcome(context: PlatformContext<'_>, account: BulkAccount) -> Result<BulkOutcome, Error> {
    let store = &context.app.store;
    let mut changes = store.changes_by_id(account.customer, &account.changes, context.app.clock.now()).await?;
    changes.retain(Change::is_open);
    Ok(BulkOutcome { changes, ..BulkOutcome::of(account) })
}

/// Stores the changes of an ad account. A pause also cancels the waiting changes that would start its other campaigns.
pub(super) async fn store_classified(
    context: PlatformContext<'_>,
    account: BulkAccount,
    classified: ClassifiedCampaigns,
    cancellation: CanceledActivations,
) -> Result<BulkOutcome, Error> {
    let (store, now) = (&context.app.store, context.app.clock.now());
    let ClassifiedCampaigns { changes, earlier, others, changed, refused } = classified;
    let ids = changes.iter().chain(&earlier).map(|change| change.id).collect();
    let stored = store.begin_all(changes, now).await?;
    let canceled = cancel_starts(store, &others, cancellation, now).await?;
    let outcome = BulkOutcome {
        changes: stored.into_iter().chain(earlier).filter(Change::is_open).collect(),
        unchanged: others.into_iter().map(|campaign| campaign.id).collect(),
        refused: changed.into_iter().chain(refused).collect(),
        canceled,
        ..BulkOutcome::of(account)
    };
    finish(store, outcome, Listing::Listed, ids, now).await
}

/// Leaves an account whose campaigns could not be read to maintenance.
async fn postpone(context: PlatformContext<'_>, account: BulkAccount, error: Error) -> Result<BulkOutcome, Error> {
    let now = context.app.clock.now();
    let reason: ChangeError = change_error(&error);
    let listing = if account.is_retried(now) { Listing::Pending(Some(reason)) } else { Listing::Failed(reason) };
    let account = BulkAccount { listing, ..account };
    context.app.store.put_bulk_account(&account, account.next_attempt(now)).await?;
    Ok(BulkOutcome { error: Some(error), ..BulkOutcome::of(account) })
}

//! A bulk change in one ad account: a change for each of its campaigns that the status fits.

use super::BulkOutcome;
use crate::changes::concurrent::store_all;
use crate::changes::failure::change_error;
use crate::domain::{
    Action, AdAccount, BulkAccount, CampaignChanges, CampaignId, CampaignStatus, CampaignValues, Change, ChangeError,
    ChangeId, ChangeOrigin, ChangeState, ChangeTarget, Connection, Listing, PlatformCampaign, Purpose, Reason,
    StatusSet,
};
use crate::error::{Error, Kind};
use crate::platforms::ListRequest;
use crate::store::Store;
use crate::tokens::PlatformContext;
use jiff::Timestamp;

/// Campaigns of one page.
const PAGE_SIZE: usize = 100;

/// What waits for the campaigns of an ad account when a bulk change begins.
#[derive(Debug, Default)]
pub(super) struct Withdrawn {
    /// Activations that a pause has canceled.
    canceled: Vec<ChangeId>,
    /// Other changes, of which the campaign decides whether a pause is against them.
    left: Vec<Change>,
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
        after = page.positions.last().cloned().filter(|_| page.has_more);
        campaigns.extend(page.rows);
        if after.is_none() {
            return Ok(campaigns);
        }
    }
}

/// Lists an ad account, and stores a change for each of its campaigns that the status fits. If that fails, the account
/// stays pending for maintenance. `is_continued` says that an earlier attempt may have stored changes.
pub async fn change_account(
    context: PlatformContext<'_>,
    connection: Result<&Connection, Error>,
    account: BulkAccount,
    is_continued: bool,
) -> Result<BulkOutcome, Error> {
    if account.listing == Listing::Listed {
        return repeated(context, account).await;
    }
    if is_continued && is_overruled(context, &account).await? {
        let reason = change_error(
            &Error::new(Kind::Conflict, "The campaigns were paused by a later request.").because(Reason::Superseded),
        );
        let account = BulkAccount { listing: Listing::Failed(reason), ..account };
        context.app.store.put_bulk_account(&account, context.app.clock.now()).await?;
        return Ok(BulkOutcome::of(account));
    }
    let prefix = CampaignId::new(account.platform, &account.account_id, "").to_string();
    // Before the campaigns are read: an activation that begins between the two would be missed by both.
    let withdrawn = cancel_activations(context, &account, &[prefix]).await?;
    let listed = match connection {
        Ok(connection) => list_account(context, connection).await.map(|campaigns| (connection, campaigns)),
        Err(missing) => Err(missing),
    };
    let (connection, campaigns) = match listed {
        Ok(listed) => listed,
        Err(error) => {
            return Ok(BulkOutcome { canceled: withdrawn.canceled, ..postpone(context, account, error).await? });
        }
    };
    store_changes(context, connection, account, campaigns, is_continued, withdrawn).await
}

/// Whether a later bulk change has paused the ad account, so that an activation that could not be made so far must not
/// be made any more.
async fn is_overruled(context: PlatformContext<'_>, account: &BulkAccount) -> Result<bool, Error> {
    if account.status == CampaignStatus::Paused {
        return Ok(false);
    }
    let all = context.app.store.bulk_changes(account.customer).await?;
    Ok(all.iter().any(|other| {
        let is_same_account = other.platform == account.platform && other.account_id == account.account_id;
        is_same_account && other.status == CampaignStatus::Paused && other.created_at > account.created_at
    }))
}

/// Cancels the scheduled activations that a pause is against, of campaigns whose ids begin with one of these texts.
pub(super) async fn cancel_activations(
    context: PlatformContext<'_>,
    account: &BulkAccount,
    prefixes: &[String],
) -> Result<Withdrawn, Error> {
    if account.status != CampaignStatus::Paused {
        return Ok(Withdrawn::default());
    }
    let now = context.app.clock.now();
    let (canceled, left) = context.app.store.cancel_activations(account, prefixes, &paused_with_others(), now).await?;
    Ok(Withdrawn { canceled, left })
}

/// Cancels what wakes a campaign although a pause does not fit it: a later end of one that has ended. Returns all changes
/// that the pause has canceled.
async fn cancel_what_wakes(
    store: &Store,
    campaigns: &[PlatformCampaign],
    withdrawn: Withdrawn,
    now: Timestamp,
) -> Result<Vec<ChangeId>, Error> {
    let Withdrawn { mut canceled, left } = withdrawn;
    for change in left {
        let campaign = campaigns.iter().find(|campaign| change.campaign.as_ref() == Some(&campaign.id));
        let (Action::Update(changes), Some(campaign)) = (&change.action, campaign) else { continue };
        let (values, at) = (CampaignValues::of(campaign), change.apply_at.unwrap_or(now).max(now));
        if values.is_woken_by(&changes.clone().against(&values), at) {
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

/// What an earlier request has stored in an ad account that it has read to its end. What runs or is paused since then is
/// somebody else's.
pub(super) async fn repeated(context: PlatformContext<'_>, account: BulkAccount) -> Result<BulkOutcome, Error> {
    let store = &context.app.store;
    let mut changes = store.changes_by_id(account.customer, &account.changes, context.app.clock.now()).await?;
    changes.retain(Change::is_open);
    Ok(BulkOutcome { changes, ..BulkOutcome::of(account) })
}

/// Stores a change for each of these campaigns that the status fits, and cancels what would let others run after a pause.
pub(super) async fn store_changes(
    context: PlatformContext<'_>,
    connection: &Connection,
    account: BulkAccount,
    campaigns: Vec<PlatformCampaign>,
    is_continued: bool,
    withdrawn: Withdrawn,
) -> Result<BulkOutcome, Error> {
    let (fitting, others): (Vec<_>, Vec<_>) = campaigns.into_iter().partition(|campaign| account.fits(campaign.status));
    let opened = connection.account.as_ref().ok_or_else(|| Error::internal("a connection without an account"))?;
    let changes: Vec<Change> = fitting.iter().map(|campaign| change_of(&account, opened, campaign)).collect();
    let store = &context.app.store;
    store_all(store, changes.clone()).await?;
    let now = context.app.clock.now();
    let canceled = cancel_what_wakes(store, &others, withdrawn, now).await?;
    let earlier = if is_continued { changed_before(store, &account, &others, now).await? } else { Vec::new() };
    let unchanged = others.into_iter().map(|campaign| campaign.id);
    let unchanged = unchanged.filter(|id| !earlier.contains(&account.change_id(id))).collect();
    let ids = changes.iter().map(|change| change.id).chain(earlier).collect();
    let account = BulkAccount { listing: Listing::Listed, changes: ids, ..account };
    store.put_bulk_account(&account, now).await?;
    Ok(BulkOutcome { changes, unchanged, canceled, ..BulkOutcome::of(account) })
}

/// The changes that an earlier attempt has stored for campaigns that the status does not fit any more.
async fn changed_before(
    store: &Store,
    account: &BulkAccount,
    campaigns: &[PlatformCampaign],
    now: Timestamp,
) -> Result<Vec<ChangeId>, Error> {
    let ids: Vec<ChangeId> = campaigns.iter().map(|campaign| account.change_id(&campaign.id)).collect();
    let changes = store.changes_by_id(account.customer, &ids, now).await?;
    Ok(changes.into_iter().map(|change| change.id).collect())
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

/// The change of a campaign, due now.
fn change_of(account: &BulkAccount, opened: &AdAccount, campaign: &PlatformCampaign) -> Change {
    let target = ChangeTarget {
        customer: account.customer,
        platform: account.platform,
        account_id: account.account_id.clone(),
        connection: account.connection.clone(),
        currency: opened.currency,
        campaign: Some(campaign.id.clone()),
    };
    let origin = ChangeOrigin { request: account.bulk.0, requested_by: account.requested_by.clone() };
    let action = Action::Update(CampaignChanges::of_status(account.status));
    Change::scheduled(account.change_id(&campaign.id), target, origin, Purpose::Bulk, action, account.created_at)
}

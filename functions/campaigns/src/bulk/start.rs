//! `setStatuses`: activates or pauses many campaigns.

use super::campaigns::of_campaigns;
use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use shared::changes::{BulkOutcome, attempt_scheduled, change_account, find_account};
use shared::domain::{BulkAccount, BulkId, CampaignStatus, Change, Connection, ConnectionStatus, Listing, Platform};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{BulkReport, BulkRequest, BulkTargets, Reply, read_bulk};
use shared::error::Error;
use shared::serve::{Call, ClaimOutcome};
use tokio::time::{Duration, timeout_at};

/// Ad accounts listed concurrently.
const CONCURRENT_ACCOUNTS: usize = 16;
/// Changes applied concurrently.
const CONCURRENT_CHANGES: usize = 32;
/// Time that is left for the response when the request stops applying changes. Maintenance applies the others.
const RESPONSE_TIME: Duration = Duration::from_secs(3);

/// A bulk change, begun by this request or by an earlier one with the same `Idempotency-Key`.
#[derive(Clone, Copy)]
pub(super) struct Begun<'a> {
    pub(super) bulk: BulkId,
    /// The ad accounts that the earlier request has stored.
    known: &'a [BulkAccount],
    /// The time of the first request.
    pub(super) at: Timestamp,
    pub(super) is_continued: bool,
}

/// Stores a change for each campaign that the status fits, and applies as many as there is time for.
pub(crate) async fn start(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let read = call.request.json_body().and_then(|body| read_bulk(call.request.shape, body));
    let request = match read {
        Ok(request) => request,
        Err(refusal) => return call.replay_or(refusal).await,
    };
    let begun = match call.claim().await? {
        ClaimOutcome::Replayed(stored) => return Ok(Reply::Replayed(stored)),
        ClaimOutcome::New => {
            Begun { bulk: BulkId(call.request.request_id), known: &[], at: call.request.now, is_continued: false }
        }
        // The same changes: their ids follow from the first request and its time.
        ClaimOutcome::Resumed { first, first_at, .. } => {
            Begun { bulk: BulkId(first), known: &[], at: first_at, is_continued: true }
        }
    };
    let BulkRequest { status, targets } = request;
    let known = match begun.is_continued {
        true => call.store().bulk_accounts(call.customer.id, begun.bulk, call.request.now).await?,
        false => Vec::new(),
    };
    let begun = Begun { known: &known, ..begun };
    let outcomes = match targets {
        BulkTargets::Accounts { platform, connection } => {
            let chosen = chosen(call, platform, connection.as_deref())?;
            of_accounts(call, begun, status, &chosen).await?
        }
        BulkTargets::Campaigns(ids) => of_campaigns(call, begun, status, &ids).await?,
    };
    let report = report(begun.bulk, &outcomes);
    apply(call, outcomes.into_iter().flat_map(|outcome| outcome.changes).collect()).await;
    Ok(Reply::Bulk(report))
}

/// The connections of a platform, or the one with an id. One that is not finished has no ad account.
fn chosen<'a>(
    call: &'a Call,
    platform: Option<Platform>,
    connection: Option<&str>,
) -> Result<Vec<&'a Connection>, Error> {
    let is_chosen = |one: &&Connection| {
        one.status != ConnectionStatus::Pending
            && platform.is_none_or(|platform| one.platform == platform)
            && connection.is_none_or(|id| one.id.0 == id)
    };
    let chosen: Vec<&Connection> = call.connected.connections.iter().filter(is_chosen).collect();
    if connection.is_some() && chosen.is_empty() { Err(Error::not_found("connection")) } else { Ok(chosen) }
}

/// Stores each ad account before any is listed: what the request does not reach, maintenance continues.
async fn of_accounts(
    call: &Call,
    begun: Begun<'_>,
    status: CampaignStatus,
    chosen: &[&Connection],
) -> Result<Vec<BulkOutcome>, Error> {
    let accounts = chosen.iter().map(|connection| bulk_account(call, begun, status, connection));
    let accounts = accounts.collect::<Result<Vec<BulkAccount>, Error>>()?;
    let due_at = call.request.ends_at()?;
    let is_read = |account: &&BulkAccount| account.listing == Listing::Listed;
    let unread: Vec<BulkAccount> = accounts.iter().filter(|account| !is_read(account)).cloned().collect();
    let stored =
        stream::iter(unread).map(|account| async move { call.store().put_bulk_account(&account, due_at).await });
    let stored: Vec<Result<(), Error>> = stored.buffer_unordered(CONCURRENT_ACCOUNTS).collect().await;
    stored.into_iter().collect::<Result<(), Error>>()?;
    let context = call.platform_context();
    let changed = stream::iter(accounts).map(|account| async move {
        let connection = find_account(context.connected, account.platform, &account.account_id.clone());
        change_account(context, connection, account, begun.is_continued).await
    });
    let changed: Vec<Result<BulkOutcome, Error>> = changed.buffer_unordered(CONCURRENT_ACCOUNTS).collect().await;
    changed.into_iter().collect()
}

/// A bulk change in the ad account of a connection, as an earlier request has left it, or one whose campaigns are not
/// read yet.
pub(super) fn bulk_account(
    call: &Call,
    begun: Begun<'_>,
    status: CampaignStatus,
    connection: &Connection,
) -> Result<BulkAccount, Error> {
    let is_same =
        |known: &&BulkAccount| known.platform == connection.platform && known.account_id == connection.account_id();
    if let Some(known) = begun.known.iter().find(is_same) {
        return Ok(known.clone());
    }
    Ok(BulkAccount {
        bulk: begun.bulk,
        customer: call.customer.id,
        platform: connection.platform,
        account_id: connection.account_id().to_owned(),
        connection: connection.id.clone(),
        status,
        requested_by: call.requester()?,
        created_at: begun.at,
        listing: Listing::Pending(None),
        changes: Vec::new(),
    })
}

fn report(bulk: BulkId, outcomes: &[BulkOutcome]) -> BulkReport {
    let failure = |outcome: &BulkOutcome| {
        let error = outcome.error.as_ref()?;
        let reported = Error { retryable: error.retryable, ..Error::new(error.kind, error.message.clone()) };
        Some((outcome.account.platform, outcome.account.connection.clone(), reported))
    };
    BulkReport {
        bulk,
        changes: outcomes.iter().flat_map(|outcome| outcome.account.changes.clone()).collect(),
        unchanged: outcomes.iter().flat_map(|outcome| outcome.unchanged.clone()).collect(),
        canceled: outcomes.iter().flat_map(|outcome| outcome.canceled.clone()).collect(),
        failures: outcomes.iter().filter_map(failure).collect(),
    }
}

/// Applies the changes, until there is just time for the response.
async fn apply(call: &Call, changes: Vec<Change>) {
    let app = &call.request.app;
    let attempts = stream::iter(changes).map(|change| async move {
        let id = change.id;
        if let Err(error) = attempt_scheduled(app, change).await {
            tracing::warn!(change = %id, %error, source = error.source, "a change of many was not applied at once");
        }
    });
    let attempts = attempts.buffer_unordered(CONCURRENT_CHANGES).collect::<Vec<()>>();
    let until = call.request.deadline.checked_sub(RESPONSE_TIME).unwrap_or(call.request.deadline);
    // What the time cuts off is stored: maintenance settles or applies it.
    let _ = timeout_at(until, attempts).await;
}

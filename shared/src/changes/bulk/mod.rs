//! Bulk changes: one status for many campaigns (D61 in docs/decisions.md). Each campaign has a change that is due now, so it
//! is applied as scheduled changes are: once, and until its outcome is known.

mod account;

pub use account::change_account;

use super::concurrent::for_each;
use super::find_account;
use super::scheduled::attempt_scheduled;
use crate::app::App;
use crate::domain::{
    BulkAccount, BulkId, CampaignId, CampaignStatus, Change, ChangeId, Connection, Listing, PlatformCampaign, Requester,
};
use crate::error::Error;
use crate::tokens::PlatformContext;
pub(super) use account::list_account;
use account::{cancel_activations, repeated, store_changes};
use futures_util::future::join_all;
use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use std::sync::Arc;
use tokio::time::{Instant, timeout_at};

/// Changes applied concurrently.
const CONCURRENT_ATTEMPTS: usize = 32;

/// A bulk change, begun by this request or by an earlier one with the same `Idempotency-Key`.
#[derive(Debug)]
pub struct Bulk {
    pub id: BulkId,
    /// The new status: ACTIVE or PAUSED.
    pub status: CampaignStatus,
    pub requested_by: Requester,
    /// The time of the first request. The ids of the changes follow from it.
    pub begun_at: Timestamp,
    /// Whether an earlier request may have stored a part of it.
    pub is_continued: bool,
}

/// What a bulk change has stored in an ad account.
#[derive(Debug)]
pub struct BulkOutcome {
    pub account: BulkAccount,
    /// The changes, due now.
    pub changes: Vec<Change>,
    /// Campaigns that the status does not fit: most have it already.
    pub unchanged: Vec<CampaignId>,
    /// Scheduled changes that a pause has canceled, because they would let campaigns run.
    pub canceled: Vec<ChangeId>,
    /// Why the campaigns could not be read. Maintenance tries again.
    pub error: Option<Error>,
}

impl BulkOutcome {
    /// Nothing was stored but the account.
    fn of(account: BulkAccount) -> BulkOutcome {
        BulkOutcome { account, changes: Vec::new(), unchanged: Vec::new(), canceled: Vec::new(), error: None }
    }
}

impl Bulk {
    /// Stores a change for each campaign of these ad accounts that the status fits. Each account is stored before any is
    /// listed: what the request does not reach until `due_at`, maintenance continues.
    pub async fn of_accounts(
        &self,
        context: PlatformContext<'_>,
        connections: &[&Connection],
        due_at: Timestamp,
    ) -> Result<Vec<BulkOutcome>, Error> {
        let (store, known) = (&context.app.store, self.known(context).await?);
        let accounts = connections.iter().map(|connection| self.account(context, &known, connection));
        let accounts: Vec<BulkAccount> = accounts.collect();
        let unread = accounts.iter().filter(|account| account.listing != Listing::Listed).cloned().collect();
        for_each(unread, |account| async move { store.put_bulk_account(&account, due_at).await }).await?;
        let change = |account: BulkAccount| async move {
            let connection = find_account(context.connected, account.platform, &account.account_id);
            change_account(context, connection, account, self.is_continued).await
        };
        for_each(accounts, change).await
    }

    /// Stores a change for each of these campaigns that the status fits. If one does not exist, nothing is done.
    pub async fn of_campaigns(
        &self,
        context: PlatformContext<'_>,
        ids: &[CampaignId],
    ) -> Result<Vec<BulkOutcome>, Error> {
        let (known, named) = (self.known(context).await?, read(context, ids).await?);
        let mut outcomes = Vec::with_capacity(named.len());
        for (connection, campaigns) in named {
            let account = self.account(context, &known, connection);
            if account.listing == Listing::Listed {
                outcomes.push(repeated(context, account).await?);
                continue;
            }
            let activations: Vec<String> = campaigns.iter().map(|campaign| format!("{}#", campaign.id)).collect();
            let withdrawn = cancel_activations(context, &account, &activations).await?;
            let stored = store_changes(context, connection, account, campaigns, self.is_continued, withdrawn);
            outcomes.push(stored.await?);
        }
        Ok(outcomes)
    }

    /// The ad accounts that an earlier request has stored.
    async fn known(&self, context: PlatformContext<'_>) -> Result<Vec<BulkAccount>, Error> {
        match self.is_continued {
            true => context.app.store.bulk_accounts(context.customer, self.id, context.now).await,
            false => Ok(Vec::new()),
        }
    }

    /// The ad account of a connection, as an earlier request has left it, or one whose campaigns are not read yet.
    fn account(&self, context: PlatformContext<'_>, known: &[BulkAccount], connection: &Connection) -> BulkAccount {
        let is_same = |account: &&BulkAccount| {
            account.platform == connection.platform && account.account_id == connection.account_id()
        };
        known.iter().find(is_same).cloned().unwrap_or_else(|| BulkAccount {
            bulk: self.id,
            customer: context.customer,
            platform: connection.platform,
            account_id: connection.account_id().to_owned(),
            connection: connection.id.clone(),
            status: self.status,
            requested_by: self.requested_by.clone(),
            created_at: self.begun_at,
            listing: Listing::Pending(None),
            changes: Vec::new(),
        })
    }
}

/// Reads campaigns, by their ad accounts. 404 if one does not exist.
async fn read<'a>(
    context: PlatformContext<'a>,
    ids: &[CampaignId],
) -> Result<Vec<(&'a Connection, Vec<PlatformCampaign>)>, Error> {
    let not_found = || Error::not_found("campaign");
    let mut connections: Vec<&Connection> = Vec::new();
    for id in ids {
        let (connection, _) = context.connected.find_campaign(id).ok_or_else(not_found)?;
        if !connections.iter().any(|known| known.id == connection.id) {
            connections.push(connection);
        }
    }
    let listed = join_all(connections.into_iter().map(|connection| async move {
        list_account(context, connection).await.map(|campaigns| (connection, campaigns))
    }));
    let mut named = listed.await.into_iter().collect::<Result<Vec<_>, Error>>()?;
    for (_, campaigns) in &mut named {
        campaigns.retain(|campaign| ids.contains(&campaign.id));
    }
    let found: usize = named.iter().map(|(_, campaigns)| campaigns.len()).sum();
    if found == ids.len() { Ok(named) } else { Err(not_found()) }
}

/// Applies changes of a bulk change until this time. What the time cuts off is stored: maintenance settles or applies it.
pub async fn attempt_until(app: &Arc<App>, changes: Vec<Change>, until: Instant) {
    let attempts = stream::iter(changes).map(|change| async move {
        let id = change.id;
        if let Err(error) = attempt_scheduled(app, change).await {
            tracing::warn!(change = %id, %error, source = error.source, "a change of many was not applied at once");
        }
    });
    let _ = timeout_at(until, attempts.buffer_unordered(CONCURRENT_ATTEMPTS).collect::<Vec<()>>()).await;
}

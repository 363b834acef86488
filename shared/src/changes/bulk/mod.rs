//! Bulk changes: one status for many campaigns, their budgets, the undo of either, and of a set of changes. Each campaign has a change that
//! is due now, so it is applied as scheduled changes are: once, and until its outcome is known (D61).
//!
//! A budget is computed once: its change has the amount, and an id that follows from the request and the campaign. Whoever
//! lists the campaigns again finds the change stored, and computes nothing.

mod account;
mod classify;
mod effect;
mod undo;

use super::find_account;
use super::scheduled::attempt_scheduled;
use crate::app::App;
use crate::concurrent::for_each;
use crate::domain::{
    BulkAccount, BulkAction, BulkId, CampaignId, Change, ChangeId, ChangeOrigin, Connection, ConnectionId, ExternalRef,
    Listing, MAX_BULK_IDS, NewBudget, Platform, PlatformCampaign, RefusedCampaign,
};
use crate::error::Error;
use crate::store::Store;
use crate::tokens::PlatformContext;
pub(super) use account::list_account;
use account::{cancel_activations, list_and_change, overruled_by, store_classified, stored_outcome};
use classify::{classify, pause_unread, require_possible};
use effect::BulkTerms;
use futures_util::future::join_all;
use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use std::sync::Arc;
use tokio::time::{Instant, timeout_at};
use undo::undo_account;

/// Changes applied concurrently.
const CONCURRENT_ATTEMPTS: usize = 32;

/// A bulk change, begun by this request or by an earlier one with the same `Idempotency-Key`.
#[derive(Debug)]
pub struct Bulk<'a> {
    pub id: BulkId,
    pub action: BulkAction,
    /// The amounts, if it sets budgets.
    pub budgets: &'a [NewBudget],
    /// Whether an amount is the daily one of the moment, as the flat shape shows it.
    pub is_flat: bool,
    /// Who asks for it. Its request is the first one.
    pub origin: ChangeOrigin,
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
    /// Campaigns that it does not change: most have the requested values already.
    pub unchanged: Vec<CampaignId>,
    /// Campaigns that could not be changed, and why.
    pub refused: Vec<RefusedCampaign>,
    /// Waiting changes that it has canceled. A pause cancels those that would start campaigns; an undo cancels those
    /// that it undoes.
    pub canceled: Vec<ChangeId>,
    /// Why the campaigns could not be read. Maintenance tries again.
    pub error: Option<Error>,
}

impl BulkOutcome {
    /// Only the account was stored.
    fn of(account: BulkAccount) -> BulkOutcome {
        let (unchanged, refused) = (Vec::new(), account.refused.clone());
        BulkOutcome { account, changes: Vec::new(), unchanged, refused, canceled: Vec::new(), error: None }
    }
}

impl Bulk<'_> {
    /// Stores a change for each campaign of these ad accounts that the action applies to. All accounts are stored
    /// before any is listed, so that maintenance continues those that the request does not finish until `due_at`.
    pub async fn change_accounts(
        &self,
        context: PlatformContext<'_>,
        connections: &[&Connection],
        due_at: Timestamp,
    ) -> Result<Vec<BulkOutcome>, Error> {
        let known = self.known(context).await?;
        let accounts = connections.iter().map(|connection| self.account(context, &known, connection)).collect();
        self.begin(context, accounts, due_at).await
    }

    /// Undoes another bulk change in these ad accounts. Works like [`Bulk::change_accounts`].
    pub async fn undo_accounts(
        &self,
        context: PlatformContext<'_>,
        undone: &[BulkAccount],
        due_at: Timestamp,
    ) -> Result<Vec<BulkOutcome>, Error> {
        let known = self.known(context).await?;
        let place = |other: &BulkAccount| {
            let user = other.external_ref.as_ref();
            self.in_account(context, &known, other.platform, &other.account_id, &other.connection, user)
        };
        self.begin(context, undone.iter().map(place).collect(), due_at).await
    }

    /// Undoes a set of changes, those of a campaign together. Works like [`Bulk::change_accounts`].
    pub async fn undo_changes(
        &self,
        context: PlatformContext<'_>,
        undone: &[Change],
        due_at: Timestamp,
    ) -> Result<Vec<BulkOutcome>, Error> {
        let known = self.known(context).await?;
        let mut accounts: Vec<BulkAccount> = Vec::new();
        for change in undone {
            let is_same = |account: &&mut BulkAccount| {
                account.platform == change.platform && account.account_id == change.account_id
            };
            match accounts.iter_mut().find(is_same) {
                Some(account) => account.undoes.push(change.id),
                None => {
                    let (user, undoes) = (change.external_ref.as_ref(), vec![change.id]);
                    let account =
                        self.in_account(context, &known, change.platform, &change.account_id, &change.connection, user);
                    accounts.push(BulkAccount { undoes, ..account });
                }
            }
        }
        self.begin(context, accounts, due_at).await
    }

    async fn begin(
        &self,
        context: PlatformContext<'_>,
        accounts: Vec<BulkAccount>,
        due_at: Timestamp,
    ) -> Result<Vec<BulkOutcome>, Error> {
        let store = &context.app.store;
        let unread = accounts.iter().filter(|account| account.listing != Listing::Listed).cloned().collect();
        for_each(unread, |account| async move { store.put_bulk_account(&account, due_at).await }).await?;
        let change = |account: BulkAccount| async move {
            let connection = find_account(context.connected, account.platform, &account.account_id);
            change_account(context, connection, account, self.is_continued).await
        };
        for_each(accounts, change).await
    }

    /// Stores a change for each of these campaigns that the action applies to. Does nothing if a campaign does not
    /// exist, or cannot have the requested values: the error of `field` names it. Of an ad account that cannot be read it
    /// pauses what is named: each change is tried until the platform answers, and then finds what its campaign needs.
    pub async fn change_campaigns(
        &self,
        context: PlatformContext<'_>,
        field: &str,
        ids: &[CampaignId],
    ) -> Result<Vec<BulkOutcome>, Error> {
        let (known, named) = (self.known(context).await?, self.read(context, ids).await?);
        let (mut outcomes, mut classified) = (Vec::with_capacity(named.len()), Vec::with_capacity(named.len()));
        let asked = BulkTerms { action: self.action, budgets: self.budgets, is_flat: self.is_flat };
        for NamedCampaigns { connection, ids, read } in named {
            let account = self.account(context, &known, connection);
            if account.listing == Listing::Listed {
                outcomes.push(stored_outcome(context, account).await?);
                continue;
            }
            let activations: Vec<String> = ids.iter().map(|id| format!("{id}#")).collect();
            let cancellation = cancel_activations(context, &account, &activations).await?;
            let (campaigns, error) = match read {
                Ok(campaigns) => {
                    (classify(context, connection, &account, asked, campaigns, self.is_continued).await?, None)
                }
                Err(error) => {
                    (pause_unread(context, connection, &account, &ids, self.is_continued).await?, Some(error))
                }
            };
            let overruled = overruled_by(&context.app.store, &account, self.is_continued).await?;
            let campaigns = if overruled.is_some() { campaigns.only_earlier() } else { campaigns };
            classified.push((account, campaigns, cancellation, error));
        }
        // A listed account is a part that an earlier request has made.
        if outcomes.is_empty() {
            require_possible(field, classified.iter().map(|(_, classified, ..)| classified))?;
        }
        for (account, campaigns, cancellation, error) in classified {
            let stored = store_classified(context, account, campaigns, cancellation).await?;
            outcomes.push(BulkOutcome { error, ..stored });
        }
        Ok(outcomes)
    }

    /// Reads campaigns, by their ad accounts. 404 if one does not exist in an ad account that was read. Only a pause goes on
    /// if an ad account cannot be read: whatever the campaigns are, it adds no spend.
    async fn read<'a>(
        &self,
        context: PlatformContext<'a>,
        ids: &'a [CampaignId],
    ) -> Result<Vec<NamedCampaigns<'a>>, Error> {
        let named = join_all(by_account(context, ids)?.into_iter().map(|(connection, ids)| async move {
            let read = match list_account(context, connection).await {
                Ok(mut campaigns) => {
                    campaigns.retain(|campaign| ids.contains(&&campaign.id));
                    if campaigns.len() == ids.len() { Ok(campaigns) } else { return Err(not_found()) }
                }
                Err(error) if self.action.pauses() => Err(error),
                Err(error) => return Err(error),
            };
            Ok(NamedCampaigns { connection, ids, read })
        }));
        named.await.into_iter().collect()
    }

    /// The ad accounts that an earlier request has stored.
    async fn known(&self, context: PlatformContext<'_>) -> Result<Vec<BulkAccount>, Error> {
        if self.is_continued {
            context.app.store.bulk_accounts(context.customer, self.id, context.now).await
        } else {
            Ok(Vec::new())
        }
    }

    /// The ad account of a connection, as an earlier request has left it, or one whose campaigns are not read yet.
    fn account(&self, context: PlatformContext<'_>, known: &[BulkAccount], connection: &Connection) -> BulkAccount {
        let user = connection.external_ref.as_ref();
        self.in_account(context, known, connection.platform, connection.account_id(), &connection.id, user)
    }

    fn in_account(
        &self,
        context: PlatformContext<'_>,
        known: &[BulkAccount],
        platform: Platform,
        account_id: &str,
        connection: &ConnectionId,
        user: Option<&ExternalRef>,
    ) -> BulkAccount {
        let is_same = |account: &&BulkAccount| account.platform == platform && account.account_id == account_id;
        known.iter().find(is_same).cloned().unwrap_or_else(|| BulkAccount {
            bulk: self.id,
            customer: context.customer,
            platform,
            account_id: account_id.to_owned(),
            connection: connection.clone(),
            external_ref: user.cloned(),
            action: self.action,
            requested_by: self.origin.requested_by.clone(),
            reference: self.origin.reference.clone(),
            key_digest: self.origin.key_digest.clone(),
            created_at: self.begun_at,
            listing: Listing::Pending(None),
            undoes: Vec::new(),
            changes: Vec::new(),
            refused: Vec::new(),
        })
    }
}

/// Makes a bulk change in an ad account, as far as that is possible now; maintenance continues the rest. `is_continued` says
/// that an earlier attempt may have stored changes.
pub async fn change_account(
    context: PlatformContext<'_>,
    connection: Result<&Connection, Error>,
    account: BulkAccount,
    is_continued: bool,
) -> Result<BulkOutcome, Error> {
    if account.listing == Listing::Listed {
        return stored_outcome(context, account).await;
    }
    match account.action {
        BulkAction::Undo(_) | BulkAction::UndoSet => {
            undo_account(&context.app.store, account, is_continued, context.app.clock.now()).await
        }
        BulkAction::Status(_) | BulkAction::Percent(_) | BulkAction::Budgets => {
            list_and_change(context, connection, account, is_continued).await
        }
    }
}

/// Stores an ad account with the ids of its changes and the refused campaigns.
async fn finish(
    store: &Store,
    outcome: BulkOutcome,
    listing: Listing,
    changes: Vec<ChangeId>,
    now: Timestamp,
) -> Result<BulkOutcome, Error> {
    let refused = outcome.refused.iter().take(MAX_BULK_IDS).cloned().collect();
    let account = BulkAccount { listing, changes, refused, ..outcome.account };
    store.put_bulk_account(&account, account.next_attempt(now)).await?;
    Ok(BulkOutcome { account, ..outcome })
}

/// The campaigns of an ad account that a request names.
struct NamedCampaigns<'a> {
    connection: &'a Connection,
    ids: Vec<&'a CampaignId>,
    /// The campaigns; an error only if they can be paused without a look at them.
    read: Result<Vec<PlatformCampaign>, Error>,
}

/// The campaigns of these ids, by their ad accounts, in the order in which the accounts come first. 404 if an id is of no
/// ad account of the customer.
fn by_account<'a>(
    context: PlatformContext<'a>,
    ids: &'a [CampaignId],
) -> Result<Vec<(&'a Connection, Vec<&'a CampaignId>)>, Error> {
    let mut accounts: Vec<(&Connection, Vec<&CampaignId>)> = Vec::new();
    for id in ids {
        let (connection, _) = context.connected.find_campaign(id).ok_or_else(not_found)?;
        match accounts.iter_mut().find(|(known, _)| known.id == connection.id) {
            Some((_, ids)) => ids.push(id),
            None => accounts.push((connection, vec![id])),
        }
    }
    Ok(accounts)
}

fn not_found() -> Error {
    Error::not_found("campaign")
}

/// Applies changes of a bulk change until this time. Changes that the time cuts off are stored: maintenance applies or
/// settles them.
pub async fn attempt_until(app: &Arc<App>, changes: Vec<Change>, until: Instant) {
    let attempts = stream::iter(changes).map(|change| async move {
        let id = change.id;
        if let Err(error) = attempt_scheduled(app, change).await {
            tracing::warn!(change = %id, %error, source = error.source, "a bulk change was not applied at once");
        }
    });
    let _ = timeout_at(until, attempts.buffer_unordered(CONCURRENT_ATTEMPTS).collect::<Vec<()>>()).await;
}

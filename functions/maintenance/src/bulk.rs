//! Continues bulk changes in the ad accounts that their request could not list.

use crate::Tally;
use futures_util::StreamExt;
use jiff::SignedDuration;
use shared::app::App;
use shared::changes::{change_account, find_account};
use shared::domain::Listing;
use shared::error::{Error, isolated};
use shared::store::{ConnectionRef, DueRecord};
use shared::tokens::PlatformContext;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Ad accounts listed concurrently.
const CONCURRENCY: usize = 8;
/// Time limit of listing an ad account.
const TIMEOUT: Duration = Duration::from_secs(200);

pub(crate) async fn continue_due(app: &Arc<App>, until: Instant) -> Tally {
    let due = app.store.due_bulk(app.clock.now());
    let due = due.take_while(|_| std::future::ready(crate::has_time(until, "bulk changes")));
    let mut outcomes = pin!(due.map(|due| isolated(continue_one(app, due))).buffer_unordered(CONCURRENCY));
    let mut tally = Tally::default();
    while let Some(outcome) = outcomes.next().await {
        match outcome {
            Ok(None) => tally.done += 1,
            Ok(Some(age)) => {
                tally.failed += 1;
                tally.oldest = tally.oldest.max(age);
            }
            Err(error) => tally.unread = Some(error),
        }
    }
    tally
}

/// The age of an ad account's bulk change that is not listed now; `None` once it is. An error if the list of due ones
/// could not be read.
async fn continue_one(app: &Arc<App>, due: DueRecord<String>) -> Result<Option<SignedDuration>, Error> {
    let (customer, sk) = due?;
    let account = match app.store.bulk_account(customer, &sk).await {
        // The list comes from an index, which is eventually consistent.
        Ok(account) => account.filter(|account| matches!(account.listing, Listing::Pending(_))),
        Err(error) => {
            tracing::warn!(%customer, %error, source = error.source, "reading a bulk change failed");
            return Ok(Some(SignedDuration::ZERO));
        }
    };
    let Some(account) = account else { return Ok(None) };
    let (bulk, platform, now) = (account.bulk, account.platform, app.clock.now());
    let age = now.duration_since(account.created_at);
    let name = [ConnectionRef::Account(platform, account.account_id.clone())];
    let outcome = async {
        let connected = &app.store.named_connections(customer, &name, now).await?;
        let deadline = Instant::now() + TIMEOUT;
        let context = PlatformContext { app, outbound: &app.outbound, customer, connected, now, deadline };
        let connection = find_account(connected, platform, &account.account_id);
        change_account(context, connection, account.clone(), true).await
    };
    let failure = match outcome.await {
        Ok(outcome) => outcome.error,
        Err(error) => Some(error),
    };
    let Some(error) = failure else { return Ok(None) };
    let (platform, source) = (platform.as_str(), error.source.as_ref());
    tracing::warn!(%customer, %bulk, platform, %error, source, "an ad account of a bulk change was not listed");
    Ok(Some(age))
}

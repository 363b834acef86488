//! Continues bulk changes in the ad accounts that their request could not list.

use crate::drain::{DueWork, Failure, Step, StepCounts, drain};
use shared::app::App;
use shared::changes::{change_account, find_account};
use shared::domain::{CustomerId, Listing, Platform};
use shared::store::ConnectionRef;
use shared::tokens::PlatformContext;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Ad accounts listed concurrently.
const CONCURRENCY: usize = 8;
/// Time limit of listing an ad account.
const TIMEOUT: Duration = Duration::from_secs(200);

pub(crate) async fn continue_due(app: &Arc<App>, until: Instant) -> StepCounts {
    let records = app.store.due_bulk(app.clock.now());
    let due = DueWork { records, label: "bulk changes", concurrency: CONCURRENCY, until, log };
    drain(due, |customer, sk| continue_one(app, customer, sk)).await
}

/// Lists an ad account. Its lateness is the age of the bulk change.
async fn continue_one(app: &Arc<App>, customer: CustomerId, sk: String) -> Result<Step, Failure> {
    // The list comes from an index, which is eventually consistent.
    let account = app.store.bulk_account(customer, &sk).await?;
    let Some(account) = account.filter(|account| matches!(account.listing, Listing::Pending(_))) else {
        return Ok(Step::DONE);
    };
    let (platform, now) = (account.platform, app.clock.now());
    let lateness = now.duration_since(account.created_at);
    let name = [ConnectionRef::Account(platform, account.account_id.clone())];
    let outcome = async {
        let connected = &app.store.named_connections(customer, &name, now).await?;
        let deadline = Instant::now() + TIMEOUT;
        let context = PlatformContext { app, outbound: &app.outbound, customer, connected, now, deadline };
        let connection = find_account(connected, platform, &account.account_id);
        let listed = change_account(context, connection, account.clone(), true).await?;
        match listed.error {
            Some(error) => Err(error),
            None => Ok(Step::DONE),
        }
    };
    outcome.await.map_err(|error| Failure { error, platform: Some(platform), lateness })
}

/// The sort key names the bulk change and the ad account.
fn log(customer: CustomerId, bulk: &String, Failure { error, platform, .. }: &Failure) {
    let (platform, source) = (platform.map(Platform::as_str), error.source.as_ref());
    tracing::warn!(%customer, bulk, platform, %error, source, "an ad account of a bulk change was not listed");
}

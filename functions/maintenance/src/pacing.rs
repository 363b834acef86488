//! Moves the daily budgets of campaigns with a monthly one: after the midnight of their ad account, and more often near
//! the end of what is left.

use crate::Tally;
use crate::failing::FailingPlatforms;
use futures_util::StreamExt;
use shared::app::App;
use shared::changes::{Paced, pace};
use shared::domain::CampaignId;
use shared::error::{Error, Kind, isolated};
use shared::store::DueRecord;
use std::pin::pin;
use std::sync::Arc;
use tokio::time::Instant;

/// Campaigns looked at concurrently. Each waits for two calls to its platform.
const CONCURRENCY: usize = 32;

pub(crate) async fn pace_due(app: &Arc<App>, until: Instant) -> Tally {
    let failing = FailingPlatforms::default();
    let due = app.store.due_pacing(app.clock.now());
    let due = due.take_while(|_| std::future::ready(crate::has_time(until, "monthly budgets")));
    let mut outcomes = pin!(due.map(|due| isolated(pace_one(app, due, &failing))).buffer_unordered(CONCURRENCY));
    let mut tally = Tally::default();
    while let Some(outcome) = outcomes.next().await {
        match outcome {
            Ok(Some(Paced::Looked(lateness))) => {
                tally.done += 1;
                tally.oldest = tally.oldest.max(lateness);
            }
            Ok(Some(Paced::Waits(lateness))) => {
                tally.failed += 1;
                tally.oldest = tally.oldest.max(lateness);
            }
            Ok(None) => tally.failed += 1,
            Err(error) => tally.unread = Some(error),
        }
    }
    tally
}

/// What a look has done; `None` for one that failed, or whose platform fails; an error if the list of due campaigns could
/// not be read.
async fn pace_one(
    app: &Arc<App>,
    due: DueRecord<CampaignId>,
    failing: &FailingPlatforms,
) -> Result<Option<Paced>, Error> {
    let (customer, campaign) = due?;
    let platform = campaign.platform();
    if failing.contains(platform) {
        return Ok(None);
    }
    let paced = pace(app, customer, &campaign).await;
    // A throttle is mostly of one ad account, whose others must not wait for it.
    if !paced.as_ref().is_err_and(|error| error.kind == Kind::RateLimited) {
        failing.record(platform, paced.as_ref().err());
    }
    match paced {
        Ok(paced) => Ok(Some(paced)),
        Err(error) => {
            let (platform, source) = (platform.as_str(), error.source.as_ref());
            tracing::warn!(%customer, %campaign, platform, %error, source, "a monthly budget was not looked at");
            Ok(None)
        }
    }
}

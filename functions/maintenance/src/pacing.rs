//! Moves the daily budgets of campaigns with a monthly one: after the midnight of their ad account, and more often near
//! the end of what is left.

use crate::Tally;
use crate::failing::FailingPlatforms;
use futures_util::StreamExt;
use jiff::SignedDuration;
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
            Ok(Some(lateness)) => {
                tally.failed += 1;
                tally.oldest = tally.oldest.max(lateness);
            }
            Ok(None) => tally.done += 1,
            Err(error) => tally.unread = Some(error),
        }
    }
    tally
}

/// How late a campaign is that could not be looked at, `None` for one that was; an error if the list of due ones could not
/// be read.
async fn pace_one(
    app: &Arc<App>,
    due: DueRecord<CampaignId>,
    failing: &FailingPlatforms,
) -> Result<Option<SignedDuration>, Error> {
    let (customer, campaign) = due?;
    let platform = campaign.platform();
    if failing.contains(platform) {
        return Ok(Some(SignedDuration::ZERO));
    }
    let paced = pace(app, customer, &campaign).await;
    // A throttle is mostly of one ad account, whose others must not wait for it.
    if !paced.as_ref().is_err_and(|error| error.kind == Kind::RateLimited) {
        failing.record(platform, paced.as_ref().err());
    }
    match paced {
        Ok(Paced::Looked) => Ok(None),
        Ok(Paced::Waits(lateness)) => Ok(Some(lateness)),
        Err(error) => {
            let (platform, source) = (platform.as_str(), error.source.as_ref());
            tracing::warn!(%customer, %campaign, platform, %error, source, "a monthly budget was not looked at");
            Ok(Some(SignedDuration::ZERO))
        }
    }
}

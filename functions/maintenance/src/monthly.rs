//! Adjusts the daily budgets of campaigns with a monthly budget: after midnight in the time zone of their ad account, and
//! more often when little of the month's budget is left.

use crate::drain::{DueWork, Failure, Step, StepCounts, drain};
use crate::failing_platforms::FailingPlatforms;
use jiff::SignedDuration;
use shared::app::App;
use shared::changes::{Adjustment, adjust_daily_budget};
use shared::domain::{CampaignId, CustomerId, Platform};
use std::sync::Arc;
use tokio::time::Instant;

/// Campaigns adjusted concurrently. Each waits for two calls to its platform.
const CONCURRENCY: usize = 32;

pub(crate) async fn adjust_due(app: &Arc<App>, until: Instant) -> StepCounts {
    let failing = FailingPlatforms::default();
    let records = app.store.due_monthly_budgets(app.clock.now());
    let due = DueWork { records, label: "monthly budgets", concurrency: CONCURRENCY, until, log };
    drain(due, |customer, campaign| adjust_one(app, customer, campaign, &failing)).await
}

async fn adjust_one(
    app: &Arc<App>,
    customer: CustomerId,
    campaign: CampaignId,
    failing: &FailingPlatforms,
) -> Result<Step, Failure> {
    let platform = campaign.platform();
    if failing.contains(platform) {
        return Ok(Step::Failed(SignedDuration::ZERO));
    }
    let adjustment = adjust_daily_budget(app, customer, &campaign).await;
    failing.record_unless_throttled(platform, adjustment.as_ref().err());
    match adjustment {
        Ok(Adjustment::Done(lateness)) => Ok(Step::Done(lateness)),
        Ok(Adjustment::Waits(lateness)) => Ok(Step::Failed(lateness)),
        Err(error) => Err(Failure { platform: Some(platform), ..Failure::from(error) }),
    }
}

fn log(customer: CustomerId, campaign: &CampaignId, Failure { error, platform, .. }: &Failure) {
    let (platform, source) = (platform.map(Platform::as_str), error.source.as_ref());
    tracing::warn!(%customer, %campaign, platform, %error, source, "a monthly budget was not looked at");
}

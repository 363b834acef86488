//! The spend of campaigns, from the platform's report: one call for all of a page.

use super::api::API;
use super::report::{self, Period, Report};
use crate::platforms::engine::spend::{CampaignSpend, optional};
use crate::platforms::prelude::*;

/// The spend of campaigns over their whole run; `None` where the report failed.
pub(super) async fn of(
    session: &AccountSession,
    ids: &[&str],
    with_deleted: bool,
) -> Result<Option<CampaignSpend>, Error> {
    if ids.is_empty() {
        return Ok(None);
    }
    optional(Platform::Gamma, spent(session, ids, with_deleted).await)
}

/// Sets a campaign's spend. A report has rows of delivered campaigns only, so a campaign without a row has spent
/// nothing; for a deleted one that is not certain.
pub(super) fn fill(campaign: &mut PlatformCampaign, report: Option<&CampaignSpend>) {
    let Some(report) = report else { return };
    let nothing = (campaign.status != CampaignStatus::Archived).then_some(Decimal::ZERO);
    campaign.total_spend_amount = report.of(&campaign.remote_id, nothing);
}

async fn spent(session: &AccountSession, ids: &[&str], with_deleted: bool) -> Result<CampaignSpend, Error> {
    let account = session.account.id.as_str();
    let report = Report { account, ids, with_deleted, period: Period::Lifetime, metrics: r#"["spend"]"# };
    let pages = Pages::new(move |token| report.request(token), report::read);
    let mut spent = CampaignSpend::default();
    for row in pages.all(&Client::of(&API, session)).await? {
        // A spend that cannot be read hides only itself.
        let amount = row.metrics.and_then(|metrics| report::amount(metrics.spend.as_deref()).ok().flatten());
        spent.set(&row.dimensions.campaign_id.to_string(), amount);
    }
    Ok(spent)
}

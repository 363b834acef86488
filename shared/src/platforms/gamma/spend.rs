//! The spend of campaigns, from the platform's report: one call for all of a page.

use super::api::{self, API};
use super::wire::{Amount, ReportRow};
use crate::platforms::engine::spend::{Spent, optional};
use crate::platforms::prelude::*;
use serde_json::{Value, json};

/// The spend of campaigns over their whole run; `None` where the report failed.
pub(super) async fn of(session: &Session, ids: &[&str], with_deleted: bool) -> Result<Option<Spent>, Error> {
    if ids.is_empty() {
        return Ok(None);
    }
    optional(Platform::Gamma, report(session, ids, with_deleted).await)
}

/// Sets a campaign's spend. A report has rows of delivered campaigns only, so a campaign without a row has spent
/// nothing; for a deleted one that is not certain.
pub(super) fn fill(campaign: &mut Campaign, report: Option<&Spent>) {
    let Some(report) = report else { return };
    let nothing = (campaign.status != CampaignStatus::Archived).then_some(Decimal::ZERO);
    campaign.total_spend_amount = report.of(&campaign.remote_id, nothing);
}

async fn report(session: &Session, ids: &[&str], with_deleted: bool) -> Result<Spent, Error> {
    let mut filters = vec![filter("campaign_ids", ids)];
    if with_deleted {
        // Without this filter a report omits deleted campaigns.
        filters.push(filter("campaign_status", &["STATUS_ALL"]));
    }
    let filtering = Value::from(filters).to_string();
    let parameters = [
        ("advertiser_id", session.account.id.as_str()),
        ("report_type", "BASIC"),
        ("data_level", "AUCTION_CAMPAIGN"),
        ("dimensions", r#"["campaign_id"]"#),
        ("metrics", r#"["spend"]"#),
        ("query_lifetime", "true"),
        ("filtering", &filtering),
        ("page", "1"),
        ("page_size", "1000"),
    ];
    let answer = Client::of(&API, session).read(api::query("report/integrated/get", &parameters)).await?;
    let mut spent = Spent::default();
    for row in api::read_rows::<ReportRow>(&answer)? {
        let amount = row.metrics.and_then(|metrics| Amount::read(metrics.spend.as_deref()?));
        spent.set(&row.dimensions.campaign_id.to_string(), amount);
    }
    Ok(spent)
}

/// A condition of a report, with its values as text. <https://business-api.tiktok.com/portal/docs?id=1740302848100353>
fn filter(field_name: &str, values: &[&str]) -> Value {
    json!({"field_name": field_name, "filter_type": "IN", "filter_value": json!(values).to_string()})
}

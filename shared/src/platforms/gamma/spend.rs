//! The spend of campaigns, from the platform's report: one call for all of a page.

use super::api::{self, API};
use super::wire::{Amount, ReportFilter, ReportRow};
use crate::domain::{Campaign, CampaignStatus, Platform};
use crate::error::Error;
use crate::platforms::engine::call::{Client, Session};
use crate::platforms::engine::spend::optional;
use rust_decimal::Decimal;
use std::collections::HashMap;

/// The spend of each campaign by its id; `None` for a campaign whose spend cannot be read.
pub(super) type Report = HashMap<String, Option<Decimal>>;

/// The spend of campaigns over their whole run; `None` where the report failed.
pub(super) async fn of(session: &Session, ids: &[&str], with_deleted: bool) -> Result<Option<Report>, Error> {
    if ids.is_empty() {
        return Ok(None);
    }
    optional(Platform::Gamma, report(session, ids, with_deleted).await)
}

/// Sets a campaign's spend. A report has rows of delivered campaigns only, so a campaign without a row has spent
/// nothing; for a deleted one that is not certain.
pub(super) fn fill(campaign: &mut Campaign, report: Option<&Report>) {
    let Some(report) = report else { return };
    let nothing = (campaign.status != CampaignStatus::Archived).then_some(Decimal::ZERO);
    campaign.total_spend_amount = report.get(&campaign.remote_id).copied().unwrap_or(nothing);
}

async fn report(session: &Session, ids: &[&str], with_deleted: bool) -> Result<Report, Error> {
    let mut filters = vec![filter("campaign_ids", ids)?];
    if with_deleted {
        // Without this filter a report omits deleted campaigns.
        filters.push(filter("campaign_status", &["STATUS_ALL"])?);
    }
    let filtering = serde_json::to_string(&filters).map_err(Error::internal)?;
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
    let mut report = Report::new();
    for row in api::read_rows::<ReportRow>(&answer)? {
        let spend = row.metrics.and_then(|metrics| metrics.spend).and_then(|spend| Amount::read(&spend));
        let spend = spend.map(|spend| spend.0).filter(|spend| !spend.is_sign_negative());
        // With two rows for one campaign, neither is certain to be its whole spend.
        report.entry(row.dimensions.campaign_id.to_string()).and_modify(|known| *known = None).or_insert(spend);
    }
    Ok(report)
}

fn filter(field_name: &'static str, values: &[&str]) -> Result<ReportFilter, Error> {
    let filter_value = serde_json::to_string(values).map_err(Error::internal)?;
    Ok(ReportFilter { field_name, filter_type: "IN", filter_value })
}

//! Campaigns: typed calls of the API. The reads have the enveloped shape: in the flat one the API reads no spend. Creates,
//! changes and bulk changes are in the files beside this one, with their outcomes.

mod bulk;
mod create;
mod edit;

pub(crate) use bulk::{
    BudgetEdit, BulkTargets, StartedBulk, bulk_status, set_budgets, set_statuses, undo_many, undo_set,
};
pub(crate) use create::{CreateOutcome, CreateResult, KeyState, create, wrong_fields};
pub(crate) use edit::{CampaignEdit, EditOutcome, MONTHLY, delete, update};

use crate::client::api::{Api, Refusal, json};
use crate::kit::text::path_segment;
use shared::domain::Campaign;
use shared::envelope::{CampaignDelivery, CampaignList, DryRunResult, Reply, Shape};
use shared::error::Error;
use shared::serve::ApiCall;

/// The path of all campaigns in the API.
const CAMPAIGNS: &str = "/v1/campaigns";

/// The path of a campaign in the API.
pub(crate) fn path(id: &str) -> String {
    format!("{CAMPAIGNS}/{}", path_segment(id))
}

/// Reads a campaign, with its spend.
pub(crate) async fn one(api: &Api<'_>, id: &str) -> Result<Campaign, Refusal> {
    match read(api, &path(id)).await? {
        Reply::Campaign(campaign) => Ok(*campaign),
        other => Err(api.unexpected(&other)),
    }
}

/// Reads whether a campaign is shown, and its ads.
pub(crate) async fn delivery(api: &Api<'_>, id: &str) -> Result<CampaignDelivery, Refusal> {
    match read(api, &format!("{}/delivery", path(id))).await? {
        Reply::CampaignDelivery(read) => Ok(*read),
        other => Err(api.unexpected(&other)),
    }
}

/// Reads a page of a list of campaigns. Its query has the names of the enveloped shape.
pub(crate) async fn page(api: &Api<'_>, target: &str) -> Result<CampaignList, Refusal> {
    match read(api, target).await? {
        Reply::Campaigns(list) => Ok(list),
        other => Err(api.unexpected(&other)),
    }
}

async fn read(api: &Api<'_>, target: &str) -> Result<Reply, Refusal> {
    api.ask(ApiCall { method: "GET", target, body: None, shape: Shape::Enveloped, idempotency_key: None }).await
}

/// What a create would do, given by its body in the enveloped shape. Nothing is stored, and nothing at a platform changes.
pub(crate) async fn dry_run_create(api: &Api<'_>, body: String) -> Result<DryRunResult, Refusal> {
    dry_run(api, "POST", CAMPAIGNS, Some(body)).await
}

/// What an update would do.
pub(crate) async fn dry_run_update(api: &Api<'_>, id: &str, edit: &CampaignEdit<'_>) -> Result<DryRunResult, Refusal> {
    dry_run(api, "PATCH", &path(id), json(edit)).await
}

async fn dry_run(api: &Api<'_>, method: &str, path: &str, body: Option<String>) -> Result<DryRunResult, Refusal> {
    let target = &format!("{path}?dry_run=true");
    let call = ApiCall { method, target, body, shape: Shape::Enveloped, idempotency_key: None };
    match api.ask(call).await? {
        Reply::DryRun(report) => {
            let result = report.results.into_iter().next();
            result.ok_or_else(|| api.failed(&Error::internal("a dry run has no result")))
        }
        other => Err(api.unexpected(&other)),
    }
}

//! Dry runs of creates and updates. Nothing is stored, and nothing at a platform changes.

use super::edit::CampaignEdit;
use super::paths::{CAMPAIGNS, path};
use crate::client::api::{Api, Refusal, json};
use shared::envelope::{DryRunResult, Reply, Shape};
use shared::error::Error;
use shared::serve::ApiCall;

/// What a create would do, given by its body in the enveloped shape.
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

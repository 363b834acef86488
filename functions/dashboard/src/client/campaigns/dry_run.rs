//! Dry runs of creates and updates. Nothing is stored, and nothing at a platform changes.

use super::edit::CampaignEdit;
use super::paths::{CAMPAIGNS, path};
use super::refused::{Refused, wrong_fields};
use crate::client::api::{Api, json};
use shared::envelope::{DryRunResult, Reply, Shape};
use shared::error::Error;
use shared::serve::{Answer, ApiCall};

/// What a create would do, given by its body in the enveloped shape.
pub(crate) async fn dry_run_create(api: &Api<'_>, body: String) -> Result<DryRunResult, Refused> {
    dry_run(api, "POST", CAMPAIGNS, Some(body)).await
}

/// What an update would do.
pub(crate) async fn dry_run_update(api: &Api<'_>, id: &str, edit: &CampaignEdit<'_>) -> Result<DryRunResult, Refused> {
    dry_run(api, "PATCH", &path(id), json(edit)).await
}

async fn dry_run(api: &Api<'_>, method: &str, path: &str, body: Option<String>) -> Result<DryRunResult, Refused> {
    let target = &format!("{path}?dry_run=true");
    let call = ApiCall { method, target, body, shape: Shape::Enveloped, idempotency_key: None };
    let Answer { outcome, response, changes: _ } = api.answer(call).await.map_err(Refused::from)?;
    match outcome {
        Ok(Reply::DryRun(report)) => {
            let result = report.results.into_iter().next();
            result.ok_or_else(|| api.failed(&Error::internal("a dry run has no result")).into())
        }
        Ok(other) => Err(api.unexpected(&other).into()),
        Err(error) => Err(Refused { refusal: api.refusal(&response), fields: wrong_fields(&error) }),
    }
}

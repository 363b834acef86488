//! Bulk changes.

use super::{CAMPAIGNS, read};
use crate::client::api::{Api, Refusal, json};
use crate::client::changes::CHANGES;
use crate::client::replay;
use crate::kit::amount::Amount;
use crate::kit::campaign::Switch;
use crate::kit::text::path_segment;
use serde::{Deserialize, Serialize};
use serde_json::json;
use shared::domain::{BulkId, CampaignId, ChangeError, Reason, RefusedCampaign};
use shared::envelope::{BulkStatus, Reply, Shape};
use shared::error::Error;
use shared::serve::ApiCall;

/// The campaigns that a change is about.
#[derive(Clone, Copy)]
pub(crate) enum BulkTargets<'a> {
    /// All in all ad accounts.
    All,
    /// These, by their ids.
    Ids(&'a [String]),
}

/// The new budget of a campaign, and the one that was seen.
#[derive(Serialize)]
pub(crate) struct BudgetEdit<'a> {
    pub(crate) id: &'a str,
    pub(crate) budget_amount: Amount,
    pub(crate) from: Amount,
}

#[derive(Serialize)]
struct SetBudgets<'a> {
    budgets: &'a [BudgetEdit<'a>],
}

/// The bulk change that a request has started.
pub(crate) struct StartedBulk {
    pub(crate) bulk: BulkId,
    /// The number of campaigns that have the requested values already.
    pub(crate) unchanged: usize,
    pub(crate) refused: Vec<RefusedCampaign>,
}

/// A stored response, in either shape.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredResults {
    Enveloped { data: StoredBulk },
    Flat(StoredBulk),
}

#[derive(Deserialize)]
struct StoredBulk {
    bulk_id: String,
    unchanged: Vec<String>,
    refused: Vec<StoredRefusal>,
}

#[derive(Deserialize)]
struct StoredRefusal {
    campaign_id: String,
    error: StoredError,
}

#[derive(Deserialize)]
struct StoredError {
    code: String,
    message: String,
    reason: Option<String>,
}

/// Begins to activate or pause many campaigns, once for an idempotency key.
pub(crate) async fn set_statuses(
    api: &Api<'_>,
    switch: Switch,
    chosen: BulkTargets<'_>,
    key: &str,
) -> Result<StartedBulk, Refusal> {
    let body = match chosen {
        BulkTargets::All => json!({ "status": switch.status(), "all": true }),
        BulkTargets::Ids(ids) => json!({ "status": switch.status(), "ids": ids }),
    };
    let target = format!("{CAMPAIGNS}/status");
    start(api, &target, Some(body.to_string()), Some(key)).await
}

/// Begins to change the budgets of many campaigns, once for an idempotency key.
pub(crate) async fn set_budgets(api: &Api<'_>, budgets: &[BudgetEdit<'_>], key: &str) -> Result<StartedBulk, Refusal> {
    start(api, &format!("{CAMPAIGNS}/budgets"), json(&SetBudgets { budgets }), Some(key)).await
}

/// Begins to undo a bulk change. Without a key a second undo finds the former values.
pub(crate) async fn undo_many(api: &Api<'_>, id: &str, key: Option<&str>) -> Result<StartedBulk, Refusal> {
    start(api, &format!("{CHANGES}/{}/undo", path_segment(id)), None, key).await
}

/// Begins to undo a set of changes, once for an idempotency key. Those of a campaign are undone together.
pub(crate) async fn undo_set(api: &Api<'_>, changes: &[String], key: &str) -> Result<StartedBulk, Refusal> {
    let first = changes.first().map(String::as_str).unwrap_or_default();
    let body = json!({ "changes": changes }).to_string();
    start(api, &format!("{CHANGES}/{}/undo", path_segment(first)), Some(body), Some(key)).await
}

/// Sends the request in the enveloped shape, because only that has the amounts of monthly budgets.
async fn start(api: &Api<'_>, target: &str, body: Option<String>, key: Option<&str>) -> Result<StartedBulk, Refusal> {
    let call = ApiCall { method: "POST", target, body, shape: Shape::Enveloped, idempotency_key: key };
    match api.ask_once(call).await? {
        Reply::Bulk(report) => {
            Ok(StartedBulk { bulk: report.bulk, unchanged: report.unchanged.len(), refused: report.refused })
        }
        Reply::Replayed(stored) => {
            let (StoredResults::Enveloped { data } | StoredResults::Flat(data)) = replay::body(api, &stored)?;
            data.read().ok_or_else(|| api.failed(&Error::internal("a stored bulk change")))
        }
        other => Err(api.unexpected(&other)),
    }
}

impl StoredBulk {
    fn read(self) -> Option<StartedBulk> {
        let refused = self.refused.into_iter().map(|StoredRefusal { campaign_id, error }| {
            let StoredError { code, message, reason } = error;
            let reason = reason.as_deref().and_then(Reason::parse);
            let error = ChangeError { code, message: message.into(), reason, ..ChangeError::default() };
            Some(RefusedCampaign { campaign: CampaignId::parse(&campaign_id)?, error })
        });
        Some(StartedBulk {
            bulk: BulkId::parse(&self.bulk_id)?,
            unchanged: self.unchanged.len(),
            refused: refused.collect::<Option<_>>()?,
        })
    }
}

/// Reads how far a bulk change is.
pub(crate) async fn bulk_status(api: &Api<'_>, id: &str) -> Result<BulkStatus, Refusal> {
    match read(api, &format!("{CAMPAIGNS}/status/{}", path_segment(id))).await? {
        Reply::BulkStatus(status) => Ok(status),
        other => Err(api.unexpected(&other)),
    }
}

#[cfg(test)]
#[test]
fn a_stored_response_is_read_in_either_shape() {
    let refused =
        r#"[{"campaign_id":"alpha_1_2","error":{"code":"CONFLICT","message":"No.","reason":"CHANGED_MEANWHILE"}}]"#;
    let bulk = format!("blk_{}", "0".repeat(32));
    let flat = format!(r#"{{"bulk_id":"{bulk}","changes":[],"unchanged":["alpha_1_3"],"refused":{refused}}}"#);
    for text in [format!(r#"{{"data":{flat}}}"#), flat] {
        let (StoredResults::Enveloped { data } | StoredResults::Flat(data)) = serde_json::from_str(&text).unwrap();
        let started = data.read().unwrap();
        assert_eq!((started.bulk.to_string(), started.unchanged), (bulk.clone(), 1));
        assert_eq!(started.refused[0].error.reason, Some(Reason::ChangedMeanwhile));
    }
}

//! Changes of many campaigns.

use super::paths::CAMPAIGNS;
use super::read::read;
use crate::client::api::{Api, Refusal};
use crate::client::replay;
use crate::kit::campaign::Switch;
use crate::kit::text::path_segment;
use serde::Deserialize;
use serde_json::json;
use shared::domain::BulkId;
use shared::envelope::{BulkStatus, Reply, Shape};
use shared::error::Error;
use shared::serve::ApiCall;

/// The campaigns that a change is about.
#[derive(Clone, Copy)]
pub(crate) enum Chosen<'a> {
    /// All in all ad accounts.
    All,
    /// These, by their ids.
    Ids(&'a [String]),
}

/// The stored response to `setStatuses`.
#[derive(Deserialize)]
struct Begun {
    bulk_id: String,
}

/// Begins to activate or pause many campaigns, once for an idempotency key.
pub(crate) async fn set_statuses(
    api: &Api<'_>,
    switch: Switch,
    chosen: Chosen<'_>,
    key: &str,
) -> Result<BulkId, Refusal> {
    let target = &format!("{CAMPAIGNS}/status");
    let body = match chosen {
        Chosen::All => json!({ "status": switch.status(), "all": true }),
        Chosen::Ids(ids) => json!({ "status": switch.status(), "ids": ids }),
    };
    let (method, body, shape) = ("POST", Some(body.to_string()), Shape::Flat);
    match api.ask_once(ApiCall { method, target, body, shape, idempotency_key: Some(key) }).await? {
        Reply::Bulk(report) => Ok(report.bulk),
        Reply::Replayed(stored) => {
            let Begun { bulk_id } = replay::body(api, &stored)?;
            BulkId::parse(&bulk_id).ok_or_else(|| api.failed(&Error::internal("a stored id of a bulk change")))
        }
        other => Err(api.unexpected(&other)),
    }
}

/// Reads how far a change of many campaigns is.
pub(crate) async fn bulk_status(api: &Api<'_>, id: &str) -> Result<BulkStatus, Refusal> {
    match read(api, &format!("{CAMPAIGNS}/status/{}", path_segment(id))).await? {
        Reply::BulkStatus(status) => Ok(status),
        other => Err(api.unexpected(&other)),
    }
}

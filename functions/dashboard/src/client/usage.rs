//! The usage log: typed calls of the API.

use crate::client::api::{Api, Refusal};
use shared::envelope::{Reply, UsageLogs};

/// The log of the API, without its query.
pub(crate) const LOG: &str = "/v1/usage-logs";

/// `listUsageLogs`; `target` has the query.
pub(crate) async fn page(api: &Api<'_>, target: &str) -> Result<UsageLogs, Refusal> {
    match api.ask_for(target).await? {
        Reply::UsageLogs(logs) => Ok(logs),
        other => Err(api.unexpected(&other)),
    }
}

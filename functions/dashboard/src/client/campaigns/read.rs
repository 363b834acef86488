//! Reads campaigns. With the flat shape the API reads no spend, so these requests have the enveloped one.

use super::paths::path;
use crate::client::api::{Api, Refusal};
use shared::domain::Campaign;
use shared::envelope::{CampaignList, Reply, Shape};
use shared::serve::ApiCall;

/// Reads a campaign, with its spend.
pub(crate) async fn one(api: &Api<'_>, id: &str) -> Result<Campaign, Refusal> {
    match read(api, &path(id)).await? {
        Reply::Campaign(campaign) => Ok(*campaign),
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

/// Reads with the enveloped shape.
pub(super) async fn read(api: &Api<'_>, target: &str) -> Result<Reply, Refusal> {
    api.ask(ApiCall { method: "GET", target, body: None, shape: Shape::Enveloped, idempotency_key: None }).await
}

//! `getCampaign`.

use crate::request::CampaignInPath;
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;

/// Reads a campaign.
pub(crate) async fn get(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let campaign = CampaignInPath::of(call)?.read(call).await?;
    Ok(Reply::Campaign(Box::new(campaign.judged())))
}

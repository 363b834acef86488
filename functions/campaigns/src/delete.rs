//! `deleteCampaign`.

use crate::edit::{EditRequest, answer, read_request};
use crate::request::CampaignInPath;
use shared::domain::Action;
use shared::envelope::Reply;
use shared::envelope::query::{RemovalQuery, read_removal};
use shared::error::Error;
use shared::serve::Call;

/// Removes a campaign. A repeated removal is 404, or the first response under its `Idempotency-Key`. A removal needs no
/// stored record of the campaign.
pub(crate) async fn delete(call: &Call) -> Result<Reply, Error> {
    let RemovalQuery { apply_at, reference } = read_removal(&call.request.query)?;
    let requested = read_request(call, apply_at, |call| {
        Ok(EditRequest { campaign: CampaignInPath::of(call)?, action: Action::Delete, reference })
    });
    answer(call, requested, apply_at, Ok(None)).await
}

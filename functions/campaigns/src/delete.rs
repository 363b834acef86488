//! `deleteCampaign`.

use crate::edit::{Requested, answer, requested};
use crate::request::Named;
use shared::domain::Action;
use shared::envelope::Reply;
use shared::envelope::query::read_removal;
use shared::error::Error;
use shared::serve::Call;

/// Removes a campaign. A repeated removal is 404, or the first response under its `Idempotency-Key`. It depends on nothing
/// that the service holds for the campaign.
pub(crate) async fn delete(call: &Call) -> Result<Reply, Error> {
    let apply_at = read_removal(&call.request.query)?;
    let requested = requested(call, apply_at, |call| Ok(Requested { named: Named::of(call)?, action: Action::Delete }));
    answer(call, requested, apply_at, Ok(None)).await
}

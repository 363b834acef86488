//! The dates after an update, and which are refused.

use jiff::Timestamp;
use shared::changes::{check_end, check_start, require_not_ended};
use shared::domain::{CampaignChanges, CampaignId, DateChange, HeldDates};
use shared::error::Error;
use shared::platforms::field_errors::FieldErrors;

/// The dates after an update. Refuses invalid ones, and an activation after the end.
pub(crate) fn check_dates(
    held: HeldDates,
    changes: &CampaignChanges,
    id: &CampaignId,
    now: Timestamp,
) -> Result<HeldDates, Error> {
    let dates = new_dates(held, changes.start_at, changes.end_at, now)?;
    require_not_ended(&dates, changes.status, id, now)?;
    Ok(dates)
}

/// The dates after a change of them. A start that has passed is none.
fn new_dates(
    held: HeldDates,
    start: Option<DateChange>,
    end: Option<DateChange>,
    now: Timestamp,
) -> Result<HeldDates, Error> {
    let start_at = start.map_or(held.start_at, DateChange::date).filter(|start| *start > now);
    let end_at = end.map_or(held.end_at, DateChange::date);
    let mut errors = FieldErrors::default();
    check_start(&mut errors, start_at.filter(|_| start.is_some()), now);
    if end.is_some() {
        check_end(&mut errors, start_at, end_at, now);
    } else if start.is_some() && start_at.is_some_and(|start| end_at.is_some_and(|end| end <= start)) {
        errors.add("start_at", "must be before end_at");
    }
    errors.into_result()?;
    Ok(HeldDates { start_at, end_at, ..held })
}

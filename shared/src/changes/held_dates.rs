//! Dates that the service holds, because the platform's campaigns have none.

use crate::domain::{
    AdAccount, CampaignChanges, CampaignDraft, CampaignId, CampaignStatus, CampaignValues, DateChange, HeldDates,
    Holder, Platform, Reason, TimeRule,
};
use crate::error::{Error, Kind};
use crate::platforms::adapter;
use crate::platforms::capabilities::{Capabilities, HELD_DAYS_AHEAD};
use crate::platforms::errors::time_zone;
use crate::platforms::field_errors::FieldErrors;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

const TOO_FAR: &str = "must be at most ten years ahead, because this service holds it";
/// The farthest date that the service holds.
const MAX_AHEAD: SignedDuration = SignedDuration::from_hours(HELD_DAYS_AHEAD * 24);

/// Whether the service holds the dates of a platform's campaigns.
pub(super) fn are_dates_held(platform: Platform) -> bool {
    adapter(platform).facts().capabilities.dates_held_by == Holder::Service
}

/// The start and the end of a draft, if the service has to hold them. A start in the past counts as none.
pub(super) fn held_dates(
    capabilities: &Capabilities,
    account: &AdAccount,
    draft: &CampaignDraft,
    now: Timestamp,
) -> Result<(Option<Timestamp>, Option<Timestamp>), Error> {
    let has_dates = draft.start_at.is_some() || draft.end_at.is_some();
    if capabilities.dates_held_by == Holder::Platform || !has_dates {
        return Ok((None, None));
    }
    let zone = time_zone(capabilities.platform, account)?;
    let mut errors = FieldErrors::default();
    let start = errors.start(draft, &zone);
    let end = errors.end(draft, &zone);
    check_start(&mut errors, start, now);
    check_end(&mut errors, start, end, now);
    if !errors.is_empty() {
        return Err(errors.into_error(capabilities.platform));
    }
    Ok((start.filter(|start| *start > now), end))
}

/// Adds the error of a start that is too far ahead to be held.
pub(super) fn check_start(errors: &mut FieldErrors, start: Option<Timestamp>, now: Timestamp) {
    if start.is_some_and(|start| start > now + MAX_AHEAD) {
        errors.add("start_at", TOO_FAR);
    }
}

/// Adds the errors of an end: it lies ahead, not too far, and after the start.
pub(super) fn check_end(errors: &mut FieldErrors, start: Option<Timestamp>, end: Option<Timestamp>, now: Timestamp) {
    let Some(end) = end else { return };
    if end <= now {
        errors.add("end_at", TimeRule::Ahead);
    } else if end > now + MAX_AHEAD {
        errors.add("end_at", TOO_FAR);
    } else if start.is_some_and(|start| end <= start) {
        errors.add("end_at", TimeRule::AfterStart);
    }
}

/// Refuses a future start for a campaign that runs already. Where this service holds the start, the platform would keep
/// spending until then, and no platform documents that it would stop.
pub(super) fn require_no_late_start(
    current: &CampaignValues,
    changes: &CampaignChanges,
    now: Timestamp,
) -> Result<(), Error> {
    let is_ahead = changes.start_at.and_then(DateChange::date).is_some_and(|start| start > now);
    let after = CampaignValues { status: changes.status.unwrap_or(current.status), ..current.clone() };
    if !is_ahead || !current.runs(now) || !after.runs(now) {
        return Ok(());
    }
    let message = "cannot lie ahead while the campaign runs. Pause it (status PAUSED), and schedule its start: status \
                   ACTIVE with apply_at";
    Err(Error::field("start_at", message))
}

/// The error of a request that changes dates while they are being applied, or that were changed since they were read.
pub(super) fn date_in_progress() -> Error {
    let message = "A date of the campaign is being applied, or another request has moved it. Read the campaign, and send \
                   this request again in a moment if it is still right.";
    let error = Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile);
    // This refusal says nothing about the connection, so its status stays.
    Error { keeps_connection_status: true, ..error.retryable().retry_after(Duration::from_secs(2)) }
}

/// Refuses to activate a campaign whose held end has passed.
pub(super) fn require_not_ended(
    held: &HeldDates,
    status: Option<CampaignStatus>,
    campaign: &CampaignId,
    now: Timestamp,
) -> Result<(), Error> {
    let Some(end) = held.end_at else { return Ok(()) };
    if status != Some(CampaignStatus::Active) || !held.has_ended(now) {
        return Ok(());
    }
    let message = format!(
        "The campaign ended at {end:.0}, a date that this service holds. Send a later end_at together with the status, \
         or null to take the end away."
    );
    Err(Error::new(Kind::Conflict, message).because(Reason::DatesHeld).on(campaign.platform()))
}

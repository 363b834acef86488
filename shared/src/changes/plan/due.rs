//! What to do with a due change. The record of its campaign may say that it waits longer, or is canceled.

use crate::changes::cancel::key_stopped;
use crate::changes::held_dates::require_not_ended;
use crate::changes::monthly::require_open;
use crate::domain::spending::Spendings;
use crate::domain::{Action, CampaignRecord, CampaignStatus, Change, HeldDates, Reason};
use crate::error::{Error, Kind};
use jiff::{SignedDuration, Timestamp};

/// A step of a monthly budget is canceled if it is later than this.
const LATEST_STEP: SignedDuration = SignedDuration::from_hours(1);

/// What to do with a due change.
#[derive(Debug)]
pub(in crate::changes) enum DueAction {
    /// It is an activation, and waits longer: for the start of its campaign.
    Waits(Timestamp),
    /// It is canceled for this reason.
    Canceled(Box<Error>),
    /// It fails for this reason.
    Failed(Box<Error>),
    /// Its attempt begins.
    Begins,
}

/// Decides on a due change, by the record of its campaign and what it counts against.
pub(in crate::changes) fn due(
    change: &Change,
    record: &CampaignRecord,
    spendings: &Spendings,
    now: Timestamp,
) -> DueAction {
    if let Some(moved) = reason_outdated(change, record, now) {
        return DueAction::Canceled(Box::new(moved));
    }
    if let Err(refusal) = check_monthly_budget(change, record, spendings, now) {
        return DueAction::Failed(Box::new(refusal));
    }
    let (true, Some(campaign)) = (change.activates(), &change.campaign) else { return DueAction::Begins };
    let held = &record.held;
    if let Err(ended) = require_not_ended(held, Some(CampaignStatus::Active), campaign, now) {
        return DueAction::Failed(Box::new(ended));
    }
    // The activation after a spent month waits for a start that was moved since.
    match held.start_at {
        Some(start) if held.activation != Some(change.id) && held.waits_for_start(now) => DueAction::Waits(start),
        _ => DueAction::Begins,
    }
}

/// Why a change for a held date or a step is canceled: the record does not name it any more, or it comes too late.
fn reason_outdated(change: &Change, record: &CampaignRecord, now: Timestamp) -> Option<Error> {
    let HeldDates { activation, pause, .. } = record.held;
    let (step, resume) = record.monthly.as_ref().map_or((None, None), |monthly| (monthly.step, monthly.resume));
    if !change.is_held {
        return None;
    }
    // An attempt was under way when the key was stopped.
    if change.is_step && !change.pauses() && record.monthly.as_ref().is_some_and(|monthly| monthly.is_halted) {
        return Some(key_stopped());
    }
    if ![activation, pause, step, resume].contains(&Some(change.id)) {
        return Some(superseded("The date or the monthly budget was changed since."));
    }
    let is_late = step == Some(change.id) && !change.pauses() && change.lateness(now) > LATEST_STEP;
    let message = "The step comes too late: what the campaign has spent since decides on the next one.";
    is_late.then(|| superseded(message))
}

fn superseded(message: &str) -> Error {
    Error::new(Kind::Conflict, message).because(Reason::Superseded)
}

/// Refuses to activate a campaign whose monthly budget is spent, and changes that a limit does not admit in a
/// campaign with a monthly budget.
fn check_monthly_budget(
    change: &Change,
    record: &CampaignRecord,
    spendings: &Spendings,
    now: Timestamp,
) -> Result<(), Error> {
    let (Some(monthly), Some(campaign)) = (&record.monthly, &change.campaign) else { return Ok(()) };
    // A step follows from an amount that counts against no limit.
    if let (false, Action::Update(changes)) = (change.is_step, &change.action) {
        for spending in spendings.iter() {
            let checked = spending.check_monthly_budget(changes, change.currency);
            checked.map_err(|refusal| Error::refused(spending, refusal))?;
        }
    }
    let is_asked = change.activates() && !change.is_held;
    if is_asked { require_open(monthly, campaign, now) } else { Ok(()) }
}

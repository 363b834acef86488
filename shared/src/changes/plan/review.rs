//! What a person is shown who decides on a change: what would be refused if they approved it now.

use super::limit;
use crate::changes::edits::changes_for;
use crate::changes::facts::Facts;
use crate::changes::held::require_not_ended;
use crate::changes::request::ChangeRequest;
use crate::domain::{Action, CampaignChanges, CampaignStatus, HeldDates, Reason};
use crate::error::{Error, Kind};
use jiff::Timestamp;

/// Refuses what the execution of a change that waits for a person would refuse. Returns what its platform would hear.
pub(in crate::changes) fn review(request: &ChangeRequest<'_>, facts: &Facts) -> Result<CampaignChanges, Error> {
    let (Action::Update(requested), Some(waited)) = (&request.action, &request.waited) else {
        return Ok(CampaignChanges::default());
    };
    if waited.activates() {
        require_begun(request, &facts.record.held, waited.apply_at.unwrap_or(facts.now))?;
    }
    if let (Some(state), true) = (&facts.spending, facts.record.pacing.is_some()) {
        let checked = state.spending.check_month(requested, waited.currency);
        checked.map_err(|refusal| Error::refused(&state.spending, refusal))?;
    }
    let changes = changes_for(requested, &facts.current, facts.now)?;
    limit::check(request, facts, &Action::Update(changes.clone()))?;
    Ok(changes)
}

/// Refuses to approve an activation before the start, or after the end, that the service holds for the campaign.
fn require_begun(request: &ChangeRequest<'_>, held: &HeldDates, at: Timestamp) -> Result<(), Error> {
    require_not_ended(held, Some(CampaignStatus::Active), &request.campaign, at)?;
    match held.start_at.filter(|start| *start > at) {
        None => Ok(()),
        Some(start) => {
            let message = format!(
                "The campaign waits for its start at {start:.0}, which is later than this activation. It can be asked for \
                 with apply_at, at the start or later."
            );
            Err(Error::new(Kind::Conflict, message).because(Reason::DatesHeld))
        }
    }
}

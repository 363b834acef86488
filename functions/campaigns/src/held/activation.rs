//! The activation that waits for a held start: what becomes of it, and whose it is.

use super::DatePlan;
use crate::approval::{ask_for_the_start, needs_approval};
use crate::edit::number::ACTIVATION;
use crate::pacing::require_unlimited;
use crate::schedule::{Named, check_limit};
use shared::domain::{
    Action, CampaignChanges, CampaignRecord, CampaignStatus, CampaignValues, Change, PlatformCampaign, Reason,
};
use shared::error::{Error, Kind};
use shared::serve::Call;

/// What waits for the start from now on.
pub(super) enum Next {
    /// Nothing.
    Nothing,
    /// The same activation, at another time.
    Moved,
    /// An activation by whoever sends the request: a new one, or one that comes earlier.
    Own(CampaignChanges),
}

impl DatePlan {
    /// What waits for the start from now on; `None` if it stays as it is.
    pub(super) fn next_activation(&self, names_start: bool, waiting: Option<&Change>) -> Option<Next> {
        let planned = waiting.and_then(changes_of);
        match (self.changes.status, planned) {
            (Some(_), planned) if self.waits => Some(Next::Own(overlaid(planned, &self.changes))),
            (Some(_), _) => Some(Next::Nothing),
            (None, Some(planned)) if names_start && self.dates.start_at != self.before.start_at => {
                Some(match (self.dates.start_at, self.before.start_at) {
                    (None, _) => Next::Nothing,
                    (Some(start), Some(had)) if start > had => Next::Moved,
                    _ => Next::Own(planned.clone()),
                })
            }
            (None, _) => None,
        }
    }

    /// Puts another activation in the place of the one that waits. One that is new or comes earlier counts as an
    /// activation by whoever sends the request.
    pub(super) async fn plan_activation(
        &mut self,
        call: &Call,
        named: &Named<'_>,
        (waiting, next): (Option<&Change>, Next),
        (record, current): (&CampaignRecord, &PlatformCampaign),
    ) -> Result<(), Error> {
        if self.changes.status == Some(CampaignStatus::Active) {
            require_own(call, waiting)?;
        }
        let (activation, asked) = match next {
            Next::Nothing => (None, None),
            Next::Moved => (waiting.and_then(changes_of).cloned(), waiting),
            Next::Own(activation) => {
                self.check_activation(call, named, &activation, (record, current)).await?;
                self.wakes = true;
                (Some(activation), None)
            }
        };
        self.cancel.extend(waiting.cloned());
        self.dates.activation = self.schedule(call, named, ACTIVATION, activation.zip(self.dates.start_at), asked)?;
        Ok(())
    }

    /// Refuses an activation that the limit of the request's key does not admit now, or that a person has to approve.
    async fn check_activation(
        &self,
        call: &Call,
        named: &Named<'_>,
        activation: &CampaignChanges,
        (record, current): (&CampaignRecord, &PlatformCampaign),
    ) -> Result<(), Error> {
        if record.pacing.is_some() {
            require_unlimited(call, current.currency)?;
        }
        let differing = activation.clone().against(&CampaignValues::of(current));
        check_limit(call, named.connection, (current, &self.before), &differing).await?;
        let made_at = self.dates.start_at.unwrap_or(call.request.now);
        if needs_approval(call, current, activation, made_at) { Err(ask_for_the_start()) } else { Ok(()) }
    }
}

fn changes_of(change: &Change) -> Option<&CampaignChanges> {
    match &change.action {
        Action::Update(changes) => Some(changes),
        Action::Create(_) | Action::Delete => None,
    }
}

/// An activation with newer values over those that wait with it.
fn overlaid(waiting: Option<&CampaignChanges>, newer: &CampaignChanges) -> CampaignChanges {
    let waiting = waiting.cloned().unwrap_or_default();
    CampaignChanges {
        name: newer.name.clone().or(waiting.name),
        status: newer.status.or(waiting.status),
        budget_amount: newer.budget_amount.or(waiting.budget_amount),
        budget_period: newer.budget_period.or(waiting.budget_period),
        ..CampaignChanges::default()
    }
}

/// Refuses to put an activation of a key with a spending limit in the place of somebody else's.
fn require_own(call: &Call, waiting: Option<&Change>) -> Result<(), Error> {
    let Some(state) = &call.spending else { return Ok(()) };
    if waiting.is_none_or(|waiting| waiting.requested_by.is_key(&state.spending.key)) {
        return Ok(());
    }
    let message = "Somebody else has scheduled the activation of this campaign for its start_at. An API key with a spending \
                   limit does not take its place; PAUSED takes it back. Nothing was sent.";
    Err(Error::new(Kind::Forbidden, message).because(Reason::SpendingLimit))
}

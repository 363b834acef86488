//! The transitions of an attempt: it begins, has an outcome, or has none.

use super::{NextLook, Transition};
use crate::domain::change::{Attempt, CampaignValues, Change, ChangeState, ChangeStatus, ReportedStates};
use crate::domain::{Action, CampaignId, Event, ReadCampaign};
use jiff::Timestamp;

/// The outcome of a change.
#[derive(Clone, Debug)]
pub struct Settlement {
    pub state: ChangeState,
    /// The campaign of a create.
    pub campaign: Option<CampaignId>,
    /// The campaign before the change, if it was read.
    pub before: Option<CampaignValues>,
    /// The campaign after the change, if it was read.
    pub after: Option<CampaignValues>,
    /// The campaign as it was read to find the outcome, if later changes may have changed it further.
    pub seen: Option<ReadCampaign>,
    pub at: Timestamp,
}

/// How an attempt at a change ends.
#[derive(Clone, Debug)]
pub enum Ending<'a> {
    /// Its outcome is known.
    Settled(&'a Settlement),
    /// Nothing was sent, and nothing remains to be done.
    Discarded(Timestamp),
    /// It waits for its next attempt until this time. The campaign before the attempt, if the attempt had an effect.
    Waits(Option<&'a CampaignValues>, Timestamp),
}

impl Change {
    /// The change in an attempt, whether or not it may begin.
    #[must_use]
    pub fn sending(&self, attempt: Attempt) -> Change {
        let Attempt { number, at, until } = attempt;
        Change {
            state: ChangeState::Sending,
            attempt: number,
            sent_at: Some(at),
            send_deadline: until,
            settled_at: None,
            ..self.next()
        }
    }

    /// The latest attempt.
    pub fn latest_attempt(&self) -> Attempt {
        Attempt { number: self.attempt, at: self.sent_at.unwrap_or(self.created_at()), until: self.send_deadline }
    }

    /// Begins the next attempt at a change that waits for its time.
    pub fn begun(&self, attempt: Attempt) -> Option<Transition> {
        let may_begin = self.state == ChangeState::Scheduled && self.is_next(attempt);
        may_begin.then(|| Transition::silent(self.sending(attempt)))
    }

    /// Begins the next attempt at a create that has created nothing so far. A refused create is not sent again.
    pub fn retried(&self, attempt: Attempt) -> Option<Transition> {
        let may_begin = match &self.state {
            ChangeState::Failed(error) => !error.is_refusal,
            _ => self.is_sending(),
        };
        (may_begin && self.is_next(attempt)).then(|| Transition::silent(self.sending(attempt)))
    }

    /// Ends the latest attempt.
    pub fn finished(&self, ending: &Ending<'_>) -> Option<Transition> {
        match ending {
            Ending::Settled(settlement) => self.settled(settlement),
            Ending::Discarded(at) => self.discarded(*at),
            Ending::Waits(before, at) => self.rescheduled(*before, *at),
        }
    }

    /// Ends the change with the outcome of its latest attempt.
    pub fn settled(&self, settlement: &Settlement) -> Option<Transition> {
        let Settlement { state, campaign, before, after, seen, at } = settlement.clone();
        // A create may be found after a search that found nothing.
        let is_found =
            matches!(self.state, ChangeState::Failed(_)) && state == ChangeState::Applied && campaign.is_some();
        if !self.is_sending() && !is_found || !self.is_of_named(&campaign) {
            return None;
        }
        let previous = if self.is_unknown_reported() { ChangeStatus::Unknown } else { ChangeStatus::Sending };
        let known = self.next();
        let change = Change {
            state,
            campaign: campaign.or(known.campaign),
            before: before.or(known.before),
            after: after.or(known.after),
            settled_at: Some(at),
            ..known
        };
        let event = Event::of_end(&change, previous, seen, at);
        Some(Transition { change, event })
    }

    /// Lets the change wait for its next attempt. `before` is the campaign before an attempt that had an effect on it; the
    /// next attempt reads the campaign anew without it. A change without a campaign does not wait.
    pub fn rescheduled(&self, before: Option<&CampaignValues>, at: Timestamp) -> Option<Transition> {
        if !self.is_sending() || self.campaign.is_none() {
            return None;
        }
        let (state, next_look) = (ChangeState::Scheduled, NextLook::At(at));
        let waiting = Change { state, before: before.cloned(), sent_at: None, next_look, ..self.next() };
        Some(Transition::silent(waiting))
    }

    /// Ends the record of a change of which nothing was sent, such as one to a value that the campaign already has. It
    /// expires at once, so no reader sees it. A delete would need a permission for the customer's other records, too.
    pub fn discarded(&self, at: Timestamp) -> Option<Transition> {
        let discarded = Change { expires_at: at, next_look: NextLook::Never, ..self.next() };
        self.is_sending().then(|| Transition::silent(discarded))
    }

    /// Ends the latest attempt without an outcome: it sends nothing from `at` on, and is due then. Keeps the campaign
    /// as it was before, if it was read, to compare with later reads.
    pub fn left_unknown(&self, before: Option<&CampaignValues>, at: Timestamp) -> Option<Transition> {
        if !self.is_sending() {
            return None;
        }
        let known = self.next();
        let (before, told) = (before.cloned().or(known.before), self.with_unknown_reported());
        let change = Change { before, told, send_deadline: at, ..known };
        // Maintenance may have reported it while this process was suspended.
        let event = (!self.is_unknown_reported()).then(|| Event::of_unknown_outcome(&change, at));
        Some(Transition { change, event })
    }

    /// Reports once that the outcome of the latest attempt is unknown.
    pub fn unknown_reported(&self, at: Timestamp) -> Option<Transition> {
        if !self.is_sending() || self.is_unknown_reported() {
            return None;
        }
        let change = Change { told: self.with_unknown_reported(), next_look: self.next_look, ..self.next() };
        let event = Some(Event::of_unknown_outcome(&change, at));
        Some(Transition { change, event })
    }

    /// Defers the next attempt to settle a change without an outcome.
    pub fn deferred_until(&self, at: Timestamp) -> Option<Transition> {
        let deferred = Change { next_look: NextLook::At(at), ..self.next() };
        self.is_sending().then(|| Transition::silent(deferred))
    }

    /// Whether an attempt has no outcome yet. A discarded attempt needs none.
    fn is_sending(&self) -> bool {
        self.state == ChangeState::Sending && self.next_look != NextLook::Never
    }

    pub(super) fn is_next(&self, attempt: Attempt) -> bool {
        attempt.number == self.attempt + 1
    }

    /// Whether an outcome is of the campaign that the platform's answer to a create has named, if it has named one. Then the
    /// create has made it, whatever a search finds.
    fn is_of_named(&self, found: &Option<CampaignId>) -> bool {
        let is_named = matches!(self.action, Action::Create(_)) && self.campaign.is_some();
        !is_named || self.campaign == *found
    }

    fn with_unknown_reported(&self) -> ReportedStates {
        ReportedStates { in_doubt: Some(self.attempt), ..self.told }
    }
}

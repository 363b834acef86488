//! Stores the outcome of an attempt at a scheduled change that failed.

use super::Edit;
use super::progress::Effect;
use super::settle::cancel_others;
use crate::changes::failure::change_error;
use crate::domain::{Action, CampaignValues, Change, ChangeState, Ending};
use crate::error::{Error, Kind};
use jiff::{SignedDuration, Timestamp};

impl Edit<'_> {
    /// Ends the change if the failure is final; otherwise it waits for the next attempt.
    pub(super) async fn settle_failed_attempt(&self, error: &Error, at: Timestamp) {
        match self.progress.effect() {
            // Another pause does no harm: it finds the campaign paused, or pauses it.
            Effect::Unknown if self.change.stops.is_some() => self.wait(error, None, at).await,
            Effect::Unknown => self.leave_to_maintenance(at).await,
            Effect::Complete(after) => self.store_outcome(ChangeState::Applied, Some(after), at).await,
            // The next attempt sends the rest.
            Effect::Partial(_) if !is_final(error, self.change, at) => {
                let before = self.progress.before();
                tokio::join!(self.touch_record(at), self.wait(error, before.as_ref(), at));
            }
            Effect::Partial(after) => {
                let state = ChangeState::PartlyApplied(change_error(error));
                tokio::join!(self.touch_record(at), self.store_outcome(state, Some(after), at));
            }
            Effect::Unsent | Effect::None if self.is_gone(error) => {
                let others = cancel_others(&self.context.app.store, self.change, at);
                tokio::join!(others, self.end_attempt(ChangeState::Applied, at));
            }
            Effect::Unsent | Effect::None if is_final(error, self.change, at) => {
                self.end_attempt(ChangeState::Failed(change_error(error)), at).await;
            }
            Effect::Unsent | Effect::None => self.wait(error, None, at).await,
        }
    }

    /// Whether the change is the removal of a campaign that its platform does not have any more.
    fn is_gone(&self, error: &Error) -> bool {
        error.kind == Kind::NotFound && self.change.action == Action::Delete
    }

    /// Ends the change, whether or not its attempt has begun.
    async fn end_attempt(&self, state: ChangeState, at: Timestamp) {
        if self.is_stored {
            return self.store_outcome(state, None, at).await;
        }
        let (store, change) = (&self.context.app.store, self.change);
        if let Err(error) = store.end_waiting(change, &state, at).await {
            tracing::warn!(change = %change.id, %error, source = error.source, "the outcome of a change was not stored");
        }
    }

    /// Lets the change wait for its next attempt. `before` is the campaign before the first attempt that had an effect.
    async fn wait(&self, error: &Error, before: Option<&CampaignValues>, at: Timestamp) {
        let requested = match error.kind {
            // Only a person ends it.
            kind if !kind.is_inconclusive() => Some(self.change.lateness(at)),
            _ => error.retry_after.and_then(|wait| SignedDuration::try_from(wait).ok()),
        };
        let next = self.change.next_attempt(at, requested.unwrap_or_default());
        let store = &self.context.app.store;
        let waits = if self.is_stored {
            self.end(&Ending::Waits(before, next), at).await
        } else {
            // Its attempt has not begun.
            let postponed = |latest: &Change| latest.in_attempt(self.change.attempt)?.postponed(next);
            store.transition(self.change, postponed).await.map(|postponed| postponed.is_made)
        };
        if let Err(error) = waits {
            // Maintenance returns to it at the end of the attempt.
            tracing::warn!(change = %self.change.id, %error, source = error.source, "a change was not scheduled again");
        }
    }
}

/// Whether another attempt at a scheduled change would fail like this one, or too much time has passed.
fn is_final(error: &Error, change: &Change, now: Timestamp) -> bool {
    let is_gone = matches!(error.kind, Kind::NotFound | Kind::Conflict);
    let may_pass = if change.is_held && change.pauses() {
        // A campaign that is not paused at its end spends money.
        !is_gone
    } else {
        error.kind.is_inconclusive() || error.kind == Kind::TokenExpired
    };
    !may_pass || !change.is_retried(now)
}

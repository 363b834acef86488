//! An edit of a key with a spending limit: it takes the turn of its campaign, and reserves what it adds.

use super::Edit;
use crate::changes::held::date_in_progress;
use crate::changes::limited::{Held, MAX_ATTEMPTS, account_day, key_of, limited_values, require_nothing_waits};
use crate::domain::maintenance_schedule::INTERVAL;
use crate::domain::spending::{Limited, Raised, Spender};
use crate::domain::{Action, CampaignStatus, CampaignValues, KeySpending, PlatformCampaign, Reason};
use crate::error::{Error, Kind};
use crate::store::{Begun, SpendingState, back_off, contended};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Wait between two looks at the turn of a campaign.
const TURN_INTERVAL: Duration = Duration::from_millis(200);
/// A caller asks again after this time, while a request of another has the turn.
const SHORT_WAIT: Duration = Duration::from_secs(2);
/// An edit needs at least this much time once it has the turn.
const MIN_EDIT_TIME: Duration = Duration::from_secs(5);

/// The spending of the key, from before the campaign is read until the outcome is stored.
pub(super) struct Reservation(Mutex<Stage>);

struct Stage {
    /// The spending and the turn, as they were read before the campaign.
    state: SpendingState,
    /// The spending and the turn that the edit holds, once it is stored.
    held: Option<Held>,
    /// Whether another change has taken the turn since.
    is_overtaken: bool,
    /// Whether a person has to approve the change, and nobody has.
    needs_approval: bool,
}

impl Reservation {
    pub(super) fn new(state: SpendingState) -> Reservation {
        Reservation(Mutex::new(Stage { state, held: None, is_overtaken: false, needs_approval: false }))
    }

    pub(super) fn held(&self) -> Option<Held> {
        self.stage().held.clone()
    }

    /// Whether another change has taken the turn, so that the campaign has to be read again.
    pub(super) fn is_overtaken(&self) -> bool {
        self.stage().is_overtaken
    }

    /// Whether a person has to approve the change, and nobody has.
    pub(super) fn needs_approval(&self) -> bool {
        self.stage().needs_approval
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Edit<'_> {
    /// Waits until no other limited change of the campaign is under way. One that only stops does not wait.
    pub(super) async fn await_turn(&self, reservation: &Reservation) -> Result<(), Error> {
        if only_stops(&self.change.action) {
            return Ok(());
        }
        loop {
            let (is_free, is_overtaken) = {
                let mut stage = reservation.stage();
                (stage.state.turn.change.is_none(), std::mem::take(&mut stage.is_overtaken))
            };
            if is_free && !is_overtaken {
                return Ok(());
            }
            if self.context.deadline < Instant::now() + TURN_INTERVAL + MIN_EDIT_TIME {
                return Err(turn_taken().retry_after(self.wait_for_turn(reservation)));
            }
            sleep(TURN_INTERVAL).await;
            let state = self.spending_state().await?;
            reservation.stage().state = state;
        }
    }

    /// When to ask for the turn again. A request is over within a minute: who has the turn for longer waits for
    /// maintenance, which settles it.
    fn wait_for_turn(&self, reservation: &Reservation) -> Duration {
        let now = self.context.app.clock.now();
        let holder = reservation.stage().state.turn.change;
        match holder.is_some_and(|change| now.duration_since(change.created_at()) > INTERVAL) {
            true => INTERVAL.unsigned_abs(),
            false => SHORT_WAIT,
        }
    }

    /// Stores the change together with what it reserves. A change of nothing is not stored, unless it waited.
    pub(super) async fn reserve(&self, reservation: &Reservation, current: &PlatformCampaign) -> Result<(), Error> {
        let Some(action) = self.differing(current) else {
            // Somebody else has paused or removed it.
            if only_stops(&self.change.action) {
                self.observe(reservation).await?;
            }
            return if self.change.apply_at.is_some() { self.store().await } else { Ok(()) };
        };
        let begin = async || self.begin_limited(reservation, current, &action).await;
        self.stored.get_or_try_init(begin).await.map(drop)
    }

    /// Frees what the key has added to the campaign, which does not run.
    async fn observe(&self, reservation: &Reservation) -> Result<(), Error> {
        let spending = reservation.stage().state.spending.clone();
        let campaign = self.change.campaign.as_ref();
        let Some((campaign, seen)) = campaign.and_then(|id| Some((id, spending.contributions.get(id)?.clone()))) else {
            return Ok(());
        };
        let (store, day) = (&self.context.app.store, account_day(self.connection, self.context.app.clock.now()));
        let observed = spending.observed(campaign, &seen, day);
        if observed != spending {
            // If it has moved since the campaign was read, the campaign may run again: then it stays as it is.
            store.put_spending(self.change.customer, &observed).await?;
        }
        Ok(())
    }

    /// The part of the change that the campaign does not have yet; `None` if it has all of it.
    pub(super) fn differing(&self, current: &PlatformCampaign) -> Option<Action> {
        match &self.change.action {
            _ if current.status.is_final() => None,
            Action::Update(requested) => {
                let changes = requested.clone().against(&CampaignValues::of(current));
                (!changes.is_empty()).then_some(Action::Update(changes))
            }
            other => Some(other.clone()),
        }
    }

    async fn begin_limited(
        &self,
        reservation: &Reservation,
        current: &PlatformCampaign,
        action: &Action,
    ) -> Result<(), Error> {
        let before = &CampaignValues::of(current);
        let counted = &limited_values(current).with_held(&self.dates.unwrap_or_default());
        let (store, change) = (&self.context.app.store, self.change);
        let Some(campaign) = &change.campaign else { return Err(Error::internal("an edit has no campaign")) };
        let SpendingState { mut spending, turn } = reservation.stage().state.clone();
        let mut turn = Some(turn);
        let spender = Spender { campaign, connection: &self.connection.id, currency: before.currency };
        for attempt in 0..MAX_ATTEMPTS {
            let limited = Limited { before: counted, action };
            let reserved = match turn {
                Some(_) => spending.reserve(spender, change.id, &limited, self.context.app.clock.now()),
                // The change under way keeps what it has reserved.
                None => Ok(spending.clone()),
            };
            let reserved = reserved.map_err(|refusal| Error::refused(&spending, refusal))?;
            let mut taken = turn;
            if let Some(turn) = &mut taken {
                turn.raised = self.require_approval(reservation, &spending, &limited, turn.raised)?;
                let (now, campaign) = (self.context.app.clock.now(), (change.customer, campaign));
                require_nothing_waits(store, &spending, campaign, &limited, now).await?;
            }
            let moved = (reserved != spending).then_some(&reserved);
            match store.begin_limited(change, before, (moved, taken), self.date_move).await? {
                Begun::Yes => {
                    self.date_move.iter().for_each(|date_move| self.note_dates(date_move));
                    let spending = moved.map_or(spending, KeySpending::written);
                    reservation.stage().held = Some(Held { spending, has_turn: turn.is_some() });
                    return Ok(());
                }
                Begun::Lost => return Err(self.lost()),
                Begun::DatesMoved => return Err(date_in_progress()),
                Begun::TurnTaken if only_stops(action) => turn = None,
                Begun::TurnTaken => {
                    reservation.stage().is_overtaken = true;
                    return Err(turn_taken());
                }
                Begun::SpendingMoved => {
                    back_off(attempt).await;
                    spending = self.spending_state().await?.spending;
                }
            }
        }
        Err(contended())
    }

    /// Refuses a change that a person has to approve, unless one has approved at least as much. Returns what keys have
    /// raised of the campaign today once it is made.
    fn require_approval(
        &self,
        reservation: &Reservation,
        spending: &KeySpending,
        limited: &Limited<'_>,
        raised: Option<Raised>,
    ) -> Result<Option<Raised>, Error> {
        let now = self.context.app.clock.now();
        let approval = self.change.approval.as_ref();
        let is_approved = approval.is_some_and(|approval| limited.is_covered_by(approval, &self.change.action, now));
        if is_approved || !spending.needs_approval(limited, raised, now) {
            return Ok(spending.raised(limited, raised, is_approved, account_day(self.connection, now)));
        }
        let message = match approval {
            Some(_) => {
                "The campaign has changed since a person approved this: it would add more now. Nothing was sent. Ask again."
            }
            None => {
                reservation.stage().needs_approval = true;
                "A person has to approve this change, and nobody has. Nothing was sent. Send it again without apply_at, \
                 or early enough, to ask for it."
            }
        };
        // The connection works.
        Err(Error { spares_connection: true, ..Error::new(Kind::Forbidden, message).because(Reason::ApprovalRequired) })
    }

    async fn spending_state(&self) -> Result<SpendingState, Error> {
        let missing = || Error::internal("a limited change without a key or a campaign");
        let key = key_of(self.change).ok_or_else(missing)?;
        let campaign = self.change.campaign.as_ref().ok_or_else(missing)?;
        let store = &self.context.app.store;
        store.spending_state(self.change.customer, key, Some(campaign)).await?.ok_or_else(missing)
    }
}

/// Whether a change does nothing but pause or remove.
fn only_stops(action: &Action) -> bool {
    match action {
        Action::Create(_) => false,
        Action::Delete => true,
        Action::Update(changes) => {
            let stops = changes.status.is_some_and(|status| status == CampaignStatus::Paused || status.is_final());
            stops && changes.field_names().iter().all(|name| ["status", "name"].contains(name))
        }
    }
}

/// Refuses a change while another one of the campaign is under way. Without a wait: that would pause the ad account.
fn turn_taken() -> Error {
    let message = "Another change of this campaign by an API key with a spending limit is under way. Nothing was sent; \
                   send this request again later. Pausing and removing do not have to wait.";
    Error::new(Kind::RateLimited, message).retryable()
}

//! Updates and removals: an edit names the desired state of a campaign, so it is safe to repeat.
//!
//! The change is stored while the campaign is read, so that it costs no time, and nothing is written at the platform
//! unless both succeed. After an unclear response the campaign is read back. What is still unknown then, or after a
//! crash, maintenance settles by reading the campaign again.

mod neighbors;
mod progress;
mod read_back;
mod removal;
mod reservation;
mod settle;
mod settle_scheduled;
mod settle_unknown;
mod update;

pub use progress::RecordedChanges;
pub use settle_unknown::settle_unknown;
pub use update::changes_for;

use super::held::date_in_progress;
use crate::domain::{Action, CampaignRecord, CampaignValues, Change, Connection, PlatformCampaign, Reason};
use crate::error::{Error, Kind};
use crate::platforms::{AccountSession, AdPlatform, CallContext};
use crate::store::{RecordMove, SpendingState};
use crate::tokens::PlatformContext;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use progress::{Effect, Progress};
use reservation::Reservation;
use tokio::sync::OnceCell;

/// An update or a removal on its way to the platform.
pub struct Edit<'a> {
    context: PlatformContext<'a>,
    connection: &'a Connection,
    change: &'a Change,
    /// The campaign's id on its platform.
    remote_id: &'a str,
    /// Receives the change once it may have been sent.
    recorded: &'a RecordedChanges,
    stored: OnceCell<()>,
    progress: Progress,
    /// Of a key with a spending limit.
    reservation: Option<Reservation>,
    condition: Option<&'a Condition<'a>>,
    /// The record of the campaign, once it is moved; `None` if it was not read.
    record: Option<CampaignRecord>,
    /// A move of its dates that belongs to the edit.
    date_move: Option<&'a RecordMove<'a>>,
}

/// What the campaign has to be like for an edit to be sent.
type Condition<'a> = dyn Fn(&PlatformCampaign) -> Result<(), Error> + Sync + 'a;

/// The campaign after an edit.
#[derive(Debug)]
pub struct Edited {
    /// The campaign as its platform tells it.
    pub campaign: PlatformCampaign,
    /// The time of the change; `None` if there was nothing to change.
    pub changed_at: Option<Timestamp>,
}

impl<'a> Edit<'a> {
    /// An edit that is not stored yet, or an attempt at one that waits. The change must be an update or a removal of the
    /// campaign. `spending` is that of the key that asked for it, if it has a limit, read before this.
    pub fn new(
        context: PlatformContext<'a>,
        connection: &'a Connection,
        change: &'a Change,
        remote_id: &'a str,
        recorded: &'a RecordedChanges,
        spending: Option<SpendingState>,
    ) -> Edit<'a> {
        let (stored, progress) = (OnceCell::new(), Progress::since(change.before.clone()));
        let reservation = spending.map(Reservation::new);
        let (condition, record, date_move) = (None, None, None);
        Edit {
            context,
            connection,
            change,
            remote_id,
            recorded,
            stored,
            progress,
            reservation,
            condition,
            record,
            date_move,
        }
    }

    /// The same edit of a campaign with this record. A new edit makes a move of its dates in the transaction that stores
    /// it, so that a refused one moves nothing.
    #[must_use]
    pub fn with_record(self, record: CampaignRecord, date_move: Option<&'a RecordMove<'a>>) -> Edit<'a> {
        Edit { record: Some(record), date_move, ..self }
    }

    /// The same edit, sent only if the campaign is as a condition demands. One that has all of the change already is fine:
    /// an earlier attempt of the same request may have made it.
    #[must_use]
    pub fn only_if(self, condition: &'a Condition<'a>) -> Edit<'a> {
        Edit { condition: Some(condition), ..self }
    }

    /// Stores the change, sends it, and stores its outcome. A new change of which nothing was sent leaves no record; one
    /// that waited for its time waits for the next attempt, unless it is refused. On the heap, because the stack of a
    /// thread has little room without optimisation.
    pub fn run(&self) -> BoxFuture<'_, Result<Edited, Error>> {
        self.run_until_settled().boxed()
    }

    async fn run_until_settled(&self) -> Result<Edited, Error> {
        loop {
            if let Some(reservation) = &self.reservation
                && let Err(error) = self.await_turn(reservation).await
            {
                return self.settle(Err(error)).await;
            }
            let attempt = self.context.in_account(self.connection, |adapter, session| self.attempt(adapter, session));
            let edited = attempt.await;
            if !self.reservation.as_ref().is_some_and(Reservation::is_overtaken) {
                return self.settle(edited).await;
            }
        }
    }

    /// Whether the change was not sent because a person has to approve it.
    pub fn needs_approval(&self) -> bool {
        self.reservation.as_ref().is_some_and(Reservation::needs_approval)
    }

    /// Whether the dates that belong to the edit were moved.
    pub fn has_moved_dates(&self) -> bool {
        self.progress.has_moved_dates()
    }

    /// Reads the campaign and writes what differs. Repeated with another token if the platform refuses the first.
    async fn attempt(&self, adapter: &dyn AdPlatform, session: AccountSession) -> Result<PlatformCampaign, Error> {
        let is_new = self.change.apply_at.is_none();
        let is_stored_early = is_new && self.reservation.is_none() && self.date_move.is_none();
        let store_new = async { if is_stored_early { self.store().await } else { Ok(()) } };
        let (current, stored) = tokio::join!(adapter.get_campaign(&session, self.remote_id), store_new);
        let current = current?;
        stored?;
        self.progress.read(CampaignValues::of(&current));
        if let Some(condition) = self.condition.filter(|_| self.differing(&current).is_some()) {
            condition(&current)?;
        }
        // An attempt at a change that waited is stored with what it has read: a later one may follow a part of it.
        let date_move = self.date_move_alone(&current)?;
        match &self.reservation {
            Some(reservation) => self.reserve(reservation, &current).await?,
            None if date_move.is_some() => {}
            None => self.store().await?,
        }
        if let Some(date_move) = date_move {
            self.move_dates(date_move).await?;
            return Ok(current);
        }
        match &self.change.action {
            Action::Update(changes) => self.update(adapter, session, current, changes).await,
            Action::Delete => self.remove(adapter, session, current).await,
            Action::Create(_) => Err(Error::internal("a create is no edit")),
        }
    }

    /// Stores a new change, or begins an attempt at one that waited.
    async fn store(&self) -> Result<(), Error> {
        let store = &self.context.app.store;
        let begin = async || match self.change.apply_at {
            None => match self.date_move {
                None => store.begin_change(self.change).await,
                Some(date_move) if store.begin_change_and_move(self.change, date_move).await? => {
                    self.note_dates(date_move);
                    Ok(())
                }
                Some(_) => Err(date_in_progress()),
            },
            Some(_) if store.begin_scheduled(self.change, self.progress.before().as_ref()).await? => Ok(()),
            Some(_) => Err(self.lost()),
        };
        self.stored.get_or_try_init(begin).await.map(|_| ())
    }

    /// The move of dates of an edit whose campaign has all of the rest, so that no change is stored. Refuses what the
    /// campaign cannot have.
    fn date_move_alone(&self, current: &PlatformCampaign) -> Result<Option<&'a RecordMove<'a>>, Error> {
        let left = self.date_move.filter(|_| !self.has_moved_dates());
        let (Some(date_move), Action::Update(requested)) = (left, &self.change.action) else { return Ok(None) };
        let rest = changes_for(requested, current, self.context.app.clock.now())?;
        Ok(rest.is_empty().then_some(date_move))
    }

    async fn move_dates(&self, date_move: &RecordMove<'_>) -> Result<(), Error> {
        if !self.context.app.store.move_record(self.change.customer, date_move).await? {
            return Err(date_in_progress());
        }
        self.note_dates(date_move);
        Ok(())
    }

    fn note_dates(&self, date_move: &RecordMove<'_>) {
        self.progress.note_moved_dates();
        self.recorded.add_moved(date_move);
    }

    /// Notes that another process has begun the attempt, or the change was canceled.
    fn lost(&self) -> Error {
        self.progress.note(Effect::Lost);
        Error::new(Kind::Conflict, "The change does not wait any more.").because(Reason::NotWaiting)
    }

    /// The session for writes. An edit past its deadline must not write: maintenance may already have settled it.
    fn writing(&self, session: &AccountSession) -> AccountSession {
        let (clock, deadline) = (self.context.app.clock.clone(), self.change.send_deadline);
        let outbound = session.call.outbound.with_write_guard(move || clock.now() < deadline);
        AccountSession { call: CallContext { outbound, ..session.call.clone() }, ..session.clone() }
    }

    /// Notes that the platform may hear of the change from now on.
    fn begin_sending(&self) {
        self.progress.begin_sending();
        self.recorded.add_first(self.change.id);
    }
}

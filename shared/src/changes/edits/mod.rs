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

use crate::domain::{Action, CampaignValues, Change, Connection, PlatformCampaign, Reason};
use crate::error::{Error, Kind};
use crate::platforms::{AccountSession, AdPlatform, CallContext};
use crate::store::SpendingState;
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
        Edit { context, connection, change, remote_id, recorded, stored, progress, reservation, condition: None }
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

    /// Reads the campaign and writes what differs. Repeated with another token if the platform refuses the first.
    async fn attempt(&self, adapter: &dyn AdPlatform, session: AccountSession) -> Result<PlatformCampaign, Error> {
        let is_stored_early = self.change.apply_at.is_none() && self.reservation.is_none();
        let store_new = async { if is_stored_early { self.store().await } else { Ok(()) } };
        let (current, stored) = tokio::join!(adapter.get_campaign(&session, self.remote_id), store_new);
        let current = current?;
        stored?;
        self.progress.read(CampaignValues::of(&current));
        if let Some(condition) = self.condition.filter(|_| self.differing(&current).is_some()) {
            condition(&current)?;
        }
        // An attempt at a change that waited is stored with what it has read: a later one may follow a part of it.
        match &self.reservation {
            Some(reservation) => self.reserve(reservation, &current).await?,
            None => self.store().await?,
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
            None => store.begin_change(self.change).await,
            Some(_) if store.begin_scheduled(self.change, self.progress.before().as_ref()).await? => Ok(()),
            Some(_) => Err(self.lost()),
        };
        self.stored.get_or_try_init(begin).await.map(|_| ())
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

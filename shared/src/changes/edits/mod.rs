//! Updates and removals on their way to the platform: an edit names the desired state of a campaign, so it is safe to
//! repeat.
//!
//! The change is stored before this, together with its reservation and the new record of the campaign. After an unclear
//! response the campaign is read back. What is still unknown then, or after a crash, maintenance settles by reading the
//! campaign again.

mod neighbors;
mod progress;
mod read_back;
mod removal;
mod settle;
mod settle_scheduled;
mod settle_unknown;
mod update;

pub use progress::RecordedChanges;
pub use settle_unknown::settle_unknown;
pub(super) use update::changes_for;

use super::spending_limit::Reservation;
use crate::domain::{Action, CampaignRecord, Change, Connection, PlatformCampaign};
use crate::error::Error;
use crate::platforms::{AccountSession, AdPlatform, CallContext};
use crate::tokens::PlatformContext;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use progress::Progress;

/// An update or a removal on its way to the platform.
pub(super) struct Edit<'a> {
    context: PlatformContext<'a>,
    connection: &'a Connection,
    change: &'a Change,
    /// Whether the attempt is stored as begun.
    is_stored: bool,
    /// Receives the change once it may have been sent.
    recorded: &'a RecordedChanges,
    /// The reservation of the attempt, if a limit counts it.
    reservation: Option<Reservation>,
    /// The record of the campaign, once the attempt is stored.
    record: Option<&'a CampaignRecord>,
    progress: Progress,
}

/// The campaign after an edit.
#[derive(Debug)]
pub(super) struct EditResult {
    /// The campaign as its platform reports it.
    pub(super) campaign: PlatformCampaign,
    /// The time of the change; `None` if nothing was sent.
    pub(super) changed_at: Option<Timestamp>,
}

impl<'a> Edit<'a> {
    /// An attempt that is not stored.
    pub(super) fn new(
        context: PlatformContext<'a>,
        connection: &'a Connection,
        change: &'a Change,
        recorded: &'a RecordedChanges,
    ) -> Edit<'a> {
        let progress = Progress::since(change.before.clone());
        Edit { context, connection, change, is_stored: false, recorded, reservation: None, record: None, progress }
    }

    /// The same attempt, stored as begun, with its reservation and the record of the campaign.
    pub(super) fn stored(self, reservation: Option<Reservation>, record: &'a CampaignRecord) -> Edit<'a> {
        Edit { is_stored: true, reservation, record: Some(record), ..self }
    }

    /// Sends what differs from the campaign, and stores the outcome. A new change of which nothing was sent leaves no
    /// record; one that waited for its time waits for the next attempt, unless it is refused. On the heap, because the
    /// stack of a thread has little room without optimisation.
    pub(super) fn send<'b>(&'b self, current: &'b PlatformCampaign) -> BoxFuture<'b, Result<EditResult, Error>> {
        let sent = async move {
            let write = |adapter, session| self.write(adapter, session, current);
            let outcome = self.context.in_account(self.connection, write).await;
            self.settle(outcome).await
        };
        sent.boxed()
    }

    /// Stores that an attempt has failed before anything was sent.
    pub(super) async fn fail(&self, error: Error) -> Error {
        match self.settle(Err(error)).await {
            Err(error) => error,
            Ok(_) => Error::internal("a failed attempt has not failed"),
        }
    }

    /// Writes what differs. Repeated with another token if the platform refuses the first: it may have taken a part.
    async fn write(
        &self,
        adapter: &dyn AdPlatform,
        session: AccountSession,
        current: &PlatformCampaign,
    ) -> Result<PlatformCampaign, Error> {
        let current = if self.progress.is_sent() {
            adapter.get_campaign(&session, &current.remote_id).await?
        } else {
            current.clone()
        };
        match &self.change.action {
            Action::Update(changes) => self.update(adapter, session, current, changes).await,
            Action::Delete => self.remove(adapter, session, current).await,
            Action::Create(_) => Err(Error::internal("a create is no edit")),
        }
    }

    /// The session for writes. An edit past its deadline must not write: maintenance may already have settled it.
    fn writing(&self, session: &AccountSession) -> AccountSession {
        let (clock, deadline) = (self.context.app.clock.clone(), self.change.send_deadline);
        let outbound = session.call.outbound.with_write_guard(move || clock.now() < deadline);
        AccountSession { call: CallContext { outbound, ..session.call.clone() }, ..session.clone() }
    }

    /// Notes that the change may be sent from now on.
    fn begin_sending(&self) {
        self.progress.begin_sending();
        self.recorded.add_first(self.change.id);
    }
}

/// Whether a change does nothing but pause or remove.
pub(super) fn only_stops(action: &Action) -> bool {
    match action {
        Action::Create(_) => false,
        Action::Delete => true,
        Action::Update(changes) => changes.stops() && !changes.names_budget() && !changes.names_date(),
    }
}

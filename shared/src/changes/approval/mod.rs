//! Changes that a person has to approve: what the person sees, because only that is approved, and what follows the
//! decision (D64). The dashboard and the API ask here, so both check the same.

mod decide;

pub use decide::{approve, reject};

use super::facts::{Facts, StoredState};
use super::find_connection;
use super::plan::{CreatePlan, plan_approved, review as review_plan};
use super::request::ChangeRequest;
use super::spending_limit::{limiting_key, with_user};
use crate::app::App;
use crate::domain::spending::{Raised, Spender, Spendings};
use crate::domain::{
    Approval, Attempt, CampaignValues, Change, ChangeStatus, Connection, Create, CustomerConnections, CustomerId,
    Reason,
};
use crate::error::{Error, Kind};
use crate::platforms::DryRun;
use crate::store::{ConnectionRef, SpendingState, Turn};
use crate::tokens::PlatformContext;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Time limit of looking at a change.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Time in which an approved create may be sent.
const SEND_TIME: SignedDuration = SignedDuration::from_secs(20);

/// What a person decides on.
#[derive(Debug)]
pub struct Review {
    pub change: Change,
    /// What the change counts against: the key that has asked for it, and the user of its connection.
    pub spendings: Spendings,
    /// What was raised of the campaign today, which a person is asked about in all.
    pub raised: Option<Raised>,
    /// What would be sent now; `None` for a change that does not wait for a person.
    pub proposal: Option<Proposal>,
}

/// What would be sent if the person approved it now.
#[derive(Debug)]
pub struct Proposal {
    /// The campaign as it is now; `None` for a create, and if it could not be read.
    pub current: Option<CampaignValues>,
    /// The requests, and whether the platform would accept them.
    pub run: DryRun,
}

impl Review {
    /// Distinguishes what a person has seen.
    pub fn version(&self) -> String {
        Approval::version(self.change.id, self.proposal.as_ref().and_then(|proposal| proposal.current.as_ref()))
    }

    /// The campaign before the change: as it is now, or else as it was when a person was asked. `None` for a create.
    pub fn before(&self) -> Option<&CampaignValues> {
        let current = self.proposal.as_ref().and_then(|proposal| proposal.current.as_ref());
        current.or(self.change.values_before())
    }

    /// The campaign after the change, if it is made at this time.
    pub fn after(&self, at: Timestamp) -> Option<CampaignValues> {
        self.change.values_after(self.before(), at)
    }

    /// Why the campaign could not be read, if that is why nothing can be seen of it.
    fn unread(self) -> Option<Error> {
        self.proposal.filter(|proposal| proposal.current.is_none())?.run.outcome.err()
    }

    /// The reason for which it cannot be approved as it is now.
    pub fn refusal(&self) -> Option<&Error> {
        self.proposal.as_ref().and_then(|proposal| proposal.run.outcome.as_ref().err())
    }
}

/// Reads what a person decides on.
pub async fn review(app: &Arc<App>, change: Change) -> Result<Review, Error> {
    let (customer, now) = (change.customer, app.clock.now());
    let connections = [ConnectionRef::of_change(&change)];
    let key: Vec<Spender> = limiting_key(&change).cloned().map(Spender::Key).into_iter().collect();
    let state = app.store.spending_state(customer, &key, change.campaign.as_ref());
    let (connected, state) = tokio::join!(app.store.named_connections(customer, &connections, now), state);
    let (connected, state) = (connected?, state?);
    let known = state.spendings.key().is_some_and(|spending| spending.limit.is_some()).then_some(state);
    let state = match find_connection(&connected, &change) {
        Ok(connection) => with_user(&app.store, customer, known, connection, change.campaign.as_ref(), now).await?,
        Err(_) => known,
    };
    let raised = state.as_ref().and_then(|state| state.turn.raised).filter(|raised| raised.counts(now));
    let spendings = state.map(|state| state.spendings).unwrap_or_default();
    if change.status(now) != ChangeStatus::AwaitingApproval {
        return Ok(Review { change, spendings, raised, proposal: None });
    }
    let context = context(app, customer, &connected);
    let proposal = match find_connection(&connected, &change) {
        Ok(connection) => propose(context, connection, &change, &spendings).await,
        Err(missing) => refused(missing),
    };
    Ok(Review { change, spendings, raised, proposal: Some(proposal) })
}

fn context<'a>(app: &'a Arc<App>, customer: CustomerId, connected: &'a CustomerConnections) -> PlatformContext<'a> {
    let (now, deadline) = (app.clock.now(), Instant::now() + TIMEOUT);
    PlatformContext { app, outbound: &app.outbound, customer, connected, now, deadline }
}

/// A change that would be refused.
fn refused(error: Error) -> Proposal {
    Proposal { current: None, run: DryRun::new(Vec::new(), Err(error)) }
}

/// What would be sent now. The limit is checked as the execution checks it.
async fn propose(
    context: PlatformContext<'_>,
    connection: &Connection,
    change: &Change,
    spendings: &Spendings,
) -> Proposal {
    if let Some(create) = Create::of(change.clone()) {
        let run = propose_create(context, connection, &create, spendings).await;
        return run.map_or_else(refused, |run| Proposal { current: None, run });
    }
    match propose_edit(context, connection, change, spendings).await {
        Ok(proposal) => proposal,
        Err(error) => refused(error),
    }
}

async fn propose_create(
    context: PlatformContext<'_>,
    connection: &Connection,
    create: &Create,
    spendings: &Spendings,
) -> Result<DryRun, Error> {
    let prepared = &plan_create(context, connection, create, spendings)?.prepared;
    context
        .in_account(connection, |adapter, session| async move { adapter.dry_run_create(&session, prepared).await })
        .await
}

/// What happens if a create is approved now.
fn plan_create<'a>(
    context: PlatformContext<'_>,
    connection: &'a Connection,
    create: &Create,
    spendings: &Spendings,
) -> Result<CreatePlan<'a>, Error> {
    let (_, call) = context.call_context(create.platform)?;
    let defaults = call.config.settings.defaults_of(connection);
    let attempt = Attempt { number: create.attempt + 1, at: context.now, until: context.now + SEND_TIME };
    plan_approved(create, connection, defaults, attempt, spendings)
}

async fn propose_edit(
    context: PlatformContext<'_>,
    connection: &Connection,
    change: &Change,
    spendings: &Spendings,
) -> Result<Proposal, Error> {
    let attempt = Attempt { number: change.attempt + 1, at: context.now, until: context.now };
    let request = &ChangeRequest::again(change.clone(), connection, attempt)?;
    let record = context.app.store.latest_record(change.customer, &request.campaign).await?.unwrap_or_default();
    // The turn is taken when it is executed.
    let spending = SpendingState { spendings: spendings.clone(), turn: Turn::default() }.in_force()?;
    let facts = &Facts::load(context, request, StoredState { record, spending }).await?;
    let run = match review_plan(request, facts) {
        Ok(changes) => context.dry_run_update(connection, &facts.current, &changes).await,
        Err(refusal) => Err(refusal),
    };
    let run = run.unwrap_or_else(|error| DryRun::new(Vec::new(), Err(error)));
    Ok(Proposal { current: Some(CampaignValues::of(&facts.current).with_held(&facts.record.held)), run })
}

/// The error for a change that does not wait for a person any more.
pub fn not_awaiting_approval(change: &Change, now: Timestamp) -> Error {
    let state = change.status(now).as_str().replace('_', " ");
    let message = format!("The change is {state}: it does not wait for approval any more.");
    Error::new(Kind::Conflict, message).because(Reason::NotWaiting)
}

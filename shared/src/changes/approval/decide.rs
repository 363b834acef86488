//! The decision of a person, and what follows.

use super::{Review, context, not_awaiting_approval, plan_create, review};
use crate::app::App;
use crate::changes::creates::{CreateSender, CreateTrigger, begin_creates};
use crate::changes::failure::change_error;
use crate::changes::spending_limit::count_refusal_of;
use crate::changes::{attempt_scheduled, find_connection};
use crate::domain::spending::Spendings;
use crate::domain::{Approval, Change, ChangeId, ChangeState, Create, CustomerId, Reason, Requester};
use crate::error::{Error, Kind};
use crate::store::ConnectionRef;
use std::slice::from_ref;
use std::sync::Arc;

/// Approves a change that waits for a person, and makes it, or schedules it for its time. `seen` is the version of what
/// the person has seen: a campaign that has changed since is not changed. Everything is checked again.
pub async fn approve(
    app: &Arc<App>,
    customer: CustomerId,
    id: ChangeId,
    by: Requester,
    seen: &str,
) -> Result<Change, Error> {
    let reviewed = review(app, customer, id).await?;
    let at = app.clock.now();
    if reviewed.proposal.is_none() {
        return Err(not_awaiting_approval(&reviewed.change, at));
    }
    if reviewed.version() != seen {
        let message = "The campaign has changed since you looked. Look again, and decide on what it is now.";
        return Err(Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile));
    }
    let Review { change, spendings, proposal, .. } = reviewed;
    let (current, outcome) = proposal.map_or((None, Ok(())), |proposal| (proposal.current, proposal.run.outcome));
    count_refusal_of(app, &change, &outcome).await;
    outcome?;
    let approval = Approval { by, at, seen: current };
    match Create::of(change.clone()) {
        Some(create) => {
            let sent = execute_create(app, &create, approval, spendings).await;
            count_refusal_of(app, &change, &sent).await;
            sent?;
        }
        None => {
            let approved = app.store.transition(&change, |latest| latest.approved(&approval)).await?;
            let Some(approved) = approved.made() else { return Err(decided_meanwhile(app, customer, id).await) };
            if approved.apply_at <= Some(at) {
                // Its outcome is in its record: a failure is shown there, or tried again.
                if let Err(error) = attempt_scheduled(app, approved).await {
                    tracing::info!(change = %id, %error, "an approved change was not applied at once");
                }
            }
        }
    }
    app.store.change(customer, id).await?.ok_or_else(|| Error::not_found("change"))
}

/// Rejects a change that waits for a person.
pub async fn reject(app: &App, customer: CustomerId, id: ChangeId, by: &Requester) -> Result<Change, Error> {
    let at = app.clock.now();
    let change = app.store.change(customer, id).await?.ok_or_else(|| Error::not_found("change"))?;
    if change.has_expired(at) {
        return Err(not_awaiting_approval(&change, at));
    }
    let who = match by {
        Requester::Person { email: Some(email), .. } => email.as_str(),
        Requester::Person { email: None, .. } | Requester::ApiKey { .. } => "A person",
    };
    let reason = change_error(
        &Error::new(Kind::Forbidden, format!("{who} has rejected the change.")).because(Reason::ApprovalRejected),
    );
    match app.store.end_awaiting(&change, &ChangeState::Rejected(reason), at).await? {
        Some(rejected) => Ok(rejected),
        None => Err(decided_meanwhile(app, customer, id).await),
    }
}

/// The error if somebody else has decided on the change in the meantime.
async fn decided_meanwhile(app: &App, customer: CustomerId, id: ChangeId) -> Error {
    match app.store.change(customer, id).await {
        Ok(Some(change)) => not_awaiting_approval(&change, app.clock.now()),
        Ok(None) => Error::not_found("change"),
        Err(error) => error,
    }
}

/// Sends a create that a person has approved. Its outcome is in its record.
async fn execute_create(
    app: &Arc<App>,
    waiting: &Create,
    approval: Approval,
    spendings: Spendings,
) -> Result<(), Error> {
    let connections = [ConnectionRef::of_change(waiting)];
    let connected = &app.store.named_connections(waiting.customer, &connections, app.clock.now()).await?;
    let context = context(app, waiting.customer, connected);
    let connection = find_connection(connected, waiting)?;
    let plan = &plan_create(context, connection, &waiting.approved_by(approval), &spendings)?;
    if !begin_creates(&app.store, from_ref(plan), spendings, CreateTrigger::Approval(waiting), context.now).await? {
        return Err(decided_meanwhile(app, waiting.customer, waiting.id).await);
    }
    let sender = CreateSender { context, is_keyed: false, blocked_by: None };
    if let Err(error) = sender.send(connection, &plan.create, &plan.prepared).await {
        tracing::info!(change = %plan.create.id, %error, "an approved create was not made at once");
    }
    Ok(())
}

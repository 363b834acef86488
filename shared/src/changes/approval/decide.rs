//! The decision of a person, and what follows.

use super::{Review, context, not_awaiting_approval, plan_create, review};
use crate::app::App;
use crate::changes::creates::{CreateSender, CreateTrigger, begin_creates};
use crate::changes::failure::change_error;
use crate::changes::{attempt_scheduled, find_connection};
use crate::domain::spending::Spendings;
use crate::domain::{Approval, Approver, Change, ChangeError, ChangeState, Create, Reason, Requester};
use crate::error::{Error, Kind};
use crate::store::ConnectionRef;
use std::slice::from_ref;
use std::sync::Arc;

/// Approves a change that waits for a person, and makes it, or schedules it for its time. `seen` is the version of what
/// the person has seen: a campaign that has changed since is not changed. Everything is checked again. The same decision
/// again is the change as it is: nothing is made twice. The caller counts a refusal by a limit.
pub async fn approve(app: &Arc<App>, change: Change, by: Approver, seen: &str) -> Result<Change, Error> {
    if change.is_approved_by(&by, seen) {
        return Ok(change);
    }
    require_other(&change, &by)?;
    let reviewed = review(app, change).await?;
    let at = app.clock.now();
    if reviewed.proposal.is_none() {
        return Err(not_awaiting_approval(&reviewed.change, at));
    }
    if reviewed.version() != seen {
        return Err(reviewed.unread().unwrap_or_else(changed_since));
    }
    let Review { change, spendings, proposal, .. } = reviewed;
    let (current, outcome) = proposal.map_or((None, Ok(())), |proposal| (proposal.current, proposal.run.outcome));
    outcome?;
    let (customer, id) = (change.customer, change.id);
    let approval = Approval { by: by.clone(), at, seen: current };
    let is_made = match Create::of(change.clone()) {
        Some(create) => execute_create(app, &create, approval, spendings).await?,
        None => execute_edit(app, &change, &approval).await?,
    };
    let latest = app.store.change(customer, id).await?.ok_or_else(|| Error::not_found("change"))?;
    // The same decision may have been made at the same moment.
    if is_made || latest.is_approved_by(&by, seen) { Ok(latest) } else { Err(not_awaiting_approval(&latest, at)) }
}

/// Rejects a change that waits for a person; nothing is sent for it. One that is rejected already stays as it is.
pub async fn reject(app: &App, change: Change, by: &Approver, why: Option<&str>) -> Result<Change, Error> {
    let at = app.clock.now();
    if matches!(change.state, ChangeState::Rejected(_)) {
        return Ok(change);
    }
    if change.has_expired(at) {
        return Err(not_awaiting_approval(&change, at));
    }
    if let Some(rejected) = app.store.end_awaiting(&change, &ChangeState::Rejected(rejection(by, why)), at).await? {
        return Ok(rejected);
    }
    let latest = app.store.change(change.customer, change.id).await?.ok_or_else(|| Error::not_found("change"))?;
    let is_rejected = matches!(latest.state, ChangeState::Rejected(_));
    if is_rejected { Ok(latest) } else { Err(not_awaiting_approval(&latest, at)) }
}

/// Why a rejected change was not made: who has rejected it, and their reason if they gave one.
fn rejection(by: &Approver, why: Option<&str>) -> ChangeError {
    let who = match &by.by {
        Requester::Person { email: None, .. } => "A person".to_owned(),
        Requester::Person { .. } | Requester::ApiKey { .. } => by.to_string(),
    };
    let message = match why {
        Some(why) => format!("{who} has rejected the change: {why}"),
        None => format!("{who} has rejected the change."),
    };
    change_error(&Error::new(Kind::Forbidden, message).because(Reason::ApprovalRejected))
}

/// Refuses to let a key approve what it has asked for itself: then nobody would have been asked.
fn require_other(change: &Change, by: &Approver) -> Result<(), Error> {
    match &by.by {
        Requester::ApiKey { id, .. } if change.requested_by.is_key(id) => {
            let message = "This API key has asked for the change itself, so it does not approve it. Approve it with \
                           another key, or on the dashboard: approval_url of the change has the page.";
            Err(Error::new(Kind::Forbidden, message).because(Reason::NotPermitted))
        }
        Requester::ApiKey { .. } | Requester::Person { .. } => Ok(()),
    }
}

/// The error if the campaign is another one than the person has seen.
fn changed_since() -> Error {
    let message = "The campaign has changed since you looked. Look again, and decide on what it is now.";
    Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile)
}

/// Stores the approval of an update or a removal, and makes it if its time has come. `false` if it does not wait any more.
async fn execute_edit(app: &Arc<App>, change: &Change, approval: &Approval) -> Result<bool, Error> {
    let approved = app.store.transition(change, |latest| latest.approved(approval)).await?;
    let Some(approved) = approved.made() else { return Ok(false) };
    if approved.apply_at <= Some(approval.at) {
        // Its outcome is in its record: a failure is shown there, or tried again.
        if let Err(error) = attempt_scheduled(app, approved).await {
            tracing::info!(change = %change.id, %error, "an approved change was not applied at once");
        }
    }
    Ok(true)
}

/// Sends a create that a person has approved. Its outcome is in its record. `false` if it does not wait any more.
async fn execute_create(
    app: &Arc<App>,
    waiting: &Create,
    approval: Approval,
    spendings: Spendings,
) -> Result<bool, Error> {
    let connections = [ConnectionRef::of_change(waiting)];
    let connected = &app.store.named_connections(waiting.customer, &connections, app.clock.now()).await?;
    let context = context(app, waiting.customer, connected);
    let connection = find_connection(connected, waiting)?;
    let plan = &plan_create(context, connection, &waiting.approved_by(approval), &spendings)?;
    if !begin_creates(&app.store, from_ref(plan), spendings, CreateTrigger::Approval(waiting), context.now).await? {
        return Ok(false);
    }
    let sender = CreateSender { context, is_keyed: false, blocked_by: None };
    if let Err(error) = sender.send(connection, &plan.create, &plan.prepared).await {
        tracing::info!(change = %plan.create.id, %error, "an approved create was not made at once");
    }
    Ok(true)
}

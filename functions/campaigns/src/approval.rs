//! Changes that a person has to approve (D64 in docs/decisions.md): they are stored, and wait.

use crate::schedule::{Named, check, require_room, waiting};
use jiff::Timestamp;
use shared::changes::limited_values;
use shared::domain::spending::{Limited, NewBudget};
use shared::domain::{
    Action, CampaignChanges, CampaignValues, Change, ChangeState, ChangeStatus, Create, KeySpending, PlatformCampaign,
    Reason,
};
use shared::envelope::Reply;
use shared::error::{Error, Kind};
use shared::serve::{Call, ScheduleOutcome};
use shared::store::{SpendingState, back_off, contended};

/// Attempts against other requests of the same key.
const MAX_ATTEMPTS: u64 = 20;

/// Whether a person has to approve a change of a campaign with the key of the request, which is made at a time: what keys
/// have raised today does not count on another day.
pub(crate) fn needs_approval(
    call: &Call,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
    made_at: Timestamp,
) -> bool {
    let Some(SpendingState { spending, turn }) = &call.spending else { return false };
    let before = &limited_values(current);
    let action = &Action::Update(changes.clone().against(before));
    let raised = turn.raised.filter(|raised| raised.counts(made_at));
    spending.needs_approval(&Limited { before, action }, raised, call.request.now)
}

/// Stores an update that was not sent because a person has to approve it. Refuses what would be refused now. The same
/// update that waits already is not asked for twice.
pub(crate) async fn ask(call: &Call, named: &Named<'_>, action: Action, number: usize) -> Result<Reply, Error> {
    let asked = Some(CampaignValues::of(&check(call, named, &action).await?));
    let id = call.change_id(number);
    let change = Change { id, asked, ..waiting(call, named, action, ChangeState::AwaitingApproval, None)? };
    let missing = || Error::internal("a change that needs an approval, of a key without a limit");
    let mut spending = call.spending.as_ref().ok_or_else(missing)?.spending.clone();
    for attempt in 0..MAX_ATTEMPTS {
        if let Some(waiting) = asked_before(call, &change, &spending).await? {
            call.recorded.add(waiting.id);
            return Ok(Reply::Waiting(Box::new(waiting)));
        }
        require_room(call, true).await?;
        // Another request may ask for the same at this moment.
        if call.store().begin_asked(&change, &spending).await? {
            call.recorded.add(change.id);
            return Ok(Reply::Waiting(Box::new(change)));
        }
        back_off(attempt).await;
        spending = call.store().spending(call.customer.id, &spending.key).await?.ok_or_else(missing)?;
    }
    Err(contended())
}

/// The same change that the key has asked for, and that waits. The latest is read by its id, because the index of waiting
/// changes may lack it.
async fn asked_before(call: &Call, wanted: &Change, spending: &KeySpending) -> Result<Option<Change>, Error> {
    let (store, customer, now) = (call.store(), call.customer.id, call.request.now);
    let Some(campaign) = &wanted.campaign else { return Ok(None) };
    let is_same = |other: &Change| {
        let awaits = other.apply_at.is_none() && other.status(now) == ChangeStatus::AwaitingApproval;
        let asks_for_it = other.campaign == wanted.campaign && other.action == wanted.action;
        awaits && asks_for_it && other.requested_by.is_key(&spending.key)
    };
    let waiting = store.waiting_of_campaign(customer, campaign, now).await?;
    match (waiting.into_iter().find(is_same), spending.asked) {
        (None, Some(latest)) => Ok(store.change(customer, latest).await?.filter(is_same)),
        (known, _) => Ok(known),
    }
}

/// Whether a person has to approve a create of this budget with the key of the request.
pub(crate) fn create_needs_approval(call: &Call, budget: &NewBudget<'_>) -> bool {
    call.spending.as_ref().is_some_and(|state| state.spending.create_needs_approval(budget))
}

/// Refuses a create that the limit of the request's key does not admit now. Nothing is counted.
pub(crate) fn check_create(call: &Call, budget: NewBudget<'_>) -> Result<(), Error> {
    let Some(SpendingState { spending, .. }) = &call.spending else { return Ok(()) };
    let counted = spending.count_creates(&[budget], call.request.now);
    counted.map(drop).map_err(|refusal| Error::refused(spending, refusal))
}

/// Stores a create that a person has to approve. Nothing is counted before that.
pub(crate) async fn ask_create(call: &Call, create: &Create) -> Result<Reply, Error> {
    let checked = async {
        check_create(call, create.budget())?;
        require_room(call, true).await
    };
    if let Err(refusal) = checked.await {
        return call.scheduled_or(refusal).await;
    }
    let create = Create {
        state: ChangeState::AwaitingApproval,
        sent_at: None,
        attempt: 0,
        send_deadline: call.request.now,
        ..create.clone()
    };
    match call.schedule(create.map(Action::Create)).await? {
        ScheduleOutcome::Scheduled(change) => Ok(Reply::Waiting(change)),
        ScheduleOutcome::Replayed(stored) => Ok(Reply::Replayed(stored)),
    }
}

/// The refusal of a create with several targets, of which a person has to approve at least one.
pub(crate) fn one_by_one() -> Error {
    let message = "A person has to approve a create of this budget with this API key. Send one create for each ad \
                   account, without targets, so that each can be approved.";
    Error::new(Kind::Forbidden, message).because(Reason::ApprovalRequired)
}

/// The refusal of an activation that waits for a start which this service holds.
pub(crate) fn ask_for_the_start() -> Error {
    let message = "A person has to approve an activation with this API key, which an earlier start is too, and the \
                   campaign waits for its start_at. Send the activation with apply_at, at its start or later; or ask a \
                   person to start the campaign on the dashboard. Nothing was changed.";
    Error::new(Kind::Forbidden, message).because(Reason::ApprovalRequired)
}

//! Stores a change that a person has to approve. The same change that waits already is not asked for twice (D64).

use super::capacity::require_capacity;
use super::edits::RecordedChanges;
use super::facts::Facts;
use super::plan::ChangePlan;
use super::request::ChangeRequest;
use crate::domain::{Change, ChangeStatus, Spending, WaitRequest};
use crate::error::Error;
use crate::store::{Store, back_off, contended};
use crate::tokens::PlatformContext;
use jiff::Timestamp;

/// Attempts against other changes that count against the same limit.
const MAX_ATTEMPTS: u64 = 20;

/// Stores the change of a plan as awaiting approval.
pub(super) async fn request_approval(
    context: PlatformContext<'_>,
    request: &ChangeRequest<'_>,
    facts: &Facts,
    planned: ChangePlan,
    recorded: &RecordedChanges,
) -> Result<Change, Error> {
    let missing = || Error::internal("a change that needs an approval, without a limit");
    let (store, now) = (&context.app.store, facts.now);
    // That of the key, if it has a limit: a repeated request finds what it has asked for there.
    let mut spending =
        facts.spending.as_ref().and_then(|state| state.spendings.iter().next()).ok_or_else(missing)?.clone();
    let change = planned.change.ok_or_else(missing)?;
    // A key with a limit learns nothing about other keys.
    let (keys, key, is_waiting) = (None, spending.spender.key().cloned(), request.pending.is_some());
    let (limited, user) = (key.as_ref(), change.external_ref.clone());
    let asks = WaitRequest { limited, user: user.as_ref(), awaits_person: true, is_waiting };
    if let Some(pending) = &request.pending {
        require_capacity(store, request.customer, keys, asks).await?;
        let asked = &change.asked.ok_or_else(missing)?;
        let awaiting = |latest: &Change| latest.in_attempt(pending.attempt)?.awaiting_approval(asked, now);
        // Somebody may have canceled it.
        return store.transition(pending, awaiting).await?.made().ok_or_else(contended);
    }
    for attempt in 0..MAX_ATTEMPTS {
        if let Some(waiting) = find_waiting_request(store, &change, &spending, now).await? {
            recorded.add(waiting.id);
            return Ok(waiting);
        }
        require_capacity(store, request.customer, keys, asks).await?;
        // Another request may ask for the same at this moment.
        if store.store_approval_request(&change, &spending, now).await? {
            recorded.add(change.id);
            return Ok(change);
        }
        back_off(attempt).await;
        spending = store.spending(request.customer, &spending.spender).await?.ok_or_else(missing)?;
    }
    Err(contended())
}

/// A waiting change of the same requester that is equal to this one. Reads the latest by its id, because the index of waiting
/// changes may lack it.
async fn find_waiting_request(
    store: &Store,
    wanted: &Change,
    spending: &Spending,
    now: Timestamp,
) -> Result<Option<Change>, Error> {
    let Some(campaign) = &wanted.campaign else { return Ok(None) };
    let is_same = |other: &Change| {
        let awaits = other.apply_at.is_none() && other.status(now) == ChangeStatus::AwaitingApproval;
        let asks_for_it =
            other.campaign == wanted.campaign && other.action == wanted.action && other.only_if == wanted.only_if;
        // The connection may have come to another user since, and a change says under which reference it was asked for.
        let is_for_same = other.external_ref == wanted.external_ref && other.reference == wanted.reference;
        awaits && asks_for_it && is_for_same && other.requested_by.is_same(&wanted.requested_by)
    };
    let waiting = store.waiting_of_campaign(wanted.customer, campaign, now).await?;
    match (waiting.into_iter().find(is_same), spending.asked) {
        (None, Some(latest)) => Ok(store.change(wanted.customer, latest).await?.filter(is_same)),
        (known, _) => Ok(known),
    }
}

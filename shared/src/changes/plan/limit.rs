//! Checks a change against the limits of its key and of the user of its connection, and reserves what it adds.

use crate::changes::edits::only_stops;
use crate::changes::facts::Facts;
use crate::changes::request::ChangeRequest;
use crate::changes::spending_limit::{limited_values, require_unlimited};
use crate::domain::spending::{AccountDay, LimitedAction, SpendingTarget, Spendings};
use crate::domain::{Action, CampaignChanges, Change, Reason, Spending};
use crate::error::{Error, Kind};
use crate::store::{SpendingState, Turn, contended};
use jiff::Timestamp;

/// The result of the check.
#[derive(Default)]
pub(super) struct LimitCheck {
    /// The spendings that change, with the reservation.
    pub(super) spendings: Spendings,
    /// The turn that it takes, with the raises of the day including this change.
    pub(super) turn: Option<Turn>,
    /// Whether a person has to approve it, and nobody has approved at least as much.
    pub(super) needs_approval: bool,
}

/// Reserves what an action adds to the campaign. A pause or a removal does not wait for the turn of another change, which
/// keeps what it has reserved.
pub(super) fn reserve(request: &ChangeRequest<'_>, facts: &Facts, action: &Action) -> Result<LimitCheck, Error> {
    let Some(SpendingState { spendings, turn }) = &facts.spending else { return Ok(LimitCheck::default()) };
    if turn.change.is_some() && only_stops(action) {
        return Ok(LimitCheck::default());
    }
    let reserved = check(request, facts, action)?.changed_from(spendings);
    let (before, now) = (&facts.limited_values(), facts.now);
    let limited = &LimitedAction { before, action };
    let covers = |pending: &Change| {
        let approval = pending.approval.as_ref();
        approval.is_some_and(|approval| limited.is_covered_by(approval, &pending.action, now))
    };
    let is_approved = request.pending.as_ref().is_some_and(covers);
    let needs_approval = !is_approved && spendings.need_approval(limited, turn.raised, now);
    let day = AccountDay::of(request.connection, now);
    let raised = spendings.raised(limited, turn.raised, is_approved, day);
    Ok(LimitCheck { spendings: reserved, turn: Some(Turn { raised, ..*turn }), needs_approval })
}

/// Refuses what a limit does not admit, or a user that is paused. Returns the spendings in which it is reserved; none if no
/// limit counts.
pub(super) fn check(request: &ChangeRequest<'_>, facts: &Facts, action: &Action) -> Result<Spendings, Error> {
    let Some(SpendingState { spendings, .. }) = &facts.spending else { return Ok(Spendings::default()) };
    let (currency, connection) = (facts.current.currency, &request.connection.id);
    let target = SpendingTarget { campaign: &facts.current.id, connection, currency };
    let before = &facts.limited_values();
    let limited = &LimitedAction { before, action };
    let reserved = spendings.try_map(|spending| {
        // The connection came to another user after it was read. A pause or a lower budget frees nothing here any more.
        if spending.has_left(connection, facts.now) {
            return if limited.is_free(facts.now) { Ok(spending.clone()) } else { Err(contended()) };
        }
        if let Some(at) = spending.paused_for(limited, facts.now) {
            return Err(Error::user_paused(at));
        }
        let reserved = spending.reserve(target, request.change_id(), limited, facts.now);
        reserved.map_err(|refusal| Error::refused(spending, refusal))
    })?;
    if let Some(of_key) = spendings.key() {
        require_nothing_waits(facts, of_key, limited)?;
    }
    Ok(reserved)
}

/// Refuses what a key with a limit would add to a campaign that a waiting change of somebody else starts. That start
/// was decided on with the present budget and dates, and does not count against this key. For a user it does, so the limit
/// of a user has no such rule.
fn require_nothing_waits(facts: &Facts, spending: &Spending, limited: &LimitedAction<'_>) -> Result<(), Error> {
    let is_own = |other: &Change| spending.spender.key().is_some_and(|key| other.requested_by.is_key(key));
    let mut waiting: Vec<_> = facts.others.iter().filter(|other| !is_own(other)).collect();
    waiting.sort_by_key(|other| other.apply_at);
    let updates = waiting.into_iter().filter_map(|other| match &other.action {
        Action::Update(changes) => Some((changes, other.apply_at.unwrap_or(facts.now))),
        Action::Create(_) | Action::Delete => None,
    });
    if spending.limit.is_none() || !limited.adds_to_what_waits(updates, facts.now) {
        return Ok(());
    }
    let message = "Somebody else has scheduled a change that makes this campaign run, at the budget and the dates that it \
                   has. Until then an API key with a spending limit cannot raise it, start it earlier or end it later. \
                   Nothing was sent.";
    let error = Error::new(Kind::Forbidden, message).because(Reason::SpendingLimit);
    // This refusal says nothing about the connection, so its status stays.
    Err(Error { keeps_connection_status: true, ..error })
}

/// The spendings that change because a pause or a removal finds the campaign paused or removed by somebody else: what was
/// added is freed.
pub(in crate::changes) fn observe(request: &ChangeRequest<'_>, facts: &Facts, action: &Action) -> Spendings {
    match &facts.spending {
        Some(state) if facts.may_observe && only_stops(action) => at_rest(request, &state.spendings, facts.now),
        _ => Spendings::default(),
    }
}

/// Those of the spendings that change because the campaign of a request does not run.
pub(in crate::changes) fn at_rest(request: &ChangeRequest<'_>, spendings: &Spendings, now: Timestamp) -> Spendings {
    let (campaign, day) = (&request.campaign, AccountDay::of(request.connection, now));
    let observed = spendings.map(|spending| match spending.contributions.get(campaign) {
        Some(seen) => spending.observed(campaign, seen, day),
        None => spending.clone(),
    });
    observed.changed_from(spendings)
}

/// A change with those whose limits its attempt counts against.
pub(super) fn counted(change: Change, facts: &Facts) -> Change {
    let Some(SpendingState { spendings, .. }) = &facts.spending else { return change };
    let is_limited = change.is_limited || spendings.key().is_some();
    let limited_user = spendings.user().cloned().or(change.limited_user);
    Change { is_limited, limited_user, ..change }
}

/// Whether a campaign that does not run may run after an action.
pub(super) fn starts_campaign(facts: &Facts, action: &Action) -> bool {
    matches!(action, Action::Update(changes) if facts.values().is_started_by(changes, facts.now))
}

/// Whether a person has to approve an update for a time. The raises of today do not count on another day.
pub(super) fn needs_approval(facts: &Facts, changes: &CampaignChanges, made_at: Timestamp) -> bool {
    let Some(SpendingState { spendings, turn }) = &facts.spending else { return false };
    let before = &limited_values(&facts.current);
    let action = &Action::Update(changes.clone().against(before));
    let raised = turn.raised.filter(|raised| raised.counts(made_at));
    spendings.need_approval(&LimitedAction { before, action }, raised, facts.now)
}

/// Refuses a change under a spending limit that starts a campaign with a monthly budget, such as a later end.
pub(super) fn require_no_monthly_budget(facts: &Facts, action: &Action) -> Result<(), Error> {
    if facts.record.monthly.is_some() && starts_campaign(facts, action) {
        require_unlimited(facts.spending.as_ref(), facts.current.currency)
    } else {
        Ok(())
    }
}

//! Checks a change against the limit of its key, and reserves what it adds.

use crate::changes::edits::only_stops;
use crate::changes::facts::Facts;
use crate::changes::request::ChangeRequest;
use crate::changes::spending_limit::{account_day, limited_values, require_unlimited};
use crate::domain::spending::{LimitedAction, Spender};
use crate::domain::{Action, CampaignChanges, Change, KeySpending, Reason};
use crate::error::{Error, Kind};
use crate::store::{SpendingState, Turn};
use jiff::Timestamp;

/// The result of the check.
#[derive(Default)]
pub(super) struct LimitCheck {
    /// The spending with the reservation; `None` if it does not change.
    pub(super) spending: Option<KeySpending>,
    /// Whether the change counts against a limit.
    pub(super) is_limited: bool,
    /// The turn that it takes, with the raises of the day including this change.
    pub(super) turn: Option<Turn>,
    /// Whether a person has to approve it, and nobody has approved at least as much.
    pub(super) needs_approval: bool,
}

/// Reserves what an action adds to the campaign. A pause or a removal does not wait for the turn of another change, which
/// keeps what it has reserved.
pub(super) fn reserve(request: &ChangeRequest<'_>, facts: &Facts, action: &Action) -> Result<LimitCheck, Error> {
    let Some(SpendingState { spending, turn }) = &facts.spending else { return Ok(LimitCheck::default()) };
    if turn.change.is_some() && only_stops(action) {
        return Ok(LimitCheck { is_limited: true, ..LimitCheck::default() });
    }
    let reserved = check(request, facts, action)?.filter(|reserved| reserved != spending);
    let (before, now) = (&facts.limited_values(), facts.now);
    let limited = &LimitedAction { before, action };
    let covers = |pending: &Change| {
        let approval = pending.approval.as_ref();
        approval.is_some_and(|approval| limited.is_covered_by(approval, &pending.action, now))
    };
    let is_approved = request.pending.as_ref().is_some_and(covers);
    let needs_approval = !is_approved && spending.needs_approval(limited, turn.raised, now);
    let day = account_day(request.connection, now);
    let raised = spending.raised(limited, turn.raised, is_approved, day);
    Ok(LimitCheck { spending: reserved, is_limited: true, turn: Some(Turn { raised, ..*turn }), needs_approval })
}

/// Refuses what the limit of the request's key does not admit. Returns the spending in which it is reserved; `None` for a
/// key without a limit.
pub(super) fn check(request: &ChangeRequest<'_>, facts: &Facts, action: &Action) -> Result<Option<KeySpending>, Error> {
    let Some(SpendingState { spending, .. }) = &facts.spending else { return Ok(None) };
    let currency = facts.current.currency;
    let spender = Spender { campaign: &facts.current.id, connection: &request.connection.id, currency };
    let before = &facts.limited_values();
    let limited = &LimitedAction { before, action };
    let reserved = spending.reserve(spender, request.change_id(), limited, facts.now);
    let reserved = reserved.map_err(|refusal| Error::refused(spending, refusal))?;
    require_nothing_waits(facts, spending, limited)?;
    Ok(Some(reserved))
}

/// Refuses what a key with a limit would add to a campaign that a waiting change of somebody else starts. That start
/// was decided on with the present budget and dates, and does not count against this key.
fn require_nothing_waits(facts: &Facts, spending: &KeySpending, limited: &LimitedAction<'_>) -> Result<(), Error> {
    let mut waiting: Vec<_> = facts.others.iter().filter(|other| !other.requested_by.is_key(&spending.key)).collect();
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

/// The spending after a pause or a removal finds the campaign paused or removed by somebody else: what the key has
/// added is freed.
pub(in crate::changes) fn observe(request: &ChangeRequest<'_>, facts: &Facts, action: &Action) -> Option<KeySpending> {
    if !facts.may_observe || !only_stops(action) {
        return None;
    }
    let state = facts.spending.as_ref()?;
    let seen = state.spending.contributions.get(&facts.current.id)?;
    let observed = state.spending.observed(&facts.current.id, seen, account_day(request.connection, facts.now));
    (observed != state.spending).then_some(observed)
}

/// Whether a campaign that does not run may run after an action.
pub(super) fn starts_campaign(facts: &Facts, action: &Action) -> bool {
    matches!(action, Action::Update(changes) if facts.values().is_started_by(changes, facts.now))
}

/// Whether a person has to approve an update for a time. The raises of today do not count on another day.
pub(super) fn needs_approval(facts: &Facts, changes: &CampaignChanges, made_at: Timestamp) -> bool {
    let Some(SpendingState { spending, turn }) = &facts.spending else { return false };
    let before = &limited_values(&facts.current);
    let action = &Action::Update(changes.clone().against(before));
    let raised = turn.raised.filter(|raised| raised.counts(made_at));
    spending.needs_approval(&LimitedAction { before, action }, raised, facts.now)
}

/// Refuses a change by a key with a spending limit that starts a campaign with a monthly budget, such as a later end.
pub(super) fn require_no_monthly_budget(facts: &Facts, action: &Action) -> Result<(), Error> {
    if facts.record.monthly.is_some() && starts_campaign(facts, action) {
        require_unlimited(facts.spending.as_ref(), facts.current.currency)
    } else {
        Ok(())
    }
}

//! Changes that count against spending limits: of their key, and of the user of their connection. The transaction that
//! stores a change reserves what the change adds; the transaction that stores its outcome frees what was not used.

use super::waiting_activation::drop_set_values;
use crate::app::App;
use crate::domain::spending::{AccountDay, ChangeEffect, Spender, Spendings};
use crate::domain::{
    CampaignId, CampaignRecord, CampaignValues, Change, ChangeState, Connection, Currency, CustomerId, Ending, KeyId,
    LimitRefusal, Occurrence, PlatformCampaign, Requester, Spending,
};
use crate::error::Error;
use crate::platforms::adapter;
use crate::store::{EndResult, SpendingState, Store, back_off, contended};
use jiff::Timestamp;

/// Attempts against other changes that count against the same limits.
pub(super) const MAX_ATTEMPTS: u64 = 40;

/// The reservation of an attempt at a limited change.
#[derive(Clone, Debug)]
pub(super) struct Reservation {
    /// What the change counts against, as the attempt has stored or read it.
    pub(super) spendings: Spendings,
    /// Whether the change has the turn of its campaign.
    pub(super) has_turn: bool,
}

/// The key whose limit, if it has one, a change counts against. A pause of a stop counts against the stopped key. A
/// step of a monthly budget counts against no key, because the key had no limit when it asked for the amount.
pub(super) fn limiting_key(change: &Change) -> Option<&KeyId> {
    match (&change.stops, &change.requested_by) {
        _ if change.is_step => None,
        (Some(key), _) | (None, Requester::ApiKey { id: key, .. }) => Some(key),
        (None, Requester::Person { .. }) => None,
    }
}

/// Whose limits the latest attempt at a change counts against.
fn counted_against(change: &Change) -> Vec<Spender> {
    let key = limiting_key(change).filter(|_| change.is_limited).cloned().map(Spender::Key);
    key.into_iter().chain(change.limited_user.clone().map(Spender::User)).collect()
}

/// Adds the user of a connection to what a change there counts against, if a limit or a pause of the user is in force, or the
/// connection has left the user since it was read. Reads the turn of the campaign too, unless it was read with the spending
/// of the key. The campaign must be read after it.
pub async fn with_user(
    store: &Store,
    customer: CustomerId,
    known: Option<SpendingState>,
    connection: &Connection,
    campaign: Option<&CampaignId>,
    now: Timestamp,
) -> Result<Option<SpendingState>, Error> {
    let Some(user) = &connection.external_ref else { return Ok(known) };
    let unread = campaign.filter(|_| known.is_none());
    let read = store.spending_state(customer, &[Spender::User(user.clone())], unread).await?;
    let Some(of_user) = read.for_change_in(&connection.id, now)? else { return Ok(known) };
    let Some(SpendingState { spendings, turn }) = known else { return Ok(Some(of_user)) };
    let spendings = spendings.iter().chain(of_user.spendings.iter()).cloned().collect();
    Ok(Some(SpendingState { spendings, turn }))
}

/// The values that count against a limit. A budget that the campaign does not own does not count.
pub(super) fn limited_values(current: &PlatformCampaign) -> CampaignValues {
    let values = CampaignValues::of(current);
    if adapter(current.platform()).owns_budget(current) {
        values
    } else {
        CampaignValues { budget_amount: None, ..values }
    }
}

/// Refuses a monthly budget where a spending limit counts, which knows daily budgets and whole runs only.
pub(super) fn require_unlimited(spending: Option<&SpendingState>, currency: Currency) -> Result<(), Error> {
    // A key that is stopped has a limit of nothing; a user that is only paused has none.
    let limited = |spending: &&Spending| spending.limit.is_some() || spending.spender.key().is_some();
    let mut all = spending.into_iter().flat_map(|state| state.spendings.iter());
    match all.find(limited) {
        Some(spending) => Err(Error::refused(spending, spending.monthly(currency))),
        None => Ok(()),
    }
}

/// What the process of an attempt knows already. `None` is read from the table.
#[derive(Debug, Default)]
pub(super) struct AttemptState<'a> {
    /// The reservation of the attempt.
    pub(super) reservation: Option<Reservation>,
    /// The record of the campaign.
    pub(super) record: Option<&'a CampaignRecord>,
}

/// Ends an attempt at a change, whether or not it is limited. `false`, with nothing changed, if a later attempt has begun
/// or the outcome is known.
pub(super) async fn end(
    store: &Store,
    change: &Change,
    ending: &Ending<'_>,
    AttemptState { reservation, record }: AttemptState<'_>,
    day: AccountDay,
) -> Result<bool, Error> {
    if let Ending::Settled(settlement) = ending {
        match settlement.state {
            ChangeState::Applied => drop_set_values(store, change, record, None, settlement.at).await?,
            ChangeState::PartlyApplied(_) => {
                drop_set_values(store, change, record, settlement.after.as_ref(), settlement.at).await?;
            }
            _ => {}
        }
    }
    let (spenders, Some(campaign)) = (counted_against(change), &change.campaign) else {
        return finish(store, change, ending).await;
    };
    if spenders.is_empty() {
        return finish(store, change, ending).await;
    }
    let mut known = reservation;
    for attempt in 0..MAX_ATTEMPTS {
        let reservation = match known.take() {
            Some(reservation) => reservation,
            None => {
                let SpendingState { spendings, turn } =
                    store.spending_state(change.customer, &spenders, Some(campaign)).await?;
                Reservation { spendings, has_turn: turn.change == Some(change.id) }
            }
        };
        let settled = reservation.spendings.map(|spending| spending.settle(change.id, outcome(ending), day));
        let moved = settled.changed_from(&reservation.spendings);
        match store.end_limited(change, ending, &moved, reservation.has_turn).await? {
            EndResult::Ended => return Ok(true),
            EndResult::NotLatest => return Ok(false),
            EndResult::SpendingChanged => back_off(attempt).await,
        }
    }
    Err(contended())
}

/// Ends an attempt that counts against no limit.
async fn finish(store: &Store, change: &Change, ending: &Ending<'_>) -> Result<bool, Error> {
    let ended = |latest: &Change| latest.in_attempt(change.attempt)?.finished(ending);
    store.transition(change, ended).await.map(|ended| ended.is_made)
}

/// The effect of a change, by the end of its attempt.
fn outcome<'a>(ending: &'a Ending<'_>) -> ChangeEffect<'a> {
    match ending {
        Ending::Settled(settlement) => match settlement.state {
            ChangeState::Failed(_) | ChangeState::Canceled(_) => ChangeEffect::None,
            _ => ChangeEffect::Some(settlement.after.as_ref()),
        },
        Ending::Discarded(_) | Ending::Waits(None, _) => ChangeEffect::None,
        // A part was applied; the next attempt reads the campaign.
        Ending::Waits(Some(_), _) => ChangeEffect::Some(None),
    }
}

/// Counts the refusal of a change by a limit, if its outcome is one. A failure to count it does not change the outcome.
pub async fn count_refusal_of<T>(app: &App, change: &Change, outcome: &Result<T, Error>) {
    if let Some(refusal) = outcome.as_ref().err().and_then(|error| error.limit.as_deref()) {
        let occurrence = Occurrence { customer: change.customer, request: Some(change.request), at: app.clock.now() };
        count_refusal(app, refusal, occurrence).await;
    }
}

/// Counts a refusal by a limit. A failure is logged.
pub async fn count_refusal(app: &App, refusal: &LimitRefusal, occurrence: Occurrence) {
    if let Err(error) = app.store.count_refusal(refusal, occurrence).await {
        let (customer, of) = (occurrence.customer, refusal.of.kind().as_str());
        tracing::warn!(%customer, of, %error, source = error.source, "a refusal by a limit was not counted");
    }
}

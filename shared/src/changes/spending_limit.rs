//! Changes of a key with a spending limit. The transaction that stores a change reserves what the change adds; the
//! transaction that stores its outcome frees what was not used.

use super::waiting_activation::drop_set_values;
use crate::app::App;
use crate::domain::spending::{AccountDay, ChangeEffect};
use crate::domain::{
    CampaignRecord, CampaignValues, Change, ChangeState, Connection, Currency, Ending, KeyId, KeySpending,
    LimitRefusal, Occurrence, PlatformCampaign, Requester,
};
use crate::error::Error;
use crate::platforms::adapter;
use crate::store::{EndResult, SpendingState, Store, back_off, contended};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// Attempts against other requests of the same key.
pub(super) const MAX_ATTEMPTS: u64 = 40;
/// Length of a day in an unknown time zone, at most.
const LONGEST_DAY: SignedDuration = SignedDuration::from_hours(25);

/// The reservation of an attempt at a limited change.
#[derive(Clone, Debug)]
pub(super) struct Reservation {
    /// The spending of the key, as the attempt has stored or read it.
    pub(super) spending: KeySpending,
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

/// The values that count against a limit. A budget that the campaign does not own does not count.
pub(super) fn limited_values(current: &PlatformCampaign) -> CampaignValues {
    let values = CampaignValues::of(current);
    if adapter(current.platform()).owns_budget(current) {
        values
    } else {
        CampaignValues { budget_amount: None, ..values }
    }
}

/// Refuses a monthly budget to a key with a spending limit, which knows daily budgets and whole runs only.
pub(super) fn require_unlimited(spending: Option<&SpendingState>, currency: Currency) -> Result<(), Error> {
    match spending {
        Some(state) => Err(Error::refused(&state.spending, LimitRefusal::monthly(currency))),
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
    let (true, Some(key), Some(campaign)) = (change.is_limited, limiting_key(change), &change.campaign) else {
        let ended = |latest: &Change| latest.in_attempt(change.attempt)?.finished(ending);
        return store.transition(change, ended).await.map(|ended| ended.is_made);
    };
    let mut known = reservation;
    for attempt in 0..MAX_ATTEMPTS {
        let reservation = match known.take() {
            Some(reservation) => reservation,
            None => {
                let state = store.spending_state(change.customer, key, Some(campaign)).await?;
                let state = state.ok_or_else(|| Error::internal("a limited change of a key without a spending"))?;
                Reservation { spending: state.spending, has_turn: state.turn.change == Some(change.id) }
            }
        };
        let settled = reservation.spending.settle(change.id, outcome(ending), day);
        let moved = (settled != reservation.spending).then_some(&settled);
        match store.end_limited(change, ending, moved, reservation.has_turn).await? {
            EndResult::Ended => return Ok(true),
            EndResult::NotLatest => return Ok(false),
            EndResult::SpendingChanged => back_off(attempt).await,
        }
    }
    Err(contended())
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

/// The day of a connection's ad account.
pub(super) fn account_day(connection: &Connection, now: Timestamp) -> AccountDay {
    let zone = connection.account.as_ref().map(|account| account.time_zone.as_str());
    AccountDay { now, ends_at: end_of_day(zone, now) }
}

/// The next midnight in a time zone.
fn end_of_day(zone: Option<&str>, now: Timestamp) -> Timestamp {
    let end = zone.and_then(|name| TimeZone::get(name).ok()).and_then(|zone| {
        let tomorrow = zone.to_datetime(now).date().tomorrow().ok()?;
        tomorrow.to_zoned(zone).ok().map(|midnight| midnight.timestamp())
    });
    end.unwrap_or(now + LONGEST_DAY)
}

/// Counts the refusal of a change, if its outcome is one. A failure to count it does not change the outcome.
pub(super) async fn count_refusal_of<T>(app: &App, change: &Change, outcome: &Result<T, Error>) {
    let refusal = outcome.as_ref().err().and_then(|error| error.limit.as_deref());
    if let (Some(refusal), Some(key)) = (refusal, limiting_key(change)) {
        let occurrence = Occurrence { customer: change.customer, request: Some(change.request), at: app.clock.now() };
        count_refusal(app, key, refusal, occurrence).await;
    }
}

/// Counts a refusal by a limit of a key. A failure is logged.
pub async fn count_refusal(app: &App, key: &KeyId, refusal: &LimitRefusal, occurrence: Occurrence) {
    if let Err(error) = app.store.count_refusal(key, refusal, occurrence).await {
        let customer = occurrence.customer;
        tracing::warn!(%customer, %key, %error, source = error.source, "a refusal by a limit was not counted");
    }
}

#[cfg(test)]
#[test]
fn a_day_ends_at_midnight_in_the_time_zone_of_the_account() {
    for (zone, now, end) in [
        (Some("Etc/UTC"), "2026-11-28T12:00:00Z", "2026-11-29T00:00:00Z"),
        (Some("America/Los_Angeles"), "2026-11-28T12:00:00Z", "2026-11-29T08:00:00Z"),
        (Some("Asia/Tokyo"), "2026-11-28T12:00:00Z", "2026-11-28T15:00:00Z"),
        // A day of 25 hours, in its first hour.
        (Some("America/Los_Angeles"), "2026-11-01T07:30:00Z", "2026-11-02T08:00:00Z"),
        (Some("Mars/Olympus"), "2026-11-28T12:00:00Z", "2026-11-29T13:00:00Z"),
        (None, "2026-11-28T12:00:00Z", "2026-11-29T13:00:00Z"),
    ] {
        assert_eq!(end_of_day(zone, now.parse().unwrap()).to_string(), end, "{zone:?}");
    }
}

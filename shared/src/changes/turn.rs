//! The turn of a campaign: changes that count against a limit are made one at a time, so that none invalidates the facts
//! of another.

use super::edits::only_stops;
use super::request::ChangeRequest;
use crate::domain::maintenance_schedule::INTERVAL;
use crate::error::{Error, Kind};
use crate::store::SpendingState;
use crate::tokens::PlatformContext;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Wait between two reads of the turn.
const TURN_INTERVAL: Duration = Duration::from_millis(200);
/// `Retry-After` while another request has the turn.
const SHORT_WAIT: Duration = Duration::from_secs(2);
/// An edit needs at least this much time once it has the turn.
const MIN_EDIT_TIME: Duration = Duration::from_secs(5);

/// Waits until no other limited change of the campaign is under way. A pause or a removal does not wait. `is_outdated`
/// says that the turn was taken since it was read.
pub(super) async fn await_turn(
    context: PlatformContext<'_>,
    request: &ChangeRequest<'_>,
    spending: Option<SpendingState>,
    mut is_outdated: bool,
) -> Result<Option<SpendingState>, Error> {
    let Some(mut state) = spending else { return Ok(None) };
    if only_stops(&request.action) {
        return Ok(Some(state));
    }
    while is_outdated || state.turn.change.is_some() {
        if context.deadline < Instant::now() + TURN_INTERVAL + MIN_EDIT_TIME {
            return Err(turn_taken(wait_for_turn(context, &state)));
        }
        sleep(TURN_INTERVAL).await;
        state = request.spending_again(&context.app.store, &state).await?;
        is_outdated = false;
    }
    Ok(Some(state))
}

/// The `Retry-After` of a taken turn. A request ends within a minute; a turn that is taken for longer is freed by
/// maintenance.
fn wait_for_turn(context: PlatformContext<'_>, state: &SpendingState) -> Duration {
    let now = context.app.clock.now();
    if state.turn.change.is_some_and(|change| now.duration_since(change.created_at()) > INTERVAL) {
        INTERVAL.unsigned_abs()
    } else {
        SHORT_WAIT
    }
}

/// Refuses a change while another one of the campaign is under way.
fn turn_taken(wait: Duration) -> Error {
    let message = "Another change of this campaign under a spending limit is under way. Nothing was sent; send this \
                   request again later. Pausing and removing do not have to wait.";
    Error::new(Kind::RateLimited, message).retryable().retry_after(wait)
}

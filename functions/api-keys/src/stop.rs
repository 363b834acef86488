//! `stopKey`.

use shared::changes::{begin_stop, pause_campaigns, refuse_key, stop_progress};
use shared::domain::stop::StopPhase;
use shared::domain::{ApiKeys, Spending, Stop};
use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::Call;
use tokio::time::{Duration, timeout_at};

/// Time reserved for the response: the request stops looking for campaigns so long before its deadline.
const RESPONSE_TIME: Duration = Duration::from_secs(3);

/// Stops a key, which may be the key of the request itself, and returns how far the stop is. Maintenance does what the
/// request has no time for.
pub(crate) async fn stop(call: &Call, keys: ApiKeys) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    call.request.reject_body()?;
    let key = keys.all().iter().find(|key| key.id.0 == call.request.parameter);
    let key = key.ok_or_else(|| Error::not_found("API key"))?;
    call.current_key(&keys)?;
    let (store, now) = (call.store(), call.request.now);
    let requested = Stop::new(call.customer.id, key.id.clone(), call.requester()?, call.request.request_id, now);
    let begun = async {
        let stop = begin_stop(store, requested, call.request.ends_at()?).await?;
        match stop.next {
            Some(StopPhase::PauseAll) => refuse_key(store, &stop, now).await.map(|spending| (stop, spending)),
            Some(StopPhase::PauseInFlight) | None => Ok((stop, None)),
        }
    };
    let begun =
        begun.await.map_err(|error| error.may_have_taken_effect("Send the request again: it is the same stop."));
    let (stop, spending) = begun?;
    let stop = first_phase_in_time(call, stop, spending.as_ref()).await;
    let progress = stop_progress(store, &stop, now).await?;
    Ok(Reply::KeyStopped { stopped_at: stop.stopped_at, progress })
}

/// Makes the first phase if nobody has made it yet. If that fails, maintenance makes it.
async fn first_phase_in_time(call: &Call, stop: Stop, spending: Option<&Spending>) -> Stop {
    if stop.next != Some(StopPhase::PauseAll) {
        return stop;
    }
    let until = call.request.deadline.checked_sub(RESPONSE_TIME).unwrap_or(call.request.deadline);
    match timeout_at(until, pause_campaigns(&call.request.app, stop.clone(), spending)).await {
        Ok(Ok(passed)) => passed,
        Ok(Err(error)) => {
            tracing::error!(key = %stop.key, %error, source = error.source, "the campaigns of a stopped key were not found");
            stop
        }
        Err(_) => {
            tracing::warn!(key = %stop.key, "the campaigns of a stopped key were not found in time");
            stop
        }
    }
}

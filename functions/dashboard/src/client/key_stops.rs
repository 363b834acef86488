//! The stops of keys: how far each is, and the pauses of one that is made now. The API returns the former only in the
//! response to a stop, so the store is read.

use crate::client::session::SignedIn;
use crate::client::{changes, readings};
use crate::kit::aftermath::{Aftermath, LOOKS_BACK};
use crate::kit::key_stop::{KeyStop, StopView, stop_view};
use crate::kit::known_campaign::SeenCampaign;
use shared::changes::attempt_until;
use shared::domain::{CampaignId, Change, ChangeState, KeyId, Stop};
use shared::serve::WebRequest;
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::Instant;

/// What lists say of the customer's stopped keys. A key whose stop cannot be read has the default.
pub(crate) async fn views(request: &WebRequest, person: &SignedIn) -> HashMap<KeyId, StopView> {
    let mut views = HashMap::new();
    if person.account.keys.all().iter().all(|key| key.stopped_at.is_none()) {
        return views;
    }
    let history = changes::since(request, person, request.now - LOOKS_BACK);
    let (kept, history) = tokio::join!(readings::kept_with_times(request, person), history);
    let (history, _) = history.unwrap_or_default();
    for key in person.account.keys.all().iter().filter(|key| key.stopped_at.is_some()) {
        let after = Aftermath::of(&key.id, &history, request.now);
        views.insert(key.id.clone(), view(request, person, &key.id, &after, &kept).await);
    }
    views
}

/// What a page says of a stopped key; the default if its stop cannot be read. Without a stop the key alone is stopped. `after`
/// is from the history, and `kept` has the campaigns as they were read last.
pub(crate) async fn view(
    request: &WebRequest,
    person: &SignedIn,
    key: &KeyId,
    after: &Aftermath<'_>,
    kept: &HashMap<String, SeenCampaign>,
) -> StopView {
    let stop = match request.app.store.stop(person.customer(), key).await {
        Ok(None) => return StopView::of_key_alone(),
        Ok(Some(stop)) => stop,
        Err(_) => return StopView::default(),
    };
    let Some((stop, pauses)) = with_pauses(request, stop).await else { return StopView::default() };
    let is_any_not_needed = stop.progress.canceled > 0;
    let campaigns = pauses.iter().filter_map(|pause| pause.campaign.as_ref()).map(ToString::to_string).collect();
    let runs = is_any_not_needed.then(|| after.running(&campaigns, kept, request.now).words_of("its")).flatten();
    StopView { runs, ..stop_view(&stop) }
}

/// The stop of a key, and how far it is.
pub(crate) async fn of_key(request: &WebRequest, person: &SignedIn, key: &KeyId) -> Option<KeyStop> {
    let stop = request.app.store.stop(person.customer(), key).await.ok().flatten()?;
    with_pauses(request, stop).await.map(|(stop, _)| stop)
}

/// Of each campaign of a key's stop the pause that decides, first those that a person may look at. Without an answer there are
/// none.
pub(crate) async fn pauses(request: &WebRequest, person: &SignedIn, key: &KeyId) -> Vec<Change> {
    let (store, now) = (&request.app.store, request.app.clock.now());
    let Ok(Some(stop)) = store.stop(person.customer(), key).await else { return Vec::new() };
    let all = store.pauses_of_stop(&stop, now).await.unwrap_or_default();
    let mut pauses: Vec<Change> = stop.deciding(&all).into_values().cloned().collect();
    pauses.sort_by_key(|pause| matches!(pause.state, ChangeState::Applied | ChangeState::Canceled(_)));
    pauses
}

/// A stop with its progress and its pauses.
async fn with_pauses(request: &WebRequest, stop: Stop) -> Option<(KeyStop, Vec<Change>)> {
    let pauses = request.app.store.pauses_of_stop(&stop, request.app.clock.now()).await.ok()?;
    Some((KeyStop { progress: stop.progress(&pauses), stop }, pauses))
}

/// Makes the wanted pauses of a stop for so long, and returns all its pauses. The function that answers a stop has no access
/// to platforms, and maintenance makes the rest within a minute.
pub(crate) async fn pause_now(
    request: &WebRequest,
    person: &SignedIn,
    key: &KeyId,
    time: Duration,
    is_wanted: impl Fn(&CampaignId) -> bool,
) -> Vec<Change> {
    let (until, store) = (Instant::now() + time, &request.app.store);
    let Ok(Some(stop)) = store.stop(person.customer(), key).await else { return Vec::new() };
    let stored = || async { store.pauses_of_stop(&stop, request.app.clock.now()).await.unwrap_or_default() };
    let mut open = stored().await;
    let is_wanted = |pause: &Change| pause.campaign.as_ref().is_some_and(&is_wanted);
    open.retain(|pause| pause.state == ChangeState::Scheduled && is_wanted(pause));
    if open.is_empty() {
        return stored().await;
    }
    attempt_until(&request.app, open, until).await;
    readings::note_any(request, person.customer()).await;
    stored().await
}

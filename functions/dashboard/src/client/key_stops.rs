//! The stops of keys: how far each is, and the pauses of one that is made now. The API returns the former only in the
//! response to a stop, so the store is read.

use crate::client::session::SignedIn;
use crate::client::{changes, readings};
use crate::kit::aftermath::{Aftermath, LOOKS_BACK};
use crate::kit::key_stop::{KeyStop, StopView, stop_view};
use crate::kit::known_campaign::SeenCampaign;
use jiff::Timestamp;
use shared::changes::attempt_until;
use shared::domain::{CampaignId, Change, ChangeState, KeyId};
use shared::error::Error;
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
        views.insert(key.id.clone(), view(&read(request, person, &key.id).await, &after, &kept, request.now));
    }
    views
}

/// A stop with its progress and all its pauses.
pub(crate) struct ReadStop {
    pub(crate) stop: KeyStop,
    pauses: Vec<Change>,
}

/// Reads the stop of a key; `None` without one.
pub(crate) async fn read(request: &WebRequest, person: &SignedIn, key: &KeyId) -> Result<Option<ReadStop>, Error> {
    let (store, now) = (&request.app.store, request.app.clock.now());
    let Some(stop) = store.stop(person.customer(), key).await? else { return Ok(None) };
    let pauses = store.pauses_of_stop(&stop, now).await?;
    Ok(Some(ReadStop { stop: KeyStop { progress: stop.progress(&pauses), stop }, pauses }))
}

/// What a page says of a stopped key; the default if its stop could not be read. Without a stop the key alone is stopped. `after`
/// is from the history, and `kept` has the campaigns as they were read last.
pub(crate) fn view(
    read: &Result<Option<ReadStop>, Error>,
    after: &Aftermath<'_>,
    kept: &HashMap<String, SeenCampaign>,
    now: Timestamp,
) -> StopView {
    let ReadStop { stop, pauses } = match read {
        Ok(None) => return StopView::of_key_alone(),
        Ok(Some(read)) => read,
        Err(_) => return StopView::default(),
    };
    let is_any_not_needed = stop.progress.canceled > 0;
    let campaigns = pauses.iter().filter_map(|pause| pause.campaign.as_ref()).map(ToString::to_string).collect();
    let runs = is_any_not_needed.then(|| after.running(&campaigns, kept, now).words_of("its")).flatten();
    StopView { runs, ..stop_view(stop) }
}

impl ReadStop {
    /// Of each campaign the pause that decides, first those that a person may look at.
    pub(crate) fn deciding(&self) -> Vec<Change> {
        let mut pauses: Vec<Change> = self.stop.stop.deciding(&self.pauses).into_values().cloned().collect();
        pauses.sort_by_key(|pause| matches!(pause.state, ChangeState::Applied | ChangeState::Canceled(_)));
        pauses
    }
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

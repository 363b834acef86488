//! How far the stops of keys are. The API returns it only in the response to a stop, so the store is read.

use crate::client::session::SignedIn;
use crate::kit::addresses::key_revert;
use crate::kit::key_stop::{self, StopView, would_pause};
use shared::changes::stop_progress;
use shared::domain::{KeyId, Spending, Stop, StopProgress};
use shared::serve::WebRequest;
use std::collections::HashMap;

/// What pages say of the stops of the customer's keys. A failed read says nothing.
pub(crate) async fn views(request: &WebRequest, person: &SignedIn, spendings: &[Spending]) -> HashMap<KeyId, StopView> {
    let view = |spending: &Spending| StopView { would_pause: would_pause(spending), ..StopView::default() };
    let of_key = |spending: &Spending| Some((spending.spender.key()?.clone(), view(spending)));
    let mut views: HashMap<KeyId, StopView> = spendings.iter().filter_map(of_key).collect();
    for key in person.account.keys.all().iter().filter(|key| key.stopped_at.is_some()) {
        let read = read(request, person, &key.id).await;
        let view = views.entry(key.id.clone()).or_default();
        view.revert = Some(key_revert(&key.id.0));
        view.is_refused = read.as_ref().is_some_and(|(_, progress)| progress.is_refused);
        view.goes_on = read.as_ref().is_some_and(|(stop, progress)| key_stop::goes_on(stop, progress));
        view.progress = Some(read.map(|(stop, progress)| key_stop::progress(&stop, &progress)).unwrap_or_default());
    }
    views
}

async fn read(request: &WebRequest, person: &SignedIn, key: &KeyId) -> Option<(Stop, StopProgress)> {
    let store = &request.app.store;
    let stop = store.stop(person.customer(), key).await.ok().flatten()?;
    let progress = stop_progress(store, &stop, request.now).await.ok()?;
    Some((stop, progress))
}

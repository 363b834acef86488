//! Stopping a key, how far its stop is, and resuming it.

use crate::client::api::Api;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{AGENTS, KEYS, sign_in_again};
use crate::pages::layout;
use serde::de::IgnoredAny;
use shared::changes::{resume_key, stop_progress};
use shared::domain::stop::Pass;
use shared::domain::{KeyId, KeySpending, Stop, StopProgress};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::{Error, Kind};
use shared::serve::WebRequest;
use std::collections::HashMap;

/// What the page says of a key's stop.
#[derive(Default)]
pub(crate) struct StopView {
    /// How far the stop is, of a stopped key.
    pub(crate) progress: Option<String>,
    /// Whether a pause has failed, so that the person may ask for another one.
    pub(crate) is_refused: bool,
    /// What a stop would pause: `at most 3 campaigns now`. Unknown for a key that has been without a limit.
    pub(crate) would_pause: Option<String>,
}

/// What the page says of the stops of the customer's keys. A failed read says nothing.
pub(crate) async fn views(
    request: &WebRequest,
    person: &SignedIn,
    spendings: &[KeySpending],
) -> HashMap<KeyId, StopView> {
    let (store, keys) = (&request.app.store, &person.account.keys);
    let mut views: HashMap<KeyId, StopView> = HashMap::new();
    for spending in spendings.iter().filter(|spending| !spending.was_unlimited) {
        let campaigns = spending.contributions.values().filter(|one| !one.is_freed()).count();
        views.entry(spending.key.clone()).or_default().would_pause = Some(format!("at most {} now", count(campaigns)));
    }
    for key in keys.all().iter().filter(|key| key.stopped_at.is_some()) {
        let stop = store.stop(person.customer(), &key.id).await.ok().flatten();
        let progress = match &stop {
            Some(stop) => stop_progress(store, stop, request.now).await.ok(),
            None => None,
        };
        let view = views.entry(key.id.clone()).or_default();
        view.is_refused = progress.as_ref().is_some_and(|progress| progress.is_refused);
        view.progress = Some(told(stop.as_ref(), progress.as_ref()));
    }
    views
}

/// `3 of 4 campaigns paused`
fn told(stop: Option<&Stop>, progress: Option<&StopProgress>) -> String {
    let Some((stop, progress)) = stop.zip(progress) else { return String::new() };
    let paused = match (progress.campaigns, progress.paused) {
        (0, _) => "No campaign to pause".to_owned(),
        (all, paused) => format!("{paused} of {} paused", count(all)),
    };
    match stop.next {
        Some(Pass::First) => "Its campaigns are being found".to_owned(),
        Some(Pass::Second) => format!("{paused}; what was on its way is looked at again in a minute"),
        None => paused,
    }
}

fn count(campaigns: usize) -> String {
    if campaigns == 1 { "1 campaign".to_owned() } else { format!("{campaigns} campaigns") }
}

/// The page of a form, which lists keys, too.
fn page_of(form: &[(String, String)]) -> &'static str {
    if value(form, "page") == Some(AGENTS) { AGENTS } else { KEYS }
}

/// Stops a key.
pub(crate) async fn stop(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let id = layout::path_segment(value(&form, "id").unwrap_or_default());
    let stopped = Api::new(request, person).act::<IgnoredAny>("POST", &format!("/v1/api-keys/{id}/stop")).await;
    Ok(match stopped {
        Ok(_) => Notice::success("The key is stopped: it is refused from now on, and its campaigns are being paused."),
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(page_of(&form)))
}

/// Resumes a key.
pub(crate) async fn resume(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let page = page_of(&form);
    if !person.session.is_recent(request.now) {
        return Ok(WebReply::see_other(sign_in_again(page)));
    }
    let key = KeyId(value(&form, "id").unwrap_or_default().to_owned());
    let (store, keys) = (&request.app.store, person.account.keys.clone());
    match resume_key(store, person.customer(), keys, &key, request.now).await {
        Ok(()) => Ok(Notice::success("The key is resumed. What the stop has paused stays paused.").then(page)),
        Err(error) if error.kind == Kind::Internal => Err(error),
        Err(refused) => Ok(Notice { is_success: false, ..Notice::success(refused.message) }.then(page)),
    }
}

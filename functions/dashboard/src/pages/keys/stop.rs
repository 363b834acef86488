//! Stopping a key and resuming it.

use crate::client::api::Api;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::{key_stops, keys};
use crate::kit::addresses::{KEYS, one_key};
use crate::kit::key_stop::paused_of;
use crate::kit::text::isolated;
use crate::kit::words;
use crate::pages::kept_form::recent_first;
use shared::changes::{resume_key, stop_only_key};
use shared::domain::{KeyId, StopProgress};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::{Error, Kind};
use shared::serve::WebRequest;
use std::time::Duration;

/// How long the form waits for pauses. Maintenance makes the rest.
const PAUSE_TIME: Duration = Duration::from_secs(10);

/// The button that stops the key alone.
const ONLY_FIELD: &str = "only";
/// Stops a key, and pauses at once what it runs, unless the person wants that to go on.
pub(crate) async fn stop(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let key = KeyId(value(&form, "id").unwrap_or_default().to_owned());
    let page = page_of(person, &key);
    let name = name_of(person, &key);
    if value(&form, ONLY_FIELD).is_some() {
        return only(request, person, &key, &name, page).await;
    }
    if let Err(refusal) = keys::stop(&Api::new(request, person), &key.0).await {
        return Ok(Notice::failure(refusal, &[]).then(page));
    }
    key_stops::pause_now(request, person, &key, PAUSE_TIME, |_| true).await;
    let progress = key_stops::read(request, person, &key).await.ok().flatten().map(|read| read.stop.progress);
    Ok(stopped(&name, progress.as_ref()).then(page))
}

/// Stops a key alone.
async fn only(
    request: &WebRequest,
    person: &SignedIn,
    key: &KeyId,
    name: &str,
    page: String,
) -> Result<WebReply, Error> {
    let (store, keys) = (&request.app.store, person.account.keys.clone());
    let stopped =
        stop_only_key(store, person.customer(), keys, key, request.now).await.map(|is_alone| match is_alone {
            true => format!("{}. Its campaigns go on as they are: pause or revert them here.", is_stopped(name)),
            false => format!("{name} is stopped already, and its campaigns are paused."),
        });
    told(stopped, page)
}

/// The notice of an action, or why it is refused.
fn told(outcome: Result<String, Error>, page: String) -> Result<WebReply, Error> {
    match outcome {
        Ok(done) => Ok(Notice::success(done).then(page)),
        Err(error) if error.kind == Kind::Internal => Err(error),
        Err(refused) => {
            Ok(Notice { is_success: false, ..Notice::success(words::message(&refused.message)) }.then(page))
        }
    }
}

/// What a stop has done until now: amber if a campaign is not paused yet.
fn stopped(name: &str, progress: Option<&StopProgress>) -> Notice {
    let stopped = is_stopped(name);
    match progress {
        None => Notice::success(format!("{stopped}. Its campaigns are being paused.")),
        Some(told) if told.campaigns == 0 && told.canceled > 0 => {
            Notice::success(format!("{stopped}. Campaigns whose pause was canceled go on: {}.", told.canceled))
        }
        Some(told) if told.campaigns == 0 => Notice::success(format!("{stopped}. No campaign runs because of it.")),
        Some(told) if told.paused == told.campaigns => {
            Notice::success(format!("{stopped}. {}.", paused_of(told.campaigns, told.paused)))
        }
        Some(told) => {
            let paused = paused_of(told.campaigns, told.paused);
            Notice::part(format!(
                "{stopped}. {paused}. The others are tried again without you; this page says how far."
            ))
        }
    }
}

/// What is true of a key from its stop on, without a full stop.
pub(super) fn is_stopped(name: &str) -> String {
    format!("{name} is stopped, and refused from now on")
}

/// What a notice calls a key.
pub(super) fn name_of(person: &SignedIn, key: &KeyId) -> String {
    let known = person.account.keys.all().iter().find(|known| known.id == *key);
    known.map_or_else(|| "The key".to_owned(), |known| isolated(&known.name))
}

/// Resumes a key.
pub(crate) async fn resume(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let key = KeyId(value(&form, "id").unwrap_or_default().to_owned());
    let page = page_of(person, &key);
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let (store, keys) = (&request.app.store, person.account.keys.clone());
    let resumed = resume_key(store, person.customer(), keys, &key, request.now).await;
    let name = name_of(person, &key);
    told(resumed.map(|()| format!("{name} is resumed. What the stop has paused stays paused.")), page)
}

/// The page of a key; the list if there is no such key.
fn page_of(person: &SignedIn, key: &KeyId) -> String {
    let is_known = person.account.keys.all().iter().any(|known| known.id == *key);
    if is_known { one_key(&key.0) } else { KEYS.to_owned() }
}

#[cfg(test)]
#[test]
fn a_stop_that_has_not_paused_all_is_amber() {
    let told = |campaigns, paused| {
        let notice = stopped("Bid optimiser", Some(&StopProgress { campaigns, paused, ..StopProgress::default() }));
        (notice.tone(), notice.message)
    };
    let stopped = "Bid optimiser is stopped, and refused from now on.";
    assert_eq!(told(0, 0), ("good", format!("{stopped} No campaign runs because of it.")));
    assert_eq!(told(19, 19), ("good", format!("{stopped} 19 of 19 campaigns paused.")));
    let (tone, message) = told(19, 12);
    assert!(tone == "part" && message.starts_with(&format!("{stopped} 12 of 19 campaigns paused.")), "{message}");
}

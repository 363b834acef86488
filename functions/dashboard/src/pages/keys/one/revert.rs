//! Reverts what a key did: gives the ticked campaigns the values back that they had before it, by one bulk change (D175).
//! The same form stops the key first, if the person wants both.

use super::plan::{RevertPlan, StayRow, Touched};
use super::since::Since;
use super::touched;
use crate::client::api::{Api, Refusal};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::{campaigns, changes, key_stops, keys};
use crate::kit::addresses::{bulk_status, sign_in_again};
use crate::kit::campaign::campaign_count;
use crate::kit::campaign_forms::KEY_FIELD;
use crate::kit::form_errors::Detail;
use crate::kit::words;
use shared::domain::{KeyId, RefusedCampaign};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use std::time::Duration;
use tokio::time::Instant;

/// The field with the changes of a ticked campaign.
const CHANGES_FIELD: &str = "changes";
/// The button that stops the key first.
const STOP_FIELD: &str = "stop";
/// How long the form waits for pauses, and how long the campaigns are read after them. The rest of the time that a page has
/// is that of the stop and of the revert.
const PAUSE_TIME: Duration = Duration::from_secs(6);
const READ_TIME: Duration = Duration::from_secs(4);
/// Most campaigns that the notice names.
const MAX_NAMED: usize = 8;
const STOPPED: &str = "The key is stopped: it is refused from now on.";

/// A revert that a person has asked for.
struct Asked<'a> {
    api: Api<'a>,
    key: KeyId,
    since: Since,
    /// The changes of the ticked campaigns.
    ids: Vec<String>,
    /// Makes a double click or a reload revert once.
    form_key: &'a str,
    page: String,
}

/// Reverts the ticked campaigns of a form, once for its idempotency key.
pub(crate) async fn revert(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let key = KeyId(value(&form, "id").unwrap_or_default().to_owned());
    let since = Since::of(&form, false);
    let page = since.page(&key.0);
    if !person.session.is_recent(request.now) {
        return Ok(WebReply::see_other(sign_in_again(&page)));
    }
    let ticked = form.iter().filter(|(name, _)| name == CHANGES_FIELD);
    let ids: Vec<String> = ticked.flat_map(|(_, ids)| ids.split(',')).map(str::to_owned).collect();
    let form_key = value(&form, KEY_FIELD).filter(|key| !key.is_empty());
    let Some(form_key) = form_key.filter(|_| !ids.is_empty()) else {
        let message = "Nothing is done: tick at least one campaign.".to_owned();
        return Ok(Notice { message, ..Notice::default() }.then(page));
    };
    let asked = Asked { api: Api::new(request, person), key, since, ids, form_key, page };
    if value(&form, STOP_FIELD).is_some() {
        return Ok(stop_and_revert(request, person, asked).await);
    }
    Ok(match campaigns::undo_set(&asked.api, &asked.ids, form_key).await {
        Ok(started) if started.refused.is_empty() => WebReply::see_other(bulk_status(&started.bulk.to_string())),
        Ok(started) => {
            let stay = campaign_count(started.refused.len());
            let message = format!("{stay} cannot be reverted any more. Look at what was changed since.");
            Notice::part(message).then(bulk_status(&started.bulk.to_string()))
        }
        Err(refusal) => not_reverted(refusal, form_key).then(asked.page),
    })
}

/// Stops the key, pauses what it runs, and then gives the ticked campaigns their former values back. The pauses are undone
/// together with what has led to them, so they come first. What is not paused in time stays for a second look.
async fn stop_and_revert(request: &WebRequest, person: &SignedIn, asked: Asked<'_>) -> WebReply {
    let Asked { api, key, since, ids, form_key, page } = asked;
    if let Err(refusal) = keys::stop(&api, &key.0).await {
        return Notice::failure(refusal, &[]).then(page);
    }
    let pauses = key_stops::pause_now(request, person, &key, PAUSE_TIME).await;
    let until = Instant::now() + READ_TIME;
    let read = async {
        let (changes, _) = changes::of_key(&api, &key.0, since.from(request.now)).await?;
        let (touched, _) = touched::read(&api, &key, &changes, &pauses, until).await?;
        Ok::<Vec<Touched>, Refusal>(touched.into_iter().filter(|one| one.has_any(&ids)).collect())
    };
    let touched = match read.await {
        Ok(touched) => touched,
        Err(refusal) => return only_stopped(&refusal).then(page),
    };
    let RevertPlan { rows, stay, .. } = RevertPlan::of(&touched, request.now);
    let changes: Vec<String> = rows.iter().flat_map(|row| row.changes.split(',')).map(str::to_owned).collect();
    if changes.is_empty() {
        return outcome(&touched, stay, &[]).then(page);
    }
    match campaigns::undo_set(&api, &changes, form_key).await {
        Ok(started) => {
            let notice = outcome(&touched, stay, &started.refused);
            let link = Some((page, "Back to the key: what it ran and is paused by now".to_owned()));
            Notice { link, ..notice }.then(bulk_status(&started.bulk.to_string()))
        }
        Err(refusal) => {
            let kept = not_reverted(refusal.clone(), form_key).values;
            Notice { values: kept, ..only_stopped(&refusal) }.then(page)
        }
    }
}

/// The stop is made, and the revert is not.
fn only_stopped(refusal: &Refusal) -> Notice {
    Notice::part(format!("{STOPPED} What it did is not reverted yet: {}", refusal.in_full()))
}

/// What is said of a revert that has not begun.
fn not_reverted(refusal: Refusal, form_key: &str) -> Notice {
    // It may have begun: the same form continues it.
    let may_have_begun = refusal.status >= 500 || refusal.status == 409;
    let kept = [(KEY_FIELD.to_owned(), form_key.to_owned())];
    Notice::failure(refusal, if may_have_begun { &kept } else { &[] })
}

/// The notice after both: amber, with the campaigns that are not reverted, if there are any.
fn outcome(touched: &[Touched], stay: Vec<StayRow>, refused: &[RefusedCampaign]) -> Notice {
    let named = |refused: &RefusedCampaign| Detail {
        field: touched.iter().find(|one| one.id == refused.campaign).map(Touched::name).unwrap_or_default(),
        message: words::message(&refused.error.message),
    };
    let stay = stay.into_iter().map(|row| Detail { field: row.name, message: row.reason });
    let mut details: Vec<Detail> = stay.chain(refused.iter().map(named)).collect();
    if details.is_empty() {
        return Notice::success(format!("{STOPPED} The ticked campaigns get what they had before it."));
    }
    let (left, all) = (details.len(), campaign_count(touched.len()));
    let first = if left > MAX_NAMED { ", the first of them" } else { "" };
    details.truncate(MAX_NAMED);
    let message = format!("{STOPPED} {left} of {all} {} not reverted{first}:", if left == 1 { "is" } else { "are" });
    Notice { details, ..Notice::part(message) }.shorten_to_fit()
}

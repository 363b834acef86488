//! The buttons and forms of an endpoint, on its page and on the first page of the dashboard.

use super::deliveries::outcome;
use super::form::{CONTROLS, EndpointBody, changed_url};
use crate::client::api::{Api, Refusal};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::webhooks::{self, Replay, find};
use crate::kit::addresses::{WEBHOOKS, webhook};
use crate::kit::moment::moment;
use crate::pages::kept_form::recent_first;
use jiff::{SignedDuration, Timestamp};
use shared::domain::EndpointStatus;
use shared::domain::event::RETENTION;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// Time that a replay from the earliest possible moment leaves for its own request.
const REPLAY_MARGIN: SignedDuration = SignedDuration::from_mins(1);

/// Changes the settings. Another URL sends data elsewhere, so it needs a recent sign-in, as a
/// new endpoint does.
pub(crate) async fn change(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let url = changed_url(&form);
    if url.is_some() && !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let body = EndpointBody::of(&form, url);
    Ok(match webhooks::update(&Api::new(request, person), id(&form), &body).await {
        Ok(()) => Notice::success("The settings are saved. They hold for what happens from now on.").then(page(&form)),
        Err(refusal) => refused(refusal, &form, &form),
    })
}

/// Enables or disables an endpoint.
pub(crate) async fn set_status(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let (status, done) = match value(&form, "status") {
        Some("disabled") => (EndpointStatus::Disabled, "The endpoint is disabled and receives nothing."),
        _ => (EndpointStatus::Enabled, "The endpoint is enabled and receives what happens from now on."),
    };
    Ok(match webhooks::set_status(&Api::new(request, person), id(&form), status).await {
        Ok(()) => Notice::success(done).then(page(&form)),
        Err(refusal) => refused(refusal, &form, &[]),
    })
}

/// Enables an endpoint that the service has disabled, and replays what it has missed.
pub(crate) async fn resume(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    // Enabling it forgets the time.
    let (endpoint, _) = find(request, person, id(&form)).await?;
    let api = Api::new(request, person);
    if let Err(refusal) = webhooks::set_status(&api, id(&form), EndpointStatus::Enabled).await {
        return Ok(refused(refusal, &form, &[]));
    }
    let Some(missed_since) = endpoint.missed_since else {
        return Ok(Notice::success("The endpoint is enabled.").then(page(&form)));
    };
    let since = since(missed_since, request.now);
    // As the field of the form has it: to the minute.
    let kept = [("since".to_owned(), since.chars().take("2026-12-31T00:00".len()).collect())];
    let replay = Replay { since: Some(since), event_id: None };
    Ok(match send(&api, &form, &replay).await {
        Ok(replayed) => Notice::success(format!("The endpoint is enabled. {replayed}")).then(page(&form)),
        Err(refusal) => {
            let refusal = refusal.in_one_message();
            let message =
                format!("The endpoint is enabled, and not all that it missed is sent again. {}", refusal.message);
            refused(Refusal { message, ..refusal }, &form, &kept)
        }
    })
}

/// Sends a test event, and reports the response of the endpoint.
pub(crate) async fn test(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    Ok(match webhooks::test(&Api::new(request, person), id(&form)).await {
        Ok(delivery) => {
            let (is_success, message) = outcome(&delivery);
            Notice { is_success, ..Notice::success(message) }.then(page(&form))
        }
        Err(refusal) => refused(refusal, &form, &[]),
    })
}

/// Sends one event again, or all since a time.
pub(crate) async fn replay(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let replay = match value(&form, "event_id") {
        Some(event) => Replay { since: None, event_id: Some(event) },
        None => Replay { since: Some(moment(since_field(&form)).unwrap_or_default()), event_id: None },
    };
    Ok(match send(&Api::new(request, person), &form, &replay).await {
        Ok(replayed) => Notice::success(replayed).then(page(&form)),
        Err(refusal) => refused(refusal, &form, &[("since".to_owned(), since_field(&form).to_owned())]),
    })
}

/// Deletes an endpoint.
pub(crate) async fn delete(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    Ok(match webhooks::delete(&Api::new(request, person), id(&form)).await {
        Ok(()) => Notice::success("The endpoint is deleted and receives nothing any more.").then(WEBHOOKS),
        Err(refusal) => refused(refusal, &form, &[]),
    })
}

/// The page of the endpoint that a form names.
pub(super) fn page(form: &[(String, String)]) -> String {
    webhook(id(form))
}

/// The id of the endpoint that a form names.
pub(super) fn id(form: &[(String, String)]) -> &str {
    value(form, "id").unwrap_or_default()
}

/// Leads back to the page of the endpoint, which shows these values again. Without the endpoint there is the list.
pub(super) fn refused(refusal: Refusal, form: &[(String, String)], kept: &[(String, String)]) -> WebReply {
    let page = if refusal.status == 404 { WEBHOOKS.to_owned() } else { page(form) };
    Notice::refused(refusal, CONTROLS, kept).then(page)
}

async fn send(api: &Api<'_>, form: &[(String, String)], replay: &Replay<'_>) -> Result<String, Refusal> {
    Ok(match webhooks::replay(api, id(form), replay).await? {
        0 => "There is no event to send again.".to_owned(),
        1 => "1 event is sent again.".to_owned(),
        more => format!("{more} events are sent again."),
    })
}

fn since_field(form: &[(String, String)]) -> &str {
    value(form, "since").unwrap_or_default().trim()
}

/// The time from which a replay takes what was missed; events are kept for a while only.
fn since(missed_since: Timestamp, now: Timestamp) -> String {
    format!("{:.3}", missed_since.max(now - RETENTION + REPLAY_MARGIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_goes_back_as_far_as_events_are_kept() {
        let now: Timestamp = "2026-12-31T00:00:00Z".parse().unwrap();
        assert_eq!(since("2026-12-30T00:00:00.1239Z".parse().unwrap(), now), "2026-12-30T00:00:00.123Z");
        assert_eq!(since("2026-01-01T00:00:00Z".parse().unwrap(), now), "2026-12-01T00:01:00.000Z");
    }
}

//! The tools that change campaigns: three that confirm a preview, and the pause, which is always free.

use super::ChangeKind;
use super::plan::{Plan, campaign};
use crate::answer::Answer;
use crate::api::{Answered, Api};
use crate::arguments::{Arguments, object, quoted};
use crate::confirm_token::{Preview, idempotency_key};
use lambda_http::http::StatusCode;
use serde::Deserialize;
use shared::error::Error;
use shared::serve::Confirmation;

const TOKEN: &str = "confirm_token";

/// A change that waits, for a person or for its time.
#[derive(Deserialize)]
struct Waiting {
    id: String,
    state: String,
    approval_url: Option<String>,
    apply_at: Option<String>,
}

/// Makes a change that a preview confirms. The token is the key of the change: the same call again answers as the first
/// one did, and nothing is made twice.
pub(super) async fn change(api: &Api<'_>, kind: ChangeKind, arguments: Arguments<'_>) -> Result<Answer, Error> {
    let token = arguments.text(TOKEN).ok_or_else(|| {
        Error::field(TOKEN, "is required: call preview_change with these arguments, and send its confirm_token")
    })?;
    let plan = Plan::read(api, kind, &arguments.without(TOKEN))?;
    let preview = Preview::open(&token, api.call, kind).await?;
    if preview.request != plan.request {
        let message = "belongs to other arguments. A change is made exactly as it was previewed: call preview_change with \
                       these arguments, or send the arguments of the preview";
        return Err(Error::field(TOKEN, message));
    }
    let refusal = if preview.expires_at < api.call.request.now {
        Some("The preview is older than 10 minutes.")
    } else if preview.facts != plan.facts {
        Some("The spending limit of this API key, or the ad account, has changed since the preview.")
    } else {
        None
    };
    let (key, confirmation) = (idempotency_key(&token), Confirmation { refusal, seen: preview.seen });
    let outcome = api.send((plan.method, &plan.target), plan.body, Some((&key, confirmation))).await?;
    answer(outcome)
}

/// Pauses a campaign.
pub(super) async fn pause(api: &Api<'_>, arguments: Arguments<'_>) -> Result<Answer, Error> {
    arguments.require(&["campaign_id"], &["campaign_id"])?;
    let target = campaign(&arguments)?;
    let body = Some("{\"status\":\"PAUSED\"}".to_owned());
    answer(api.send(("PATCH", &target), body, None).await?)
}

/// What became of a change.
fn answer(outcome: Result<Answered, Answer>) -> Result<Answer, Error> {
    let Answered { status, body, change } = match outcome {
        Ok(answered) => answered,
        Err(refusal) => return Ok(refusal),
    };
    if status == StatusCode::ACCEPTED {
        let waiting: Waiting = serde_json::from_str(&body).map_err(Error::internal)?;
        return Ok(Answer::success(&waits(&waiting)));
    }
    let (state, message) = match (&change, status) {
        (_, StatusCode::NO_CONTENT) => ("applied", "The campaign is removed."),
        (Some(_), StatusCode::CREATED) => ("applied", "The campaign is created, and paused: it spends nothing."),
        (Some(_), _) => ("applied", "The platform has the change."),
        (None, _) => (
            "unchanged",
            "The campaign had all of this already: nothing was sent. What waits for a person or its time still waits.",
        ),
    };
    let change = change.map_or_else(|| "null".to_owned(), |id| quoted(&id));
    let mut members = vec![("state", quoted(state)), ("change_id", change), ("message", quoted(message))];
    if !body.is_empty() {
        members.push(("campaign", body));
    }
    Ok(Answer::success(&object(members.into_iter())))
}

fn waits(waiting: &Waiting) -> String {
    let Waiting { id, state, approval_url, apply_at } = waiting;
    let message = match (approval_url, apply_at) {
        (Some(url), _) => format!(
            "Nothing has changed yet. Tell the person: open {url} to approve or reject this within 7 days. Then get_change \
             tells what became of it."
        ),
        (None, Some(at)) => {
            format!("Nothing has changed yet. The change is made at {at}; get_change tells what became of it.")
        }
        (None, None) => "The change waits no more; get_change tells what became of it.".to_owned(),
    };
    let mut members = vec![("state", quoted(state)), ("change_id", quoted(id)), ("message", quoted(&message))];
    members.extend(approval_url.as_ref().map(|url| ("approval_url", quoted(url))));
    members.extend(apply_at.as_ref().map(|at| ("apply_at", quoted(at))));
    object(members.into_iter())
}

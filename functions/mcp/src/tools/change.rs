//! The tools that change campaigns: three that confirm a preview, and the pause, which is always free.

use super::lists::{CAMPAIGN_FIELDS, WHOLE, pick_members};
use super::requested_change::{RequestedChange, campaign, reference};
use crate::answer::{Answer, ToolError};
use crate::api::{Api, ApiResponse};
use crate::confirm_token::{Preview, idempotency_key};
use crate::object::{Object, json_text, nullable, object};
use lambda_http::http::StatusCode;
use serde::Deserialize;
use shared::domain::{ChangeKind, Reference};
use shared::error::Error;
use shared::serve::Confirmation;

const TOKEN: &str = "confirm_token";

/// A change that waits, for a person or for its time.
#[derive(Deserialize)]
struct WaitingChange {
    id: String,
    state: String,
    approval_url: Option<String>,
    apply_at: Option<String>,
}

/// Makes a change that a preview confirms. The token is the key of the change: the same call again answers as the first
/// one did, and nothing is made twice.
pub(super) async fn change(api: &Api<'_>, kind: ChangeKind, arguments: Object<'_>) -> Result<Answer, ToolError> {
    let token = arguments.text(TOKEN).ok_or_else(|| {
        let message = "is required: call preview_change with these arguments, and send its confirm_token; pause_campaign \
                       needs none";
        Error::field(TOKEN, message)
    })?;
    let requested = RequestedChange::read(api, kind, &arguments.without(&[TOKEN]))?;
    let preview = Preview::open(&token, api.call, kind).await?;
    if preview.request != requested.request {
        let message = "belongs to other arguments. A change is made exactly as it was previewed: call preview_change with \
                       these arguments, or send the arguments of the preview";
        return Err(Error::field(TOKEN, message).into());
    }
    let refusal = if preview.expires_at < api.call.request.now {
        Some("The preview is older than 10 minutes.")
    } else if preview.facts != requested.facts {
        Some("The spending limit of this API key, or the ad account, has changed since the preview.")
    } else {
        None
    };
    let (key, confirmation) = (idempotency_key(&token), Confirmation { refusal, seen: preview.seen });
    let names_date = requested.arguments.json("start_at").or(requested.arguments.json("end_at")).is_some();
    let (reference, target) = (requested.reference(), format!("{}{}", requested.path, requested.query));
    api.call.note_reference(reference.as_ref());
    let answered = api.send(requested.method, &target, requested.body, Some((&key, confirmation))).await?;
    let message = match kind {
        ChangeKind::Create => "The campaign is created, and paused: it spends nothing.",
        ChangeKind::Update => "The change is made.",
        ChangeKind::Delete => "The campaign is removed.",
    };
    answer(&answered, message, names_date, reference.as_ref())
}

/// Pauses a campaign.
pub(super) async fn pause(api: &Api<'_>, arguments: Object<'_>) -> Result<Answer, ToolError> {
    let arguments = arguments.without_nulls(&[]);
    arguments.require(&["campaign_id", "reference"], &["campaign_id"])?;
    let body = Some(arguments.without(&["campaign_id"]).with("status", "PAUSED"));
    let reference = reference(&arguments);
    api.call.note_reference(reference.as_ref());
    let answered = api.send("PATCH", &campaign(&arguments)?, body, None).await?;
    let message = "The campaign is paused: it spends nothing more. Starting it again is a change of its own.";
    answer(&answered, message, false, reference.as_ref())
}

/// What became of a change; `message` is what it says once it is made. A date that the service holds may move without a
/// change of the platform.
fn answer(
    answered: &ApiResponse,
    message: &str,
    names_date: bool,
    reference: Option<&Reference>,
) -> Result<Answer, ToolError> {
    let reference = || reference.map(|reference| ("reference", json_text(reference.as_str())));
    let ApiResponse { status, body, change, is_replayed } = answered;
    if *status == StatusCode::ACCEPTED {
        let waiting: WaitingChange = serde_json::from_str(body).map_err(Error::internal)?;
        let mut members = waits(&waiting, *is_replayed);
        members.extend(reference());
        return Ok(Answer::success(&object(members)));
    }
    let (state, message) = match change {
        _ if *is_replayed => (
            "applied",
            "This was done by an earlier call, and nothing now. get_campaign tells how the campaign is now.",
        ),
        None if *status == StatusCode::OK && !names_date => {
            ("unchanged", "The campaign had all of this already: nothing was sent.")
        }
        _ => ("applied", message),
    };
    let mut members = change_members(state, change.as_deref(), message, *is_replayed);
    members.extend(reference());
    if !body.is_empty() {
        members.push(("campaign", object(pick_members(&Object::parse(body)?, &CAMPAIGN_FIELDS, WHOLE))));
    }
    Ok(Answer::success(&object(members)))
}

fn waits(waiting: &WaitingChange, is_replayed: bool) -> Vec<(&'static str, String)> {
    let WaitingChange { id, state, approval_url, apply_at } = waiting;
    let message = match (approval_url, apply_at) {
        _ if is_replayed => "This was asked by an earlier call; get_change tells what became of it.".to_owned(),
        (Some(url), _) => format!(
            "Nothing has changed yet. Tell the person: open {url} to approve or reject this within 7 days. Then get_change \
             tells what became of it."
        ),
        (None, Some(at)) => {
            format!("Nothing has changed yet. The change is made at {at}; get_change tells what became of it.")
        }
        (None, None) => "The change waits no more; get_change tells what became of it.".to_owned(),
    };
    let mut members = change_members(state, Some(id), &message, is_replayed);
    members.extend(approval_url.as_ref().map(|url| ("approval_url", json_text(url))));
    members.extend(apply_at.as_ref().map(|at| ("apply_at", json_text(at))));
    members
}

/// The members that every answer about a change has.
fn change_members(state: &str, change: Option<&str>, message: &str, is_repeated: bool) -> Vec<(&'static str, String)> {
    vec![
        ("state", json_text(state)),
        ("change_id", nullable(change)),
        ("message", json_text(message)),
        ("is_repeated", is_repeated.to_string()),
    ]
}

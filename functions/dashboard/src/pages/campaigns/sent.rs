//! Requests that change a campaign, and what became of them.

use super::create::{change_id, fields_of};
use super::one;
use super::wire::MONTHLY;
use crate::client::api::{Api, Detail, Refusal};
use crate::client::changes::CHANGES;
use crate::kit::amount::Amount;
use crate::pages::layout::{path_segment, readable};
use jiff::Timestamp;
use lambda_http::http::StatusCode;
use lambda_http::{Body, Response};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use shared::envelope::Shape;
use shared::error::FieldError;
use shared::serve::ApiCall;

/// The body of the request, without what stays as it is.
#[derive(Serialize)]
pub(super) struct Changes<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) budget_amount: Option<Amount>,
    /// The new period, or that of a monthly budget whose amount changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) budget_period: Option<&'a str>,
}

impl Changes<'_> {
    /// The shape of the request: the flat one names wrong fields, and has no months.
    pub(super) fn shape(&self) -> Shape {
        if self.budget_period.is_some() { Shape::Enveloped } else { Shape::Flat }
    }

    /// The body of the request.
    pub(super) fn json(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }
}

/// The period that a changed amount names: that of a month, which the flat shape does not have.
pub(super) fn named_period(period: Option<&str>) -> Option<&str> {
    period.filter(|period| *period == MONTHLY)
}

/// A change that waits, in the flat shape.
#[derive(Deserialize)]
struct Waiting {
    id: String,
    apply_at: Timestamp,
}

/// What became of a change.
pub(super) enum Outcome {
    /// It is made, by this change; `None` if there was nothing to change.
    Made(Option<String>),
    /// It is made by several changes: the monthly budget, and the rest at the platform.
    Several,
    /// It waits for this time: the one of the form, or the start of the campaign.
    Waits {
        change: String,
        at: Timestamp,
    },
    Deleted,
    /// It is not known whether it is made: the ids of its changes.
    Checking(String),
}

/// A change in the flat shape.
#[derive(Deserialize)]
struct FlatChange {
    state: String,
}

/// Changes a campaign now.
pub(super) async fn patch(api: &Api<'_>, id: &str, changes: &Changes<'_>) -> Result<Outcome, Refusal> {
    send(api, "PATCH", &one::api_path(id), Some(changes)).await
}

/// Makes a request that changes a campaign.
pub(super) async fn send(
    api: &Api<'_>,
    method: &'static str,
    target: &str,
    changes: Option<&Changes<'_>>,
) -> Result<Outcome, Refusal> {
    let shape = changes.map_or(Shape::Flat, Changes::shape);
    let body = changes.and_then(Changes::json);
    let response = api.call(ApiCall { method, target, body, shape, idempotency_key: None }).await?;
    match response.status() {
        StatusCode::ACCEPTED => {
            api.parse::<Waiting>(&response).map(|Waiting { id, apply_at }| Outcome::Waits { change: id, at: apply_at })
        }
        StatusCode::NO_CONTENT => Ok(Outcome::Deleted),
        StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT => match unknown(api, &response).await {
            Some(changes) => Ok(Outcome::Checking(changes)),
            None => made(api, shape, &response),
        },
        _ => made(api, shape, &response),
    }
}

fn made(api: &Api<'_>, shape: Shape, response: &Response<Body>) -> Result<Outcome, Refusal> {
    let ids = change_id(response);
    match api.parse::<IgnoredAny>(response) {
        Ok(_) if shape == Shape::Enveloped && ids.as_ref().is_some_and(|ids| ids.contains(',')) => Ok(Outcome::Several),
        Ok(_) => Ok(Outcome::Made(ids.as_deref().map(|ids| first(ids).to_owned()))),
        // The enveloped shape names wrong fields in its message.
        Err(refusal) if refusal.status == 400 && refusal.details.is_empty() => {
            let details = fields_of(&refusal.message).into_iter();
            let details = details.map(|FieldError { field, message, .. }| Detail { field, message }).collect();
            Err(Refusal { details, ..refusal })
        }
        Err(refusal) => Err(refusal),
    }
}

/// The change at the platform, which is the first.
fn first(ids: &str) -> &str {
    ids.split(',').next().unwrap_or(ids)
}

/// The ids of the changes of a response, if their outcome is unknown.
async fn unknown(api: &Api<'_>, response: &Response<Body>) -> Option<String> {
    let ids = change_id(response)?;
    let change: FlatChange = api.get(&format!("{CHANGES}/{}", path_segment(first(&ids)))).await.ok()?;
    matches!(change.state.as_str(), "unknown" | "sending").then_some(ids)
}

/// The notice of a change that waits.
pub(super) fn told_wait(at: Timestamp, has_time: bool) -> String {
    let at = readable(at);
    let why = if has_time {
        format!("The change is scheduled for {at}.")
    } else {
        format!("The campaign starts at {at}, and the change waits for that.")
    };
    format!("{why} Until then you can cancel it under Activity.")
}

//! The outcome of a create request (D17 in docs/decisions.md).

use super::Shape;
use super::response::{Data, ok};
use crate::domain::{Intent, IntentState};
use http::Response;
use lambda_http::Body;
use serde::Serialize;
use uuid::Uuid;

#[derive(Serialize)]
struct IntentsBody<'a> {
    request_id: Uuid,
    targets: Vec<WireIntent<'a>>,
}

#[derive(Serialize)]
struct WireIntent<'a> {
    platform: &'static str,
    organization_id: &'a str,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    campaign_id: Option<String>,
}

/// The response to `getIntents`.
pub(super) fn response(request_id: Uuid, intents: &[Intent], shape: Shape) -> Response<Body> {
    let targets = intents.iter().map(|intent| target(intent, shape)).collect();
    let body = IntentsBody { request_id, targets };
    match shape {
        Shape::Flat => ok(&body),
        Shape::Enveloped => ok(&Data { data: body }),
    }
}

fn target(intent: &Intent, shape: Shape) -> WireIntent<'_> {
    let (state, campaign_id) = match &intent.state {
        IntentState::Unknown => ("unknown", None),
        IntentState::Created(id) => ("created", Some(id.to_string())),
        IntentState::Refused(_) | IntentState::NotCreated => ("not_created", None),
    };
    let platform = match shape {
        Shape::Flat => intent.platform.as_str(),
        Shape::Enveloped => intent.platform.as_upper(),
    };
    WireIntent { platform, organization_id: &intent.account_id, state, campaign_id }
}

//! The outcome of a create request, for callers whose response was lost or said that it is unknown (D17).

use super::Shape;
use super::response::{Data, ok};
use crate::domain::{CampaignId, ChangeState, Create, ExternalRef, Reference};
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
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    external_ref: Option<&'a str>,
}

/// The response to `getIntents`.
pub(super) fn response(request_id: Uuid, creates: &[Create], shape: Shape) -> Response<Body> {
    let targets = creates.iter().map(|create| target(create, shape)).collect();
    let body = IntentsBody { request_id, targets };
    match shape {
        Shape::Flat => ok(&body),
        Shape::Enveloped => ok(&Data { data: body }),
    }
}

fn target(create: &Create, shape: Shape) -> WireIntent<'_> {
    let state = match &create.state {
        ChangeState::Scheduled | ChangeState::Sending => "unknown",
        ChangeState::Applied | ChangeState::PartlyApplied(_) => "created",
        ChangeState::AwaitingApproval
        | ChangeState::Failed(_)
        | ChangeState::Canceled(_)
        | ChangeState::Rejected(_)
        | ChangeState::Expired => "not_created",
    };
    let campaign_id = create.campaign.as_ref().map(CampaignId::to_string);
    let platform = shape.platform_name(create.platform);
    WireIntent {
        platform,
        organization_id: &create.account_id,
        state,
        campaign_id,
        reference: create.reference.as_ref().map(Reference::as_str),
        external_ref: create.external_ref.as_ref().map(ExternalRef::as_str),
    }
}

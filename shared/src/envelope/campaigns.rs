//! Responses with one campaign or a page of campaigns, in either shape.

use super::enveloped::EnvelopedCampaign;
use super::error_response::retry_after;
use super::flat::{self, FlatCampaign};
use super::response::{Data, json_response};
use super::wire::pagination;
use super::{CampaignList, Shape};
use crate::domain::{Campaign, ConnectionId, Platform};
use crate::error::Error;
use http::{Response, StatusCode};
use lambda_http::Body;
use serde::Serialize;
use serde_json::{Value, json};

/// A response with one campaign.
pub(super) fn response(status: StatusCode, campaign: &Campaign, shape: Shape) -> Response<Body> {
    match shape {
        Shape::Flat => json_response(status, &FlatCampaign::from(campaign)),
        Shape::Enveloped => json_response(status, &Data { data: EnvelopedCampaign::from(campaign) }),
    }
}

/// The body of `listCampaigns`.
#[derive(Serialize)]
pub(super) struct ListBody<'a> {
    unified: Vec<WireCampaign<'a>>,
    pagination: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Value>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum WireCampaign<'a> {
    Flat(FlatCampaign<'a>),
    Enveloped(EnvelopedCampaign<'a>),
}

/// The body of `listCampaigns`.
pub(super) fn list_body(list: &CampaignList, shape: Shape) -> ListBody<'_> {
    let in_shape = |campaign| match shape {
        Shape::Flat => WireCampaign::Flat(FlatCampaign::from(campaign)),
        Shape::Enveloped => WireCampaign::Enveloped(EnvelopedCampaign::from(campaign)),
    };
    ListBody {
        unified: list.campaigns.iter().map(in_shape).collect(),
        pagination: pagination(list.next_cursor.as_deref()),
        errors: list.failures.iter().map(|failure| connection_error(failure, shape)).collect(),
    }
}

/// A connection that could not be read.
pub(super) fn connection_error(
    (platform, connection_id, error): &(Platform, ConnectionId, Error),
    shape: Shape,
) -> Value {
    let code = match shape {
        Shape::Flat => flat::code(error.kind),
        Shape::Enveloped => error.kind.code(),
    };
    let mut value = json!({
        "platform": shape.platform_name(*platform),
        "connection_id": connection_id.to_string(),
        "code": code,
        "reason": error.reason().as_str(),
        "message": error.message.to_string(),
        "retryable": error.retryable,
    });
    if let Some(seconds) = retry_after(error.retry_after) {
        value["retry_after"] = json!(seconds);
    }
    value
}

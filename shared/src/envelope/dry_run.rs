//! The response to a dry run.

use super::campaign_defaults::WireChosen;
use super::enveloped::ErrorBody;
use super::flat::FlatError;
use super::response::{Data, ok};
use super::{DryRunReport, DryRunResult, RenderContext, Shape};
use crate::domain::ShownRequest;
use crate::error::Error;
use http::Response;
use lambda_http::Body;
use serde::Serialize;

#[derive(Serialize)]
struct ResultBody<'a> {
    platform: &'static str,
    connection_id: Option<&'a str>,
    organization_id: Option<&'a str>,
    verdict: &'static str,
    checked_by: &'static str,
    needs_approval: bool,
    activates: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    campaign_defaults: Option<WireChosen<'a>>,
    request: Option<RequestBody<'a>>,
    /// The writes after the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more_requests: Vec<RequestBody<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<AnyError<'a>>,
}

/// A request to a platform, without its headers.
#[derive(Serialize)]
pub(super) struct RequestBody<'a> {
    method: &'a str,
    url: &'a str,
    body: &'a str,
}

/// An error inside of a response, in its shape.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum AnyError<'a> {
    Flat(FlatError<'a>),
    Enveloped(ErrorBody<'a>),
}

impl<'a> AnyError<'a> {
    pub(super) fn new(error: &'a Error, request_id: &'a str, context: &RenderContext) -> AnyError<'a> {
        match context.shape {
            Shape::Flat => AnyError::Flat(FlatError::new(error, request_id, context.now)),
            Shape::Enveloped => AnyError::Enveloped(ErrorBody::new(error, request_id)),
        }
    }
}

/// 200 whatever the verdict: the dry run itself succeeded.
pub(super) fn response(report: &DryRunReport, shape: Shape, context: &RenderContext) -> Response<Body> {
    let request_id = context.request_id.to_string();
    let error = |error| AnyError::new(error, &request_id, context);
    let mut results = report.results.iter().map(|result| body(result, shape, error));
    if report.is_list {
        return ok(&Data { data: results.collect::<Vec<_>>() });
    }
    let only = results.next();
    match shape {
        Shape::Flat => ok(&only),
        Shape::Enveloped => ok(&Data { data: only }),
    }
}

fn body<'a>(result: &'a DryRunResult, shape: Shape, error: impl Fn(&'a Error) -> AnyError<'a>) -> ResultBody<'a> {
    let DryRunResult {
        platform,
        connection_id,
        account_id,
        verdict,
        requests,
        is_checked_by_platform,
        needs_approval,
        activates,
        defaults,
        outcome,
    } = result;
    let mut requests = requests.iter().map(request);
    ResultBody {
        platform: shape.platform_name(*platform),
        connection_id: connection_id.as_ref().map(|id| id.0.as_str()),
        organization_id: account_id.as_deref(),
        verdict: match outcome {
            Ok(()) => verdict.as_str(),
            Err(error) if error.kind.is_inconclusive() => "unknown",
            Err(_) => "would_fail",
        },
        checked_by: checked_by(*is_checked_by_platform),
        needs_approval: *needs_approval,
        activates: *activates,
        campaign_defaults: defaults.as_ref().map(WireChosen::new),
        request: requests.next(),
        more_requests: requests.collect(),
        error: outcome.as_ref().err().map(error),
    }
}

/// The name of who has checked the requests.
pub(super) fn checked_by(is_checked_by_platform: bool) -> &'static str {
    if is_checked_by_platform { "platform" } else { "service" }
}

/// A request on the wire.
pub(super) fn request(request: &ShownRequest) -> RequestBody<'_> {
    RequestBody { method: &request.method, url: &request.url, body: &request.body }
}

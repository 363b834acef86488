//! The response to `createCampaign` with `targets`: one result for each target, in request order (D8).

use super::enveloped::{EnvelopedCampaign, ErrorBody};
use super::error_response::{add_retry_after, status_of, with_error_headers};
use super::response::json_response;
use crate::domain::{Campaign, Platform, Reference};
use crate::error::Error;
use http::{Response, StatusCode};
use lambda_http::Body;
use serde::Serialize;
use serde_with::skip_serializing_none;
use std::time::Duration;
use uuid::Uuid;

/// The result of one target.
#[derive(Debug)]
pub struct TargetResult {
    pub platform: Platform,
    pub account_id: String,
    /// The caller's own reference.
    pub reference: Option<Reference>,
    /// The campaign, or an error: it was not created, or its outcome is unknown.
    pub outcome: Result<Campaign, Error>,
}

#[skip_serializing_none]
#[derive(Serialize)]
struct WireTargetResult<'a> {
    target: TargetName<'a>,
    status: &'static str,
    reference: Option<&'a str>,
    campaign: Option<EnvelopedCampaign<'a>>,
    error: Option<ErrorBody<'a>>,
}

#[derive(Serialize)]
struct TargetName<'a> {
    platform: &'static str,
    organization_id: &'a str,
}

#[derive(Serialize)]
struct ResultsBody<'a> {
    data: Vec<WireTargetResult<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Summary {
    total: usize,
    created: usize,
    failed: usize,
    unknown: usize,
}

/// The error when no target was created. It contains the results of all targets.
#[derive(Serialize)]
struct NoneCreated<'a> {
    error: ErrorWithResults<'a>,
}

#[derive(Serialize)]
struct ErrorWithResults<'a> {
    #[serde(flatten)]
    error: ErrorBody<'a>,
    results: Vec<WireTargetResult<'a>>,
}

/// 201 if all targets were created, 207 if some were. If none was, the error of the first target.
pub(super) fn response(results: &[TargetResult], request_id: Uuid) -> Response<Body> {
    let request_id = request_id.to_string();
    let wire: Vec<WireTargetResult<'_>> = results.iter().map(|result| wire_result(result, &request_id)).collect();
    let count = |status: &str| wire.iter().filter(|result| result.status == status).count();
    let (created, failed, unknown) = (count("created"), count("failed"), count("unknown"));
    if let (0, Some(error)) = (created, combined_error(results)) {
        let body = ErrorWithResults { error: ErrorBody::new(&error, &request_id), results: wire };
        return with_error_headers(json_response(status_of(error.kind), &NoneCreated { error: body }), &error);
    }
    let status = if created == results.len() { StatusCode::CREATED } else { StatusCode::MULTI_STATUS };
    let summary = Summary { total: results.len(), created, failed, unknown };
    let mut response = json_response(status, &ResultsBody { data: wire, summary });
    add_retry_after(&mut response, longest_wait(results));
    response
}

fn longest_wait(results: &[TargetResult]) -> Option<Duration> {
    results.iter().filter_map(|result| result.outcome.as_ref().err()?.retry_after).max()
}

/// The first error, on behalf of all targets. A retry repeats every target, so it is safe only if all errors are
/// retryable, and only after the longest wait.
fn combined_error(results: &[TargetResult]) -> Option<Error> {
    let errors: Vec<&Error> = results.iter().filter_map(|result| result.outcome.as_ref().err()).collect();
    let first = errors.first()?;
    Some(Error {
        platform: first.platform,
        platform_error: first.platform_error.clone(),
        details: first.details.clone(),
        reason: Some(first.reason()),
        retryable: errors.iter().all(|error| error.retryable),
        retry_after: longest_wait(results),
        ..Error::new(first.kind, first.message.clone())
    })
}

fn wire_result<'a>(result: &'a TargetResult, request_id: &'a str) -> WireTargetResult<'a> {
    let TargetResult { platform, account_id, reference, outcome } = result;
    let status = match outcome {
        Ok(_) => "created",
        Err(error) if error.unknown_outcome => "unknown",
        Err(_) => "failed",
    };
    WireTargetResult {
        target: TargetName { platform: platform.as_upper(), organization_id: account_id },
        status,
        reference: reference.as_ref().map(Reference::as_str),
        campaign: outcome.as_ref().ok().map(EnvelopedCampaign::from),
        error: outcome.as_ref().err().map(|error| ErrorBody::new(error, request_id)),
    }
}

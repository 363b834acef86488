//! The answer to a create on several targets: a verdict for each, in the order they were given (D8 in the README).

use super::enveloped::{Body as ErrorBody, EnvelopedCampaign, EnvelopedError};
use super::{RenderContext, add_wait, json_response, status_of, with_error_headers};
use crate::domain::{Campaign, Platform};
use crate::error::Error;
use http::{Response, StatusCode};
use lambda_http::Body;
use serde::Serialize;
use std::time::Duration;

/// What became of one target.
#[derive(Debug)]
pub struct TargetResult {
    /// Where.
    pub platform: Platform,
    /// In which ad account.
    pub account_id: String,
    /// The campaign, or why there is none or may be one.
    pub outcome: Result<Campaign, Error>,
}

/// One verdict as written.
#[derive(Serialize)]
pub(super) struct TargetVerdict<'a> {
    target: TargetName<'a>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    campaign: Option<EnvelopedCampaign<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorBody<'a>>,
}

#[derive(Serialize)]
struct TargetName<'a> {
    platform: &'static str,
    organization_id: &'a str,
}

#[derive(Serialize)]
struct Verdicts<'a> {
    data: Vec<TargetVerdict<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Summary {
    total: usize,
    created: usize,
    failed: usize,
    unknown: usize,
}

/// All created is 201, some 207; none is the error of the first target, with all verdicts inside.
pub(super) fn response(results: &[TargetResult], context: &RenderContext) -> Response<Body> {
    let request_id = context.request_id.to_string();
    let verdicts: Vec<TargetVerdict<'_>> = results.iter().map(|result| verdict(result, &request_id)).collect();
    let count = |status: &str| verdicts.iter().filter(|verdict| verdict.status == status).count();
    let (created, failed, unknown) = (count("created"), count("failed"), count("unknown"));
    if let (0, Some(error)) = (created, headline(results)) {
        let body = EnvelopedError::with_results(&error, &request_id, verdicts);
        return with_error_headers(json_response(status_of(error.kind), &body), &error);
    }
    let status = if created == results.len() { StatusCode::CREATED } else { StatusCode::MULTI_STATUS };
    let summary = Summary { total: results.len(), created, failed, unknown };
    let mut response = json_response(status, &Verdicts { data: verdicts, summary });
    add_wait(&mut response, longest_wait(results));
    response
}

/// The longest wait that a target asks for.
fn longest_wait(results: &[TargetResult]) -> Option<Duration> {
    results.iter().filter_map(|result| result.outcome.as_ref().err()?.retry_after).max()
}

/// The first failure, for all of them: sending the whole again is safe only where that holds for every target, and
/// not before the longest wait is over.
fn headline(results: &[TargetResult]) -> Option<Error> {
    let errors: Vec<&Error> = results.iter().filter_map(|result| result.outcome.as_ref().err()).collect();
    let first = errors.first()?;
    Some(Error {
        platform: first.platform,
        platform_fault: first.platform_fault.clone(),
        details: first.details.clone(),
        retryable: errors.iter().all(|error| error.retryable),
        retry_after: longest_wait(results),
        ..Error::new(first.kind, first.message.clone())
    })
}

fn verdict<'a>(result: &'a TargetResult, request_id: &'a str) -> TargetVerdict<'a> {
    let TargetResult { platform, account_id, outcome } = result;
    let status = match outcome {
        Ok(_) => "created",
        Err(error) if error.unknown_outcome => "unknown",
        Err(_) => "failed",
    };
    TargetVerdict {
        target: TargetName { platform: platform.as_upper(), organization_id: account_id },
        status,
        campaign: outcome.as_ref().ok().map(EnvelopedCampaign::from),
        error: outcome.as_ref().err().map(|error| ErrorBody::new(error, request_id)),
    }
}

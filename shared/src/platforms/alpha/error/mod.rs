//! Classifies failures (Google Ads API: Errors). The error code inside of the `GoogleAdsFailure` decides; the HTTP
//! status decides only where there is no such failure.

mod codes;

use super::wire;
use crate::outbound::seconds;
use crate::platforms::prelude::*;
use codes::{
    access_refused, field_of_code, is_operation, operator_message, our_field, project_refused, remedy, smallest_budget,
};
use http::StatusCode;

/// The waits where the platform names none: after a burst, and after a day's share is used up.
const BURST: Duration = Duration::from_secs(30);
const SHARE: Duration = Duration::from_secs(3_600);

pub(super) fn classify(response: &OutboundResponse, _: Timestamp) -> Result<(), Error> {
    if response.status.is_success() { Ok(()) } else { Err(error_of(response)) }
}

/// The error for a response with any status but 2xx.
pub(super) fn error_of(response: &OutboundResponse) -> Error {
    let status = response.status;
    let reason = parse_error(&response.body);
    let failure = reason.as_ref().and_then(failure);
    let error = match failure.as_ref().and_then(|failure| Refusal::of(failure, status)) {
        Some(refusal) => refusal.error(),
        None => without_code(status, reason.as_ref()),
    };
    let request_id = failure.as_ref().and_then(|failure| failure.request_id.as_deref());
    let id = bounded(request_id.or_else(|| response.header("request-id")).unwrap_or_default());
    let code = error.platform_code().unwrap_or_default();
    let source = format!("status {}, code {code:?}, request id {id:?}", status.as_u16());
    let requested = if error.retryable { response.header("retry-after").and_then(seconds) } else { None };
    Error { retry_after: error.retry_after.max(requested), ..error }.on(Platform::Alpha).caused_by(source)
}

/// The error in a body. Calls that stream send it in an array, after the pages that came before it.
fn parse_error(body: &[u8]) -> Option<wire::Status> {
    let read = |body: &[u8]| read_object::<wire::ErrorBody>(Platform::Alpha, body).ok().map(|body| body.error);
    let in_array = || {
        let parts: Vec<Box<RawValue>> = serde_json::from_slice(body).ok()?;
        parts.iter().find_map(|part| read(part.get().as_bytes()))
    };
    read(body).or_else(in_array)
}

/// Recognizes a request that fails for every customer, such as one of a retired version.
pub(super) fn is_operators_error(error: &Error) -> bool {
    let code = error.platform_code().unwrap_or_default();
    let is_of_operator = code.starts_with("requestError.") || code.starts_with("queryError.");
    error.kind == Kind::PlatformFailed && !error.retryable && is_of_operator
}

/// The content of a `GoogleAdsFailure`. Its first error decides.
struct Refusal<'a> {
    errors: &'a [wire::GoogleAdsError],
    first: &'a wire::GoogleAdsError,
    /// The enum: `campaignError`.
    family: &'a str,
    /// Its value: `DUPLICATE_CAMPAIGN_NAME`.
    value: &'a str,
    status: StatusCode,
}

impl<'a> Refusal<'a> {
    fn of(failure: &'a wire::GoogleAdsFailure, status: StatusCode) -> Option<Refusal<'a>> {
        if !(status.is_client_error() || status.is_server_error()) {
            return None;
        }
        let first = failure.errors.first()?;
        let (family, value) = first.error_code.first_key_value()?;
        Some(Refusal { errors: &failure.errors, first, family, value, status })
    }

    fn error(&self) -> Error {
        let failed = || errors::failed(Platform::Alpha).retryable();
        let error = match (self.family, self.value) {
            ("authenticationError", value) if value == "AUTHENTICATION_ERROR" || value.starts_with("OAUTH_TOKEN_") => {
                errors::token_expired(Platform::Alpha)
            }
            ("authenticationError" | "authorizationError", _) | ("quotaError", "ACCESS_PROHIBITED") => {
                access_refused(self.value)
            }
            ("quotaError", _) => self.throttled(),
            ("mutateError" | "requestError", "RESOURCE_NOT_FOUND") => Error::not_found("campaign"),
            // The code is newer than this version of the API: what it says is in the message.
            ("internalError", "ERROR_CODE_NOT_PUBLISHED") if self.status.is_client_error() => self.refused(),
            ("internalError", _) | ("databaseError", "CONCURRENT_MODIFICATION") => failed(),
            _ if self.status.is_server_error() => failed(),
            (family, value) => match operator_message(family, value, &self.first.message) {
                Some(reason) => Error::new(Kind::PlatformFailed, reason).for_operator(),
                None => self.refused(),
            },
        };
        error.with_platform_error(PlatformError {
            code: Some(bounded(&format!("{}.{}", self.family, self.value))),
            message: bounded(&self.first.message),
            field: self.field(),
        })
    }

    fn refused(&self) -> Error {
        let messages: Vec<&str> = self.errors.iter().map(|error| error.message.trim()).collect();
        let details = self.first.details.as_ref();
        let details = details.and_then(|details| details.budget_per_day_minimum_error_details.as_ref());
        let minimum = details.and_then(smallest_budget).unwrap_or_default();
        errors::refused(Platform::Alpha, &format!("{}{minimum}{}", messages.join(" "), remedy(self.value)))
    }

    /// Other callers may have used up a share of this service, so the caller gets the platform's own message.
    fn throttled(&self) -> Error {
        let quota = self.first.details.as_ref().and_then(|details| details.quota_error_details.as_ref());
        let delay = quota.and_then(|quota| seconds(quota.retry_delay.as_deref()?));
        let usual = match self.value {
            "RESOURCE_TEMPORARILY_EXHAUSTED" | "EXCESSIVE_SHORT_TERM_QUERY_RESOURCE_CONSUMPTION" => BURST,
            _ => SHARE,
        };
        let error = errors::throttled(Platform::Alpha, delay.unwrap_or(usual));
        if quota.and_then(|quota| quota.rate_scope.as_deref()) != Some("DEVELOPER") {
            return error;
        }
        let message = "Google Ads is throttling all calls of this service, not this ad account alone.";
        Error { message: bounded(format!("{message} {}", self.first.message.trim()).trim()).into(), ..error }
    }

    /// Our name of the field at fault, by its path, else by the code; else the platform's own name of it.
    fn field(&self) -> Option<String> {
        let path = self.first.location.iter().flat_map(|location| &location.field_path_elements);
        let names = path.map(|element| element.field_name.as_str());
        let names: Vec<&str> = names.filter(|name| !is_operation(name)).collect();
        let ours = names.iter().rev().find_map(|name| our_field(name)).or_else(|| field_of_code(self.value));
        ours.map(str::to_owned).or_else(|| names.last().map(|name| bounded(name)))
    }
}

/// The failure among the details, which may be of other types too.
fn failure(status: &wire::Status) -> Option<wire::GoogleAdsFailure> {
    let failures = status.details.iter().filter_map(|detail| serde_json::from_str(detail.get()).ok());
    failures.into_iter().find(|failure: &wire::GoogleAdsFailure| failure.type_url.ends_with(".GoogleAdsFailure"))
}

/// The error of a response without an error code: of a gateway of Google, or without JSON.
fn without_code(status: StatusCode, reason: Option<&wire::Status>) -> Error {
    let gateway_failed = || errors::gateway_failed(Platform::Alpha, status, BURST);
    let Some(reason) = reason else { return gateway_failed() };
    let reported =
        |code: Option<&str>| PlatformError { code: code.map(bounded), message: bounded(&reason.message), field: None };
    let info = if matches!(status.as_u16(), 400 | 403) { error_info(reason) } else { None };
    if let Some((error, code)) = info.and_then(|info| Some((project_refused(&info.reason)?, info.reason))) {
        return error.with_platform_error(reported(Some(&code)));
    }
    let error = match (status.as_u16(), reason.status.as_deref()) {
        (401 | 408 | 429 | 499 | 500.., _) | (_, None) => gateway_failed(),
        (403, _) => errors::no_access(Platform::Alpha),
        (404, Some("NOT_FOUND")) => Error::not_found("campaign"),
        (409, Some("ABORTED")) => errors::failed(Platform::Alpha).retryable(),
        (400.., _) => errors::refused(Platform::Alpha, &reason.message),
        _ => gateway_failed(),
    };
    error.with_platform_error(reported(reason.status.as_deref()))
}

/// The reason of Google's API gateway among the details.
fn error_info(status: &wire::Status) -> Option<wire::ErrorInfo> {
    let infos = status.details.iter().filter_map(|detail| serde_json::from_str(detail.get()).ok());
    infos.into_iter().find(|info: &wire::ErrorInfo| info.type_url.ends_with("google.rpc.ErrorInfo"))
}

#[cfg(test)]
mod tests;

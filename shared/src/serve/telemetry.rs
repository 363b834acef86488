//! Telemetry of a response: the `Server-Timing` header, log lines and metrics.

use super::{IncomingRequest, RequestInfo};
use crate::domain::{CustomerId, Platform};
use crate::envelope::{self, Reply, answered};
use crate::error::{Error, Kind};
use crate::metrics::{MetricScope, Number};
use crate::routes::{self, Match};
use crate::timing::{Timing, millis};
use http::StatusCode;
use lambda_http::{Body, Response};
use tracing::field::display;

/// An extension of the first request of a process on Lambda, which has waited for its start.
#[derive(Clone, Copy)]
pub struct ColdStart;

impl IncomingRequest {
    /// Records a response. Later work is in no duration, so this comes last.
    pub(super) fn record(
        &self,
        outcome: &Result<Reply, Error>,
        info: &RequestInfo,
        response: &mut Response<Body>,
    ) -> Timing {
        let timing = self.timers.read();
        envelope::add_timing(response, &timing, info.customer.is_some());
        let status = answered(outcome, response);
        let partial_failures = partial_failures(outcome);
        for error in &partial_failures {
            self.log_partial_failure(error);
        }
        let platform = platform_of(outcome, info);
        self.log_response(status, outcome, info.customer, platform, &timing);
        let internal = partial_failures.iter().filter(|error| error.kind == Kind::Internal).count();
        self.record_response(status, internal, platform, &timing);
        for error in outcome.as_ref().err().into_iter().chain(partial_failures) {
            self.record_platform_failure(error);
        }
        timing
    }

    fn is_cold(&self) -> bool {
        self.request.extensions().get::<ColdStart>().is_some()
    }

    fn log_partial_failure(&self, error: &Error) {
        let request_id = self.request_id;
        let platform = error.platform.map(Platform::as_str);
        tracing::warn!(%request_id, platform, %error, source = error.source, "partial failure");
    }

    /// One line for each response. It shows the route's path, because ids and queries may hold secrets.
    fn log_response(
        &self,
        status: StatusCode,
        outcome: &Result<Reply, Error>,
        customer: Option<CustomerId>,
        platform: Option<Platform>,
        timing: &Timing,
    ) {
        let path = match &self.matched {
            Match::Found(route, _) => route.path,
            Match::MethodNotAllowed(_) | Match::NotFound if routes::is_dashboard(self.request.uri().path()) => {
                routes::DASHBOARD
            }
            Match::MethodNotAllowed(_) | Match::NotFound => "(no route)",
        };
        let request_id = self.request_id;
        let method = self.request.method();
        let status_code = status.as_u16();
        let trace_id = self.trace.as_ref().and_then(|trace| trace.to_str().ok());
        let customer = customer.map(display);
        let platform = platform.map(Platform::as_str);
        let tool = self.tool.as_ref().map(|tool| tool.name);
        let duration_ms = millis(timing.total);
        let own_ms = millis(timing.own);
        let store_ms = timing.store.map(millis);
        let platform_ms = timing.platform.map(millis);
        let payments_ms = timing.payments.map(millis);
        let error = outcome.as_ref().err().map(display);
        let cold_start = self.is_cold().then_some(true);
        if status.is_server_error() {
            let source = outcome.as_ref().err().and_then(|error| error.source.as_ref());
            tracing::error!(
                %request_id, trace_id, customer, %method, path, tool, status = status_code, platform, duration_ms, store_ms,
                platform_ms, payments_ms, own_ms, cold_start, error, source, "answered"
            );
        } else {
            tracing::info!(
                %request_id, trace_id, customer, %method, path, tool, status = status_code, platform, duration_ms, store_ms,
                platform_ms, payments_ms, own_ms, cold_start, error, "answered"
            );
        }
    }

    /// `internal` is the number of internal errors inside of a successful response.
    fn record_response(&self, status: StatusCode, internal: usize, platform: Option<Platform>, timing: &Timing) {
        let mut numbers = vec![("OwnTime", Number::Time(timing.own))];
        numbers.extend(timing.store.map(|time| ("StoreTime", Number::Time(time))));
        numbers.extend(self.is_cold().then_some(("ColdStarts", Number::Count(1))));
        // Lambda's own error metric does not count a response with status 500.
        let failed = Number::Count(internal + usize::from(status == StatusCode::INTERNAL_SERVER_ERROR));
        let function = routes::function(self.request.method().as_str(), self.request.uri().path());
        let mut groups =
            vec![(MetricScope::Function(function), numbers), (MetricScope::Service, vec![("InternalErrors", failed)])];
        if let (Some(platform), Some(time)) = (platform, timing.platform) {
            groups.push((MetricScope::Platform(platform), vec![("PlatformTime", Number::Time(time))]));
        }
        self.app.metrics.write(&groups, self.now);
    }

    /// A line of its own for each failure, because a list may contain several of one platform.
    fn record_platform_failure(&self, error: &Error) {
        if error.is_for_operator {
            let request_id = self.request_id;
            let platform = error.platform.map(Platform::as_str);
            let code = error.platform_code();
            tracing::error!(%request_id, platform, code, %error, "a platform refuses this service itself");
        }
        if let (Some(platform), Some(name)) = (error.platform, failure_metric(error.kind)) {
            let failures = vec![(name, Number::Count(1))];
            self.app.metrics.write(&[(MetricScope::Platform(platform), failures)], self.now);
        }
    }
}

/// The platform of a request: from its outcome, else from its path.
pub(super) fn platform_of(outcome: &Result<Reply, Error>, info: &RequestInfo) -> Option<Platform> {
    let from_outcome = match outcome {
        Ok(reply) => reply.platform(),
        Err(error) => error.platform,
    };
    from_outcome.or(info.platform)
}

/// The failures inside of a successful response.
pub(super) fn partial_failures(outcome: &Result<Reply, Error>) -> Vec<&Error> {
    match outcome {
        Ok(Reply::Targets(results)) => results.iter().filter_map(|result| result.outcome.as_ref().err()).collect(),
        Ok(Reply::DryRun(report)) => report.results.iter().filter_map(|result| result.outcome.as_ref().err()).collect(),
        Ok(Reply::Campaigns(list)) => list.failures.iter().map(|(_, _, error)| error).collect(),
        Ok(Reply::Insights(page)) => page.failures.iter().map(|(_, _, error)| error).collect(),
        _ => Vec::new(),
    }
}

/// The metric that counts a platform's failure.
fn failure_metric(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::PlatformFailed | Kind::PlatformTimeout => Some("PlatformFailures"),
        Kind::RateLimited => Some("PlatformThrottles"),
        Kind::TokenExpired => Some("GrantsEnded"),
        _ => None,
    }
}

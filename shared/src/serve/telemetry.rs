//! What is told of a request once it is answered: to the caller in a header, to the operator in the log and in numbers.

use super::{IncomingRequest, RequestInfo};
use crate::app::App;
use crate::domain::{CustomerId, Platform};
use crate::envelope::{self, Reply};
use crate::error::{Error, Kind};
use crate::metrics::{MetricScope, Number};
use crate::routes::Match;
use crate::timing::{Timing, millis};
use http::StatusCode;
use lambda_http::{Body, Response};
use tracing::field::display;

impl IncomingRequest {
    /// Tells of it. The last that happens to a response: what comes after it is in no duration.
    pub(super) fn record(
        &self,
        app: &App,
        outcome: &Result<Reply, Error>,
        info: &RequestInfo,
        response: &mut Response<Body>,
    ) -> Timing {
        let timing = self.timers.read();
        envelope::add_timing(response, &timing, info.customer.is_some());
        let (status, parts) = (response.status(), partial_failures(outcome));
        for error in &parts {
            self.log_partial_failure(error);
        }
        let platform = platform_of(outcome, info);
        self.log_request(status, outcome, info.customer, platform, &timing);
        self.record_metrics(app, status, platform, &timing);
        for error in outcome.as_ref().err().into_iter().chain(parts) {
            self.record_platform_failure(app, error);
        }
        timing
    }

    /// A line for a part that failed inside of an answer that did not.
    fn log_partial_failure(&self, error: &Error) {
        let (request_id, platform) = (self.request_id, error.platform.map(Platform::as_str));
        tracing::warn!(%request_id, platform, %error, source = error.source, "a part failed");
    }

    /// One line a request. The path is the route's, so that no id and no query can put a secret into the log.
    fn log_request(
        &self,
        status: StatusCode,
        outcome: &Result<Reply, Error>,
        customer: Option<CustomerId>,
        platform: Option<Platform>,
        timing: &Timing,
    ) {
        let path = match &self.found {
            Match::Found(route, _) => route.path,
            Match::WrongMethod(_) | Match::Nothing => "(no route)",
        };
        let (request_id, method, status_code) = (self.request_id, self.request.method(), status.as_u16());
        let trace_id = self.trace.as_ref().and_then(|trace| trace.to_str().ok());
        let (customer, platform) = (customer.map(display), platform.map(Platform::as_str));
        let (duration_ms, own_ms) = (millis(timing.total), millis(timing.own));
        let (store_ms, platform_ms) = (timing.store.map(millis), timing.platform.map(millis));
        let payments_ms = timing.payments.map(millis);
        let error = outcome.as_ref().err().map(display);
        if status.is_server_error() {
            let source = outcome.as_ref().err().and_then(|error| error.source.as_ref());
            tracing::error!(
                %request_id, trace_id, customer, %method, path, status = status_code, platform, duration_ms, store_ms,
                platform_ms, payments_ms, own_ms, error, source, "answered"
            );
        } else {
            tracing::info!(
                %request_id, trace_id, customer, %method, path, status = status_code, platform, duration_ms, store_ms,
                platform_ms, payments_ms, own_ms, error, "answered"
            );
        }
    }

    /// The same as numbers.
    fn record_metrics(&self, app: &App, status: StatusCode, platform: Option<Platform>, timing: &Timing) {
        let mut numbers = vec![("OwnTime", Number::Time(timing.own))];
        numbers.extend(timing.store.map(|time| ("StoreTime", Number::Time(time))));
        // To Lambda an answer of 500 is an answer like any other.
        let failed = Number::Count(usize::from(status == StatusCode::INTERNAL_SERVER_ERROR));
        let mut groups = vec![
            (MetricScope::Function(self.found.function()), numbers),
            (MetricScope::Service, vec![("InternalErrors", failed)]),
        ];
        if let (Some(platform), Some(time)) = (platform, timing.platform) {
            groups.push((MetricScope::Platform(platform), vec![("PlatformTime", Number::Time(time))]));
        }
        app.metrics.write(&groups, self.now);
    }

    /// A failure of a platform has a line of its own, because a list may have several.
    fn record_platform_failure(&self, app: &App, error: &Error) {
        if let (Some(platform), Some(name)) = (error.platform, failure_metric(error.kind)) {
            let failures = vec![(name, Number::Count(1))];
            app.metrics.write(&[(MetricScope::Platform(platform), failures)], self.now);
        }
    }
}

/// The one platform that a request is about: as its answer says, else as its path does.
pub(super) fn platform_of(outcome: &Result<Reply, Error>, info: &RequestInfo) -> Option<Platform> {
    let said = match outcome {
        Ok(reply) => reply.platform(),
        Err(error) => error.platform,
    };
    said.or(info.platform)
}

/// What failed inside of an answer that did not.
fn partial_failures(outcome: &Result<Reply, Error>) -> Vec<&Error> {
    match outcome {
        Ok(Reply::Targets(results)) => results.iter().filter_map(|result| result.outcome.as_ref().err()).collect(),
        Ok(Reply::Campaigns(list)) => list.failures.iter().map(|(_, _, error)| error).collect(),
        _ => Vec::new(),
    }
}

/// What a platform is counted for.
fn failure_metric(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::PlatformFailed | Kind::PlatformTimeout => Some("PlatformFailures"),
        Kind::RateLimited => Some("PlatformThrottles"),
        Kind::TokenExpired => Some("GrantsEnded"),
        _ => None,
    }
}

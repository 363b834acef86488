//! The usage log: one entry for each request with a customer's key, written after the response.

use super::api_request::scoped_key_digest;
use super::post_response::{Owner, PostResponseWork, Work};
use super::telemetry::{partial_failures, platform_of};
use super::unsupported_headers::IDEMPOTENCY_KEY;
use super::{Answer, IncomingRequest, RequestInfo};
use crate::auth::redact_keys;
use crate::domain::{LimitRefusal, Platform, UsageEntry, is_idempotency_key, sha256_hex};
use crate::envelope::{Reply, answered, query};
use crate::error::{Error, Kind};
use crate::timing::Timing;
use jiff::Timestamp;
use lambda_http::{Body, Response};
use std::time::Duration;

/// Longest path in an entry, in characters.
const MAX_PATH_LENGTH: usize = 1_024;
/// The start of the paths that name a user.
const USERS: &str = "/v1/users/";
/// Longest method in an entry: longer than any registered one.
const MAX_METHOD_LENGTH: usize = 32;

impl IncomingRequest {
    /// Records a response and attaches its usage log entry. A response that did not depend on the key carries the key,
    /// which is verified after the response.
    pub(super) fn finish(
        self,
        outcome: Result<Reply, Error>,
        info: &RequestInfo,
        mut response: Response<Body>,
    ) -> Answer {
        let timing = self.record(&outcome, info, &mut response);
        let owner = match (info.customer, &outcome) {
            (Some(customer), _) => Some(Owner::Known(customer)),
            (None, Err(error)) if error.kind == Kind::Unauthorized => None,
            (None, _) => self.key().map(Owner::UnverifiedKey),
        };
        if let Some(owner) = owner {
            // The log is about keys, so the pages of a person are not in it, and the call of a tool is in it once.
            let is_logged = self.session_caller().is_none() && self.tool_caller().is_none();
            let answered = answered(&outcome, &response).as_u16();
            let entry = || UsageEntry {
                key: info.key.clone(),
                key_digest: self.key_digest().map(|digest| scoped_key_digest(info.user.as_ref(), digest)),
                reference: info.reference.get().cloned(),
                external_ref: info.logged_user(),
                connection: info.connection.as_ref().map(|(id, _)| id.clone()),
                ..self.usage_entry(answered, platform_of(&outcome, info), &timing)
            };
            let entry = is_logged.then(entry);
            let work = Work {
                entry,
                slot: info.slot,
                unreported_quota: info.unreported_quota.clone(),
                refusals: self.refusals(&outcome),
            };
            let request_id = self.request_id;
            response.extensions_mut().insert(PostResponseWork::new(self.app, request_id, owner, work));
        }
        Answer { outcome, changes: info.recorded.ids(), response }
    }

    /// Records a response without a usage log entry.
    pub(super) fn finish_unlogged(&self, outcome: Result<Reply, Error>, mut response: Response<Body>) -> Answer {
        self.record(&outcome, &RequestInfo::default(), &mut response);
        Answer { outcome, changes: Vec::new(), response }
    }

    /// What spending limits have refused. A dry run asks only.
    fn refusals(&self, outcome: &Result<Reply, Error>) -> Vec<LimitRefusal> {
        let is_dry_run = query::read_dry_run(&self.query).unwrap_or(false);
        if is_dry_run || self.tool.as_ref().is_some_and(|tool| tool.is_preview) {
            return Vec::new();
        }
        let errors = outcome.as_ref().err().into_iter().chain(partial_failures(outcome));
        errors.filter_map(|error| error.limit.as_deref().cloned()).collect()
    }

    /// The digest of the `Idempotency-Key`, if it is one.
    fn key_digest(&self) -> Option<String> {
        let key = self.single_header(IDEMPOTENCY_KEY).filter(|key| is_idempotency_key(key));
        key.map(|key| sha256_hex(&key))
    }

    fn usage_entry(&self, status: u16, platform: Option<Platform>, timing: &Timing) -> UsageEntry {
        UsageEntry {
            request_id: self.request_id,
            at: Timestamp::from_millisecond(self.now.as_millisecond()).unwrap_or(self.now),
            method: self.request.method().as_str().chars().take(MAX_METHOD_LENGTH).collect(),
            path: without_user(&redact_keys(self.request.uri().path())).chars().take(MAX_PATH_LENGTH).collect(),
            status,
            response_time_ms: whole_millis(timing.total),
            platform,
            platform_time_ms: timing.platform.map(whole_millis),
            tool: self.tool.as_ref().map(|tool| tool.name.to_owned()),
            key: None,
            reference: None,
            key_digest: None,
            external_ref: None,
            connection: None,
        }
    }
}

/// A path without the name of the user in it: of a user whose erasure is over, no request brings the name back.
fn without_user(path: &str) -> String {
    let Some(rest) = path.strip_prefix(USERS) else { return path.to_owned() };
    let after = rest.split_once('/').map(|(_, after)| format!("/{after}")).unwrap_or_default();
    if rest.is_empty() { path.to_owned() } else { format!("{USERS}{{external_ref}}{after}") }
}

fn whole_millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
#[test]
fn a_path_names_no_user() {
    for (path, logged) in [
        ("/v1/users", "/v1/users"),
        ("/v1/users/", "/v1/users/"),
        ("/v1/users/shop42", "/v1/users/{external_ref}"),
        ("/v1/users/shop42/pause", "/v1/users/{external_ref}/pause"),
        ("/v1/users/shop42/a/b", "/v1/users/{external_ref}/a/b"),
        ("/v1/campaigns/users", "/v1/campaigns/users"),
    ] {
        assert_eq!(without_user(path), logged, "{path}");
    }
}

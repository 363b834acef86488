//! The stages of a routed request: authenticate, run the handler until the hard deadline, render, record.

use super::idempotency::ClaimSlot;
use super::timeout::{GRACE, timed_out, until_hard_deadline};
use super::unhandled::count_unhandled;
use super::{ApiRequest, Call, IncomingRequest, RequiredConnections};
use crate::auth::{Authenticated, Caller, require_scope, unauthorized};
use crate::changes::RecordedChanges;
use crate::domain::{Allowance, CampaignId, CustomerConnections, CustomerId, Platform, Usage};
use crate::envelope::{self, Reply};
use crate::error::Error;
use crate::routes::{Authentication, Route};
use crate::store::{Account, Slot, Store, Terms};
use jiff::SignedDuration;
use lambda_http::{Body, Response};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Time to refund an uncounted request before the response goes out.
const REFUND_TIMEOUT: Duration = Duration::from_secs(1);

/// The facts about a request that the pipeline learns on the way to the handler.
#[derive(Default)]
pub(super) struct RequestInfo {
    pub(super) customer: Option<CustomerId>,
    /// The customer's remaining rate and quota.
    pub(super) allowance: Option<Allowance>,
    /// The platform that the path names.
    pub(super) platform: Option<Platform>,
    /// The slot that the request holds; freed after the response.
    pub(super) slot: Option<Slot>,
    claim: Arc<ClaimSlot>,
    recorded: Arc<RecordedChanges>,
}

/// The pipeline of a request with an API key, or of a person.
pub(super) async fn authenticated<T>(
    incoming: IncomingRequest,
    required: impl FnOnce(&ApiRequest) -> RequiredConnections,
    prefetch: impl AsyncFnOnce(&ApiRequest, CustomerId) -> T,
    handler: impl AsyncFnOnce(&Call, T) -> Result<Reply, Error>,
) -> Response<Body> {
    let mut info = RequestInfo::default();
    let work = async {
        let caller = incoming.caller().ok_or_else(unauthorized)?;
        let request = match (incoming.parse(), &caller) {
            (Ok(request), _) => request,
            (Err(error), Caller::Key(key)) => return Err(count_unhandled(&incoming, key, error, &mut info).await),
            (Err(error), Caller::Session(_)) => return Err(error),
        };
        let (call, prefetched) = admit(request, caller, required, prefetch, &mut info).await?;
        handler(&call, prefetched).await
    };
    let outcome = until_hard_deadline(&incoming, work).await;
    let outcome = outcome.unwrap_or_else(|| Err(timed_out(&incoming, info.claim.get().is_some())));
    let response = envelope::with_change_ids(incoming.render(&outcome, info.allowance), &info.recorded.ids());
    let release = async {
        if let Some(claim) = info.claim.get() {
            claim.release(&incoming.app, &outcome, &response).await;
        }
    };
    tokio::join!(refund_uncounted(&incoming.app.store, &info, &response), release);
    incoming.finish(&outcome, &info, response)
}

/// The pipeline of a request without an API key. It has no entry in a usage log.
pub(super) async fn public(
    incoming: IncomingRequest,
    handler: impl AsyncFnOnce(&ApiRequest) -> Result<Reply, Error>,
) -> Response<Body> {
    let work = async { handler(&incoming.parse()?).await };
    let outcome = until_hard_deadline(&incoming, work).await;
    let outcome = outcome.unwrap_or_else(|| Err(timed_out(&incoming, false)));
    let response = incoming.render(&outcome, None);
    incoming.finish_unlogged(&outcome, response)
}

/// Authenticates a request and reads what its handler needs: at once for a key that this process has seen, so that the
/// handler starts after one round trip; else only for a key that proves valid, so that a wrong one costs one item.
async fn admit<T>(
    request: ApiRequest,
    caller: Caller,
    required: impl FnOnce(&ApiRequest) -> RequiredConnections,
    prefetch: impl AsyncFnOnce(&ApiRequest, CustomerId) -> T,
    info: &mut RequestInfo,
) -> Result<(Call, T), Error> {
    let store = &request.app.store;
    let customer = caller.customer();
    let now = request.now;
    let required = required(&request);
    let reads = async { tokio::join!(required.read(store, customer, now), prefetch(&request, customer)) };
    let authenticate = caller.admit(store, now, terms(&request));
    let (account, (connected, prefetched)) = if caller.is_known(store, now) {
        let (authenticated, reads) = tokio::join!(authenticate, reads);
        (info.admitted(authenticated?, request.route)?, reads)
    } else {
        (info.admitted(authenticate.await?, request.route)?, reads.await)
    };
    let connected = connected?;
    info.platform = named_platform(&request.parameter, &connected);
    let (claim, recorded) = (Arc::clone(&info.claim), Arc::clone(&info.recorded));
    let Account { customer, keys, usage, connections: connection_count, .. } = account;
    Ok((Call { request, caller, customer, keys, usage, connected, connection_count, recorded, claim }, prefetched))
}

impl RequestInfo {
    /// The account of an admitted request; an error for one that is rejected despite its valid key.
    fn admitted(&mut self, authenticated: Authenticated, route: &Route) -> Result<Account, Error> {
        let Authenticated { account, key, allowance, rejection, slot } = authenticated;
        (self.customer, self.allowance, self.slot) = (Some(account.customer.id), Some(allowance), slot);
        if let Some(rejection) = rejection {
            return Err(rejection);
        }
        if let Authentication::ApiKey(scopes) = route.authentication {
            require_scope(key.as_ref(), scopes)?;
        }
        Ok(account)
    }
}

/// The terms of a request. One whose endpoint calls platforms may hold a slot for as long as any request takes.
fn terms(request: &ApiRequest) -> Terms {
    let longest = SignedDuration::try_from(request.app.platform_timeout + GRACE + REFUND_TIMEOUT).ok();
    let longest = longest.filter(|_| request.route.endpoint.calls_platforms());
    Terms { counts: request.route.counts, slot_until: longest.map(|longest| request.now + longest) }
}

/// The platform that a path parameter names: directly, by a campaign, or by a connection.
fn named_platform(parameter: &str, connected: &CustomerConnections) -> Option<Platform> {
    let connection = || connected.connections.iter().find(|connection| connection.id.0 == parameter);
    Platform::parse(parameter)
        .or_else(|| CampaignId::parse(parameter).map(|id| id.platform()))
        .or_else(|| connection().map(|connection| connection.platform))
}

/// Refunds a request whose response does not count against the quota. A failure does not change the response.
async fn refund_uncounted(store: &Store, info: &RequestInfo, response: &Response<Body>) {
    let (Some(customer), Some(allowance)) = (info.customer, info.allowance) else { return };
    if !allowance.is_counted || envelope::is_counted(response.status()) {
        return;
    }
    let Usage { period_start, .. } = allowance.usage;
    match timeout(REFUND_TIMEOUT, store.refund_request(customer, period_start)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%customer, %error, source = error.source, "request not refunded"),
        Err(_) => tracing::warn!(%customer, "request not refunded in time"),
    }
}

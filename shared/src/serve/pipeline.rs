//! The stages of a routed request: authenticate, run the handler until the hard deadline, render, record.

use super::idempotency::ClaimSlot;
use super::timeout::{GRACE, timed_out};
use super::{ApiRequest, Call, IncomingRequest};
use crate::auth::{ApiKey, Authenticated, authenticate, unauthorized};
use crate::domain::{Allowance, CampaignId, CustomerConnections, CustomerId, Platform, Usage};
use crate::envelope::{self, Reply};
use crate::error::Error;
use crate::store::Store;
use lambda_http::{Body, Response};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{timeout, timeout_at};

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
    claim: Arc<ClaimSlot>,
}

/// The pipeline of a request with an API key.
pub(super) async fn authenticated<T>(
    incoming: IncomingRequest,
    prefetch: impl AsyncFnOnce(&ApiRequest, CustomerId) -> T,
    handler: impl AsyncFnOnce(&Call, T) -> Result<Reply, Error>,
) -> Response<Body> {
    let mut info = RequestInfo::default();
    let work = async {
        let request = incoming.parse()?;
        let key = incoming.key().ok_or_else(unauthorized)?;
        let (call, prefetched) = admit(request, key, prefetch, &mut info).await?;
        handler(&call, prefetched).await
    };
    let outcome = until_hard_deadline(&incoming, work).await;
    let outcome = outcome.unwrap_or_else(|| Err(timed_out(&incoming, info.claim.get().is_some())));
    let response = incoming.render(&outcome, info.allowance);
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

/// Runs the work, or gives up at the hard deadline.
async fn until_hard_deadline(
    incoming: &IncomingRequest,
    work: impl Future<Output = Result<Reply, Error>>,
) -> Option<Result<Reply, Error>> {
    let deadline = incoming.timers.began + incoming.app.platform_timeout + GRACE;
    timeout_at(deadline, work).await.ok()
}

/// Authenticates a request, reading connections and prefetch concurrently. The key names the customer, so both reads can
/// start before the key is verified; for an invalid key the authentication error comes first.
async fn admit<T>(
    request: ApiRequest,
    key: ApiKey,
    prefetch: impl AsyncFnOnce(&ApiRequest, CustomerId) -> T,
    info: &mut RequestInfo,
) -> Result<(Call, T), Error> {
    let (store, customer) = (&request.app.store, key.customer());
    let (authenticated, connected, prefetched) = tokio::join!(
        authenticate(store, &key, request.now),
        store.customer_connections(customer, request.now),
        prefetch(&request, customer)
    );
    let Authenticated { account, allowance, rejection } = authenticated?;
    (info.customer, info.allowance) = (Some(account.customer.id), Some(allowance));
    if let Some(rejection) = rejection {
        return Err(rejection);
    }
    let connected = connected?;
    info.platform = named_platform(&request.parameter, &connected);
    let claim = Arc::clone(&info.claim);
    let call = Call { request, key, customer: account.customer, usage: account.usage, connected, claim };
    Ok((call, prefetched))
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

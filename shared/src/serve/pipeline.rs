//! The stages of a routed request: authenticate, run the handler until the hard deadline, render, record.

use super::idempotency::ClaimSlot;
use super::required_connections::ReadConnections;
use super::timeout::{GRACE, timed_out, until_hard_deadline};
use super::unhandled::count_unhandled;
use super::user::check_user;
use super::{Answer, ApiRequest, Call, IncomingRequest, RequiredConnections};
use crate::auth::{Authenticated, Caller, require_scope};
use crate::changes::RecordedChanges;
use crate::domain::spending::Spender;
use crate::domain::{
    Allowance, CampaignId, ConnectionId, CustomerConnections, CustomerId, ExternalRef, KeyId, Platform, Reference,
    Rights, Spending, SpendingLimit, Usage,
};
use crate::envelope::{self, Reply};
use crate::error::Error;
use crate::routes::{Authentication, Route};
use crate::store::{Account, Slot, SpendingState, Store, Terms, Turn, contended};
use http::StatusCode;
use jiff::SignedDuration;
use std::pin::Pin;
use std::slice;
use std::sync::{Arc, OnceLock};
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
    /// The account, if it has reached a share of its quota that no event has reported.
    pub(super) unreported_quota: Option<Box<Account>>,
    /// The key of the request.
    pub(super) key: Option<KeyId>,
    /// The user for whom the request acts.
    pub(super) user: Option<ExternalRef>,
    claim: Arc<ClaimSlot>,
    /// The changes that the request has recorded.
    pub(super) recorded: Arc<RecordedChanges>,
    /// The reference of the request, once its body is read.
    pub(super) reference: Arc<OnceLock<Reference>>,
    /// The connection and its user, if the request names exactly one.
    pub(super) connection: Option<(ConnectionId, Option<ExternalRef>)>,
}

/// The pipeline of a request with an API key, or of a person.
pub(super) async fn authenticated<T>(
    incoming: IncomingRequest,
    required: impl FnOnce(&ApiRequest) -> RequiredConnections,
    prefetch: impl AsyncFnOnce(&ApiRequest, CustomerId) -> T,
    handler: impl AsyncFnOnce(&Call, T) -> Result<Reply, Error>,
) -> Answer {
    let mut info = RequestInfo::default();
    let work = on_heap(async || {
        let caller = incoming.caller().ok_or_else(|| incoming.key_error())?;
        let request = match (incoming.parse(), &caller) {
            (Ok(request), _) => request,
            (Err(error), Caller::Key(key)) => return Err(count_unhandled(&incoming, key, error, &mut info).await),
            (Err(error), Caller::Tool(_) | Caller::Session(_)) => return Err(error),
        };
        caller.check_role(request.route.changes())?;
        let (call, prefetched) = admit(request, caller, required, prefetch, &mut info).await?;
        on_heap(async || handler(&call, prefetched).await).await
    });
    let outcome = until_hard_deadline(&incoming, work).await;
    let outcome = outcome.unwrap_or_else(|| Err(timed_out(&incoming, info.claim.get().is_some())));
    let response = envelope::with_change_ids(incoming.render(&outcome, info.allowance), &info.recorded.ids());
    let release = async {
        if let Some(claim) = info.claim.get() {
            claim.release(&incoming.app, &outcome, &response).await;
        }
    };
    let answered = envelope::answered(&outcome, &response);
    tokio::join!(refund_uncounted(&incoming.app.store, &info, answered), release);
    incoming.finish(outcome, &info, response)
}

/// A future on the heap. Without optimisation the stack of a thread has no room for the largest handlers, nor for a copy
/// of them in the frame of whoever awaits them.
fn on_heap<F: Future>(future: impl FnOnce() -> F) -> Pin<Box<F>> {
    Box::pin(future())
}

/// The pipeline of a request without an API key. It has no entry in a usage log. What a browser asks before a page of another
/// origin sends something is answered here, for every such endpoint.
pub(super) async fn public(
    incoming: IncomingRequest,
    handler: impl AsyncFnOnce(&ApiRequest) -> Result<Reply, Error>,
) -> Answer {
    let work = async {
        if incoming.is_preflight() {
            return Ok(Reply::Done);
        }
        handler(&incoming.parse()?).await
    };
    let outcome = until_hard_deadline(&incoming, work).await;
    let outcome = outcome.unwrap_or_else(|| Err(timed_out(&incoming, false)));
    let response = incoming.render(&outcome, None);
    incoming.finish_unlogged(outcome, response)
}

/// Authenticates a request and reads what its handler needs: at once for a key that this process has seen, so that the
/// handler starts after one round trip; else only for a key that proves valid, so that a wrong one costs one item.
async fn admit<T>(
    mut request: ApiRequest,
    caller: Caller,
    required_by: impl FnOnce(&ApiRequest) -> RequiredConnections,
    prefetch: impl AsyncFnOnce(&ApiRequest, CustomerId) -> T,
    info: &mut RequestInfo,
) -> Result<(Call, T), Error> {
    let app = Arc::clone(&request.app);
    let store = &app.store;
    let (customer, now) = (caller.customer(), request.now);
    let authenticate = caller.admit(store, now, terms(&request));
    let asked = Asked { route: request.route, user: request.user.take(), is_key: matches!(caller, Caller::Key(_)) };
    let campaign = CampaignId::parse(&request.parameter);
    let spending = async |key: Option<KeyId>| read_spending(store, customer, key, campaign.as_ref()).await;
    let required;
    let (account, (read, prefetched), spending) = if caller.is_known(store, now) {
        request.user = asked.acting(caller.bound_user(store, now));
        info.user.clone_from(&request.user);
        required = required_by(&request);
        let reads = async { tokio::join!(required.read(&request, customer), prefetch(&request, customer)) };
        let seen = caller.seen_limited_key(store, now);
        let (authenticated, reads, read) = tokio::join!(authenticate, reads, spending(seen.clone()));
        let authenticated = authenticated?;
        let user = asked.acting(authenticated.bound_user());
        let (account, key) = info.admitted(authenticated, &asked)?;
        // What this process knew of the key, and read for its user, may be outdated.
        if user != request.user {
            return Err(contended());
        }
        let read = if key == seen { read? } else { spending(key).await? };
        (account, reads, read)
    } else {
        let authenticated = authenticate.await?;
        request.user = asked.acting(authenticated.bound_user());
        info.user.clone_from(&request.user);
        let (account, key) = info.admitted(authenticated, &asked)?;
        required = required_by(&request);
        let reads = async { tokio::join!(required.read(&request, customer), prefetch(&request, customer)) };
        let (reads, read) = tokio::join!(reads, spending(key));
        (account, reads, read?)
    };
    let ReadConnections { connected, own } = read?;
    let rights = Rights::of(spending.as_ref().and_then(|state| state.spendings.key()), own);
    let connected = required.visible(&rights, connected, store, customer, now).await?;
    info.platform = named_platform(&request.parameter, &connected);
    info.connection = required.only(&connected).map(|only| (only.id.clone(), only.external_ref.clone()));
    let (claim, recorded) = (Arc::clone(&info.claim), Arc::clone(&info.recorded));
    let reference = Arc::clone(&info.reference);
    let Account { customer, keys, usage, connections: connection_count, .. } = account;
    Ok((
        Call {
            request,
            caller,
            customer,
            keys,
            usage,
            connected,
            connection_count,
            spending,
            rights,
            recorded,
            claim,
            reference,
        },
        prefetched,
    ))
}

/// What a request asks for, as far as its admission decides on it.
struct Asked {
    route: &'static Route,
    /// The user that the request itself names.
    user: Option<ExternalRef>,
    /// Whether its caller is the holder of a key.
    is_key: bool,
}

impl Asked {
    /// The user for whom it acts: that of its key, or else the one that it names.
    fn acting(&self, bound: Option<ExternalRef>) -> Option<ExternalRef> {
        bound.or_else(|| self.user.clone())
    }
}

impl RequestInfo {
    /// The user in the usage log: the one for whom the request acts, or else the one of the connection that it names.
    pub(super) fn logged_user(&self) -> Option<ExternalRef> {
        self.user.clone().or_else(|| self.connection.as_ref()?.1.clone())
    }

    /// The account of an admitted request, and the id of its key if it has a spending limit; an error for one that is
    /// rejected despite its valid key.
    fn admitted(&mut self, authenticated: Authenticated, asked: &Asked) -> Result<(Account, Option<KeyId>), Error> {
        let Authenticated { account, key, allowance, rejection, slot } = authenticated;
        (self.customer, self.allowance, self.slot) = (Some(account.customer.id), Some(allowance), slot);
        self.key = key.as_ref().map(|key| key.id.clone());
        // The account of a person may be older, and that of a tool was noted at its call.
        if asked.is_key {
            self.note_quota(&account);
        }
        if let Some(rejection) = rejection {
            return Err(rejection);
        }
        if let Authentication::ApiKey(scopes) = asked.route.authentication {
            require_scope(key.as_ref(), scopes)?;
        }
        check_user(asked.user.as_ref(), key.as_ref(), asked.route)?;
        Ok((account, key.filter(|key| key.is_limited).map(|key| key.id)))
    }

    /// Notes an account whose quota must be reported after the response.
    pub(super) fn note_quota(&mut self, account: &Account) {
        if !account.unreported_quota().is_empty() {
            self.unreported_quota = Some(Box::new(account.clone()));
        }
    }
}

/// Reads the spending of a key with a limit, and the turn of the campaign that the path names. The campaign is read
/// after it. A key whose limit is not found may change nothing.
async fn read_spending(
    store: &Store,
    customer: CustomerId,
    key: Option<KeyId>,
    campaign: Option<&CampaignId>,
) -> Result<Option<SpendingState>, Error> {
    let Some(key) = key else { return Ok(None) };
    let spender = Spender::Key(key);
    let state = store.spending_state(customer, slice::from_ref(&spender), campaign).await?;
    if state.spendings.is_empty() {
        let spendings = [Spending::new(spender, SpendingLimit::zero())].into_iter().collect();
        return Ok(Some(SpendingState { spendings, turn: Turn::default() }));
    }
    Ok(Some(state))
}

/// The terms of a request. One whose endpoint calls platforms may hold a slot for as long as any request takes.
fn terms(request: &ApiRequest) -> Terms {
    let counts = request.route.counts;
    if !request.route.endpoint.calls_platforms() {
        return Terms { counts, slot_until: None };
    }
    let longest = SignedDuration::try_from(request.app.platform_timeout + GRACE + REFUND_TIMEOUT).ok();
    Terms { counts, slot_until: longest.map(|longest| request.now + longest) }
}

/// The platform that a path parameter names: directly, by a campaign, or by a connection.
fn named_platform(parameter: &str, connected: &CustomerConnections) -> Option<Platform> {
    let connection = || connected.connections.iter().find(|connection| connection.id.0 == parameter);
    Platform::parse(parameter)
        .or_else(|| CampaignId::parse(parameter).map(|id| id.platform()))
        .or_else(|| connection().map(|connection| connection.platform))
}

/// Refunds a request whose response does not count against the quota. A failure does not change the response.
async fn refund_uncounted(store: &Store, info: &RequestInfo, answered: StatusCode) {
    let (Some(customer), Some(allowance)) = (info.customer, info.allowance) else { return };
    if !allowance.is_counted || envelope::is_counted(answered) {
        return;
    }
    let Usage { period_start, .. } = allowance.usage;
    match timeout(REFUND_TIMEOUT, store.refund_request(customer, period_start)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%customer, %error, source = error.source, "request not refunded"),
        Err(_) => tracing::warn!(%customer, "request not refunded in time"),
    }
}

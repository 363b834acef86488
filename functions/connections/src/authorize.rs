//! `authorize`: starts an authorization, and stores what the callback needs.

use crate::connection_quota;
use jiff::SignedDuration;
use secrecy::SecretString;
use shared::auth::Caller;
use shared::domain::{ConnectionId, CustomerId, Platform, RedirectUri, TextRule, sha256_hex};
use shared::envelope::{AuthorizeQuery, Reply, read_authorize};
use shared::error::Error;
use shared::platforms::oauth::AuthorizeRequest;
use shared::serve::{ApiRequest, Call};
use shared::store::{Authorization, InProgress, ReturnTarget, contended};
use shared::vault::{Binding, random_token};

/// Lifetime of a state.
const STATE_TTL: SignedDuration = SignedDuration::from_mins(10);
/// Lifetime of a PENDING connection.
const PENDING_TTL: SignedDuration = SignedDuration::from_mins(30);
/// The page of the dashboard that lists connections.
pub(crate) const DASHBOARD_PAGE: &str = "/dashboard/connections";
/// The name that binds the sealed PKCE verifier to its field.
pub(crate) const VERIFIER_FIELD: &str = "verifier";

/// Reads the authorizations in progress.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Result<InProgress, Error> {
    request.app.store.authorizations_in_progress(customer, request.now).await
}

/// Starts an authorization.
pub(crate) async fn authorize(call: &Call, in_progress: Result<InProgress, Error>) -> Result<Reply, Error> {
    let query = read_authorize(&call.request.query)?;
    let platform = call.request.platform()?;
    check_quota(call, platform).await?;
    let in_progress = in_progress?;
    check_pending(call, &in_progress)?;
    let return_to = return_target(call, &query).await?;
    let (adapter, call_context) = call.platform_context().call_context(platform)?;
    let callback = call.request.callback_url(platform)?;
    let (state, verifier) = (fresh_token()?, fresh_token()?);
    let request = AuthorizeRequest { redirect_uri: &callback, state: &state, verifier: &verifier };
    let authorize_url = adapter.authorize_url(&call_context.config, &request)?;

    let state_hash = hash_of(&state);
    let customer = call.customer.id.to_string();
    let binding = Binding { customer: &customer, record: &state_hash, field: VERIFIER_FIELD };
    let sealed = call.request.app.vault()?.seal(binding, &verifier).await.map_err(Error::internal)?;
    let authorization = Authorization {
        customer: call.customer.id,
        platform,
        connection: ConnectionId::generate(),
        verifier: sealed,
        redirect_uri: callback,
        return_to,
        external_ref: call.user().cloned(),
        expires_at: call.request.now + STATE_TTL,
        state_hash,
    };
    begin(call, &authorization, in_progress).await?;
    let connection = authorization.connection;
    Ok(Reply::Authorize { platform, connection, authorize_url: authorize_url.into() })
}

/// Begins the authorization. If others begin at the same time, it is one of several attempts: each that fails means
/// that another one has begun, so it soon begins or the limit is reached.
async fn begin(call: &Call, authorization: &Authorization, mut in_progress: InProgress) -> Result<(), Error> {
    let store = call.store();
    let now = call.request.now;
    for _ in 0..=connection_quota::MAX_PENDING {
        check_pending(call, &in_progress)?;
        if store.begin_authorization(authorization, &in_progress, now, now + PENDING_TTL).await? {
            return Ok(());
        }
        in_progress = store.authorizations_in_progress(call.customer.id, now).await?;
    }
    Err(contended())
}

/// Rejects an authorization if the plan's limit of connections is reached. Only then are they read.
async fn check_quota(call: &Call, platform: Platform) -> Result<(), Error> {
    let plan = call.customer.plan;
    if !connection_quota::is_full(plan, call.connection_count) {
        return Ok(());
    }
    let connections = call.store().connections(call.customer.id, call.request.now).await?;
    connection_quota::check(plan, &connections, platform)
}

fn check_pending(call: &Call, in_progress: &InProgress) -> Result<(), Error> {
    connection_quota::check_pending(call.customer.plan, &in_progress.pending, call.request.now, PENDING_TTL)
}

/// Where the callback leads back to, as the caller has asked. `None` if it did not: the callback shows a page.
async fn return_target(call: &Call, query: &AuthorizeQuery<'_>) -> Result<Option<ReturnTarget>, Error> {
    let Some(requested) = query.redirect_uri else { return Ok(None) };
    let uri = redirect_uri(call, requested).await?;
    Ok(Some(ReturnTarget { uri, state: query.state.clone(), needs_confirmation: query.needs_confirmation }))
}

/// The URI that the callback redirects to: a registered one, or the page of the dashboard.
async fn redirect_uri(call: &Call, requested: &str) -> Result<RedirectUri, Error> {
    if is_dashboard_page(&call.request, requested) && matches!(call.caller, Caller::Session(_)) {
        return RedirectUri::parse(requested).map_err(Error::internal);
    }
    let registered = call.store().redirect_uris(call.customer.id).await?;
    if !registered.iter().any(|known| known.uri.matches(requested)) {
        let message = "is not registered: register it with POST /v1/redirect-uris, then send it exactly as registered";
        return Err(Error::field("redirect_uri", message));
    }
    RedirectUri::parse(requested).map_err(|reason| Error::field("redirect_uri", TextRule::RedirectUri(reason)))
}

/// Whether a URI is the page of the dashboard from which a person connects. It needs no registration.
pub(crate) fn is_dashboard_page(request: &ApiRequest, uri: &str) -> bool {
    request.public_url(DASHBOARD_PAGE).is_ok_and(|own| own == uri)
}

fn fresh_token() -> Result<SecretString, Error> {
    random_token().map_err(Error::internal)
}

/// The stored form of a state.
pub(crate) fn hash_of(state: &SecretString) -> String {
    use secrecy::ExposeSecret;
    sha256_hex(state.expose_secret())
}

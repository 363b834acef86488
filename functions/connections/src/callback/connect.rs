//! Exchanges an authorization code, and connects the ad accounts of the consent.

use crate::authorize::VERIFIER_FIELD;
use crate::connection_quota;
use secrecy::SecretString;
use shared::auth::disabled;
use shared::domain::{
    AdAccount, Connection, ConnectionId, Customer, CustomerConnections, Grant, GrantId, Plan, Platform,
};
use shared::error::{Error, Kind};
use shared::platforms::oauth::{CodeExchange, Tokens};
use shared::serve::ApiRequest;
use shared::store::{Authorization, NewConnection};
use shared::tokens::{PlatformContext, seal_tokens};
use shared::vault::Binding;

/// The connected ad accounts.
pub(super) struct Connected {
    pub(super) connections: Vec<NewConnection>,
    /// Ad accounts beyond the plan's limit.
    pub(super) beyond_limit: Vec<AdAccount>,
    /// The connection id for the caller.
    pub(super) id: ConnectionId,
}

/// Exchanges the code and connects every ad account that the consent covers.
pub(super) async fn connect(
    request: &ApiRequest,
    authorization: &Authorization,
    code: &SecretString,
    owner: &Customer,
) -> Result<Connected, Error> {
    let Authorization { customer, platform, .. } = *authorization;
    let store = &request.app.store;
    let connected = CustomerConnections::default();
    let context = PlatformContext {
        app: &request.app,
        outbound: &request.app.outbound,
        customer,
        connected: &connected,
        now: request.now,
        deadline: request.deadline,
    };
    let (adapter, call_context) = context.call_context(platform)?;
    if owner.disabled {
        store.delete_pending(customer, &authorization.connection).await?;
        return Err(disabled().on(platform));
    }

    let verifier = open_verifier(request, authorization).await?;
    let exchange = CodeExchange { code, redirect_uri: &authorization.redirect_uri, verifier: &verifier };
    let tokens = adapter.exchange(&call_context, exchange).await?;
    let accounts = adapter.accounts(&call_context, &tokens.access_token);
    let stored = store_connections(&context, authorization, accounts, &tokens, owner.plan).await;
    let Stored { connections, beyond_limit, before } = match stored {
        Ok(stored) => stored,
        Err(NotStored { error, is_certain }) => {
            if is_certain {
                context.revoke_grant(platform, &tokens).await;
            }
            return Err(error);
        }
    };

    // The accounts are connected, so a later failure must not fail the callback.
    let after = store.customer_connections(customer, request.now).await.unwrap_or_else(|error| {
        tracing::warn!(%customer, %error, source = error.source, "connections not read");
        before.clone()
    });
    delete_replaced_grants(request, authorization, &before, &after).await;
    let id = reported_connection(&connections, &after, authorization);
    Ok(Connected { connections, beyond_limit, id })
}

/// Opens the sealed PKCE verifier.
async fn open_verifier(request: &ApiRequest, authorization: &Authorization) -> Result<SecretString, Error> {
    let customer = authorization.customer.to_string();
    let binding = Binding { customer: &customer, record: &authorization.state_hash, field: VERIFIER_FIELD };
    request.app.vault()?.open(binding, &authorization.verifier).await.map_err(Error::internal)
}

struct Stored {
    connections: Vec<NewConnection>,
    /// Ad accounts beyond the plan's limit.
    beyond_limit: Vec<AdAccount>,
    /// The customer's connections before this authorization.
    before: CustomerConnections,
}

/// A failed write. If it is not certain, the tokens may be stored and must not be revoked.
struct NotStored {
    error: Error,
    is_certain: bool,
}

impl From<Error> for NotStored {
    fn from(error: Error) -> NotStored {
        NotStored { error, is_certain: true }
    }
}

/// Stores a connection for each ad account of the tokens, up to the plan's limit.
async fn store_connections(
    context: &PlatformContext<'_>,
    authorization: &Authorization,
    accounts: impl Future<Output = Result<Vec<AdAccount>, Error>>,
    tokens: &Tokens,
    plan: Plan,
) -> Result<Stored, NotStored> {
    let Authorization { customer, platform, .. } = *authorization;
    let accounts = accounts.await?;
    if accounts.is_empty() {
        let message = "The consent covers no ad account that can hold campaigns. Choose one and try again.";
        return Err(Error::new(Kind::Forbidden, message).on(platform).into());
    }
    let (store, now) = (&context.app.store, context.now);
    let before = store.customer_connections(customer, now).await?;
    let (accounts, beyond_limit) = connection_quota::split_by_limit(plan, &before, platform, accounts);
    if accounts.is_empty() {
        store.delete_pending(customer, &authorization.connection).await?;
        return Err(connection_quota::limit_reached(plan).on(platform).into());
    }
    let empty = Grant::without_tokens(GrantId::generate(), platform, now);
    let grant = seal_tokens(context.app, customer, &empty, tokens, now).await?;
    let connections = new_connections(accounts, &before, authorization);
    let stored = store.connect(customer, platform, &grant, &connections, &authorization.connection, now).await;
    match stored {
        Ok(true) => Ok(Stored { connections, beyond_limit, before }),
        Ok(false) => Err(withdrawn(platform).into()),
        Err(error) => Err(NotStored { error, is_certain: false }),
    }
}

/// The error for an authorization without its PENDING connection.
pub(super) fn withdrawn(platform: Platform) -> Error {
    Error::new(Kind::Validation, "This authorization was withdrawn before it was finished.").on(platform)
}

/// A connection for each account. The first new account takes over id and label of the PENDING connection, so that a
/// caller who polls that id sees it become ACTIVE.
fn new_connections(
    accounts: Vec<AdAccount>,
    before: &CustomerConnections,
    authorization: &Authorization,
) -> Vec<NewConnection> {
    let label = before.connection(&authorization.connection.0).and_then(|pending| pending.label.clone());
    let mut pending = Some((authorization.connection.clone(), label));
    let with_id = |account: AdAccount| {
        let is_known = connection_quota::is_connected(before, authorization.platform, &account.id);
        let taken = if is_known { None } else { pending.take() };
        let (id, label) = taken.unwrap_or_else(|| (ConnectionId::generate(), None));
        NewConnection { id, label, account }
    };
    accounts.into_iter().map(with_id).collect()
}

/// The connection id for the caller: the former PENDING one, or else the first by account. It comes from the stored
/// connections, because a concurrent callback for the same account may have stored its own id first.
fn reported_connection(
    connections: &[NewConnection],
    after: &CustomerConnections,
    authorization: &Authorization,
) -> ConnectionId {
    let is_new = |known: &&Connection| {
        known.platform == authorization.platform && connections.iter().any(|new| new.account.id == known.account_id())
    };
    let mut candidates = after.connections.iter().filter(is_new).peekable();
    let first = candidates.peek().map(|known| known.id.clone());
    let pending = candidates.find(|known| known.id == authorization.connection).map(|known| known.id.clone());
    pending.or(first).unwrap_or_else(|| authorization.connection.clone())
}

/// Deletes grants that no connection uses any more: reconnected accounts have moved to the new grant. Only grants from
/// before this authorization are candidates, because a concurrent callback may be storing its own. They are not revoked
/// at the platform: on some platforms that would also end the new grant of the same user.
async fn delete_replaced_grants(
    request: &ApiRequest,
    authorization: &Authorization,
    before: &CustomerConnections,
    after: &CustomerConnections,
) {
    let is_replaced =
        |grant: &&Grant| grant.platform == authorization.platform && after.using_grant(&grant.id).next().is_none();
    for grant in before.grants.iter().filter(is_replaced) {
        if let Err(error) = request.app.store.delete_grant(authorization.customer, &grant.id).await {
            tracing::warn!(grant = %grant.id.0, %error, source = error.source, "replaced grant not deleted");
        }
    }
}

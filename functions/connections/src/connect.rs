//! Exchanges an authorization code, and connects the ad accounts of the consent: in the callback, or once the caller
//! has confirmed it.

use crate::authorize::VERIFIER_FIELD;
use crate::connection_quota;
use secrecy::SecretString;
use shared::auth::disabled;
use shared::domain::{
    AdAccount, ConnectionId, Customer, CustomerConnections, Grant, GrantId, Platform, Reason, SkipReason,
    SkippedAccount,
};
use shared::error::{Error, Kind};
use shared::platforms::oauth::{CodeExchange, Tokens};
use shared::serve::ApiRequest;
use shared::store::{Authorization, ConnectionRef, Consent, NewConnection, Stored};
use shared::tokens::{PlatformContext, seal_tokens};
use shared::vault::Binding;

/// What a consent has connected.
pub(crate) struct ConnectedAccounts {
    pub(crate) connections: Vec<NewConnection>,
    /// Ad accounts that are not connected.
    pub(crate) skipped: Vec<SkippedAccount>,
    /// The connection id for the caller.
    pub(crate) id: ConnectionId,
}

/// Exchanges the code and connects every ad account that the consent covers.
pub(crate) async fn connect(
    request: &ApiRequest,
    authorization: &Authorization,
    code: &SecretString,
    owner: &Customer,
) -> Result<ConnectedAccounts, Error> {
    let Authorization { customer, platform, .. } = *authorization;
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
        return Err(disabled().on(platform));
    }

    let verifier = open_verifier(request, authorization).await?;
    let exchange = CodeExchange { code, redirect_uri: &authorization.redirect_uri, verifier: &verifier };
    let tokens = adapter.exchange(&call_context, exchange).await?;
    // Not revoked: platforms end all consents of one of their users, and an earlier one may have everything.
    require_scopes(platform, &tokens.missing_scopes(adapter.facts().flow.scopes))?;
    let accounts = adapter.accounts(&call_context, &tokens.access_token);
    let stored = async {
        let consent = NewConsent { context: &context, authorization, tokens: &tokens };
        consent.store(accounts.await?).await
    };
    match stored.await {
        Ok(connected) => Ok(connected),
        Err(StoreFailure { error, may_revoke }) => {
            if may_revoke {
                context.revoke_grant(platform, &tokens).await;
            }
            Err(error)
        }
    }
}

/// Refuses a consent that lacks a permission. Without it calls would fail later, as if the user had no rights.
fn require_scopes(platform: Platform, missing: &[&str]) -> Result<(), Error> {
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!(
        "{} has not granted everything that was asked for. Not ticked: {}. Authorize again and tick every permission on \
         the consent page. If it does not show one of them, the operator's app at the platform lacks it.",
        platform.display_name(),
        missing.join(", ")
    );
    Err(Error::new(Kind::Forbidden, message).because(Reason::PermissionMissing).on(platform))
}

/// Deletes the PENDING connection of an authorization that has failed, or that the user has denied. Its state is used up,
/// so nothing can complete it.
pub(crate) async fn delete_pending(request: &ApiRequest, authorization: &Authorization) {
    let deleted = request.app.store.delete_pending(authorization.customer, &authorization.connection).await;
    if let Err(error) = deleted {
        let request_id = request.request_id;
        tracing::warn!(%request_id, %error, source = error.source, "the connection of a failed consent not deleted");
    }
}

/// Opens the sealed PKCE verifier.
pub(crate) async fn open_verifier(request: &ApiRequest, authorization: &Authorization) -> Result<SecretString, Error> {
    let customer = authorization.customer.to_string();
    let binding = Binding { customer: &customer, record: &authorization.state_hash, field: VERIFIER_FIELD };
    request.app.vault()?.open(binding, &authorization.verifier).await.map_err(Error::internal)
}

/// Attempts to store a consent while connections change.
const MAX_ATTEMPTS: usize = 4;

enum StoreAttempt {
    Stored(ConnectedAccounts),
    /// Connections have changed meanwhile. `has_begun` is true if an earlier attempt has stored the grant.
    Changed {
        has_begun: bool,
    },
}

/// Why tokens are not stored. They must not be revoked if they may be stored nevertheless, or if the revocation could end
/// the consent of another user.
struct StoreFailure {
    error: Error,
    may_revoke: bool,
}

impl From<Error> for StoreFailure {
    fn from(error: Error) -> StoreFailure {
        StoreFailure { error, may_revoke: true }
    }
}

/// The tokens of a consent, to be stored with a connection for each ad account.
struct NewConsent<'a> {
    context: &'a PlatformContext<'a>,
    authorization: &'a Authorization,
    tokens: &'a Tokens,
}

impl NewConsent<'_> {
    /// Stores a connection for each ad account, up to the plan's limit. Starts again with what is new if connections
    /// change meanwhile.
    async fn store(&self, accounts: Vec<AdAccount>) -> Result<ConnectedAccounts, StoreFailure> {
        let Authorization { customer, platform, .. } = *self.authorization;
        let now = self.context.now;
        if accounts.is_empty() {
            let message = "The consent covers no ad account that can hold campaigns. Choose one and try again.";
            return Err(Error::new(Kind::Forbidden, message).because(Reason::PlatformAccessDenied).on(platform).into());
        }
        let empty = Grant::without_tokens(GrantId::generate(), platform, now);
        let grant = seal_tokens(self.context.app, customer, &empty, self.tokens, now).await?;
        let mut is_begun = false;
        for _ in 0..MAX_ATTEMPTS {
            let attempt = self.try_to_store(&grant, accounts.clone()).await;
            match attempt.map_err(|StoreFailure { error, may_revoke }| StoreFailure {
                error,
                may_revoke: may_revoke && !is_begun,
            })? {
                StoreAttempt::Stored(connected) => return Ok(connected),
                StoreAttempt::Changed { has_begun } => is_begun = has_begun,
            }
        }
        let message = "The connections are being changed by other requests. Start the authorization again.";
        let error = Error::new(Kind::Conflict, message).because(Reason::ChangedMeanwhile).on(platform);
        Err(StoreFailure { error, may_revoke: !is_begun })
    }

    async fn try_to_store(&self, grant: &Grant, accounts: Vec<AdAccount>) -> Result<StoreAttempt, StoreFailure> {
        let Authorization { customer, platform, .. } = *self.authorization;
        let store = &self.context.app.store;
        let now = self.context.now;
        let mut names: Vec<_> =
            accounts.iter().map(|account| ConnectionRef::Account(platform, account.id.clone())).collect();
        names.push(ConnectionRef::Id(self.authorization.connection.0.clone()));
        let (before, account) =
            tokio::join!(store.named_connections(customer, &names, now), store.account(customer, now));
        let before = before?;
        let account = account?.ok_or_else(|| Error::internal("no customer"))?;
        let has_begun = before.grants.iter().any(|known| known.id == grant.id);
        let plan = account.customer.plan;
        let (of_others, accounts) = split_by_user(accounts, &before, self.authorization);
        if accounts.is_empty() {
            // Platforms end all consents of one of their users: the one that has connected the accounts may be the same.
            return Err(StoreFailure { error: of_another_user(platform), may_revoke: false });
        }
        let (accounts, beyond_limit) =
            connection_quota::split_by_limit(plan, account.connections, &before, platform, accounts);
        if accounts.is_empty() {
            return Err(connection_quota::limit_reached(plan).on(platform).into());
        }
        let connections = new_connections(accounts, &before, self.authorization);
        let missing: Vec<_> = connections.iter().filter(|new| new.old_grant() != Some(&grant.id)).cloned().collect();
        let pending = &self.authorization.connection;
        let limit = plan.limits().connections;
        let consent = Consent { customer, platform, grant, old_grants: &before.grants, pending, limit, now };
        match store.connect(&consent, &missing, has_begun).await {
            Ok(Stored::All) => {}
            Ok(Stored::Withdrawn) => return Err(withdrawn_error(platform).into()),
            Ok(Stored::Changed) => return Ok(StoreAttempt::Changed { has_begun }),
            Err(error) => return Err(StoreFailure { error, may_revoke: false }),
        }
        self.delete_replaced_grants(&before, &missing).await;
        let id = reported_connection(&connections, self.authorization);
        let skipped = |accounts: Vec<AdAccount>, reason| {
            accounts.into_iter().map(move |account| SkippedAccount { account, reason })
        };
        let skipped = skipped(of_others, SkipReason::OtherUser).chain(skipped(beyond_limit, SkipReason::PlanLimit));
        Ok(StoreAttempt::Stored(ConnectedAccounts { connections, skipped: skipped.collect(), id }))
    }

    /// Deletes grants that no connection uses any more: reconnected accounts have moved to the new grant. They are not
    /// revoked at the platform: on some platforms that would also end the new grant of the same user.
    async fn delete_replaced_grants(&self, before: &CustomerConnections, connected: &[NewConnection]) {
        let is_replaced = |grant: &&Grant| connected.iter().any(|new| new.old_grant() == Some(&grant.id));
        for replaced in before.grants.iter().filter(is_replaced) {
            if let Err(error) = self.context.delete_if_unused(replaced).await {
                tracing::warn!(grant = %replaced.id.0, %error, source = error.source, "replaced grant not deleted");
            }
        }
    }
}

/// The error for an authorization without its PENDING connection.
pub(crate) fn withdrawn_error(platform: Platform) -> Error {
    Error::new(Kind::Validation, "This authorization was withdrawn before it was finished.").on(platform)
}

/// The error for a consent to ad accounts of other users only.
fn of_another_user(platform: Platform) -> Error {
    let message = "Somebody else has connected the ad accounts of this consent.";
    Error::new(Kind::Conflict, message).on(platform)
}

/// Splits ad accounts into those that belong to other users of the customer and those that do not: a consent takes no
/// ad account from one user to another (D78).
fn split_by_user(
    accounts: Vec<AdAccount>,
    before: &CustomerConnections,
    authorization: &Authorization,
) -> (Vec<AdAccount>, Vec<AdAccount>) {
    let is_of_another = |account: &AdAccount| {
        let known = connection_quota::find(before, authorization.platform, &account.id);
        known.zip(authorization.external_ref.as_ref()).is_some_and(|(known, user)| known.belongs_to_another(user))
    };
    accounts.into_iter().partition(is_of_another)
}

/// A connection for each account. The first new account takes over id and label of the PENDING connection, so that a
/// caller who polls that id sees it become ACTIVE.
fn new_connections(
    accounts: Vec<AdAccount>,
    before: &CustomerConnections,
    authorization: &Authorization,
) -> Vec<NewConnection> {
    let pending = before.connections.iter().find(|known| known.account.is_none());
    let mut pending = pending.map(|known| (authorization.connection.clone(), known.label.clone()));
    let user = &authorization.external_ref;
    let with_id = |account: AdAccount| {
        let external_ref = user.clone();
        let known = connection_quota::find(before, authorization.platform, &account.id);
        if let Some(known) = known {
            let (id, known) = (known.id.clone(), Some(known.clone()));
            return NewConnection { id, label: None, external_ref, account, known };
        }
        let (id, label) = pending.take().unwrap_or_else(|| (ConnectionId::generate(), None));
        NewConnection { id, label, external_ref, account, known: None }
    };
    accounts.into_iter().map(with_id).collect()
}

/// The connection id for the caller: the former PENDING one, or else the first by account.
fn reported_connection(connections: &[NewConnection], authorization: &Authorization) -> ConnectionId {
    let is_pending = |new: &&NewConnection| new.id == authorization.connection;
    let first = || connections.iter().min_by(|a, b| a.account.id.cmp(&b.account.id));
    let reported = connections.iter().find(is_pending).or_else(first);
    reported.map_or_else(|| authorization.connection.clone(), |new| new.id.clone())
}

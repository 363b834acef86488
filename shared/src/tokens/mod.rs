//! A usable token for a connection: opened, refreshed under a lease, and what a refusal means for the connection.

mod refresh;

use crate::app::App;
use crate::domain::{Connection, ConnectionStatus, CustomerId, Grant, Links, Platform};
use crate::error::{Error, Kind};
use crate::platforms::oauth::Tokens;
use crate::platforms::{AdPlatform, Peer, Session, adapter};
use crate::vault::Binding;
use jiff::{SignedDuration, Timestamp};
use refresh::Refresh;
use secrecy::SecretString;
use std::sync::Arc;
use tokio::time::Instant;

/// Tokens are renewed this long before their end, but never earlier than after four fifths of their life.
const MARGIN_S: i64 = 15 * 60;
/// What stands in the record for a token without an end: a hundred years.
const WITHOUT_END: SignedDuration = SignedDuration::from_hours(100 * 365 * 24);

/// On whose behalf platforms are called in one request.
#[derive(Clone, Copy)]
pub struct Caller<'a> {
    /// The parts of the service.
    pub app: &'a Arc<App>,
    /// The customer.
    pub customer: CustomerId,
    /// The customer's connections and grants as read at the start of the request.
    pub links: &'a Links,
    /// The time of the request.
    pub now: Timestamp,
    /// When platform calls must have ended.
    pub deadline: Instant,
}

impl<'a> Caller<'a> {
    /// Runs one piece of work in a connection's ad account.
    ///
    /// A refused access token is refreshed once and the work repeated: a refused call did nothing. When the grant
    /// turns out to be dead its connections become REVOKED, which only a new authorisation ends; when the account is
    /// out of reach for another reason the connection becomes ERROR, and ACTIVE when it works again.
    pub async fn in_account<T, F>(
        &self,
        connection: &Connection,
        work: impl Fn(&'static dyn AdPlatform, Session) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let (adapter, peer) = self.reach(connection.platform)?;
        let account = connection.account.clone().filter(|_| connection.status != ConnectionStatus::Revoked);
        let Some(account) = account else { return Err(gone(connection.platform)) };
        let outcome = async {
            let grant = self.grant_of(connection)?;
            let (grant, token) = self.usable(adapter, &peer, grant.clone()).await?;
            let session = |token| Session { peer: peer.clone(), account: account.clone(), token };
            match work(adapter, session(token)).await {
                Err(refused) if refused.kind == Kind::TokenExpired => {
                    let token = self.renewed(adapter, &peer, grant).await?;
                    work(adapter, session(token)).await
                }
                outcome => outcome,
            }
        };
        let outcome = outcome.await;
        self.learn(connection, outcome.as_ref().err()).await;
        outcome
    }

    /// The adapter of a platform and the way to it.
    pub fn reach(&self, platform: Platform) -> Result<(&'static dyn AdPlatform, Peer), Error> {
        let Some(site) = self.app.site(platform) else {
            let message = format!("{platform} cannot be connected here: this service has no client at it.");
            return Err(Error::new(Kind::NotSupported, message).on(platform));
        };
        let peer =
            Peer { outbound: self.app.outbound.clone(), site: site.clone(), deadline: self.deadline, now: self.now };
        Ok((adapter(platform), peer))
    }

    fn grant_of(&self, connection: &Connection) -> Result<&'a Grant, Error> {
        let grant = connection.grant_id.as_ref().and_then(|id| self.links.grant(id));
        grant.ok_or_else(|| gone(connection.platform))
    }

    /// The access token while it has life left, else a fresh one. When it cannot be refreshed and still works, it is
    /// used to its end: a token endpoint that fails for a while is no reason to fail a request.
    async fn usable(
        &self,
        adapter: &'static dyn AdPlatform,
        peer: &Peer,
        grant: Grant,
    ) -> Result<(Grant, SecretString), Error> {
        let margin = MARGIN_S.min(grant.access_ttl_s / 5);
        let is_alive = grant.access_expires_at > self.now;
        let mut grant = grant;
        if grant.access_expires_at <= self.now + SignedDuration::from_secs(margin) {
            match self.refreshed(adapter, peer, grant.clone()).await {
                Ok(fresh) => grant = fresh,
                Err(error) if is_alive => {
                    tracing::warn!(grant = %grant.id.0, %error, source = error.source, "a token was not refreshed ahead of its end");
                }
                Err(error) => return Err(error),
            }
        }
        let token = self.open_access(&grant)?;
        Ok((grant, token))
    }

    /// A token to replace one that the platform refused although it had life left.
    async fn renewed(
        &self,
        adapter: &'static dyn AdPlatform,
        peer: &Peer,
        refused: Grant,
    ) -> Result<SecretString, Error> {
        // Dead as far as the wait for another refresher is concerned.
        let refused = Grant { access_expires_at: Timestamp::UNIX_EPOCH, ..refused };
        let fresh = self.refreshed(adapter, peer, refused).await?;
        self.open_access(&fresh)
    }

    async fn refreshed(&self, adapter: &'static dyn AdPlatform, peer: &Peer, grant: Grant) -> Result<Grant, Error> {
        let (app, customer, peer) = (self.app.clone(), self.customer, peer.clone());
        Refresh { app, customer, adapter, peer, grant }.run().await
    }

    fn open_access(&self, grant: &Grant) -> Result<SecretString, Error> {
        open(self.app, self.customer, grant, "access_token", &grant.access_token)
    }

    /// Keeps what an outcome says about the connection. A failure to keep it does not change the outcome.
    async fn learn(&self, connection: &Connection, error: Option<&Error>) {
        let (status, reason) = match error {
            Some(error) if error.kind == Kind::TokenExpired => (ConnectionStatus::Revoked, Some(reason_of(error))),
            Some(error) if error.kind == Kind::Forbidden => (ConnectionStatus::Error, Some(reason_of(error))),
            // Any other failure says nothing about the connection.
            Some(_) => return,
            None => (ConnectionStatus::Active, None),
        };
        // A dead grant is the end of all connections that it opened.
        let is_meant = |other: &&Connection| {
            let shares_grant = status == ConnectionStatus::Revoked && other.grant_id == connection.grant_id;
            other.account.is_some() && other.status != status && (other.id == connection.id || shares_grant)
        };
        for other in self.links.connections.iter().filter(is_meant) {
            let kept = self.app.store.set_connection_status(self.customer, other, status, reason.as_deref()).await;
            if let Err(error) = kept {
                tracing::warn!(connection = %other.id, status = status.word(), %error, "the connection's state was not kept");
            }
        }
    }
}

/// Opens a token of a grant.
fn open(app: &App, customer: CustomerId, grant: &Grant, field: &str, sealed: &str) -> Result<SecretString, Error> {
    let customer = customer.to_string();
    let binding = Binding { customer: &customer, record: &grant.id.0, field };
    app.vault.open(binding, sealed).map_err(|error| {
        let message = "The connection's tokens cannot be opened; authorize the account again.";
        Error::new(Kind::Forbidden, message).on(grant.platform).caused_by(error)
    })
}

/// The grant as it is after tokens were issued for it; an answer without a refresh token keeps the old one.
pub fn seal_tokens(app: &App, customer: CustomerId, grant: &Grant, tokens: &Tokens) -> Result<Grant, Error> {
    let customer = customer.to_string();
    let seal = |field, secret| {
        let binding = Binding { customer: &customer, record: &grant.id.0, field };
        app.vault.seal(binding, secret).map_err(Error::internal)
    };
    let refresh_token = match &tokens.refresh_token {
        Some(token) => Some(seal("refresh_token", token)?),
        None => grant.refresh_token.clone(),
    };
    let ttl = tokens.ttl.map_or(Ok(WITHOUT_END), SignedDuration::try_from).map_err(Error::internal)?;
    let access_expires_at = Timestamp::now().checked_add(ttl).map_err(Error::internal)?;
    Ok(Grant {
        id: grant.id.clone(),
        platform: grant.platform,
        access_token: seal("access_token", &tokens.access_token)?,
        access_expires_at,
        access_ttl_s: ttl.as_secs(),
        refresh_token,
        version: grant.version + 1,
    })
}

/// The error of a connection whose grant is dead.
pub fn gone(platform: Platform) -> Error {
    let message = "The connection's grant is no longer valid; authorize the account again.";
    Error::new(Kind::TokenExpired, message).on(platform)
}

fn reason_of(error: &Error) -> String {
    error.platform_fault.as_ref().map_or_else(|| error.message.clone(), |fault| fault.message.clone())
}

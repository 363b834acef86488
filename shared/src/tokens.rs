//! A usable token for a connection: opened, refreshed under a lease, and what a refusal means for the connection.

use crate::app::App;
use crate::domain::{Connection, ConnectionStatus, CustomerId, Grant, Links, Platform};
use crate::error::{Error, Kind};
use crate::platforms::oauth::Tokens;
use crate::platforms::{AdPlatform, Peer, Session, adapter};
use crate::store::Lease;
use crate::vault::Binding;
use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// Tokens are renewed this long before their end, but never earlier than after four fifths of their life.
const MARGIN_S: i64 = 15 * 60;
/// What stands in the record for a token without an end: a hundred years.
const WITHOUT_END: SignedDuration = SignedDuration::from_hours(100 * 365 * 24);
/// How long one refresher has the grant to itself: longer than any call may take.
const LEASE: SignedDuration = SignedDuration::from_secs(60);
/// How often a request looks whether another one has finished refreshing.
const POLL: Duration = Duration::from_millis(100);

/// On whose behalf platforms are called in one request.
#[derive(Clone, Copy)]
pub struct Caller<'a> {
    /// The parts of the service.
    pub app: &'a App,
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
    /// turns out to be dead the connection becomes REVOKED; when the account is out of reach for another reason it
    /// becomes ERROR; when it works again, ACTIVE.
    pub async fn in_account<T, F>(
        &self,
        connection: &Connection,
        work: impl Fn(&'static dyn AdPlatform, Session) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let (adapter, peer) = self.reach(connection.platform)?;
        let Some(account) = connection.account.clone() else { return Err(gone(connection.platform)) };
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

    /// The access token while it has life left, else a fresh one.
    async fn usable(
        &self,
        adapter: &dyn AdPlatform,
        peer: &Peer,
        grant: Grant,
    ) -> Result<(Grant, SecretString), Error> {
        let margin = MARGIN_S.min(grant.access_ttl_s / 5);
        if grant.access_expires_at > self.now + SignedDuration::from_secs(margin) {
            let token = self.open_access(&grant)?;
            return Ok((grant, token));
        }
        let fresh = self.refreshed(adapter, peer, grant).await?;
        let token = self.open_access(&fresh)?;
        Ok((fresh, token))
    }

    /// A token to replace one that the platform refused although it had life left.
    async fn renewed(&self, adapter: &dyn AdPlatform, peer: &Peer, refused: Grant) -> Result<SecretString, Error> {
        // Dead as far as the wait for another refresher is concerned.
        let refused = Grant { access_expires_at: Timestamp::UNIX_EPOCH, ..refused };
        let fresh = self.refreshed(adapter, peer, refused).await?;
        self.open_access(&fresh)
    }

    /// Refreshes under the lease, or waits for whoever holds it.
    async fn refreshed(&self, adapter: &dyn AdPlatform, peer: &Peer, grant: Grant) -> Result<Grant, Error> {
        if grant.refresh_token.is_none() {
            return Err(gone(grant.platform));
        }
        loop {
            let now = Timestamp::now();
            match self.app.store.lease_grant(self.customer, &grant, now, now + LEASE).await? {
                Lease::Mine(fence) => return self.refresh_as(fence, adapter, peer, &grant).await,
                Lease::Refreshed(current) => return Ok(current),
                Lease::Gone => return Err(gone(grant.platform)),
                // Somebody is at it; what we have still works.
                Lease::Busy if grant.access_expires_at > now => return Ok(grant),
                Lease::Busy => timeout_at(self.deadline, sleep(POLL)).await.map_err(|_| {
                    let message = "The connection's token is being refreshed and that takes too long; try again.";
                    Error::new(Kind::PlatformTimeout, message).on(grant.platform).retryable()
                })?,
            }
        }
    }

    async fn refresh_as(
        &self,
        fence: i64,
        adapter: &dyn AdPlatform,
        peer: &Peer,
        grant: &Grant,
    ) -> Result<Grant, Error> {
        let store = &self.app.store;
        let answer = match self.open_refresh(grant) {
            Ok(refresh_token) => adapter.refresh(peer, &refresh_token).await,
            Err(error) => Err(error),
        };
        let tokens = match answer {
            Ok(tokens) => tokens,
            Err(error) => {
                store.release_grant(self.customer, &grant.id, fence).await?;
                return Err(error);
            }
        };
        let fresh = seal_tokens(self.app, self.customer, grant, &tokens)?;
        if store.store_refreshed(self.customer, &fresh, fence).await? {
            return Ok(fresh);
        }
        // The lease ran out and somebody else refreshed: theirs is the record.
        store.grant(self.customer, &grant.id).await?.ok_or_else(|| gone(grant.platform))
    }

    fn open_access(&self, grant: &Grant) -> Result<SecretString, Error> {
        self.open(grant, "access_token", &grant.access_token)
    }

    fn open_refresh(&self, grant: &Grant) -> Result<SecretString, Error> {
        let sealed = grant.refresh_token.as_deref().ok_or_else(|| gone(grant.platform))?;
        self.open(grant, "refresh_token", sealed)
    }

    fn open(&self, grant: &Grant, field: &str, sealed: &str) -> Result<SecretString, Error> {
        let customer = self.customer.to_string();
        let binding = Binding { customer: &customer, record: &grant.id.0, field };
        self.app.vault.open(binding, sealed).map_err(|error| {
            let message = "The connection's tokens cannot be opened; authorize the account again.";
            Error::new(Kind::Forbidden, message).on(grant.platform).caused_by(error)
        })
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
        if status == connection.status {
            return;
        }
        let store = &self.app.store;
        if let Err(error) = store.set_connection_status(self.customer, connection, status, reason.as_deref()).await {
            tracing::warn!(connection = %connection.id, status = status.word(), %error, "the connection's state was not kept");
        }
    }
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

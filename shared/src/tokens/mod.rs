//! A usable token for a connection: opened, refreshed under a lease, given back; and what a refusal means for the
//! connection.

mod connection_state;
mod governor;
mod maintenance;
mod refresh;
mod release;
mod seal;

pub use connection_state::Checked;
pub use seal::{Seals, renew_seals, seal_tokens};

use crate::app::App;
use crate::domain::{Connection, ConnectionStatus, CustomerConnections, CustomerId, Grant, Platform};
use crate::error::{Error, Kind};
use crate::outbound::Outbound;
use crate::platforms::{AdPlatform, CallContext, Session, adapter};
use connection_state::grant_of;
use jiff::Timestamp;
use refresh::Refresh;
use seal::access_token;
use secrecy::SecretString;
use std::sync::Arc;
use tokio::time::Instant;

/// On whose behalf platforms are called in one request.
#[derive(Clone, Copy)]
pub struct PlatformContext<'a> {
    /// The parts of the service.
    pub app: &'a Arc<App>,
    /// The way to platforms.
    pub outbound: &'a Outbound,
    /// The customer.
    pub customer: CustomerId,
    /// The customer's connections and grants as read at the start of the request.
    pub connected: &'a CustomerConnections,
    /// The time of the request.
    pub now: Timestamp,
    /// When platform calls must have ended.
    pub deadline: Instant,
}

impl PlatformContext<'_> {
    /// Runs one piece of work in a connection's ad account.
    ///
    /// A refused access token is refreshed once and the work repeated: a refused call did nothing. When the grant
    /// turns out to be dead its connections become REVOKED, which only a new authorisation ends; when the account is
    /// out of reach for another reason the connection becomes ERROR, and ACTIVE when it works again. While the platform
    /// wants the account left alone nothing is sent.
    pub async fn in_account<T, F>(
        &self,
        connection: &Connection,
        work: impl Fn(&'static dyn AdPlatform, Session) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let platform = connection.platform;
        let account = connection.account.clone().filter(|_| connection.status != ConnectionStatus::Revoked);
        let Some(account) = &account else { return Err(grant_revoked(platform)) };
        self.is_not_paused(connection)?;
        let (context, work) = (self, &work);
        let outcome = match grant_of(self.connected, connection) {
            Ok(grant) => {
                let governed = |adapter, call, token| async move {
                    let session = Session { call, account: account.clone(), token };
                    context.governed(connection, adapter, session, work).await
                };
                self.with_token(platform, grant, governed).await
            }
            Err(error) => Err(error),
        };
        self.learn(connection, outcome.as_ref().err()).await;
        outcome
    }

    /// Runs one piece of work with a grant's access token, and once more with a fresh one when it is refused.
    async fn with_token<T, F>(
        &self,
        platform: Platform,
        grant: &Grant,
        work: impl Fn(&'static dyn AdPlatform, CallContext, SecretString) -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let (adapter, call) = self.reach(platform)?;
        let grant = self.usable(adapter, &call, grant.clone()).await?;
        let token = access_token(self.app, self.customer, &grant).await?;
        match work(adapter, call.clone(), token).await {
            Err(refused) if refused.kind == Kind::TokenExpired => {
                // Dead as far as the wait for another refresher is concerned.
                let refused = Grant { access_expires_at: Timestamp::UNIX_EPOCH, ..grant };
                let fresh = self.refreshed(adapter, &call, refused).await?;
                let token = access_token(self.app, self.customer, &fresh).await?;
                work(adapter, call, token).await
            }
            outcome => outcome,
        }
    }

    /// The adapter of a platform and the way to it.
    pub fn reach(&self, platform: Platform) -> Result<(&'static dyn AdPlatform, CallContext), Error> {
        let Some(config) = self.app.platform_config(platform) else {
            let message = format!("{platform} cannot be connected here: this service has no client at it.");
            return Err(Error::new(Kind::NotSupported, message).on(platform));
        };
        let call = CallContext {
            outbound: self.outbound.clone(),
            config: config.clone(),
            deadline: self.deadline,
            now: self.now,
        };
        Ok((adapter(platform), call))
    }

    /// The grant with an access token that works: as it is while there is life left in it, else refreshed.
    ///
    /// When it cannot be refreshed ahead of its end it is used to its end, and for a while nobody tries again. Where
    /// refresh tokens rotate a request does not try at all: a lost answer would cost the connection, so that is left
    /// to maintenance, which has more time.
    async fn usable(&self, adapter: &'static dyn AdPlatform, call: &CallContext, grant: Grant) -> Result<Grant, Error> {
        let is_alive = grant.access_expires_at > self.now;
        let is_left_alone = grant.refresh_token.is_none()
            || adapter.refresh_policy().rotates
            || grant.retry_at.is_some_and(|at| at > self.now);
        if grant.refresh_from() > self.now || is_alive && is_left_alone {
            return Ok(grant);
        }
        match self.refreshed(adapter, call, grant.clone()).await {
            // A grant that has ended is no more use, whether or not its last token still lives.
            Err(error) if is_alive && error.kind != Kind::TokenExpired => {
                tracing::warn!(grant = %grant.id.0, %error, source = error.source, "a token was not refreshed ahead of its end");
                Ok(grant)
            }
            outcome => outcome,
        }
    }

    async fn refreshed(
        &self,
        adapter: &'static dyn AdPlatform,
        call: &CallContext,
        grant: Grant,
    ) -> Result<Grant, Error> {
        if grant.refresh_token.is_none() {
            return Err(grant_revoked(grant.platform));
        }
        self.refresh_of(adapter, call, grant).run(self.deadline).await
    }

    fn refresh_of(&self, adapter: &'static dyn AdPlatform, call: &CallContext, grant: Grant) -> Refresh {
        let CallContext { outbound, config, .. } = call.clone();
        Refresh { app: self.app.clone(), customer: self.customer, adapter, outbound, config, grant }
    }
}

/// The error of a connection whose grant is dead.
pub fn grant_revoked(platform: Platform) -> Error {
    let message = "The connection's grant is no longer valid; authorize the account again.";
    Error::new(Kind::TokenExpired, message).on(platform)
}

fn reason_of(error: &Error) -> String {
    error.platform_fault.as_ref().map_or_else(|| error.message.clone(), |fault| fault.message.clone())
}

//! Refreshing a grant exactly once, whoever asks: under a lease, in a task of its own.

use super::{gone, open, seal_tokens};
use crate::app::App;
use crate::domain::{CustomerId, Grant};
use crate::error::{Error, Kind};
use crate::platforms::{AdPlatform, Peer};
use crate::store::Lease;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{sleep, timeout_at};

/// How long one refresher has the grant to itself: longer than any call may take.
const LEASE: SignedDuration = SignedDuration::from_secs(60);
/// How often a request looks whether another one has finished refreshing.
const POLL: Duration = Duration::from_millis(100);
/// How often new tokens are offered to the store: what is not kept there is lost with the answer.
const STORE_ATTEMPTS: u32 = 4;

/// Everything that a refresh needs, owned: it goes on when the request that asked for it does not.
pub(super) struct Refresh {
    pub(super) app: Arc<App>,
    pub(super) customer: CustomerId,
    pub(super) adapter: &'static dyn AdPlatform,
    pub(super) peer: Peer,
    pub(super) grant: Grant,
}

impl Refresh {
    /// Runs to its end even if the caller goes away: an answer with a rotated token that nobody keeps would be the
    /// end of the connection.
    pub(super) async fn run(self) -> Result<Grant, Error> {
        if self.grant.refresh_token.is_none() {
            return Err(gone(self.grant.platform));
        }
        tokio::spawn(self.lease_and_refresh()).await.map_err(Error::internal)?
    }

    async fn lease_and_refresh(self) -> Result<Grant, Error> {
        let grant = &self.grant;
        loop {
            let now = Timestamp::now();
            match self.app.store.lease_grant(self.customer, grant, now, now + LEASE).await? {
                Lease::Mine(fence) => return self.refresh_as(fence).await,
                Lease::Refreshed(current) => return Ok(current),
                Lease::Gone => return Err(gone(grant.platform)),
                // Somebody is at it; what we have still works.
                Lease::Busy if grant.access_expires_at > now => return Ok(grant.clone()),
                Lease::Busy => timeout_at(self.peer.deadline, sleep(POLL)).await.map_err(|_| {
                    let message = "The connection's token is being refreshed and that takes too long; try again.";
                    Error::new(Kind::PlatformTimeout, message).on(grant.platform).retryable()
                })?,
            }
        }
    }

    async fn refresh_as(&self, fence: i64) -> Result<Grant, Error> {
        let grant = &self.grant;
        let sealed = grant.refresh_token.as_deref().ok_or_else(|| gone(grant.platform))?;
        let answer = match open(&self.app, self.customer, grant, "refresh_token", sealed) {
            Ok(refresh_token) => self.adapter.refresh(&self.peer, &refresh_token).await,
            Err(error) => Err(error),
        };
        let tokens = match answer {
            Ok(tokens) => tokens,
            Err(error) => {
                // Only a courtesy to the next caller: the lease runs out by itself.
                if let Err(store) = self.app.store.release_grant(self.customer, &grant.id, fence).await {
                    tracing::warn!(error = %store, "a lease was not given back");
                }
                return Err(error);
            }
        };
        let fresh = seal_tokens(&self.app, self.customer, grant, &tokens)?;
        self.keep(&fresh, fence).await
    }

    /// Stores the new tokens, with patience. When the store stays down this request still goes on with them.
    async fn keep(&self, fresh: &Grant, fence: i64) -> Result<Grant, Error> {
        let store = &self.app.store;
        for attempt in 1..=STORE_ATTEMPTS {
            match store.store_refreshed(self.customer, fresh, fence).await {
                Ok(true) => return Ok(fresh.clone()),
                // The lease ran out and somebody else refreshed: theirs is the record.
                Ok(false) => return store.grant(self.customer, &fresh.id).await?.ok_or_else(|| gone(fresh.platform)),
                Err(error) => {
                    tracing::error!(grant = %fresh.id.0, attempt, %error, source = error.source, "new tokens were not kept");
                    sleep(POLL * attempt).await;
                }
            }
        }
        Ok(fresh.clone())
    }
}

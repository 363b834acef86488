//! A usable access token: the stored one while it is valid, else a refreshed one.

use super::PlatformContext;
use super::refresh::Refresh;
use super::seal::access_token;
use crate::domain::Grant;
use crate::error::{Error, Kind};
use crate::platforms::errors::token_expired;
use crate::platforms::{AdPlatform, CallContext};
use jiff::Timestamp;
use secrecy::SecretString;

/// Access to a platform under one grant.
pub(super) struct Access {
    pub(super) adapter: &'static dyn AdPlatform,
    pub(super) call: CallContext,
    pub(super) token: SecretString,
    grant: Grant,
}

impl PlatformContext<'_> {
    /// Acquires a usable access token of a grant.
    pub(super) async fn acquire(&self, grant: &Grant) -> Result<Access, Error> {
        let (adapter, call) = self.call_context(grant.platform)?;
        let grant = self.usable_grant(adapter, &call, grant.clone()).await?;
        let token = access_token(self.app, self.customer, &grant).await?;
        Ok(Access { adapter, call, token, grant })
    }

    /// Replaces an access token that the platform refused.
    pub(super) async fn renew(&self, refused: Access) -> Result<Access, Error> {
        let Access { adapter, call, grant, .. } = refused;
        // Marked as expired: otherwise a wait for another refresher would return the refused token.
        let expired = Grant { access_expires_at: Timestamp::UNIX_EPOCH, ..grant };
        let grant = self.refresh(adapter, &call, expired).await?;
        let token = access_token(self.app, self.customer, &grant).await?;
        Ok(Access { adapter, call, token, grant })
    }

    /// The grant with a valid access token, refreshed ahead of its expiry where possible.
    ///
    /// If an early refresh fails, the token is used until it expires, and no request refreshes it before `retry_at`.
    /// Where refresh tokens rotate, requests leave the early refresh to maintenance: a lost response would cost the
    /// connection, and maintenance has more time.
    async fn usable_grant(
        &self,
        adapter: &'static dyn AdPlatform,
        call: &CallContext,
        grant: Grant,
    ) -> Result<Grant, Error> {
        let is_valid = grant.access_expires_at > self.now;
        let is_left_to_maintenance = grant.refresh_token.is_none()
            || adapter.facts().refresh_policy.rotates()
            || grant.retry_at.is_some_and(|at| at > self.now);
        if grant.refresh_from() > self.now || is_valid && is_left_to_maintenance {
            return Ok(grant);
        }
        match self.refresh(adapter, call, grant.clone()).await {
            // An ended grant is unusable, even if its last access token has not expired.
            Err(error) if is_valid && error.kind != Kind::TokenExpired => {
                tracing::warn!(grant = %grant.id.0, %error, source = error.source, "an early token refresh failed");
                Ok(grant)
            }
            outcome => outcome,
        }
    }

    async fn refresh(
        &self,
        adapter: &'static dyn AdPlatform,
        call: &CallContext,
        grant: Grant,
    ) -> Result<Grant, Error> {
        if grant.refresh_token.is_none() {
            return Err(token_expired(grant.platform));
        }
        Refresh::new(self, adapter, call, grant).run_until(self.deadline).await
    }
}

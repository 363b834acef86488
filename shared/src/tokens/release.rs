//! Giving tokens back: a grant that no connection uses any more is deleted, and ended at its platform.

use super::PlatformContext;
use super::seal::{Field, open};
use crate::domain::{ConnectionStatus, CustomerConnections, Grant, Platform};
use crate::error::Error;
use crate::platforms::oauth::Tokens;
use crate::platforms::{CallContext, RevokedGrant};
use std::time::Duration;
use tokio::time::Instant;

/// How long a platform may take to end a grant: its owner waits for it.
const REVOCATION_TIMEOUT: Duration = Duration::from_secs(8);

impl PlatformContext<'_> {
    /// Deletes a grant if no connection is left that it opens, and revokes it at the platform.
    ///
    /// A revocation that fails is logged and nothing more. It is left out while the customer has another grant at
    /// that platform: some platforms end all grants of a user with one of them, and it may be the same user's.
    pub async fn release(&self, grant: &Grant) {
        let outcome = async {
            let connected = self.app.store.customer_connections(self.customer, self.now).await?;
            if connected.using_grant(&grant.id).next().is_some() {
                return Ok(());
            }
            let deleted = self.app.store.delete_grant(self.customer, &grant.id).await?;
            match deleted.filter(|grant| !grant.ended && !is_used(&connected, grant.platform)) {
                Some(grant) => self.revoke(&grant).await,
                None => Ok(()),
            }
        };
        if let Err(error) = outcome.await {
            let platform = grant.platform.as_str();
            tracing::warn!(platform, %error, source = error.source, "a grant was not given back at its platform");
        }
    }

    /// Revokes tokens that were issued for a connection which was removed meanwhile: nobody keeps them. Left out and
    /// logged as in [`PlatformContext::release`].
    pub async fn revoke_grant(&self, platform: Platform, tokens: &Tokens) {
        let outcome = async {
            let connected = self.app.store.customer_connections(self.customer, self.now).await?;
            if is_used(&connected, platform) {
                return Ok(());
            }
            let Tokens { access_token, refresh_token, .. } = tokens;
            let grant = RevokedGrant { access_token: access_token.clone(), refresh_token: refresh_token.clone() };
            self.send_revocation(platform, &grant).await
        };
        if let Err(error) = outcome.await {
            let platform = platform.as_str();
            tracing::warn!(platform, %error, source = error.source, "tokens that nobody keeps were not revoked");
        }
    }

    async fn revoke(&self, grant: &Grant) -> Result<(), Error> {
        let Some(access_token) = open(self.app, self.customer, grant, Field::Access).await? else { return Ok(()) };
        let refresh_token = open(self.app, self.customer, grant, Field::Refresh).await?;
        self.send_revocation(grant.platform, &RevokedGrant { access_token, refresh_token }).await
    }

    async fn send_revocation(&self, platform: Platform, grant: &RevokedGrant) -> Result<(), Error> {
        let (adapter, call) = self.reach(platform)?;
        let deadline = call.deadline.min(Instant::now() + REVOCATION_TIMEOUT);
        adapter.revoke(&CallContext { deadline, ..call }, grant).await
    }
}

/// Whether a grant of the platform opens a connection that works, or may work again without a new authorisation.
fn is_used(connected: &CustomerConnections, platform: Platform) -> bool {
    let mut living = connected.grants.iter().filter(|grant| grant.platform == platform && !grant.ended);
    living.any(|grant| connected.using_grant(&grant.id).any(|known| known.status != ConnectionStatus::Revoked))
}

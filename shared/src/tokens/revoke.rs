//! Deletes grants that no connection uses, and revokes their tokens at the platform.

use super::PlatformContext;
use super::seal::{Field, open};
use crate::domain::{Grant, Platform};
use crate::error::Error;
use crate::platforms::oauth::Tokens;
use crate::platforms::{CallContext, RevokedGrant};
use std::time::Duration;
use tokio::time::Instant;

/// Time limit of a revocation: the caller waits for it.
const REVOCATION_TIMEOUT: Duration = Duration::from_secs(8);

impl PlatformContext<'_> {
    /// Deletes a grant that no connection uses, and revokes it at the platform.
    ///
    /// A failed revocation is only logged. There is no revocation while the customer has another grant at the
    /// platform: some platforms end all grants of a user at once, and both grants may be of the same user.
    pub async fn delete_unused_grant(&self, grant: &Grant) {
        let store = &self.app.store;
        let outcome = async {
            let deleted = self.delete_if_unused(grant).await?;
            let Some(deleted) = deleted.filter(|grant| !grant.ended) else { return Ok(()) };
            if store.has_live_connection(self.customer, grant.platform, self.now).await? {
                Ok(())
            } else {
                self.revoke_deleted(&deleted).await
            }
        };
        if let Err(error) = outcome.await {
            let platform = grant.platform.as_str();
            tracing::warn!(platform, %error, source = error.source, "revoking a deleted grant failed");
        }
    }

    /// Revokes tokens that were issued for a connection deleted in the meantime; they are stored nowhere. The same
    /// exceptions apply as in [`PlatformContext::delete_unused_grant`].
    pub async fn revoke_grant(&self, platform: Platform, tokens: &Tokens) {
        let outcome = async {
            if self.app.store.has_live_connection(self.customer, platform, self.now).await? {
                return Ok(());
            }
            let Tokens { access_token, refresh_token, .. } = tokens;
            let grant = RevokedGrant { access_token: access_token.clone(), refresh_token: refresh_token.clone() };
            self.send_revocation(platform, &grant).await
        };
        if let Err(error) = outcome.await {
            let platform = platform.as_str();
            tracing::warn!(platform, %error, source = error.source, "revoking unused tokens failed");
        }
    }

    /// Deletes a grant that no connection uses, without revoking it.
    pub async fn delete_if_unused(&self, grant: &Grant) -> Result<Option<Grant>, Error> {
        self.app.store.delete_grant_if_unused(self.customer, &grant.id).await
    }

    async fn revoke_deleted(&self, grant: &Grant) -> Result<(), Error> {
        let Some(access_token) = open(self.app, self.customer, grant, Field::Access).await? else { return Ok(()) };
        let refresh_token = open(self.app, self.customer, grant, Field::Refresh).await?;
        self.send_revocation(grant.platform, &RevokedGrant { access_token, refresh_token }).await
    }

    async fn send_revocation(&self, platform: Platform, grant: &RevokedGrant) -> Result<(), Error> {
        let (adapter, call) = self.call_context(platform)?;
        let deadline = call.deadline.min(Instant::now() + REVOCATION_TIMEOUT);
        adapter.revoke(&CallContext { deadline, ..call }, grant).await
    }
}

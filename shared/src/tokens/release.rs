//! Giving tokens back: a grant that no connection uses any more is deleted, and ended at its platform.

use super::Caller;
use super::seal::{Field, open};
use crate::domain::{Grant, Links};
use crate::error::Error;
use crate::platforms::{Peer, RevokedGrant};
use std::time::Duration;
use tokio::time::Instant;

/// How long a platform may take to end a grant: its owner waits for it.
const REVOCATION_TIMEOUT: Duration = Duration::from_secs(8);

impl Caller<'_> {
    /// Deletes a grant if no connection is left that it opens, and revokes it at the platform.
    ///
    /// A revocation that fails is logged and nothing more. It is left out while the customer has another grant at
    /// that platform: some platforms end all grants of a user with one of them, and it may be the same user's.
    pub async fn release(&self, grant: &Grant) {
        let outcome = async {
            let links = self.app.store.links(self.customer, self.now).await?;
            if links.opened_by(&grant.id).next().is_some() {
                return Ok(());
            }
            let is_ours = self.app.store.delete_grant(self.customer, &grant.id).await?;
            if is_ours && !grant.ended && !has_another(&links, grant) { self.revoke(grant).await } else { Ok(()) }
        };
        if let Err(error) = outcome.await {
            let platform = grant.platform.word();
            tracing::warn!(platform, %error, source = error.source, "a grant was not given back at its platform");
        }
    }

    async fn revoke(&self, grant: &Grant) -> Result<(), Error> {
        let (adapter, peer) = self.reach(grant.platform)?;
        let Some(access_token) = open(self.app, self.customer, grant, Field::Access).await? else { return Ok(()) };
        let refresh_token = open(self.app, self.customer, grant, Field::Refresh).await?;
        let deadline = peer.deadline.min(Instant::now() + REVOCATION_TIMEOUT);
        adapter.revoke(&Peer { deadline, ..peer }, &RevokedGrant { access_token, refresh_token }).await
    }
}

fn has_another(links: &Links, grant: &Grant) -> bool {
    let mut others = links.grants.iter().filter(|other| other.id != grant.id && !other.ended);
    others.any(|other| other.platform == grant.platform)
}

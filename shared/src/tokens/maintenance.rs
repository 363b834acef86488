//! Maintenance of a grant between requests.

use super::PlatformContext;
use super::connection_state::{ConnectionState, store_state};
use super::refresh::Refresh;
use crate::domain::{ConnectionStatus, Grant, GrantId};
use crate::error::Error;

impl PlatformContext<'_> {
    /// Maintains a grant that is due: refreshes its tokens ahead of their expiry, marks the connections of an ended
    /// grant as REVOKED, or deletes a grant without connections.
    ///
    /// Safe to repeat and to run concurrently, provided that the connections were read just before: a grant that is no
    /// longer due is left unchanged.
    pub async fn maintain_grant(&self, id: &GrantId) -> Result<(), Error> {
        let store = &self.app.store;
        let Some(grant) = self.connected.grants.iter().find(|grant| grant.id == *id) else { return Ok(()) };
        let mut opened = self.connected.using_grant(id).peekable();
        if opened.peek().is_none() {
            self.delete_unused_grant(grant).await;
            return Ok(());
        }
        if !grant.ended && grant.due_at() > self.now {
            return Ok(());
        }
        let is_over = grant.ended || grant.refresh_token.is_none() && grant.access_expires_at <= self.now;
        if is_over {
            store_state(store, self.customer, opened, &ConnectionState::revoked(ended(grant))).await?;
        }
        if is_over || self.connected.using_grant(id).all(|known| known.status == ConnectionStatus::Revoked) {
            return store.clear_grant_due(self.customer, id, self.now).await.map(|_| ());
        }
        self.refresh_early(grant).await
    }

    async fn refresh_early(&self, grant: &Grant) -> Result<(), Error> {
        if grant.refresh_token.is_none() {
            return Ok(());
        }
        let (adapter, call) = self.call_context(grant.platform)?;
        Refresh::new(self, adapter, &call, grant.clone()).run_to_completion(self.deadline).await.map(|_| ())
    }
}

fn ended(grant: &Grant) -> String {
    format!("{} has ended the access; authorize the account again.", grant.platform.display_name())
}

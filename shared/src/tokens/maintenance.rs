//! Maintenance of a grant between requests.

use super::PlatformContext;
use super::connection_state::{ConnectionState, store_state};
use super::refresh::Refresh;
use crate::domain::{ConnectionStatus, Grant};
use crate::error::Error;
use crate::platforms::adapter;

impl PlatformContext<'_> {
    /// Maintains a grant that is due: refreshes its tokens, marks the connections of an ended grant as REVOKED, deletes
    /// a grant without connections, or moves a grant that needs nothing now to its next time.
    ///
    /// Safe to repeat and to run concurrently, provided that the grant was read after the time of the context: a grant
    /// that is not due is left unchanged. The connections of the context are not used. They are read only if all of
    /// them may change, or if the record does not say that one uses the grant.
    pub async fn maintain_grant(&self, grant: &Grant) -> Result<(), Error> {
        if !grant.is_due(self.now) {
            return Ok(());
        }
        let is_over = grant.ended || grant.refresh_token.is_none() && grant.access_expires_at <= self.now;
        if (is_over || grant.connections == 0) && self.finish_without_refresh(grant, is_over).await? {
            return Ok(());
        }
        let next = grant.schedule(adapter(grant.platform).facts().refresh_policy.timing);
        if next.at > self.now {
            return self.app.store.reschedule_grant(self.customer, grant, next, self.now).await.map(|_| ());
        }
        let (adapter, call) = self.call_context(grant.platform)?;
        Refresh::new(self, adapter, &call, grant.clone()).run_to_completion(self.deadline).await.map(|_| ())
    }

    /// Handles a grant that is over or may be unused. Returns `true` if that was all: no refresh is needed.
    async fn finish_without_refresh(&self, grant: &Grant, is_over: bool) -> Result<bool, Error> {
        let store = &self.app.store;
        let connected = store.customer_connections(self.customer, self.now).await?;
        let mut opened = connected.using_grant(&grant.id).peekable();
        if opened.peek().is_none() {
            self.delete_unused_grant(grant).await;
            return Ok(true);
        }
        if is_over {
            let state = ConnectionState::revoked(ended(grant));
            store_state(store, self.customer, opened, &state, self.app.clock.now()).await?;
        }
        let is_done =
            is_over || connected.using_grant(&grant.id).all(|known| known.status == ConnectionStatus::Revoked);
        if is_done {
            store.clear_grant_due(self.customer, &grant.id, self.now).await?;
        }
        Ok(is_done)
    }
}

fn ended(grant: &Grant) -> String {
    format!("{} has ended the access; authorize the account again.", grant.platform.display_name())
}

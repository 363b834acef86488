//! What a grant needs while nobody uses it.

use super::PlatformContext;
use super::connection_state::{Finding, keep_for_all};
use crate::domain::{ConnectionStatus, Grant, GrantId};
use crate::error::Error;

impl PlatformContext<'_> {
    /// Looks after one grant if it is due: refreshes it ahead of its end, says of its connections what is true of
    /// them, or clears it away when it opens none any more.
    ///
    /// Safe at any time and any number of times at once, provided that the connections were read just now: what is due no
    /// more, because somebody else was faster, is let be.
    pub async fn look_after(&self, id: &GrantId) -> Result<(), Error> {
        let store = &self.app.store;
        let Some(grant) = self.connected.grants.iter().find(|grant| grant.id == *id) else { return Ok(()) };
        let mut opened = self.connected.using_grant(id).peekable();
        if opened.peek().is_none() {
            self.release(grant).await;
            return Ok(());
        }
        if !grant.ended && grant.due_at() > self.now {
            return Ok(());
        }
        let is_over = grant.ended || grant.refresh_token.is_none() && grant.access_expires_at <= self.now;
        if is_over {
            let finding = Finding::new(ConnectionStatus::Revoked, Some(ended(grant)));
            keep_for_all(store, self.customer, opened, &finding).await?;
        }
        if is_over || self.connected.using_grant(id).all(|known| known.status == ConnectionStatus::Revoked) {
            return store.clear_grant_due(self.customer, id, self.now).await.map(|_| ());
        }
        self.renew_ahead(grant).await
    }

    async fn renew_ahead(&self, grant: &Grant) -> Result<(), Error> {
        if grant.refresh_token.is_none() {
            return Ok(());
        }
        let (adapter, call) = self.reach(grant.platform)?;
        self.refresh_of(adapter, &call, grant.clone()).run_to_its_end(self.deadline).await.map(|_| ())
    }
}

fn ended(grant: &Grant) -> String {
    format!("{} has ended the access; authorize the account again.", grant.platform.display_name())
}

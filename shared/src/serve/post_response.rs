//! Work after the response: the entry in the customer's usage log. The response carries it as an extension to the server
//! that sends it: the module `lambda`, or the local gateway.

use crate::app::App;
use crate::auth::ApiKey;
use crate::domain::{CustomerId, UsageEntry};
use crate::error::Error;
use lambda_http::{Body, Response};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Time for the write. On Lambda it delays the next invocation.
const WRITE_TIMEOUT: Duration = Duration::from_secs(2);

/// The work after one response.
#[derive(Clone)]
pub struct PostResponseWork(Arc<UsageLogWrite>);

struct UsageLogWrite {
    app: Arc<App>,
    owner: Owner,
    entry: UsageEntry,
}

/// The customer of a usage log entry.
pub(super) enum Owner {
    /// An authenticated customer.
    Known(CustomerId),
    /// The customer of a key that the request did not need: verified before the write.
    Bearer(ApiKey),
}

impl PostResponseWork {
    /// Takes the work out of a response.
    pub fn take_from(response: &mut Response<Body>) -> Option<PostResponseWork> {
        response.extensions_mut().remove()
    }

    pub(super) fn new(app: Arc<App>, owner: Owner, entry: UsageEntry) -> PostResponseWork {
        PostResponseWork(Arc::new(UsageLogWrite { app, owner, entry }))
    }

    /// Writes the entry. A failure is logged.
    pub async fn run(self) {
        let request_id = self.0.entry.request_id;
        match timeout(WRITE_TIMEOUT, self.0.write()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::error!(%request_id, %error, source = error.source, "usage log entry not written");
            }
            Err(_) => tracing::error!(%request_id, "usage log entry not written in time"),
        }
    }
}

impl UsageLogWrite {
    async fn write(&self) -> Result<(), Error> {
        let customer = match &self.owner {
            Owner::Known(customer) => *customer,
            Owner::Bearer(key) if self.is_valid(key).await? => key.customer(),
            Owner::Bearer(_) => return Ok(()),
        };
        self.app.store.put_usage(customer, &self.entry).await
    }

    async fn is_valid(&self, key: &ApiKey) -> Result<bool, Error> {
        let account = self.app.store.account(key.customer(), self.entry.at).await?;
        Ok(account.is_some_and(|account| account.key_matches(&key.hash())))
    }
}

//! What is left to do for a request when its answer is out: its entry in the customer's usage log.
//!
//! The response carries it to whoever sends the answer, because only there is it known that it was sent: on Lambda
//! the module `lambda`, on a laptop the gateway.

use crate::app::App;
use crate::auth::ApiKey;
use crate::domain::{CustomerId, UsageEntry};
use crate::error::Error;
use lambda_http::{Body, Response};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// How long it may take: on Lambda the next request waits for it.
const WRITE_TIMEOUT: Duration = Duration::from_secs(2);

/// What is left to do for one request.
#[derive(Clone)]
pub struct PostResponseWork(Arc<UsageLogWrite>);

struct UsageLogWrite {
    app: Arc<App>,
    owner: Owner,
    entry: UsageEntry,
}

/// In whose log a request belongs.
pub(super) enum Owner {
    /// A customer whose key was found to be right.
    Known(CustomerId),
    /// The customer of this key, if it is right: the request was answered before anybody looked.
    Bearer(ApiKey),
}

impl PostResponseWork {
    /// Takes what is left to do out of a response.
    pub fn take_from(response: &mut Response<Body>) -> Option<PostResponseWork> {
        response.extensions_mut().remove()
    }

    pub(super) fn new(app: Arc<App>, owner: Owner, entry: UsageEntry) -> PostResponseWork {
        PostResponseWork(Arc::new(UsageLogWrite { app, owner, entry }))
    }

    /// Does it, or gives up: a failure goes to the log and hurts nobody.
    pub async fn run(self) {
        let request_id = self.0.entry.request_id;
        match timeout(WRITE_TIMEOUT, self.0.write()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::error!(%request_id, %error, source = error.source, "a usage log's entry was not written");
            }
            Err(_) => tracing::error!(%request_id, "a usage log's entry was not written in time"),
        }
    }
}

impl UsageLogWrite {
    async fn write(&self) -> Result<(), Error> {
        let customer = match &self.owner {
            Owner::Known(customer) => *customer,
            Owner::Bearer(key) if self.is_right(key).await? => key.customer(),
            Owner::Bearer(_) => return Ok(()),
        };
        self.app.store.put_usage(customer, &self.entry).await
    }

    async fn is_right(&self, key: &ApiKey) -> Result<bool, Error> {
        let account = self.app.store.account(key.customer(), self.entry.at).await?;
        Ok(account.is_some_and(|account| account.key_matches(&key.hash())))
    }
}

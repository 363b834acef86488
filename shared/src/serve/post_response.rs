//! Work after the response: the entry in the customer's usage log, the end of the request's slot, and the events of the
//! quota and of what a limit has refused. The response carries it as an extension to the server that sends it: the module
//! `lambda`, or the local gateway.

use crate::app::App;
use crate::auth::PresentedKey;
use crate::changes::count_refusal;
use crate::domain::{CustomerId, KeyId, LimitRefusal, Occurrence, UsageEntry};
use crate::error::Error;
use crate::store::{Account, Slot};
use jiff::Timestamp;
use lambda_http::{Body, Response};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use uuid::Uuid;

/// Time for the writes. On Lambda it delays the next invocation.
const WRITE_TIMEOUT: Duration = Duration::from_secs(2);

/// The work after one response.
#[derive(Clone)]
pub struct PostResponseWork(Arc<Writes>);

struct Writes {
    app: Arc<App>,
    request_id: Uuid,
    owner: Owner,
    work: Work,
}

/// The work itself.
pub(super) struct Work {
    pub(super) entry: Option<UsageEntry>,
    pub(super) slot: Option<Slot>,
    /// The account, if its quota must be reported.
    pub(super) unreported_quota: Option<Box<Account>>,
    /// What spending limits have refused.
    pub(super) refusals: Vec<LimitRefusal>,
}

/// The customer of a usage log entry, or of a slot.
pub(super) enum Owner {
    /// An authenticated customer.
    Known(CustomerId),
    /// The customer of a key that the request did not need: verified before the write.
    UnverifiedKey(PresentedKey),
}

impl PostResponseWork {
    /// Takes the work out of a response.
    pub fn take_from(response: &mut Response<Body>) -> Option<PostResponseWork> {
        response.extensions_mut().remove()
    }

    pub(super) fn new(app: Arc<App>, request_id: Uuid, owner: Owner, work: Work) -> PostResponseWork {
        PostResponseWork(Arc::new(Writes { app, request_id, owner, work }))
    }

    /// Makes the writes. A failure is logged.
    pub async fn run(self) {
        let request_id = self.0.request_id;
        let (entry, slot, told) = tokio::join!(
            timeout(WRITE_TIMEOUT, self.0.write_entry()),
            timeout(WRITE_TIMEOUT, self.0.free_slot()),
            timeout(WRITE_TIMEOUT, self.0.tell())
        );
        match entry {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::error!(%request_id, %error, source = error.source, "usage log entry not written");
            }
            Err(_) => tracing::error!(%request_id, "usage log entry not written in time"),
        }
        match slot {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::warn!(%request_id, %error, source = error.source, "slot not freed ahead of time")
            }
            Err(_) => tracing::warn!(%request_id, "slot not freed in time"),
        }
        if told.is_err() {
            tracing::warn!(%request_id, "a refusal or the quota was not told in time");
        }
    }
}

impl Writes {
    /// Frees the slot. Without this it is free once its time has passed.
    async fn free_slot(&self) -> Result<(), Error> {
        match (&self.owner, self.work.slot) {
            (Owner::Known(customer), Some(slot)) => self.app.store.free_slot(*customer, slot).await,
            _ => Ok(()),
        }
    }

    /// Reports the used shares of the quota, and refusals by a spending limit. The next request reports a share that
    /// this one could not.
    async fn tell(&self) {
        let Owner::Known(customer) = self.owner else { return };
        let request = Some(self.request_id);
        let occurrence = Occurrence { customer, request, at: self.app.clock.now() };
        if let Some(account) = &self.work.unreported_quota
            && let Err(error) = self.app.store.report_quota(account, occurrence).await
        {
            let request_id = self.request_id;
            tracing::warn!(%request_id, %error, source = error.source, "the use of the quota was not told");
        }
        for refusal in &self.work.refusals {
            count_refusal(&self.app, refusal, occurrence).await;
        }
    }

    async fn write_entry(&self) -> Result<(), Error> {
        let Some(entry) = &self.work.entry else { return Ok(()) };
        let store = &self.app.store;
        match &self.owner {
            Owner::Known(customer) => store.put_usage(*customer, entry).await,
            Owner::UnverifiedKey(key) => match self.valid(key, entry.at).await? {
                Some(id) => {
                    let entry = UsageEntry { key: Some(id), ..entry.clone() };
                    store.put_usage(key.customer, &entry).await
                }
                None => Ok(()),
            },
        }
    }

    /// The id of a key, if it is valid.
    async fn valid(&self, key: &PresentedKey, at: Timestamp) -> Result<Option<KeyId>, Error> {
        let account = self.app.store.account(key.customer, at).await?;
        Ok(account.and_then(|account| account.keys.find(&key.hash, at).map(|key| key.id.clone())))
    }
}

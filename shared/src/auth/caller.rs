//! The caller of the API: the holder of a key, or a person who is signed in at the dashboard.

use super::{ApiKey, Authenticated, Mode, authenticate, too_many_in_flight};
use crate::domain::{CustomerId, KeyId};
use crate::error::Error;
use crate::store::{Account, Store};
use jiff::Timestamp;

/// A person with a valid session. The dashboard adds it to a request as an extension, which no event can carry.
#[derive(Clone, Debug)]
pub struct SessionCaller {
    /// The account of the customer, as read with the session.
    pub account: Account,
    /// The mode of the keys that the person makes.
    pub mode: Mode,
    /// The key that the request is about, for `rotateKey`.
    pub key: Option<KeyId>,
}

/// The caller of a request.
#[derive(Debug)]
pub enum Caller {
    /// The holder of an API key, not yet authenticated.
    Key(ApiKey),
    /// A person with a valid session.
    Session(Box<SessionCaller>),
}

impl Caller {
    /// The customer. That of a key is not yet authenticated.
    pub fn customer(&self) -> CustomerId {
        match self {
            Caller::Key(key) => key.customer(),
            Caller::Session(person) => person.account.customer.id,
        }
    }

    /// The mode of the keys that the caller makes.
    pub fn mode(&self) -> Mode {
        match self {
            Caller::Key(key) => key.mode(),
            Caller::Session(person) => person.mode,
        }
    }

    /// Whether the caller is known to belong to the customer, so that it is safe to read for the customer before the
    /// admission.
    pub(crate) fn is_known(&self, store: &Store, now: Timestamp) -> bool {
        match self {
            Caller::Key(key) => store.has_seen_key(key.customer(), &key.hash(), now),
            Caller::Session(_) => true,
        }
    }

    /// Admits a request. With `slot_until` it also takes a slot, and may hold it until then.
    pub(crate) async fn admit(
        &self,
        store: &Store,
        now: Timestamp,
        slot_until: Option<Timestamp>,
    ) -> Result<Authenticated, Error> {
        match self {
            Caller::Key(key) => authenticate(store, key, now, slot_until).await,
            Caller::Session(person) => person.admit(store, now, slot_until).await,
        }
    }
}

impl SessionCaller {
    /// A page takes a slot if it waits for platforms, and counts against neither rate nor quota (D45 in
    /// docs/decisions.md).
    async fn admit(
        &self,
        store: &Store,
        now: Timestamp,
        slot_until: Option<Timestamp>,
    ) -> Result<Authenticated, Error> {
        let customer = &self.account.customer;
        let slot = match slot_until {
            Some(until) => store.take_slot(customer, until, now).await?,
            None => None,
        };
        let is_over_limit = slot.is_none() && slot_until.is_some();
        Ok(Authenticated {
            account: self.account.clone(),
            key: None,
            allowance: self.account.allowance(now),
            rejection: is_over_limit.then(|| too_many_in_flight(customer.plan)),
            slot,
        })
    }
}

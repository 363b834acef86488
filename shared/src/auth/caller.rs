//! The caller of the API: the holder of a key, a tool of an agent, or a person who is signed in at the dashboard.

use super::{Authenticated, KeySeed, Mode, PresentedKey, authenticate, only_looks, too_many_in_flight};
use crate::domain::{ApiKeyInfo, CustomerId, ExternalRef, KeyId, PersonId, Role};
use crate::error::Error;
use crate::store::{Account, Store, Terms};
use jiff::Timestamp;

/// A person with a valid session. The dashboard adds it to a request as an extension, which no event can carry.
#[derive(Clone, Debug)]
pub struct SessionCaller {
    /// The account of the customer, as read with the session.
    pub account: Account,
    pub person: PersonId,
    /// E-mail address of the person, if the issuer had verified one.
    pub email: Option<String>,
    /// The role of the person, as read with the session.
    pub role: Role,
    /// The mode of the keys that the person makes.
    pub mode: Mode,
    /// The key that the request is about, for `rotateKey`.
    pub key: Option<KeyId>,
    /// The form that makes or replaces a secret.
    pub form: Option<KeyForm>,
}

/// A form of the dashboard that makes or replaces an API key or the secret of a webhook endpoint. Sent twice, it does so
/// once.
#[derive(Clone, Debug)]
pub struct KeyForm {
    pub seed: KeySeed,
    /// The version of the secret that the form replaces, as the page showed it.
    pub version: Option<String>,
    /// Whether the key that it makes is that of an assistant, which has no secret.
    pub is_of_assistant: bool,
}

/// A tool that an agent calls. The call has been admitted, so that the requests of the tool count nothing. The function
/// of the tools adds it to a request as an extension, which no event can carry.
#[derive(Clone, Debug)]
pub struct ToolCaller {
    /// The account of the customer, as the admission of the call has read it.
    pub account: Account,
    /// The key of the call.
    pub key: ApiKeyInfo,
    pub mode: Mode,
}

/// The caller of a request.
#[derive(Debug)]
pub enum Caller {
    /// The holder of an API key or of an assistant's token, not yet authenticated.
    Key(PresentedKey),
    /// A tool, with a key that is authenticated.
    Tool(Box<ToolCaller>),
    /// A person with a valid session.
    Session(Box<SessionCaller>),
}

impl Caller {
    /// The customer. That of a key is not yet authenticated.
    pub fn customer(&self) -> CustomerId {
        match self {
            Caller::Key(key) => key.customer,
            Caller::Tool(tool) => tool.account.customer.id,
            Caller::Session(person) => person.account.customer.id,
        }
    }

    /// The mode of the keys that the caller makes.
    pub fn mode(&self) -> Mode {
        match self {
            Caller::Key(key) => key.mode,
            Caller::Tool(tool) => tool.mode,
            Caller::Session(person) => person.mode,
        }
    }

    /// The seed of the secret that the request makes: that of its form, or a random one.
    pub fn key_seed(&self) -> Result<KeySeed, Error> {
        match self.key_form() {
            Some(form) => Ok(form.seed.clone()),
            None => KeySeed::random(),
        }
    }

    /// The form of the dashboard that the request is from.
    pub fn key_form(&self) -> Option<&KeyForm> {
        match self {
            Caller::Key(_) | Caller::Tool(_) => None,
            Caller::Session(person) => person.form.as_ref(),
        }
    }

    /// Refuses a request that changes something, of a person who only looks (D176). The scopes of keys are checked once
    /// their key is known.
    pub(crate) fn check_role(&self, changes: bool) -> Result<(), Error> {
        match self {
            Caller::Session(person) if changes && !person.role.may_change() => Err(only_looks()),
            Caller::Session(_) | Caller::Key(_) | Caller::Tool(_) => Ok(()),
        }
    }

    /// Whether the caller is known to belong to the customer, so that it is safe to read for the customer before the
    /// admission.
    pub(crate) fn is_known(&self, store: &Store, now: Timestamp) -> bool {
        match self {
            Caller::Key(key) => store.has_seen_key(key.customer, &key.hash, now),
            Caller::Tool(_) | Caller::Session(_) => true,
        }
    }

    /// The caller's key, if it had a spending limit when this process saw it last.
    pub(crate) fn seen_limited_key(&self, store: &Store, now: Timestamp) -> Option<KeyId> {
        match self {
            Caller::Key(key) => store.seen_limited_key(key.customer, &key.hash, now),
            Caller::Tool(tool) => tool.key.is_limited.then(|| tool.key.id.clone()),
            Caller::Session(_) => None,
        }
    }

    /// The user to whom the caller's key is bound. That of a holder of a key is known if this process has seen the key.
    pub(crate) fn bound_user(&self, store: &Store, now: Timestamp) -> Option<ExternalRef> {
        match self {
            Caller::Key(key) => store.seen_key_user(key.customer, &key.hash, now),
            Caller::Tool(tool) => tool.key.external_ref.clone(),
            Caller::Session(_) => None,
        }
    }

    /// Admits a request on these terms.
    pub(crate) async fn admit(&self, store: &Store, now: Timestamp, terms: Terms) -> Result<Authenticated, Error> {
        match self {
            Caller::Key(key) => authenticate(store, key, now, terms).await,
            Caller::Tool(tool) => Ok(tool.admitted(now)),
            Caller::Session(person) => person.admit(store, now, terms.slot_until).await,
        }
    }
}

impl ToolCaller {
    /// The admission of the call, once more for a request of its tool.
    fn admitted(&self, now: Timestamp) -> Authenticated {
        Authenticated {
            account: self.account.clone(),
            key: Some(self.key.clone()),
            allowance: self.account.allowance(now),
            rejection: None,
            slot: None,
        }
    }
}

impl SessionCaller {
    /// A page takes a slot if it waits for platforms. It counts against neither rate nor quota, which are about keys
    /// (D45).
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

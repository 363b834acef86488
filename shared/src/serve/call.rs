//! An authenticated request.

use super::ApiRequest;
use super::idempotency::ClaimSlot;
use crate::auth::{Caller, PresentedKey, ToolCaller, invalid_key, unknown_key};
use crate::changes::{RecordedChanges, with_user};
use crate::domain::spending::{Spender, Spendings};
use crate::domain::{
    ApiKeyInfo, ApiKeys, CampaignId, ChangeOrigin, Connection, Customer, CustomerConnections, ExternalRef, Reason,
    Reference, Requester, Resource, Rights, Spending, SpendingLimit, Usage,
};
use crate::error::{Error, Kind};
use crate::store::table_keys::key_digest;
use crate::store::{Account, SpendingState, Store};
use crate::tokens::PlatformContext;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// The operator has replaced all keys and ended all sessions since this request read its own.
const SESSION_ENDED: &str = "Your session has ended. Sign in again.";

/// An authenticated request.
pub struct Call {
    pub request: ApiRequest,
    pub caller: Caller,
    pub customer: Customer,
    pub keys: ApiKeys,
    /// The usage of the billing period, including this request.
    pub usage: Usage,
    /// The connections that the request is about, as far as the caller's rights include them, and their grants.
    pub connected: CustomerConnections,
    /// The number of the customer's connections, without PENDING ones.
    pub connection_count: usize,
    /// The spending of the request's key, if the key has a limit, and the turn of the campaign that the path names.
    pub spending: Option<SpendingState>,
    /// What the caller may see and change. Handlers ask [`Call::visible`] and [`Call::require_visible`].
    pub(super) rights: Rights,
    /// The changes that the request has recorded. The response names them in `Change-Id`.
    pub recorded: Arc<RecordedChanges>,
    pub(super) claim: Arc<ClaimSlot>,
    /// The reference of the request, once its body is read.
    pub(super) reference: Arc<OnceLock<Reference>>,
}

impl Call {
    /// The key of the request among these keys: that of its caller, or the one that a person names, if any. An error if
    /// it is not one of them any more.
    pub fn current_key<'a>(&self, keys: &'a ApiKeys) -> Result<Option<&'a ApiKeyInfo>, Error> {
        match &self.caller {
            Caller::Key(key) => self.own_key(keys, key).map(Some),
            Caller::Tool(tool) => {
                let current = keys.all().iter().find(|key| key.id == tool.key.id);
                current.ok_or_else(unknown_key).map(Some)
            }
            Caller::Session(person) => {
                if keys.replaced_at() != self.keys.replaced_at() {
                    return Err(Error::new(Kind::Unauthorized, SESSION_ENDED).because(Reason::SessionEnded));
                }
                let Some(id) = &person.key else { return Ok(None) };
                let named = keys.all().iter().find(|key| key.id == *id);
                named.ok_or_else(|| Error::not_found("API key")).map(Some)
            }
        }
    }

    fn own_key<'a>(&self, keys: &'a ApiKeys, key: &PresentedKey) -> Result<&'a ApiKeyInfo, Error> {
        let now = self.request.now;
        keys.find(&key.hash, now).ok_or_else(|| invalid_key(keys, key, now))
    }

    /// Who asks for the changes of this request.
    pub fn requester(&self) -> Result<Requester, Error> {
        match &self.caller {
            Caller::Key(key) => {
                let key = self.own_key(&self.keys, key)?;
                Ok(Requester::ApiKey { id: key.id.clone(), name: key.name.clone() })
            }
            Caller::Tool(tool) => Ok(Requester::ApiKey { id: tool.key.id.clone(), name: tool.key.name.clone() }),
            Caller::Session(person) => Ok(Requester::Person { id: person.person.clone(), email: person.email.clone() }),
        }
    }

    /// Who asks for the changes of this request, and as what. All attempts under one `Idempotency-Key` are one request.
    pub fn origin(&self, reference: Option<Reference>) -> Result<ChangeOrigin, Error> {
        let (request, _) = self.first_request();
        let key_digest = self.request.scoped_idempotency_key()?.as_deref().map(key_digest);
        Ok(ChangeOrigin { request, requested_by: self.requester()?, reference, key_digest })
    }

    /// Notes the reference of the request for its entry in the usage log.
    pub fn note_reference(&self, reference: Option<&Reference>) {
        if let Some(reference) = reference {
            // A request has one, so the slot is empty or has the same.
            let _ = self.reference.set(reference.clone());
        }
    }

    /// The caller of the requests that a tool makes for this call.
    pub fn tool_caller(&self) -> Result<ToolCaller, Error> {
        let key = self.current_key(&self.keys)?.ok_or_else(unknown_key)?.clone();
        let account = Account {
            keys: self.keys.clone(),
            usage: self.usage,
            connections: self.connection_count,
            ..Account::without_key(self.customer.clone())
        };
        Ok(ToolCaller { account, key, mode: self.caller.mode() })
    }

    /// The user for whom the request acts, if it acts for one: by its header, its query, or its key (D159).
    pub fn user(&self) -> Option<&ExternalRef> {
        self.request.user()
    }

    /// The spending of the request's key, if the key has a limit.
    pub fn key_spending(&self) -> Option<&Spending> {
        self.spending.as_ref()?.spendings.key()
    }

    /// A spending as the caller may see it: the limit of a key may name connections that the caller does not see.
    pub fn visible_spending(&self, spending: &Spending) -> Spending {
        let visible = |limit: &SpendingLimit| SpendingLimit {
            connections: self.visible(limit.connections.iter().cloned()).collect(),
            ..limit.clone()
        };
        Spending { limit: spending.limit.as_ref().map(visible), ..spending.clone() }
    }

    /// What a change of a campaign in this connection counts against, and the turn of the campaign. Read the campaign after
    /// it.
    pub async fn spending_in(
        &self,
        connection: &Connection,
        campaign: &CampaignId,
    ) -> Result<Option<SpendingState>, Error> {
        let (known, now) = (self.spending.clone(), self.request.now);
        with_user(self.store(), self.customer.id, known, connection, Some(campaign), now).await
    }

    /// What creates in these connections count against.
    pub async fn spendings_in<'a>(
        &self,
        connections: impl IntoIterator<Item = &'a Connection>,
    ) -> Result<Spendings, Error> {
        let users: BTreeSet<&str> =
            connections.into_iter().filter_map(|one| one.external_ref.as_ref().map(ExternalRef::as_str)).collect();
        let users: Vec<Spender> = users.into_iter().filter_map(ExternalRef::parse).map(Spender::User).collect();
        let of_users = self.store().spending_state(self.customer.id, &users, None).await?.in_force()?;
        let of_users = of_users.map(|state| state.spendings).unwrap_or_default();
        Ok(self.key_spending().into_iter().chain(of_users.iter()).cloned().collect())
    }

    /// Whether the caller sees all connections of the customer.
    pub fn sees_everything(&self) -> bool {
        self.rights.include_everything()
    }

    /// Whether the caller sees all connections of the customer, or all of the user for whom it acts.
    pub fn sees_all_it_asks_for(&self) -> bool {
        self.rights.limit().is_none()
    }

    /// What the caller may see and change, out of what the handler has read itself. Those of `connected` have passed.
    pub fn visible<T: Resource>(&self, found: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        found.into_iter().filter(|one| self.rights.include(one))
    }

    /// A resource that the handler has read, if the caller may see and change it; otherwise 404, as if it did not
    /// exist.
    pub fn require_visible<T: Resource>(&self, found: T, kind: &str) -> Result<T, Error> {
        if self.rights.include(&found) { Ok(found) } else { Err(Error::not_found(kind)) }
    }

    /// Whether a resource is of the user for whom the request acts, whatever the limit of the key; always, if it acts for
    /// none.
    pub fn is_of_user(&self, found: &impl Resource) -> bool {
        self.rights.user_has(found)
    }

    /// The context of platform calls for this customer.
    pub fn platform_context(&self) -> PlatformContext<'_> {
        PlatformContext {
            app: &self.request.app,
            outbound: &self.request.app.outbound,
            customer: self.customer.id,
            connected: &self.connected,
            now: self.request.now,
            deadline: self.request.deadline,
        }
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.request.app.store
    }
}

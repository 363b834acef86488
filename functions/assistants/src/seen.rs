//! Reads an assistant, and decides whether it may get tokens.

use crate::pkce::is_verifier_of;
use crate::refusal::{Failure, Refusal};
use jiff::Timestamp;
use shared::domain::{ApiKeyInfo, Assistant, ClientKey, CustomerId, KeyId};
use shared::serve::ApiRequest;
use shared::store::Account;
use subtle::ConstantTimeEq;

/// An assistant with its account, read at once. The two are no snapshot: a record may be newer than its key.
pub(crate) struct Seen {
    pub(crate) account: Account,
    pub(crate) assistant: Assistant,
    pub(crate) key: ApiKeyInfo,
}

impl Seen {
    /// Reads an assistant. The refusal of one that is not there is that of a token which has ended.
    pub(crate) async fn read(request: &ApiRequest, customer: CustomerId, key: &KeyId) -> Result<Seen, Failure> {
        let read = request.app.store.account_and_assistant(customer, key, request.now).await?;
        let (Some(account), Some(assistant)) = read else { return Err(Refusal::invalid_grant().into()) };
        let key = account.keys.all().iter().find(|known| known.id == *key && known.is_of_assistant).cloned();
        let key = key.ok_or_else(Refusal::invalid_grant)?;
        Ok(Seen { account, assistant, key })
    }

    /// Refuses another client than the one that the person has allowed.
    pub(crate) fn check_client(&self, client: &ClientKey) -> Result<(), Refusal> {
        if self.assistant.client == *client { Ok(()) } else { Err(Refusal::invalid_grant()) }
    }

    /// Refuses what is not of the request to which the person has said yes.
    pub(crate) fn check_request(&self, redirect_uri: &str, verifier: &str) -> Result<(), Refusal> {
        let Assistant { redirect_uri: own, code, .. } = &self.assistant;
        let fits = own == redirect_uri && is_verifier_of(verifier, &code.challenge);
        if fits { Ok(()) } else { Err(Refusal::invalid_grant()) }
    }

    /// Whether tokens with a mark may still work. Compares in constant time.
    pub(crate) fn has_mark(&self, mark: &str) -> bool {
        self.key.hash.as_bytes().ct_eq(mark.as_bytes()).into()
    }

    /// Refuses an assistant whose tokens would not work: its key is stopped or expired, or the account is disabled. The
    /// host asks its person to sign in, instead of trying again and again.
    pub(crate) fn check_usable(&self, now: Timestamp) -> Result<(), Refusal> {
        let is_valid = self.account.keys.find(&self.key.hash, now).is_some();
        if is_valid && !self.account.customer.disabled { Ok(()) } else { Err(Refusal::invalid_grant()) }
    }
}

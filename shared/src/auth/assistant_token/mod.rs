//! What an assistant holds: the code of a consent, access tokens and refresh tokens. Each is a prefix, the customer's id, a
//! dot, and a value that the vault has sealed for it. The table keeps none of them.

use super::{Mode, PresentedKey};
use crate::domain::{CustomerId, KeyId};
use crate::error::{Error, Kind};
use crate::secrets::ReloadingVault;
use crate::vault::{Binding, VaultError};
use jiff::{SignedDuration, Timestamp};
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;
use uuid::Uuid;

/// An access token is valid for so long. Stop, sign-out and removal end it at once.
pub const ACCESS_LIFETIME: SignedDuration = SignedDuration::from_hours(8);
/// Length of a customer's id in a token.
const CUSTOMER_LENGTH: usize = 32;

/// What a token is for. One never stands for another: each has its own prefix, to which the vault binds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Code,
    Access,
    Refresh,
}

/// A token without its form: the customer and the environment that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenOwner {
    pub customer: CustomerId,
    pub mode: Mode,
}

/// The code that leads from a consent to tokens, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentCode {
    pub owner: TokenOwner,
    pub key: KeyId,
    /// The id of the code in the record of the assistant.
    pub id: String,
}

/// A token for the endpoint of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessToken {
    pub owner: TokenOwner,
    pub key: KeyId,
    /// The mark of the assistant's key when the token was made.
    pub mark: String,
    pub expires_at: Timestamp,
}

/// A token that leads to the next tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefreshToken {
    pub owner: TokenOwner,
    pub key: KeyId,
    /// The mark of the assistant's key when the token was made.
    pub mark: String,
    /// The number of refreshes before it.
    pub generation: u64,
}

/// A token that an assistant sends back to be revoked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssuedToken {
    Access(AccessToken),
    Refresh(RefreshToken),
}

impl Use {
    /// What the token begins with.
    fn prefix(self, mode: Mode) -> &'static str {
        match (self, mode) {
            (Use::Code, Mode::Live) => "uao_live_",
            (Use::Code, Mode::Test) => "uao_test_",
            (Use::Access, Mode::Live) => "uat_live_",
            (Use::Access, Mode::Test) => "uat_test_",
            (Use::Refresh, Mode::Live) => "uar_live_",
            (Use::Refresh, Mode::Test) => "uar_test_",
        }
    }

    async fn seal(self, vault: &ReloadingVault, owner: TokenOwner, parts: &[&str]) -> Result<SecretString, Error> {
        let customer = owner.customer.to_string();
        let plain = SecretString::from(parts.join("|"));
        let sealed = vault.seal(self.binding(&customer, owner.mode), &plain).await.map_err(Error::internal)?;
        Ok(format!("{}{}.{sealed}", self.prefix(owner.mode), owner.customer.0.simple()).into())
    }

    /// The owner and the parts of a token; `None` for a text that this service has not made for this use.
    async fn open(self, vault: &ReloadingVault, text: &str) -> Result<Option<(TokenOwner, Vec<String>)>, Error> {
        let Some((owner, sealed)) = self.split(text) else { return Ok(None) };
        let customer = owner.customer.to_string();
        match vault.open_of_anyone(self.binding(&customer, owner.mode), sealed).await {
            Ok(plain) => Ok(Some((owner, plain.expose_secret().split('|').map(str::to_owned).collect()))),
            Err(VaultError::InvalidValue | VaultError::UnknownKey) => Ok(None),
            Err(VaultError::NewerRingUnavailable) => Err(unavailable()),
            Err(error) => Err(Error::internal(error)),
        }
    }

    fn split(self, text: &str) -> Option<(TokenOwner, &str)> {
        let mode = [Mode::Live, Mode::Test].into_iter().find(|mode| text.starts_with(self.prefix(*mode)))?;
        let (customer, sealed) = text[self.prefix(mode).len()..].split_once('.')?;
        let is_simple = customer.len() == CUSTOMER_LENGTH
            && customer.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        let customer = is_simple.then(|| Uuid::try_parse(customer).ok())??;
        Some((TokenOwner { customer: CustomerId(customer), mode }, sealed))
    }

    fn binding(self, customer: &str, mode: Mode) -> Binding<'_> {
        Binding { customer, record: "assistant", field: self.prefix(mode) }
    }
}

impl ConsentCode {
    /// The text of the code.
    pub async fn seal(&self, vault: &ReloadingVault) -> Result<SecretString, Error> {
        Use::Code.seal(vault, self.owner, &[&self.key.0, &self.id]).await
    }

    /// Reads a code; `None` for a text that is none.
    pub async fn open(vault: &ReloadingVault, text: &str) -> Result<Option<ConsentCode>, Error> {
        let Some((owner, parts)) = Use::Code.open(vault, text).await? else { return Ok(None) };
        Ok(match <[String; 2]>::try_from(parts) {
            Ok([key, id]) => Some(ConsentCode { owner, key: KeyId(key), id }),
            Err(_) => None,
        })
    }
}

impl AccessToken {
    /// Whether a text has the form of an access token.
    pub fn has_form(text: &str) -> bool {
        Use::Access.split(text).is_some()
    }

    /// The text of the token.
    pub async fn seal(&self, vault: &ReloadingVault) -> Result<SecretString, Error> {
        let end = self.expires_at.as_second().to_string();
        Use::Access.seal(vault, self.owner, &[&self.mark, &self.key.0, &end]).await
    }

    /// Reads a token, also one that has ended; `None` for a text that is none.
    pub async fn open(vault: &ReloadingVault, text: &str) -> Result<Option<AccessToken>, Error> {
        let Some((owner, parts)) = Use::Access.open(vault, text).await? else { return Ok(None) };
        let Ok([mark, key, end]) = <[String; 3]>::try_from(parts) else { return Ok(None) };
        let end = end.parse().ok().and_then(|second| Timestamp::from_second(second).ok());
        Ok(end.map(|expires_at| AccessToken { owner, key: KeyId(key), mark, expires_at }))
    }

    /// The key that the token presents; `None` once it has ended.
    pub fn presents(&self, now: Timestamp) -> Option<PresentedKey> {
        let TokenOwner { customer, mode } = self.owner;
        let presented = PresentedKey { customer, hash: self.mark.clone(), mode, is_of_assistant: true };
        (now < self.expires_at).then_some(presented)
    }
}

impl RefreshToken {
    /// The text of the token.
    pub async fn seal(&self, vault: &ReloadingVault) -> Result<SecretString, Error> {
        let generation = self.generation.to_string();
        Use::Refresh.seal(vault, self.owner, &[&self.mark, &self.key.0, &generation]).await
    }

    /// Reads a token; `None` for a text that is none.
    pub async fn open(vault: &ReloadingVault, text: &str) -> Result<Option<RefreshToken>, Error> {
        let Some((owner, parts)) = Use::Refresh.open(vault, text).await? else { return Ok(None) };
        let Ok([mark, key, generation]) = <[String; 3]>::try_from(parts) else { return Ok(None) };
        let generation = generation.parse().ok();
        Ok(generation.map(|generation| RefreshToken { owner, key: KeyId(key), mark, generation }))
    }
}

impl IssuedToken {
    /// Reads a token of either kind; `None` for a text that is none.
    pub async fn open(vault: &ReloadingVault, text: &str) -> Result<Option<IssuedToken>, Error> {
        if let Some(token) = RefreshToken::open(vault, text).await? {
            return Ok(Some(IssuedToken::Refresh(token)));
        }
        Ok(AccessToken::open(vault, text).await?.map(IssuedToken::Access))
    }

    /// The owner, the key, and its mark when the token was made.
    pub fn parts(&self) -> (TokenOwner, &KeyId, &str) {
        match self {
            IssuedToken::Access(token) => (token.owner, &token.key, &token.mark),
            IssuedToken::Refresh(token) => (token.owner, &token.key, &token.mark),
        }
    }
}

/// The length of the token of any use with which a text begins; `None` for another text.
pub(super) fn token_length(text: &str) -> Option<usize> {
    let (_, rest) = [Use::Code, Use::Access, Use::Refresh].into_iter().find_map(|of| of.split(text))?;
    let is_sealed = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let sealed = rest.bytes().take_while(is_sealed).count();
    (sealed > 0).then(|| text.len() - rest.len() + sealed)
}

/// The error while a newer key ring cannot be read. A token is never called invalid for it.
fn unavailable() -> Error {
    let message =
        "The token cannot be checked at the moment. Send the request again in a minute; the token stays valid.";
    Error::new(Kind::Internal, message).retryable().retry_after(Duration::from_secs(30))
}

#[cfg(test)]
mod tests;

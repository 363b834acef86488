//! The codes, grants and tokens of a platform.

use super::grant::{CodeError, CodeExchange, Consent, Grant, TokenError};
use super::pkce::verifies;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Code {
    consent: Consent,
    expires: i64,
    /// The grant of its exchange. A code is valid once.
    grant: Option<u64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct AccessToken {
    pub(super) grant: u64,
    expires: i64,
}

/// The codes, grants and tokens of a platform. Times are Unix seconds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Grants {
    pub(super) codes: BTreeMap<String, Code>,
    pub(super) grants: BTreeMap<u64, Grant>,
    pub(super) access: BTreeMap<String, AccessToken>,
    pub(super) refresh: BTreeMap<String, u64>,
    /// Every code and token of this run with its kind, revoked and expired ones too. Tests search for them in places
    /// that must not hold secrets.
    #[serde(skip)]
    issued: Vec<(&'static str, String)>,
}

impl Grants {
    /// Stores a code that expires at `expires`.
    pub(crate) fn add_code(&mut self, code: &str, consent: Consent, expires: i64) {
        self.issued.push(("authorization_code", code.to_owned()));
        self.codes.insert(code.to_owned(), Code { consent, expires, grant: None });
    }

    /// Exchanges a code and returns the id of the new grant. A second exchange of a code revokes its grant (RFC 6749
    /// section 4.1.2).
    pub(crate) fn exchange_code(&mut self, exchange: &CodeExchange<'_>, now: i64) -> Result<u64, CodeError> {
        let code = self.codes.get_mut(exchange.code).ok_or(CodeError::Invalid)?;
        if code.consent.client != exchange.client {
            return Err(CodeError::Invalid);
        }
        if let Some(grant) = code.grant {
            self.revoke_grant(grant);
            return Err(CodeError::Invalid);
        }
        if code.expires <= now {
            return Err(CodeError::Invalid);
        }
        if code.consent.redirect_uri != exchange.redirect_uri {
            return Err(CodeError::RedirectUri);
        }
        match (code.consent.challenge.as_deref(), exchange.verifier) {
            (Some(_), None) => return Err(CodeError::VerifierMissing),
            (None, Some(_)) => return Err(CodeError::VerifierUnexpected),
            (Some(challenge), Some(verifier)) if !verifies(verifier, challenge) => {
                return Err(CodeError::VerifierMismatch);
            }
            _ => {}
        }
        let number = self.grants.last_key_value().map_or(1, |(last, _)| last + 1);
        code.grant = Some(number);
        self.grants.insert(number, Grant { consent: code.consent.clone(), revoked: false, lost: Vec::new() });
        Ok(number)
    }

    pub(crate) fn grant(&self, id: u64) -> Option<&Grant> {
        self.grants.get(&id)
    }

    /// The scopes of a grant.
    pub(crate) fn scopes(&self, id: u64) -> &[String] {
        self.grants.get(&id).map_or(&[], |grant| &grant.consent.scopes)
    }

    /// True if a client has a valid refresh token.
    pub(crate) fn has_refresh_token(&self, client: &str) -> bool {
        self.refresh
            .values()
            .filter_map(|number| self.grants.get(number))
            .any(|grant| !grant.revoked && grant.consent.client == client)
    }

    /// Stores a new access token that lives for `ttl` seconds.
    pub(crate) fn add_access_token(&mut self, token: &str, grant: u64, now: i64, ttl: i64) {
        // A token becomes unknown a day after its expiry, so that the file does not grow.
        self.access.retain(|_, known| known.expires > now - 86_400);
        self.issued.push(("access_token", token.to_owned()));
        self.access.insert(token.to_owned(), AccessToken { grant, expires: now.saturating_add(ttl) });
    }

    /// Stores a new refresh token.
    pub(crate) fn add_refresh_token(&mut self, token: &str, grant: u64) {
        self.issued.push(("refresh_token", token.to_owned()));
        self.refresh.insert(token.to_owned(), grant);
    }

    /// Every code and token of this run with its kind, oldest first.
    pub(crate) fn issued(&self) -> &[(&'static str, String)] {
        &self.issued
    }

    /// Removes a rotated refresh token. The grant stays.
    pub(crate) fn remove_refresh_token(&mut self, token: &str) {
        self.refresh.remove(token);
    }

    /// Removes an access token. The grant stays.
    pub(crate) fn remove_access_token(&mut self, token: &str) {
        self.access.remove(token);
    }

    /// True if a token is a refresh token.
    pub(crate) fn is_refresh_token(&self, token: &str) -> bool {
        self.refresh.contains_key(token)
    }

    /// The grant of a valid access token.
    pub(crate) fn find_by_access_token(&self, token: &str, now: i64) -> Result<&Grant, TokenError> {
        let access = self.access.get(token).ok_or(TokenError::Unknown)?;
        let grant = self.grants.get(&access.grant).ok_or(TokenError::Unknown)?;
        if grant.revoked {
            return Err(TokenError::Revoked);
        }
        if access.expires <= now { Err(TokenError::Expired) } else { Ok(grant) }
    }

    /// Id of the grant of an access token, valid or not.
    pub(crate) fn grant_id(&self, token: &str) -> Option<u64> {
        self.access.get(token).map(|access| access.grant)
    }

    /// Expiry of an access token.
    pub(crate) fn access_token_expiry(&self, token: &str) -> Option<i64> {
        self.access.get(token).map(|access| access.expires)
    }

    /// Id of the grant of a valid refresh token that was issued to `client`.
    pub(crate) fn find_by_refresh_token(&self, token: &str, client: &str) -> Result<u64, TokenError> {
        let number = *self.refresh.get(token).ok_or(TokenError::Unknown)?;
        let grant = self.grants.get(&number).ok_or(TokenError::Unknown)?;
        if grant.consent.client != client {
            return Err(TokenError::Unknown);
        }
        if grant.revoked { Err(TokenError::Revoked) } else { Ok(number) }
    }
}

#[cfg(test)]
impl Grants {
    /// Issues the access token `token`, so that tests of an API need no consent page.
    pub(crate) fn open(&mut self, client: &str, accounts: Vec<String>, scopes: &[&str], now: i64, ttl: i64) {
        let consent = Consent {
            client: client.to_owned(),
            redirect_uri: String::new(),
            scopes: scopes.iter().map(|&scope| scope.to_owned()).collect(),
            declined: Vec::new(),
            accounts,
            challenge: None,
            refreshable: true,
        };
        self.add_code("code", consent, now + 1);
        let exchange = CodeExchange { code: "code", client, redirect_uri: "", verifier: None };
        let grant = self.exchange_code(&exchange, now).unwrap();
        self.add_access_token("token", grant, now, ttl);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    fn grants(challenge: Option<&str>) -> Grants {
        let consent = Consent {
            client: "client".to_owned(),
            redirect_uri: "https://app.example/cb".to_owned(),
            scopes: Vec::new(),
            declined: Vec::new(),
            accounts: Vec::new(),
            challenge: challenge.map(str::to_owned),
            refreshable: true,
        };
        let mut grants = Grants::default();
        grants.add_code("code", consent, 600);
        grants
    }

    fn exchange(verifier: Option<&'static str>) -> CodeExchange<'static> {
        let redirect_uri = "https://app.example/cb";
        CodeExchange { code: "code", client: "client", redirect_uri, verifier }
    }

    #[test]
    fn a_replayed_code_revokes_its_grant() {
        let mut grants = grants(None);
        let number = grants.exchange_code(&exchange(None), 0).unwrap();
        grants.add_access_token("token", number, 0, 3599);
        assert!(grants.find_by_access_token("token", 1).is_ok());
        assert_eq!(grants.exchange_code(&exchange(None), 2), Err(CodeError::Invalid));
        assert_eq!(grants.find_by_access_token("token", 3).err(), Some(TokenError::Revoked));
    }

    #[test]
    fn an_expired_code_another_client_or_redirect_uri_is_rejected() {
        let mut grants = grants(None);
        assert_eq!(grants.exchange_code(&exchange(None), 600), Err(CodeError::Invalid));
        let other = CodeExchange { client: "other", ..exchange(None) };
        assert_eq!(grants.exchange_code(&other, 0), Err(CodeError::Invalid));
        let other = CodeExchange { redirect_uri: "https://app.example/cb/", ..exchange(None) };
        assert_eq!(grants.exchange_code(&other, 0), Err(CodeError::RedirectUri));
        assert!(grants.exchange_code(&exchange(None), 599).is_ok());
    }

    #[test]
    fn a_verifier_is_required_if_and_only_if_there_is_a_challenge() {
        let mut with = grants(Some(CHALLENGE));
        assert_eq!(with.exchange_code(&exchange(None), 0), Err(CodeError::VerifierMissing));
        assert_eq!(with.exchange_code(&exchange(Some("wrong")), 0), Err(CodeError::VerifierMismatch));
        assert!(with.exchange_code(&exchange(Some(VERIFIER)), 0).is_ok());
        let unexpected = grants(None).exchange_code(&exchange(Some(VERIFIER)), 0);
        assert_eq!(unexpected, Err(CodeError::VerifierUnexpected));
    }

    #[test]
    fn revoking_an_access_token_revokes_its_refresh_token_once() {
        let mut grants = grants(None);
        let number = grants.exchange_code(&exchange(None), 0).unwrap();
        grants.add_access_token("access", number, 0, 3599);
        grants.add_refresh_token("refresh", number);
        assert!(grants.has_refresh_token("client"));
        assert!(grants.revoke("access"));
        assert!(!grants.revoke("refresh"));
        assert_eq!(grants.find_by_refresh_token("refresh", "client"), Err(TokenError::Revoked));
        assert!(!grants.has_refresh_token("client"));
    }
}

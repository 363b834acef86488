//! Access tokens, permissions and the objects that they grant access to.
//!
//! Facebook Login: Access Tokens, Error Handling; Graph API: Secure Requests.

use super::error::GraphError;
use super::params::Params;
use super::state::{Beta, CLIENT};
use crate::http::Request;
use crate::oauth::{Consent, TokenError};
use jiff::Timestamp;
use ring::hmac;

/// Permission to read and write ads.
pub(crate) const MANAGE: &str = "ads_management";
/// Permission to read ads.
pub(crate) const READ: &str = "ads_read";

/// The holder of a valid token.
#[derive(Debug)]
pub(crate) struct Caller {
    pub(crate) token: String,
    pub(crate) consent: Consent,
}

/// The token of a request, from the bearer header or the parameter `access_token`.
pub(crate) fn token(request: &Request, params: &Params) -> Option<String> {
    let header = request.header("authorization").and_then(|header| {
        let (kind, token) = header.split_once(' ')?;
        kind.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
    });
    header.or_else(|| params.string("access_token").map(str::to_owned))
}

/// Authenticates a request. `appsecret_proof` is optional, but has to be valid if sent.
pub(crate) fn caller(beta: &Beta, request: &Request, params: &Params, now: Timestamp) -> Result<Caller, GraphError> {
    let missing = || GraphError::new(400, 104, "An access token is required to request this resource.");
    let token = token(request, params).ok_or_else(missing)?;
    if params.string("appsecret_proof").is_some_and(|sent| sent != proof(&token)) {
        return Err(GraphError::invalid_proof());
    }
    let consent = consent(beta, &token, now)?.clone();
    Ok(Caller { token, consent })
}

/// The consent behind a token. The HTTP statuses of the errors differ on purpose: Meta documents only code and
/// subcode.
pub(crate) fn consent<'b>(beta: &'b Beta, token: &str, now: Timestamp) -> Result<&'b Consent, GraphError> {
    match beta.grants.find_by_access_token(token, now.as_second()) {
        Ok(grant) => Ok(&grant.consent),
        Err(TokenError::Expired) => {
            Err(GraphError::invalid_token(400, 463, "Session has expired. The token has to be renewed."))
        }
        Err(TokenError::Revoked) => {
            let why = format!("The user has not authorized application {}.", CLIENT.id);
            Err(GraphError::invalid_token(401, 458, &why))
        }
        Err(TokenError::Unknown) => {
            Err(GraphError::new(401, 190, "Invalid OAuth access token - Cannot parse access token"))
        }
    }
}

/// The `appsecret_proof`: HMAC-SHA256 of the token with the app secret, in hex.
pub(crate) fn proof(token: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, CLIENT.secret.as_bytes());
    hex::encode(hmac::sign(&key, token.as_bytes()))
}

impl Caller {
    fn has_scope(&self, scope: &str) -> bool {
        self.consent.scopes.iter().any(|granted| granted == scope)
    }

    /// Rejects a caller without permission to read ads.
    pub(crate) fn check_read(&self) -> Result<(), GraphError> {
        if self.has_scope(MANAGE) || self.has_scope(READ) { Ok(()) } else { Err(GraphError::permission_denied()) }
    }

    /// Rejects a caller without permission to write ads.
    pub(crate) fn check_manage(&self) -> Result<(), GraphError> {
        if self.has_scope(MANAGE) { Ok(()) } else { Err(GraphError::permission_denied()) }
    }

    /// Whether the consent covers an account.
    pub(crate) fn has_account(&self, act: &str) -> bool {
        self.consent.accounts.iter().any(|chosen| chosen == act)
    }

    /// The index of an account. An account outside the consent is a permission error.
    pub(crate) fn account_index(&self, beta: &Beta, method: &str, act: &str) -> Result<usize, GraphError> {
        let index = beta.accounts.iter().position(|account| account.act() == act);
        let index = index.ok_or_else(|| GraphError::not_found(method, act))?;
        if self.has_account(act) { Ok(index) } else { Err(GraphError::permission_denied()) }
    }

    /// The index of a campaign's account, and the campaign's id. A campaign outside the consent is not found.
    pub(crate) fn campaign_index(&self, beta: &Beta, method: &str, id: &str) -> Result<(usize, u64), GraphError> {
        let number = id.parse::<u64>().ok().filter(|number| number.to_string() == id);
        let found = number.and_then(|number| Some((beta.account_of(number)?, number)));
        let is_granted =
            |index: usize| beta.accounts.get(index).is_some_and(|account| self.has_account(&account.act()));
        found.filter(|(index, _)| is_granted(*index)).ok_or_else(|| GraphError::not_found(method, id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_64_hex_digits_that_depend_on_the_token() {
        let proof = proof("token");
        assert_eq!(proof.len(), 64);
        assert!(proof.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)));
        assert_ne!(proof, super::proof("other"));
    }
}

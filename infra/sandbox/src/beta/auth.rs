//! Who calls, and what they may reach.
//!
//! Facebook Login: Access Tokens, Error Handling; Graph API: Secure Requests.

use jiff::Timestamp;
use ring::hmac;

use super::error::GraphError;
use super::params::Params;
use super::{Beta, CLIENT};
use crate::http::Request;
use crate::oauth::{Consent, Dead};

/// Either scope reads; only the first changes.
pub(crate) const MANAGE: &str = "ads_management";
pub(crate) const READ: &str = "ads_read";

/// Someone with a token that works.
#[derive(Debug)]
pub(crate) struct Caller {
    pub(crate) token: String,
    pub(crate) consent: Consent,
}

/// The token of a request: in a bearer header, or the parameter `access_token`.
pub(crate) fn token(request: &Request, params: &Params) -> Option<String> {
    let header = request.header("authorization").and_then(|header| {
        let (kind, token) = header.split_once(' ')?;
        kind.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
    });
    header.or_else(|| params.text("access_token").map(str::to_owned))
}

/// The caller of a request. A proof is checked when it is sent.
pub(crate) fn caller(beta: &Beta, request: &Request, params: &Params, now: Timestamp) -> Result<Caller, GraphError> {
    let missing = || GraphError::new(400, 104, "An access token is required to request this resource.");
    let token = token(request, params).ok_or_else(missing)?;
    if params.text("appsecret_proof").is_some_and(|sent| sent != proof(&token)) {
        return Err(GraphError::proof());
    }
    let consent = consent(beta, &token, now)?.clone();
    Ok(Caller { token, consent })
}

/// What the bearer of a token was let in to. The statuses differ on purpose: nothing is promised
/// about them, only about code and subcode.
pub(crate) fn consent<'b>(beta: &'b Beta, token: &str, now: Timestamp) -> Result<&'b Consent, GraphError> {
    match beta.grants.by_access(token, now.as_second()) {
        Ok(grant) => Ok(&grant.consent),
        Err(Dead::Expired) => Err(GraphError::token(400, 463, "Session has expired. The token has to be renewed.")),
        Err(Dead::Revoked) => {
            let why = format!("The user has not authorized application {}.", CLIENT.id);
            Err(GraphError::token(401, 458, &why))
        }
        Err(Dead::Unknown) => Err(GraphError::new(401, 190, "Invalid OAuth access token - Cannot parse access token")),
    }
}

/// HMAC-SHA256 of the token under the app secret, in hexadecimal.
pub(crate) fn proof(token: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, CLIENT.secret.as_bytes());
    let tag = hmac::sign(&key, token.as_bytes());
    tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Caller {
    fn holds(&self, scope: &str) -> bool {
        self.consent.scopes.iter().any(|held| held == scope)
    }

    /// Refuses those who may not read ads.
    pub(crate) fn may_read(&self) -> Result<(), GraphError> {
        if self.holds(MANAGE) || self.holds(READ) { Ok(()) } else { Err(GraphError::denied()) }
    }

    /// Refuses those who may not change ads.
    pub(crate) fn may_manage(&self) -> Result<(), GraphError> {
        if self.holds(MANAGE) { Ok(()) } else { Err(GraphError::denied()) }
    }

    /// Whether the consent names an account.
    pub(crate) fn reaches(&self, act: &str) -> bool {
        self.consent.accounts.iter().any(|chosen| chosen == act)
    }

    /// The place of an account; one that was not chosen is named as such.
    pub(crate) fn account(&self, beta: &Beta, method: &str, act: &str) -> Result<usize, GraphError> {
        let at = beta.accounts.iter().position(|account| account.act() == act);
        let at = at.ok_or_else(|| GraphError::no_object(method, act))?;
        if self.reaches(act) { Ok(at) } else { Err(GraphError::denied()) }
    }

    /// The place of a campaign's account, and the campaign's id; what is out of reach is not there.
    pub(crate) fn campaign(&self, beta: &Beta, method: &str, id: &str) -> Result<(usize, u64), GraphError> {
        let number = id.parse::<u64>().ok().filter(|number| number.to_string() == id);
        let found = number.and_then(|number| Some((beta.holder(number)?, number)));
        let reached = |at: usize| beta.accounts.get(at).is_some_and(|account| self.reaches(&account.act()));
        found.filter(|(at, _)| reached(*at)).ok_or_else(|| GraphError::no_object(method, id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_64_hexadecimal_digits_of_the_token() {
        let proof = proof("token");
        assert_eq!(proof.len(), 64);
        assert!(proof.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)));
        assert_ne!(proof, super::proof("other"));
    }
}

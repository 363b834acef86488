//! Codes, grants and tokens of one platform.

use super::{bearer, verifies};
use crate::http::{Pairs, Request};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a person agreed to.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Consent {
    pub(crate) client: String,
    pub(crate) redirect_uri: String,
    pub(crate) scopes: Vec<String>,
    /// Ids of the ad accounts that were chosen.
    pub(crate) accounts: Vec<String>,
    /// PKCE challenge, when the client sent one.
    pub(crate) challenge: Option<String>,
    /// Whether a refresh token comes with it.
    pub(crate) refreshable: bool,
}

/// A consent whose code was redeemed; every token belongs to one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Grant {
    pub(crate) consent: Consent,
    pub(crate) revoked: bool,
    /// Ad accounts of the consent that its person has lost access to.
    #[serde(default)]
    lost: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Code {
    consent: Consent,
    expires: i64,
    /// The grant that came of it: a code is good once.
    grant: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Access {
    grant: u64,
    expires: i64,
}

/// What a client presents with a code.
pub(crate) struct Redemption<'a> {
    pub(crate) code: &'a str,
    pub(crate) client: &'a str,
    pub(crate) redirect_uri: &'a str,
    pub(crate) verifier: Option<&'a str>,
}

/// Why a code is not taken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Unknown, of another client, expired or used: the client is not told which.
    Code,
    /// Not the address of the authorize request, character by character.
    RedirectUri,
    /// A challenge was sent, but no verifier.
    VerifierMissing,
    /// The verifier is not the challenge's.
    VerifierWrong,
    /// A verifier without a challenge: someone put another's code in (RFC 9700 section 4.8.2).
    VerifierNeedless,
}

/// Why a token is not taken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Dead {
    Unknown,
    Expired,
    Revoked,
}

/// Everything issued. Times are Unix seconds.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Grants {
    codes: BTreeMap<String, Code>,
    grants: BTreeMap<u64, Grant>,
    access: BTreeMap<String, Access>,
    refresh: BTreeMap<String, u64>,
    /// Every code and token of this run with its kind, the dead ones too: what a test looks for in
    /// places where no secret belongs.
    #[serde(skip)]
    issued: Vec<(&'static str, String)>,
}

impl Grants {
    /// Keeps a code until `expires`.
    pub(crate) fn add_code(&mut self, code: &str, consent: Consent, expires: i64) {
        self.issued.push(("authorization_code", code.to_owned()));
        self.codes.insert(code.to_owned(), Code { consent, expires, grant: None });
    }

    /// Makes a grant of a code. A code that comes again takes the tokens issued for it with it
    /// (RFC 6749 section 4.1.2).
    pub(crate) fn redeem(&mut self, asked: &Redemption<'_>, now: i64) -> Result<u64, Refusal> {
        let code = self.codes.get_mut(asked.code).ok_or(Refusal::Code)?;
        if code.consent.client != asked.client {
            return Err(Refusal::Code);
        }
        if let Some(grant) = code.grant {
            self.kill(grant);
            return Err(Refusal::Code);
        }
        if code.expires <= now {
            return Err(Refusal::Code);
        }
        if code.consent.redirect_uri != asked.redirect_uri {
            return Err(Refusal::RedirectUri);
        }
        match (code.consent.challenge.as_deref(), asked.verifier) {
            (Some(_), None) => return Err(Refusal::VerifierMissing),
            (None, Some(_)) => return Err(Refusal::VerifierNeedless),
            (Some(challenge), Some(verifier)) if !verifies(verifier, challenge) => {
                return Err(Refusal::VerifierWrong);
            }
            _ => {}
        }
        let number = self.grants.last_key_value().map_or(1, |(last, _)| last + 1);
        code.grant = Some(number);
        self.grants.insert(number, Grant { consent: code.consent.clone(), revoked: false, lost: Vec::new() });
        Ok(number)
    }

    pub(crate) fn grant(&self, number: u64) -> Option<&Grant> {
        self.grants.get(&number)
    }

    /// Whether a client holds a refresh token that still works.
    pub(crate) fn has_refresh(&self, client: &str) -> bool {
        self.refresh
            .values()
            .filter_map(|number| self.grants.get(number))
            .any(|grant| !grant.revoked && grant.consent.client == client)
    }

    pub(crate) fn add_access(&mut self, token: &str, grant: u64, now: i64, expires: i64) {
        // A token that expired a day ago may be called unknown; the file need not grow for it.
        self.access.retain(|_, known| known.expires > now - 86_400);
        self.issued.push(("access_token", token.to_owned()));
        self.access.insert(token.to_owned(), Access { grant, expires });
    }

    pub(crate) fn add_refresh(&mut self, token: &str, grant: u64) {
        self.issued.push(("refresh_token", token.to_owned()));
        self.refresh.insert(token.to_owned(), grant);
    }

    /// Every code and token that was issued in this run, with its kind, oldest first.
    pub(crate) fn issued(&self) -> &[(&'static str, String)] {
        &self.issued
    }

    /// Makes one refresh token worthless and leaves its grant alone: another took its place.
    pub(crate) fn drop_refresh(&mut self, token: &str) {
        self.refresh.remove(token);
    }

    /// Makes one access token worthless and leaves its grant alone.
    pub(crate) fn drop_access(&mut self, token: &str) {
        self.access.remove(token);
    }

    /// Whether a token is one that renews others.
    pub(crate) fn is_refresh(&self, token: &str) -> bool {
        self.refresh.contains_key(token)
    }

    /// The grant of an access token that works now.
    pub(crate) fn by_access(&self, token: &str, now: i64) -> Result<&Grant, Dead> {
        let access = self.access.get(token).ok_or(Dead::Unknown)?;
        let grant = self.grants.get(&access.grant).ok_or(Dead::Unknown)?;
        if grant.revoked {
            return Err(Dead::Revoked);
        }
        if access.expires <= now { Err(Dead::Expired) } else { Ok(grant) }
    }

    /// The number of the grant that an access token belongs to, dead or alive.
    pub(crate) fn number(&self, token: &str) -> Option<u64> {
        self.access.get(token).map(|access| access.grant)
    }

    /// When an access token ends, or ended.
    pub(crate) fn expires(&self, token: &str) -> Option<i64> {
        self.access.get(token).map(|access| access.expires)
    }

    /// The grant of a refresh token that works, for the client it was issued to.
    pub(crate) fn by_refresh(&self, token: &str, client: &str) -> Result<u64, Dead> {
        let number = *self.refresh.get(token).ok_or(Dead::Unknown)?;
        let grant = self.grants.get(&number).ok_or(Dead::Unknown)?;
        if grant.consent.client != client {
            return Err(Dead::Unknown);
        }
        if grant.revoked { Err(Dead::Revoked) } else { Ok(number) }
    }

    /// Ends the grant of an access or refresh token, and every token of it. False when there was
    /// nothing to end.
    pub(crate) fn revoke(&mut self, token: &str) -> bool {
        let number = self.refresh.get(token).copied();
        let number = number.or_else(|| self.access.get(token).map(|access| access.grant));
        number.is_some_and(|number| self.kill(number))
    }

    /// Lets everybody lose access to an ad account, or have it again. The grants themselves live on.
    pub(crate) fn set_access(&mut self, account: &str, is_lost: bool) {
        for grant in self.grants.values_mut() {
            let accounts = &mut grant.consent.accounts;
            let (from, to) = if is_lost { (accounts, &mut grant.lost) } else { (&mut grant.lost, accounts) };
            to.extend(from.extract_if(.., |known| known == account));
        }
    }

    /// Makes a code worthless before it was used.
    pub(crate) fn revoke_code(&mut self, code: &str) {
        self.codes.remove(code);
    }

    /// Ends the grant that a request uses, as if its user had withdrawn it: by code or refresh token
    /// at the address `exchange`, by the form's token at the addresses `about`, else by its bearer.
    pub(crate) fn revoke_used(&mut self, request: &Request, exchange: &str, about: &[&str]) {
        let form = Pairs::parse(&request.body);
        let path = request.path.as_str();
        let token = if path == exchange {
            self.revoke_code(form.get("code").unwrap_or_default());
            form.get("refresh_token")
        } else if about.contains(&path) {
            form.get("token")
        } else {
            bearer(request)
        };
        self.revoke(token.unwrap_or_default());
    }

    fn kill(&mut self, number: u64) -> bool {
        let Some(grant) = self.grants.get_mut(&number) else { return false };
        !std::mem::replace(&mut grant.revoked, true)
    }
}

#[cfg(test)]
impl Grants {
    /// Opens accounts to the token `token`, so that tests of an API need no consent page.
    pub(crate) fn open(&mut self, client: &str, accounts: Vec<String>, scopes: &[&str], now: i64, lives: i64) {
        let consent = Consent {
            client: client.to_owned(),
            redirect_uri: String::new(),
            scopes: scopes.iter().map(|&scope| scope.to_owned()).collect(),
            accounts,
            challenge: None,
            refreshable: true,
        };
        self.add_code("code", consent, now + 1);
        let grant = self.redeem(&Redemption { code: "code", client, redirect_uri: "", verifier: None }, now).unwrap();
        self.add_access("token", grant, now, now + lives);
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
            accounts: Vec::new(),
            challenge: challenge.map(str::to_owned),
            refreshable: true,
        };
        let mut grants = Grants::default();
        grants.add_code("code", consent, 600);
        grants
    }

    fn asked(verifier: Option<&'static str>) -> Redemption<'static> {
        let redirect_uri = "https://app.example/cb";
        Redemption { code: "code", client: "client", redirect_uri, verifier }
    }

    #[test]
    fn a_replayed_code_revokes_the_tokens_issued_for_it() {
        let mut grants = grants(None);
        let number = grants.redeem(&asked(None), 0).unwrap();
        grants.add_access("token", number, 0, 3599);
        assert!(grants.by_access("token", 1).is_ok());
        assert_eq!(grants.redeem(&asked(None), 2), Err(Refusal::Code));
        assert_eq!(grants.by_access("token", 3).err(), Some(Dead::Revoked));
    }

    #[test]
    fn an_expired_code_another_client_and_another_address_are_refused() {
        let mut grants = grants(None);
        assert_eq!(grants.redeem(&asked(None), 600), Err(Refusal::Code));
        let other = Redemption { client: "other", ..asked(None) };
        assert_eq!(grants.redeem(&other, 0), Err(Refusal::Code));
        let other = Redemption { redirect_uri: "https://app.example/cb/", ..asked(None) };
        assert_eq!(grants.redeem(&other, 0), Err(Refusal::RedirectUri));
        assert!(grants.redeem(&asked(None), 599).is_ok());
    }

    #[test]
    fn the_verifier_is_asked_for_exactly_when_a_challenge_was_sent() {
        let mut with = grants(Some(CHALLENGE));
        assert_eq!(with.redeem(&asked(None), 0), Err(Refusal::VerifierMissing));
        assert_eq!(with.redeem(&asked(Some("wrong")), 0), Err(Refusal::VerifierWrong));
        assert!(with.redeem(&asked(Some(VERIFIER)), 0).is_ok());
        let needless = grants(None).redeem(&asked(Some(VERIFIER)), 0);
        assert_eq!(needless, Err(Refusal::VerifierNeedless));
    }

    #[test]
    fn revoking_an_access_token_ends_its_refresh_token_once() {
        let mut grants = grants(None);
        let number = grants.redeem(&asked(None), 0).unwrap();
        grants.add_access("access", number, 0, 3599);
        grants.add_refresh("refresh", number);
        assert!(grants.has_refresh("client"));
        assert!(grants.revoke("access"));
        assert!(!grants.revoke("refresh"));
        assert_eq!(grants.by_refresh("refresh", "client"), Err(Dead::Revoked));
        assert!(!grants.has_refresh("client"));
    }
}

//! Assistants: programs of agents' hosts that a person has connected by signing in. Each has a limited API key without a
//! secret, whose hash is a mark that tokens carry. The record here leads from the person's consent to tokens.

use super::{KeyId, PersonId, Scope, sha256_hex};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use strum::{EnumString, IntoStaticStr};

/// The prefix of a `client_id` that is a registration.
pub const REGISTRATION_PREFIX: &str = "dcr.";

/// What identifies a client among the assistants of a customer: the URL of its document, or `dcr.` and the digest of its
/// registration, which may be a thousand characters long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientKey(pub String);

impl ClientKey {
    /// The key of a `client_id`.
    pub fn of(client_id: &str) -> ClientKey {
        match client_id.strip_prefix(REGISTRATION_PREFIX) {
            Some(_) => ClientKey(format!("{REGISTRATION_PREFIX}{}", sha256_hex(client_id))),
            None => ClientKey(client_id.to_owned()),
        }
    }

    /// Whether the client has registered itself, so that its name is not checked.
    pub fn is_registration(&self) -> bool {
        self.0.starts_with(REGISTRATION_PREFIX)
    }
}

/// A program of an agents' host that a person has connected.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assistant {
    /// Its API key, which holds name, limit and stop.
    pub key: KeyId,
    pub client: ClientKey,
    /// What the client calls itself.
    pub client_name: String,
    /// Where the person's consent has led, as the client sent it.
    pub redirect_uri: String,
    /// The person who has consented.
    pub person: PersonId,
    /// What the person has given: `read` or `campaigns`.
    pub scope: Scope,
    /// The time of the last consent.
    pub consented_at: Timestamp,
    pub code: Code,
    /// The number of refreshes.
    pub generation: u64,
    /// The time of the last refresh.
    pub refreshed_at: Option<Timestamp>,
    /// The last use, up to a minute old. It is written beside the versions, and may be lost to one.
    pub last_used_at: Option<Timestamp>,
    /// When its tokens ended, and why. A new consent connects it again.
    pub signed_out: Option<SignOut>,
    /// The number of writes of the record: each write compares it.
    pub version: u64,
}

/// The code of the last consent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    pub id: String,
    /// The code challenge of the request (PKCE, S256).
    pub challenge: String,
    /// The time at which the client took it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_at: Option<Timestamp>,
}

/// The end of an assistant's tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignOut {
    pub at: Timestamp,
    pub why: SignOutReason,
}

/// Why the tokens of an assistant ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum SignOutReason {
    /// A code was sent twice.
    CodeReused,
    /// A refresh token was sent that others have replaced.
    TokenReused,
    /// The assistant has signed out itself.
    Revoked,
    /// A person has signed it out, or the person who had connected it was removed or became a viewer.
    ByPerson,
}

/// Whether a code leads to tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeOutcome {
    /// The record after the code was taken.
    Taken(Box<Assistant>),
    /// The client, or a thief, has taken it before.
    Reused,
    /// It is too old, of an earlier consent, or of an assistant that was signed out.
    Ended,
}

/// Whether a refresh token leads to the next tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefreshOutcome {
    /// The record after the refresh.
    Next(Box<Assistant>),
    /// The former token within its hour: the current generation is answered once more. A response was lost, or two
    /// processes of a host have the same token.
    Again,
    /// An older token: a thief may have it.
    Reused,
    /// The assistant was signed out.
    Ended,
}

impl Assistant {
    /// A code can be taken for so long.
    pub const CODE_LIFETIME: SignedDuration = SignedDuration::from_secs(60);
    /// The former refresh token answers for so long.
    pub const FORMER_TOKEN: SignedDuration = SignedDuration::from_hours(1);
    /// A record without tokens is kept for so long, so that a form that is sent again finds it.
    const UNUSED: SignedDuration = SignedDuration::from_mins(10);
    /// A refresh token that is not used ends after so long.
    pub const TOKENS: SignedDuration = SignedDuration::from_hours(90 * 24);

    /// The time at which the record, and with it the last refresh token, ends.
    pub fn expires_at(&self) -> Timestamp {
        let first = self.consented_at + Assistant::UNUSED;
        self.used_at().map_or(first, |used| first.max(used + Assistant::TOKENS))
    }

    /// Whether its tokens work, as far as the record knows. Its key may be stopped or deleted.
    pub fn is_connected(&self, now: Timestamp) -> bool {
        self.signed_out.is_none() && self.code.taken_at.is_some() && now < self.expires_at()
    }

    /// Takes a code.
    pub fn take_code(&self, id: &str, now: Timestamp) -> CodeOutcome {
        if self.code.id != id || self.signed_out.is_some() {
            return CodeOutcome::Ended;
        }
        if self.code.taken_at.is_some() {
            return CodeOutcome::Reused;
        }
        if self.consented_at + Assistant::CODE_LIFETIME <= now {
            return CodeOutcome::Ended;
        }
        let code = Code { taken_at: Some(now), ..self.code.clone() };
        CodeOutcome::Taken(Box::new(Assistant { code, generation: self.generation + 1, ..self.clone() }))
    }

    /// Refreshes the tokens of a generation.
    pub fn refresh(&self, generation: u64, now: Timestamp) -> RefreshOutcome {
        if self.signed_out.is_some() || self.expires_at() <= now {
            return RefreshOutcome::Ended;
        }
        if generation == self.generation {
            let next = Assistant { generation: generation + 1, refreshed_at: Some(now), ..self.clone() };
            return RefreshOutcome::Next(Box::new(next));
        }
        let is_recent = self.refreshed_at.is_some_and(|at| now < at + Assistant::FORMER_TOKEN);
        if generation.checked_add(1) == Some(self.generation) && is_recent {
            return RefreshOutcome::Again;
        }
        RefreshOutcome::Reused
    }

    /// The record after its tokens ended. The first reason stays.
    #[must_use]
    pub fn sign_out(&self, why: SignOutReason, now: Timestamp) -> Assistant {
        let signed_out = self.signed_out.clone().unwrap_or(SignOut { at: now, why });
        Assistant { signed_out: Some(signed_out), ..self.clone() }
    }

    /// The record after a person has consented once more, for the same client and redirect URI. Until the client takes the
    /// new code, the tokens that it has go on, and so does their time.
    #[must_use]
    pub fn consent_again(&self, consent: Assistant) -> Assistant {
        let refreshed_at = self.used_at().filter(|_| self.signed_out.is_none());
        let Assistant { generation, version, last_used_at, .. } = *self;
        Assistant { generation, version, refreshed_at, last_used_at, ..consent }
    }

    /// Whether this record is one that was written: only its last use may differ.
    #[must_use]
    pub fn is_as_written(&self, written: &Assistant) -> bool {
        Assistant { last_used_at: written.last_used_at, ..self.clone() } == *written
    }

    /// The last time at which tokens were made.
    fn used_at(&self) -> Option<Timestamp> {
        self.refreshed_at.into_iter().chain(self.code.taken_at).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_790_000_000 + second).unwrap()
    }

    fn assistant() -> Assistant {
        Assistant {
            key: KeyId("key_0123456789ab".to_owned()),
            client: ClientKey::of("https://claude.ai/client.json"),
            client_name: "Claude".to_owned(),
            redirect_uri: "https://claude.ai/api/mcp/auth_callback".to_owned(),
            person: PersonId("ada".to_owned()),
            scope: Scope::Campaigns,
            consented_at: at(0),
            code: Code { id: "code1".to_owned(), challenge: "challenge".to_owned(), taken_at: None },
            generation: 0,
            refreshed_at: None,
            last_used_at: None,
            signed_out: None,
            version: 1,
        }
    }

    fn taken() -> Assistant {
        match assistant().take_code("code1", at(59)) {
            CodeOutcome::Taken(taken) => *taken,
            other => panic!("{other:?}"),
        }
    }

    fn refreshed(before: &Assistant, second: i64) -> Assistant {
        match before.refresh(before.generation, at(second)) {
            RefreshOutcome::Next(next) => *next,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_code_is_taken_once_within_a_minute() {
        assert_eq!((taken().generation, taken().code.taken_at), (1, Some(at(59))));
        assert_eq!(assistant().take_code("code1", at(60)), CodeOutcome::Ended);
        assert_eq!(assistant().take_code("code2", at(0)), CodeOutcome::Ended);
        assert_eq!(taken().take_code("code1", at(59)), CodeOutcome::Reused);
        assert_eq!(taken().take_code("code1", at(5_000)), CodeOutcome::Reused, "also later");
        let signed_out = assistant().sign_out(SignOutReason::ByPerson, at(1));
        assert_eq!(signed_out.take_code("code1", at(2)), CodeOutcome::Ended);
    }

    #[test]
    fn the_former_token_answers_for_an_hour_and_then_ends_all() {
        let second = refreshed(&taken(), 100);
        assert_eq!((second.generation, second.refresh(1, at(100 + 3_599))), (2, RefreshOutcome::Again));
        assert_eq!(second.refresh(1, at(100 + 3_600)), RefreshOutcome::Reused);
        let third = refreshed(&second, 200);
        assert_eq!(third.refresh(1, at(201)), RefreshOutcome::Reused, "two generations ago");
        assert_eq!(third.refresh(9, at(201)), RefreshOutcome::Reused, "no such generation");
        assert_eq!(third.refresh(u64::MAX, at(201)), RefreshOutcome::Reused);
        let signed_out = third.sign_out(SignOutReason::TokenReused, at(202));
        assert_eq!(signed_out.refresh(3, at(203)), RefreshOutcome::Ended);
        assert_eq!(signed_out.sign_out(SignOutReason::Revoked, at(204)), signed_out, "the first reason stays");
    }

    #[test]
    fn tokens_that_are_not_used_end_after_ninety_days() {
        let day = 86_400;
        assert_eq!(assistant().expires_at(), at(600));
        assert!(!assistant().is_connected(at(1)) && taken().is_connected(at(60)));
        assert_eq!(taken().expires_at(), at(59 + 90 * day));
        assert_eq!(taken().refresh(1, at(59 + 90 * day)), RefreshOutcome::Ended);
        let late = refreshed(&taken(), 58 + 90 * day);
        assert_eq!(late.expires_at(), at(58 + 180 * day));
    }

    #[test]
    fn a_new_consent_keeps_the_generation_and_connects_again() {
        let signed_out = refreshed(&taken(), 100).sign_out(SignOutReason::Revoked, at(150));
        let consent = Assistant {
            consented_at: at(200),
            code: Code { id: "code2".to_owned(), ..assistant().code },
            ..assistant()
        };
        let again = signed_out.consent_again(consent);
        assert_eq!((again.generation, again.signed_out.clone()), (2, None));
        assert!(matches!(again.take_code("code2", at(201)), CodeOutcome::Taken(next) if next.generation == 3));
        assert_eq!(again.take_code("code1", at(201)), CodeOutcome::Ended);
    }

    #[test]
    fn a_new_consent_that_nobody_finishes_ends_no_token() {
        let before = refreshed(&taken(), 100);
        let code = Code { id: "code2".to_owned(), ..assistant().code };
        let consent = Assistant { consented_at: at(5_000), code, ..assistant() };
        let again = before.consent_again(consent.clone());
        assert_eq!(again.expires_at(), before.expires_at());
        assert!(matches!(again.refresh(2, at(9_000)), RefreshOutcome::Next(_)), "an hour later, too");
        let first = taken().consent_again(consent.clone());
        assert!(matches!(first.refresh(1, at(9_000)), RefreshOutcome::Next(_)), "also if they were never refreshed");
        let ended = before.sign_out(SignOutReason::Revoked, at(150)).consent_again(consent);
        assert_eq!(ended.expires_at(), at(5_600), "one that was signed out has none");
    }

    #[test]
    fn a_registration_is_known_by_its_digest() {
        let long = format!("dcr.{}", "a".repeat(900));
        let key = ClientKey::of(&long);
        assert_eq!((key.0.len(), key.is_registration()), (4 + 64, true));
        assert!(!ClientKey::of("https://claude.ai/client.json").is_registration());
    }
}

//! People who sign in to the dashboard, and their sessions.

use super::team::Role;
use crate::domain::{SavedView, sha256_hex};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// Identifies a person: the SHA-256 of the issuer and of the issuer's name for the person, in hex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonId(pub String);

impl PersonId {
    /// The person that `iss` and `sub` of an ID token name.
    pub fn of(issuer: &str, subject: &str) -> PersonId {
        // The length separates the two: no other pair has the same text.
        PersonId(sha256_hex(&format!("{}:{issuer}{subject}", issuer.len())))
    }
}

/// A person of a customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub id: PersonId,
    /// E-mail address at the last sign-in that had one, if the issuer had verified it. It identifies no person.
    pub email: Option<String>,
    pub role: Role,
    pub joined_at: Timestamp,
    /// The last sign-in after the one that joined.
    pub signed_in_at: Option<Timestamp>,
    /// The views of the list of campaigns that the person has saved, in the order in which they were.
    pub views: Vec<SavedView>,
}

impl Person {
    /// A person who joins now.
    pub fn new(id: PersonId, email: Option<String>, role: Role, now: Timestamp) -> Person {
        Person { id, email, role, joined_at: now, signed_in_at: None, views: Vec::new() }
    }

    /// Whether the person is an owner.
    pub fn is_owner(&self) -> bool {
        self.role == Role::Owner
    }
}

/// An invitation: its link lets one person join a customer as a member or a viewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// SHA-256 of the secret in the link, in hex.
    pub hash: String,
    pub created_at: Timestamp,
    /// Who invites; `None` for the operator.
    pub inviter: Option<Inviter>,
    /// The role that the person gets.
    pub role: Role,
    /// For whom it is, in the words of who invites: a name, or an address. It decides nothing.
    pub invitee: Option<String>,
}

/// A person of the customer who invites another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inviter {
    pub id: PersonId,
    /// E-mail address at that time.
    pub email: Option<String>,
}

impl Invitation {
    /// Time for which an invitation is open.
    pub const TTL: SignedDuration = SignedDuration::from_hours(24);
    /// Most characters of the words that say for whom it is.
    pub const MAX_INVITEE: usize = 100;

    /// The time at which the invitation ends if no person accepts it.
    pub fn expires_at(&self) -> Timestamp {
        self.created_at + Self::TTL
    }

    /// Whether the invitation has not expired.
    pub fn is_open(&self, now: Timestamp) -> bool {
        now.as_second() < self.expires_at().as_second()
    }
}

/// A session: a browser in which a person has signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// SHA-256 of the cookie's value, in hex.
    pub hash: String,
    pub person: PersonId,
    /// E-mail address at the sign-in, if the issuer had verified one.
    pub email: Option<String>,
    /// The time of the sign-in.
    pub created_at: Timestamp,
    /// The last request, to the minute.
    pub seen_at: Timestamp,
    /// The time at which the person proved to the issuer who they are; `None` if the issuer did not say.
    pub authenticated_at: Option<Timestamp>,
    /// The browser, as it describes itself.
    pub browser: String,
}

impl Session {
    /// Time without a request after which a session ends.
    pub const MAX_IDLE: SignedDuration = SignedDuration::from_hours(8);
    /// Longest time of a session.
    pub const MAX_AGE: SignedDuration = SignedDuration::from_hours(7 * 24);
    /// Age up to which a sign-in is recent enough for actions that show or replace a secret.
    pub const MAX_RECENT: SignedDuration = SignedDuration::from_mins(10);
    /// Requests within this time of the last recorded one are not recorded.
    const SEEN_INTERVAL: SignedDuration = SignedDuration::from_mins(1);
    /// Longest kept description of a browser, in characters.
    const MAX_BROWSER: usize = 200;

    /// A session that begins now.
    pub fn new(
        hash: String,
        person: PersonId,
        email: Option<String>,
        authenticated_at: Option<Timestamp>,
        browser: &str,
        now: Timestamp,
    ) -> Session {
        let browser = browser.chars().filter(|c| !c.is_control()).take(Self::MAX_BROWSER).collect();
        Session { hash, person, email, created_at: now, seen_at: now, authenticated_at, browser }
    }

    /// The time at which the session ends without another request.
    pub fn ends_at(&self) -> Timestamp {
        (self.seen_at + Self::MAX_IDLE).min(self.created_at + Self::MAX_AGE)
    }

    /// Whether the session has not ended.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        now < self.ends_at()
    }

    /// Whether a request now must be recorded.
    pub fn is_seen_late(&self, now: Timestamp) -> bool {
        now >= self.seen_at + Self::SEEN_INTERVAL
    }

    /// Whether the person signed in recently.
    pub fn is_recent(&self, now: Timestamp) -> bool {
        self.authenticated_at.is_some_and(|at| now <= at + Self::MAX_RECENT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Session {
        let now = "2026-11-22T12:00:00Z".parse().unwrap();
        Session::new("h".to_owned(), PersonId::of("a", "b"), None, Some(now), "Browser\n", now)
    }

    #[test]
    fn issuer_and_subject_do_not_run_into_each_other() {
        assert_ne!(PersonId::of("https://a", "b"), PersonId::of("https://", "ab"));
        assert_ne!(PersonId::of("1", "1:1"), PersonId::of("11", ":1"));
    }

    #[test]
    fn a_session_ends_after_8_idle_hours_and_after_7_days() {
        let mut session = session();
        let began = session.created_at;
        let second = SignedDuration::from_secs(1);
        assert!(session.is_valid(began + Session::MAX_IDLE - second));
        assert!(!session.is_valid(began + Session::MAX_IDLE));
        session.seen_at = began + Session::MAX_AGE - second;
        assert!(session.is_valid(began + Session::MAX_AGE - second));
        assert!(!session.is_valid(began + Session::MAX_AGE));
    }

    #[test]
    fn a_sign_in_is_recent_for_10_minutes_if_its_time_is_known() {
        let session = session();
        let later = session.created_at + Session::MAX_RECENT;
        assert!(session.is_recent(later) && !session.is_recent(later + SignedDuration::from_secs(1)));
        assert!(!Session { authenticated_at: None, ..session.clone() }.is_recent(later));
        assert_eq!(session.browser, "Browser");
    }
}

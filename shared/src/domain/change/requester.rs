//! Who asked for a change, and who sent it.

use crate::domain::{KeyId, PersonId, variants};
use std::fmt::{self, Display, Formatter};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// Who asked for a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requester {
    ApiKey {
        id: KeyId,
        /// The name of the key at that time.
        name: String,
    },
    Person {
        id: PersonId,
        /// E-mail address, if the issuer of the sign-in had verified one.
        email: Option<String>,
    },
}

impl Requester {
    /// Whether the requester is this key.
    pub fn is_key(&self, key: &KeyId) -> bool {
        matches!(self, Requester::ApiKey { id, .. } if id == key)
    }

    /// Whether both are the same key or the same person.
    pub fn is_same(&self, other: &Requester) -> bool {
        match other {
            Requester::ApiKey { id, .. } => self.is_key(id),
            Requester::Person { id, .. } => self.is_person(id),
        }
    }

    /// Whether the requester is this person.
    pub fn is_person(&self, person: &PersonId) -> bool {
        matches!(self, Requester::Person { id, .. } if id == person)
    }
}

/// The requester in a message: `the API key "Agent"`, `ada@example.com` or `a person`.
impl Display for Requester {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Requester::ApiKey { name, .. } => write!(f, "the API key \"{name}\""),
            Requester::Person { email: Some(email), .. } => f.write_str(email),
            Requester::Person { email: None, .. } => f.write_str("a person"),
        }
    }
}

/// Who sends a change to its platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Executor {
    /// The request that asked for it.
    Request,
    /// Maintenance, at the time that was asked for.
    Schedule,
    /// A change of the status of many campaigns: its request, and maintenance after it.
    Bulk,
    /// A person who has approved it.
    Approval,
    /// The stop of an API key: maintenance, until the campaign is paused.
    Stop,
}

impl Executor {
    /// Every executor.
    pub const ALL: [Executor; 5] = variants();

    /// The name in the API: `request`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<Executor> {
        name.parse().ok()
    }
}

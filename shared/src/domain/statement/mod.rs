//! What an error says, as data. Its words for programs are here; the dashboard has those for people.

mod change;
mod connection;
mod plan;
mod retry;

pub use change::ChangeStatement;
pub use connection::ConnectionStatement;
pub use plan::PlanStatement;
pub use retry::RetryStatement;

use super::FieldError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a caller finds the resources of a kind.
const LISTS: [(&str, &str); 8] = [
    ("campaign", " GET /v1/campaigns lists those of your connected ad accounts."),
    ("connection", " GET /v1/connections lists yours."),
    ("ad account", " GET /v1/connections lists yours."),
    ("API key", " GET /v1/api-keys lists yours."),
    ("redirect URI", " GET /v1/redirect-uris lists yours."),
    ("webhook endpoint", " GET /v1/webhook-endpoints lists yours."),
    ("event", " GET /v1/events lists those of the last 30 days."),
    ("change", " GET /v1/changes lists those of the last 365 days."),
];

/// What an error says: what happened, and what to do. A stored change has one too, so serde skips those that no change
/// has. The large ones are boxed, because every result has room for an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Statement {
    /// One that programs and people are told in the same words, such as those of a platform.
    Text(String),
    /// Sentences, one after the other.
    Several(Vec<Statement>),
    /// What is wrong with fields.
    Fields(Vec<FieldError>),
    /// There is no such resource, or none of the customer's.
    NoSuch(String),
    Change(Box<ChangeStatement>),
    Connection(Box<ConnectionStatement>),
    #[serde(skip)]
    Plan(Box<PlanStatement>),
    #[serde(skip)]
    Retry(RetryStatement),
}

impl Statement {
    /// This one, and then another one.
    #[must_use]
    pub fn and(self, next: impl Into<Statement>) -> Statement {
        let mut all = match self {
            Statement::Several(all) => all,
            one => vec![one],
        };
        all.push(next.into());
        Statement::Several(all)
    }

    /// Whether the words for programs have this part.
    pub fn contains(&self, part: &str) -> bool {
        self.to_string().contains(part)
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Statement::Text(words) => f.write_str(words),
            Statement::Several(all) => f.write_str(&joined(all, " ")),
            Statement::Fields(errors) => f.write_str(&joined(errors, "; ")),
            Statement::NoSuch(what) => {
                let list = LISTS.iter().find(|(listed, _)| listed == what).map_or("", |(_, list)| list);
                write!(f, "There is no such {what}.{list}")
            }
            Statement::Change(said) => said.fmt(f),
            Statement::Connection(said) => said.fmt(f),
            Statement::Plan(said) => said.fmt(f),
            Statement::Retry(said) => said.fmt(f),
        }
    }
}

fn joined<T: fmt::Display>(items: &[T], between: &str) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(between)
}

impl Default for Statement {
    fn default() -> Statement {
        Statement::Text(String::new())
    }
}

impl From<String> for Statement {
    fn from(words: String) -> Statement {
        Statement::Text(words)
    }
}

impl From<&str> for Statement {
    fn from(words: &str) -> Statement {
        Statement::Text(words.to_owned())
    }
}

impl From<ChangeStatement> for Statement {
    fn from(said: ChangeStatement) -> Statement {
        Statement::Change(Box::new(said))
    }
}

impl From<ConnectionStatement> for Statement {
    fn from(said: ConnectionStatement) -> Statement {
        Statement::Connection(Box::new(said))
    }
}

impl From<PlanStatement> for Statement {
    fn from(said: PlanStatement) -> Statement {
        Statement::Plan(Box::new(said))
    }
}

impl From<RetryStatement> for Statement {
    fn from(said: RetryStatement) -> Statement {
        Statement::Retry(said)
    }
}

#[cfg(test)]
mod tests;

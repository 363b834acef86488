//! What a change counts against: one mechanism for the limit of its key and for that of the user of its connection (D157).

use super::raised::Raised;
use super::{AccountDay, LimitedAction, NewBudget, Spender, Spending};
use crate::domain::{Connection, ExternalRef};
use jiff::Timestamp;

/// The spendings that a change counts against: at most that of its key, and that of the user of its connection. The creates of
/// a request may be of several users. One that is not in force is not among them, but for a user that the connection has left
/// since it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spendings(Vec<Spending>);

impl FromIterator<Spending> for Spendings {
    fn from_iter<I: IntoIterator<Item = Spending>>(all: I) -> Spendings {
        Spendings(all.into_iter().collect())
    }
}

impl Spendings {
    /// All of them, that of the key first.
    pub fn as_slice(&self) -> &[Spending] {
        &self.0
    }

    /// All of them, that of the key first.
    pub fn iter(&self) -> impl Iterator<Item = &Spending> {
        self.0.iter()
    }

    /// Whether nothing is counted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// That of the key.
    pub fn key(&self) -> Option<&Spending> {
        self.iter().find(|spending| spending.spender.key().is_some())
    }

    /// The first user whose spending counts.
    pub fn user(&self) -> Option<&ExternalRef> {
        self.iter().find_map(|spending| spending.spender.user())
    }

    /// That of a spender.
    pub fn of(&self, spender: &Spender) -> Option<&Spending> {
        self.iter().find(|spending| spending.spender == *spender)
    }

    /// Those that what happens in a connection counts against.
    pub fn in_connection(&self, connection: &Connection) -> impl Iterator<Item = &Spending> {
        self.iter().filter(|spending| spending.spender.spends_in(connection))
    }

    /// Each of them moved. The first error refuses all.
    pub fn try_map<E>(&self, moved: impl Fn(&Spending) -> Result<Spending, E>) -> Result<Spendings, E> {
        self.iter().map(moved).collect()
    }

    /// Each of them moved.
    #[must_use]
    pub fn map(&self, moved: impl Fn(&Spending) -> Spending) -> Spendings {
        self.iter().map(moved).collect()
    }

    /// Those that differ from what they were: only these are written.
    #[must_use]
    pub fn changed_from(&self, before: &Spendings) -> Spendings {
        self.iter().filter(|spending| before.of(&spending.spender) != Some(*spending)).cloned().collect()
    }

    /// The state once these moved ones are written.
    #[must_use]
    pub fn once_written(&self, moved: &Spendings) -> Spendings {
        self.map(|spending| moved.of(&spending.spender).map_or_else(|| spending.clone(), Spending::written))
    }

    /// Whether a person has to approve a change, after what was raised of its campaign before it.
    pub fn need_approval(&self, limited: &LimitedAction<'_>, raised: Option<Raised>, now: Timestamp) -> bool {
        self.iter().any(|spending| spending.needs_approval(limited, raised, now))
    }

    /// Whether a person has to approve a create in a connection.
    pub fn create_needs_approval(&self, new: &NewBudget<'_>, connection: &Connection) -> bool {
        self.in_connection(connection).any(|spending| spending.create_needs_approval(new))
    }

    /// The raises of the day including this change, whatever its outcome. The next raise begins at an approved one. If no
    /// limit asks for an approval by amount, it does not change them.
    pub fn raised(
        &self,
        limited: &LimitedAction<'_>,
        before: Option<Raised>,
        is_approved: bool,
        day: AccountDay,
    ) -> Option<Raised> {
        if self.iter().any(|spending| spending.asks_by_amount(limited.before.currency)) {
            limited.raised(before, is_approved, day)
        } else {
            before
        }
    }
}

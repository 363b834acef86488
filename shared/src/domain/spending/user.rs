//! What only the spending of a user has: it is paused, and connections come and go.

use super::{AccountDay, Contribution, Demand, LimitedAction, Spending};
use crate::domain::{Connection, ConnectionId};
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;

/// Longest time between the read of a connection and the reservation of a change there: a request or an attempt takes half a
/// minute.
const READ_BEFORE: SignedDuration = SignedDuration::from_mins(2);

impl Spending {
    /// The time since which the user is paused, if that refuses a change: one that may add to what runs.
    pub fn paused_for(&self, limited: &LimitedAction<'_>, now: Timestamp) -> Option<Timestamp> {
        let adds = !matches!(limited.demand(now), Ok(Demand::Free | Demand::Paused(_)));
        self.stopped_at.filter(|_| adds && self.spender.user().is_some())
    }

    /// The state of a user once a connection has left it. What runs there counts until the day of its ad account is over,
    /// because the day's budget may be spent already. `None` while a change in the ad account is under way: also one that
    /// was sent through an earlier connection of the account.
    pub fn without_connection(&self, connection: &Connection, day: AccountDay) -> Option<Spending> {
        let mut left = self.clone();
        for (_, contribution) in left.contributions.iter_mut().filter(|(campaign, _)| connection.holds(campaign)) {
            if contribution.pending.is_some() {
                return None;
            }
            *contribution = Contribution { lifetime: Decimal::ZERO, ..contribution.clone().at_rest(day) };
        }
        left.left.insert(connection.id.clone(), day.now + READ_BEFORE);
        Some(left)
    }

    /// Whether the connection has left the user since a change may have read it.
    pub fn has_left(&self, connection: &ConnectionId, now: Timestamp) -> bool {
        self.left.get(connection).is_some_and(|until| now < *until)
    }

    /// The state of a user once a connection has come to it, with what runs there because of the user before: also above
    /// the limit, which then admits nothing more. A user without a limit counts nothing.
    #[must_use]
    pub fn with_connection(&self, connection: &Connection, before: Option<&Spending>) -> Spending {
        let mut joined = self.clone();
        joined.left.remove(&connection.id);
        if self.limit.is_some() {
            let moved = before.iter().flat_map(|before| &before.contributions);
            let moved = moved.filter(|(campaign, one)| connection.holds(campaign) && !one.is_freed());
            joined.contributions.extend(moved.map(|(campaign, one)| (campaign.clone(), one.clone().through(&connection.id))));
        }
        joined
    }
}

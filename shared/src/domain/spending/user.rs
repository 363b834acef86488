//! What only the spending of a user has: it is paused, and connections come and go.

use super::{AccountDay, Contribution, Demand, LimitedAction, Spending};
use crate::domain::{CampaignId, Connection, ConnectionId};
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use std::collections::BTreeMap;

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
    /// was sent through an earlier connection of the account. What another user does not take over is kept until the
    /// connection comes back.
    pub fn without_connection(
        &self,
        connection: &Connection,
        is_taken_over: bool,
        day: AccountDay,
    ) -> Option<Spending> {
        let mut left = self.clone();
        for (campaign, contribution) in left.contributions.iter_mut().filter(|(campaign, _)| connection.holds(campaign))
        {
            if contribution.pending.is_some() {
                return None;
            }
            if !is_taken_over && !contribution.is_freed() {
                left.away.insert(campaign.clone(), contribution.clone());
            }
            *contribution = Contribution { lifetime: Decimal::ZERO, ..contribution.clone().at_rest(day) };
        }
        left.left.insert(connection.id.clone(), day.now + READ_BEFORE);
        Some(left)
    }

    /// The state without what the spender has added to erased campaigns. `None` if it has added nothing to them.
    pub fn without_campaigns(&self, is_erased: impl Fn(&CampaignId) -> bool) -> Option<Spending> {
        let mut left = self.clone();
        left.contributions.retain(|campaign, _| !is_erased(campaign));
        left.away.retain(|campaign, _| !is_erased(campaign));
        let count = |spending: &Spending| spending.contributions.len() + spending.away.len();
        (count(&left) < count(self)).then_some(left)
    }

    /// Whether the connection has left the user since a change may have read it.
    pub fn has_left(&self, connection: &ConnectionId, now: Timestamp) -> bool {
        self.left.get(connection).is_some_and(|until| now < *until)
    }

    /// The state of a user once a connection has come to it, with what runs there because of the user before, or of this
    /// one when it had the connection: also above the limit, which then admits nothing more. A user without a limit counts
    /// nothing.
    #[must_use]
    pub fn with_connection(&self, connection: &Connection, before: Option<&Spending>) -> Spending {
        let mut joined = self.clone();
        joined.left.remove(&connection.id);
        if self.limit.is_none() {
            return joined;
        }
        let is_there = |(campaign, one): &(&CampaignId, &Contribution)| connection.holds(campaign) && !one.is_freed();
        let mut back: BTreeMap<CampaignId, Contribution> =
            joined.away.extract_if(.., |campaign, _| connection.holds(campaign)).collect();
        for (campaign, one) in before.iter().flat_map(|before| &before.contributions).filter(is_there) {
            let one = match back.get(campaign) {
                Some(earlier) => one.clone().on_top_of(earlier),
                None => one.clone(),
            };
            back.insert(campaign.clone(), one);
        }
        let back = back.into_iter().map(|(campaign, one)| (campaign, one.through(&connection.id)));
        joined.contributions.extend(back);
        joined
    }
}

#[cfg(test)]
#[test]
fn what_was_added_to_erased_campaigns_leaves_a_spending() {
    use super::Spender;
    use crate::domain::{Currency, KeyId, Platform};
    let connection = ConnectionId("conn_1".to_owned());
    let one = Contribution::none(&connection, Currency::from_code("USD").unwrap());
    let campaign = |account| CampaignId::new(Platform::Delta, account, "1");
    let spending = Spending {
        contributions: [(campaign("7"), one.clone()), (campaign("8"), one)].into(),
        ..Spending::none(Spender::Key(KeyId("key_1".to_owned())))
    };
    let left = spending.without_campaigns(|known| *known == campaign("7")).unwrap();
    assert_eq!(left.contributions.keys().collect::<Vec<_>>(), [&campaign("8")]);
    assert_eq!(left.without_campaigns(|known| *known == campaign("7")), None, "nothing is left to take out");
}

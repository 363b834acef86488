//! What has been raised of one campaign on a day. A rule that asks a person above an amount sees the raises of a day
//! as one, so that nobody avoids it in small steps (D96).

use super::demand::budget_after;
use super::{AccountDay, LimitedAction, Spending};
use crate::domain::{Action, AmountAsText, Currency};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::serde_as;

/// The raises of a campaign on a day of its ad account, under such a rule of a key or of the user.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raised {
    /// Whether the budget covers the whole run of the campaign, not a day.
    pub is_lifetime: bool,
    /// The lowest starting budget of today's raises; 0 if one of them has made the campaign run. A raise that no such rule is
    /// about restarts the count.
    #[serde_as(as = "AmountAsText")]
    pub from: Decimal,
    /// The highest budget of these changes. A campaign above it was raised by somebody else.
    #[serde_as(as = "AmountAsText")]
    pub highest: Decimal,
    /// End of the day.
    pub until: Timestamp,
}

/// What one change raises.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raise {
    is_lifetime: bool,
    /// The budget that the campaign has, whether or not it runs.
    had: Decimal,
    /// The budget that runs before the change, or is raised while it does not.
    from: Decimal,
    /// The budget after the change.
    to: Decimal,
}

impl Raised {
    /// Whether they still count.
    pub fn counts(&self, now: Timestamp) -> bool {
        now < self.until
    }

    /// Whether a raise continues these, so that they count as one.
    fn is_continued_by(&self, raise: &Raise, now: Timestamp) -> bool {
        self.counts(now) && self.is_lifetime == raise.is_lifetime && raise.had <= self.highest
    }
}

impl Raise {
    /// What this raise adds together with those of the day before it.
    pub(super) fn total(&self, before: Option<Raised>, now: Timestamp) -> Decimal {
        self.to.saturating_sub(self.begin(before, now))
    }

    /// The budget from which the day's raises have begun.
    fn begin(&self, before: Option<Raised>, now: Timestamp) -> Decimal {
        let continued = before.filter(|raised| raised.is_continued_by(self, now));
        continued.map_or(self.from, |raised| raised.from.min(self.from))
    }
}

impl LimitedAction<'_> {
    /// What the change raises; `None` if that is nothing, or not known.
    pub(super) fn raise(&self, now: Timestamp) -> Option<Raise> {
        let Action::Update(changes) = self.action else { return None };
        let amount = self.demand(now).ok()?.amount();
        if amount.is_zero() {
            return None;
        }
        let (is_lifetime, to) = budget_after(self.before, changes).ok()?;
        Some(Raise {
            is_lifetime,
            had: self.before.budget_amount.unwrap_or_default(),
            from: to.saturating_sub(amount),
            to,
        })
    }

    /// The raises of the day including this change, whatever its outcome. The next raise begins at an approved one.
    pub(super) fn raised(&self, before: Option<Raised>, is_approved: bool, day: AccountDay) -> Option<Raised> {
        let Some(raise) = self.raise(day.now) else { return before };
        let today = before.filter(|raised| raised.counts(day.now));
        let continued = today.filter(|raised| raised.is_continued_by(&raise, day.now));
        Some(Raised {
            is_lifetime: raise.is_lifetime,
            from: if is_approved { raise.to } else { raise.begin(before, day.now) },
            highest: continued.map_or(raise.to, |raised| raised.highest.max(raise.to)).max(raise.had),
            until: today.map_or(day.ends_at, |raised| raised.until),
        })
    }
}

impl Spending {
    /// Whether its limit asks for an approval by amount in a currency.
    pub(super) fn asks_by_amount(&self, currency: Currency) -> bool {
        let rule = self.limit.as_ref().and_then(|limit| limit.approval.as_ref());
        rule.is_some_and(|rule| rule.amounts.iter().any(|(of, _)| *of == currency))
    }
}

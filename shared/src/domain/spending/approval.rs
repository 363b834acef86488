//! The changes that a person has to approve by a limit, and what an approval covers.

use super::raised::Raise;
use super::{Demand, LimitedAction, NewBudget, Raised, Spending};
use crate::domain::{Action, Approval, CampaignValues, Currency};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// The changes that a person has to approve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovalRule {
    /// Every change after which a campaign that does not run may run.
    pub activation: bool,
    /// Every change that adds more than an amount with what was raised of its campaign on the same day, in major units:
    /// one for each currency.
    #[serde(with = "by_currency")]
    pub amounts: Vec<(Currency, Decimal)>,
}

/// Serializes amounts as a map from currency to text.
mod by_currency {
    use crate::domain::Currency;
    use rust_decimal::Decimal;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;
    use std::collections::BTreeMap;

    pub(super) fn serialize<S: Serializer>(amounts: &[(Currency, Decimal)], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(amounts.iter().map(|(currency, amount)| (currency.code(), amount.to_string())))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(Currency, Decimal)>, D::Error> {
        let amounts = BTreeMap::<String, String>::deserialize(deserializer)?.into_iter();
        let parse = |(currency, amount): (String, String)| {
            let amount = Decimal::from_str_exact(&amount).map_err(Error::custom)?;
            Ok((Currency::try_from(currency).map_err(Error::custom)?, amount))
        };
        amounts.map(parse).collect()
    }
}

impl ApprovalRule {
    fn is_above(&self, currency: Currency, amount: Decimal) -> bool {
        self.amounts.iter().any(|(of, most)| *of == currency && amount > *most)
    }
}

impl Spending {
    /// Whether a person has to approve a change, after what was raised of its campaign before it. One whose amount is not
    /// known is refused by the limit.
    pub fn needs_approval(&self, limited: &LimitedAction<'_>, raised: Option<Raised>, now: Timestamp) -> bool {
        let Some(rule) = self.limit.as_ref().and_then(|limit| limit.approval.as_ref()) else { return false };
        if limited.demand(now).is_err() {
            return false;
        }
        let is_above = |raise: Raise| rule.is_above(limited.before.currency, raise.total(raised, now));
        rule.activation && limited.activates(now) || limited.raise(now).is_some_and(is_above)
    }

    /// Whether a person has to approve a create.
    pub fn create_needs_approval(&self, new: &NewBudget<'_>) -> bool {
        let rule = self.limit.as_ref().and_then(|limit| limit.approval.as_ref());
        rule.is_some_and(|rule| rule.is_above(new.currency, new.amount))
    }
}

impl LimitedAction<'_> {
    /// Whether the change adds at most what a person has approved, for no longer. `requested` is the whole change that was approved.
    pub fn is_covered_by(&self, approval: &Approval, requested: &Action, now: Timestamp) -> bool {
        let Some(seen) = &approval.seen else { return false };
        let action = match requested {
            Action::Update(changes) => Action::Update(changes.clone().against(seen)),
            other => other.clone(),
        };
        let seen = LimitedAction { before: seen, action: &action };
        let (Ok(approved), Ok(wanted)) = (seen.demand(approval.at), self.demand(now)) else { return false };
        // An end that lay ahead when the person approved it is a part of what they have seen.
        let is_longer = wanted.addition().is_some() && self.after(now).outlasts(&seen.after(approval.at), now);
        approved.covers(wanted) && !is_longer
    }

    /// The campaign after the change.
    fn after(&self, at: Timestamp) -> CampaignValues {
        match self.action {
            Action::Update(changes) => self.before.after(changes, at),
            Action::Create(_) | Action::Delete => self.before.clone(),
        }
    }
}

impl Demand {
    /// Whether another demand adds at most as much, in the same way.
    fn covers(self, other: Demand) -> bool {
        match (self, other) {
            (_, Demand::Free) => true,
            (Demand::Running(most), Demand::Running(wanted)) => {
                let is_same_period = most.is_lifetime == wanted.is_lifetime;
                is_same_period && wanted.amount <= most.amount && wanted.budget <= most.budget
            }
            (Demand::Running(_) | Demand::Paused(_), Demand::Paused(wanted)) => wanted <= self.amount(),
            (Demand::Free, Demand::Paused(_)) | (Demand::Free | Demand::Paused(_), Demand::Running(_)) => false,
        }
    }
}

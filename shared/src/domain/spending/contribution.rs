//! The contribution of a key to one campaign.

use super::demand::Addition;
use super::{AccountDay, ChangeEffect};
use crate::domain::running::may_run;
use crate::domain::{AmountAsText, CampaignValues, ChangeId, ConnectionId, Currency};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::{serde_as, skip_serializing_none};

/// The contribution of a key to a campaign, in major units of the account's currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    pub connection: ConnectionId,
    pub currency: Currency,
    /// The daily amount that the key has added.
    pub daily: Decimal,
    /// The daily amount before the key paused or lowered the campaign: the budget of the day may be spent already.
    pub recent: Option<Recent>,
    /// The amount that the key has added to a budget for a whole run. Only a person frees it.
    pub lifetime: Decimal,
    /// Whether the campaign runs because the key has activated it, also if what the key had added was lowered to nothing.
    pub is_activated: bool,
    /// The change that is under way.
    pub pending: Option<Pending>,
}

/// An earlier daily amount, which counts until the account's day is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recent {
    pub amount: Decimal,
    pub until: Timestamp,
}

/// A change in progress, and the amounts that count if it is applied.
#[serde_as]
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    pub change: ChangeId,
    #[serde_as(as = "AmountAsText")]
    pub daily: Decimal,
    #[serde_as(as = "AmountAsText")]
    pub lifetime: Decimal,
    /// Whether the key answers for the whole budget after the change.
    pub is_whole: bool,
    /// The daily budget before the change; `None` if the campaign had none.
    #[serde_as(as = "Option<AmountAsText>")]
    pub daily_before: Option<Decimal>,
}

impl Contribution {
    /// No contribution yet.
    pub fn none(connection: &ConnectionId, currency: Currency) -> Contribution {
        let (daily, lifetime) = (Decimal::ZERO, Decimal::ZERO);
        Contribution {
            connection: connection.clone(),
            currency,
            daily,
            recent: None,
            lifetime,
            is_activated: false,
            pending: None,
        }
    }

    /// The contribution with the connection that the ad account has now.
    pub(super) fn through(self, connection: &ConnectionId) -> Contribution {
        Contribution { connection: connection.clone(), ..self }
    }

    /// The contribution of a user and of an earlier one to the same campaign. Whoever has activated it has the whole budget,
    /// also what the earlier user had added.
    pub(super) fn on_top_of(self, earlier: &Contribution) -> Contribution {
        if self.is_activated {
            return self;
        }
        let daily = self.daily.saturating_add(earlier.daily);
        let lifetime = self.lifetime.saturating_add(earlier.lifetime);
        Contribution { daily, lifetime, is_activated: earlier.is_activated, ..self }
    }

    /// What counts against the daily limit.
    pub fn counted_daily(&self, now: Timestamp) -> Decimal {
        let recent = self.recent.filter(|recent| now < recent.until).map_or(Decimal::ZERO, |recent| recent.amount);
        let pending = self.pending.map_or(Decimal::ZERO, |pending| pending.daily);
        self.daily.max(recent).max(pending)
    }

    /// What counts against the limit of budgets for a whole run.
    pub fn counted_lifetime(&self) -> Decimal {
        self.lifetime.max(self.pending.map_or(Decimal::ZERO, |pending| pending.lifetime))
    }

    /// Whether it still matters, to the limit or to a stop.
    pub(super) fn counts(&self, now: Timestamp) -> bool {
        !self.is_freed() || !self.counted_daily(now).is_zero()
    }

    /// The contribution with a change under way.
    pub(super) fn begin(self, change: ChangeId, before: &CampaignValues, addition: Option<Addition>) -> Contribution {
        let target = |had: Decimal, is_lifetime: bool| match addition {
            Some(addition) if addition.is_lifetime == is_lifetime && addition.is_whole => had.max(addition.budget),
            // What the key has added is at most the budget.
            Some(addition) if addition.is_lifetime == is_lifetime => {
                had.max(had.saturating_add(addition.amount).min(addition.budget))
            }
            _ => had,
        };
        let pending = Pending {
            change,
            daily: target(self.daily, false),
            lifetime: target(self.lifetime, true),
            is_whole: addition.is_some_and(|addition| addition.is_whole),
            daily_before: daily_budget(before),
        };
        Contribution { pending: Some(pending), ..self }
    }

    /// The contribution once the outcome of its change is known.
    pub(super) fn settled(self, outcome: ChangeEffect<'_>, day: AccountDay) -> Contribution {
        let Some(pending) = self.pending else { return self };
        let after = match outcome {
            ChangeEffect::None => return Contribution { pending: None, ..self },
            ChangeEffect::Some(after) => after,
        };
        let counted = self.counted_daily(day.now);
        let daily = match after {
            None => self.daily.max(pending.daily),
            Some(after) if !may_run(after.status) => Decimal::ZERO,
            Some(after) => self.daily_after(&pending, after),
        };
        let recent = (daily < counted).then_some(Recent { amount: counted, until: day.ends_at });
        let lifetime = self.lifetime.max(pending.lifetime_after(after));
        let runs = after.is_none_or(|after| may_run(after.status));
        let is_activated = runs && (self.is_activated || pending.is_whole);
        Contribution { daily, recent, lifetime, is_activated, pending: None, ..self }
    }

    /// The contribution to a campaign that does not run. A change under way decides for itself.
    pub(super) fn at_rest(self, day: AccountDay) -> Contribution {
        if self.pending.is_some() {
            return self;
        }
        let freed = Some(Recent { amount: self.counted_daily(day.now), until: day.ends_at });
        let recent = if self.daily.is_zero() { self.recent } else { freed };
        Contribution { daily: Decimal::ZERO, recent, is_activated: false, ..self }
    }

    /// Whether the campaign neither runs nor has a budget for a whole run because of the key.
    pub fn is_freed(&self) -> bool {
        self.pending.is_none() && !self.is_activated && self.daily.is_zero() && self.lifetime.is_zero()
    }

    /// The daily amount of a campaign that runs, by its budget after the change.
    fn daily_after(&self, pending: &Pending, after: &CampaignValues) -> Decimal {
        let Some(budget) = daily_budget(after) else { return Decimal::ZERO };
        if pending.is_whole {
            return budget;
        }
        let had = pending.daily_before.unwrap_or_default();
        self.daily.saturating_add(budget).saturating_sub(had).clamp(Decimal::ZERO, budget)
    }
}

impl Pending {
    /// The amount of a budget for a whole run. Somebody else may have raised it while the key activated the campaign.
    fn lifetime_after(&self, after: Option<&CampaignValues>) -> Decimal {
        let after = after.filter(|after| self.is_whole && may_run(after.status) && daily_budget(after).is_none());
        self.lifetime.max(after.and_then(|after| after.budget_amount).unwrap_or_default())
    }
}

/// The amount of a daily budget.
fn daily_budget(values: &CampaignValues) -> Option<Decimal> {
    let is_daily = values.budget_period.is_none_or(|period| !period.is_whole_run());
    if is_daily { values.budget_amount } else { None }
}

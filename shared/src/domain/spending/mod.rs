//! Spending limits of API keys and of a customer's users: what a spender may add to what runs, and what it has added (D62,
//! D157).
//!
//! A change reserves what it adds before it is sent, for each [`Spender`] that has a limit: its key, and the user of its
//! connection. What a spender has added to a campaign is its contribution to it. Everything here is a pure function of the
//! stored state.

mod approval;
mod contribution;
mod day;
mod demand;
mod limit;
mod raised;
mod refusal;
mod spender;
mod spendings;
mod user;

#[cfg(test)]
mod tests;

pub use approval::ApprovalRule;
pub use contribution::{Contribution, Pending, Recent};
pub use day::AccountDay;
pub use demand::{Addition, Demand, LimitedAction};
pub use limit::{CurrencyLimit, SpendingLimit};
pub use raised::Raised;
pub use refusal::{LimitName, LimitRefusal, LimitUsage, RefusedAmounts};
pub use spender::{Spender, SpenderKind};
pub use spendings::Spendings;

use super::{CampaignChanges, CampaignId, CampaignStatus, CampaignValues, ChangeId, ConnectionId, Currency};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// Most campaigns to which a spender contributes at a time, with those that are away.
pub const MAX_CONTRIBUTIONS: usize = 200;

/// The limit of a spender, and what counts against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spending {
    pub spender: Spender,
    /// Rises with every write, so that no decision depends on an old state.
    pub version: i64,
    /// `None` for a spender that has none, or none any more.
    pub limit: Option<SpendingLimit>,
    pub contributions: BTreeMap<CampaignId, Contribution>,
    /// What the user ran in connections that have left it for nobody, or for a user without a limit: it counts nowhere, and
    /// here again once the connection comes back.
    pub away: BTreeMap<CampaignId, Contribution>,
    /// The latest day (UTC) with creates, and their number.
    pub creates: Option<(Date, u32)>,
    /// The key was stopped, or the user paused, at this time: it adds nothing to what runs until it is resumed.
    pub stopped_at: Option<Timestamp>,
    /// The user leaves since this time: nobody changes anything in its connections any more.
    pub leaving_since: Option<Timestamp>,
    /// The latest change for which an approval was requested.
    pub asked: Option<ChangeId>,
    /// The connections that have left the user a moment ago. A change that has read the connection before that reserves
    /// nothing here, until this time.
    pub left: BTreeMap<ConnectionId, Timestamp>,
    /// Whether the key has ever been without a limit. Its contributions of that time are in the history of changes
    /// only.
    pub was_unlimited: bool,
}

/// The campaign of a change, and where it is.
#[derive(Clone, Copy, Debug)]
pub struct SpendingTarget<'a> {
    pub campaign: &'a CampaignId,
    pub connection: &'a ConnectionId,
    pub currency: Currency,
}

impl Spending {
    /// The state of a spender of which nothing is stored.
    pub fn none(spender: Spender) -> Spending {
        Spending {
            spender,
            version: 0,
            limit: None,
            contributions: BTreeMap::new(),
            away: BTreeMap::new(),
            creates: None,
            stopped_at: None,
            leaving_since: None,
            asked: None,
            left: BTreeMap::new(),
            was_unlimited: false,
        }
    }

    /// The state of a spender whose limit is new.
    pub fn new(spender: Spender, limit: SpendingLimit) -> Spending {
        Spending { limit: Some(limit), ..Spending::none(spender) }
    }

    /// The effective limit: a stopped key adds nothing, also one that has no limit any more.
    fn effective_limit(&self) -> Option<SpendingLimit> {
        match (&self.spender, self.stopped_at) {
            (Spender::Key(_), Some(_)) => Some(SpendingLimit::zero()),
            (Spender::Key(_), None) | (Spender::User(_), _) => self.limit.clone(),
        }
    }

    /// Whether changes have to look at it: it has a limit, or is stopped.
    pub fn is_in_force(&self) -> bool {
        self.limit.is_some() || self.stopped_at.is_some()
    }

    /// The state with another limit, or without one. What a key has added stays: a stop needs it. What a user has added
    /// is forgotten with the limit, because nothing is counted without one.
    #[must_use]
    pub fn limited_to(&self, limit: Option<SpendingLimit>) -> Spending {
        let is_forgotten = limit.is_none() && self.spender.user().is_some();
        let was_unlimited = self.was_unlimited || limit.is_none();
        let limited = Spending { limit, was_unlimited, ..self.clone() };
        if is_forgotten {
            Spending { contributions: BTreeMap::new(), away: BTreeMap::new(), ..limited }
        } else {
            limited
        }
    }

    /// Refuses a later change by a spender with a limit in a campaign with a monthly budget: an activation, another budget,
    /// or other dates, which may start it. The daily budget that would count is not the requested amount.
    pub fn check_monthly_budget(&self, changes: &CampaignChanges, currency: Currency) -> Result<(), LimitRefusal> {
        let is_activation = changes.status == Some(CampaignStatus::Active);
        if self.limit.is_some() && (is_activation || changes.names_budget() || changes.names_date()) {
            Err(self.monthly(currency))
        } else {
            Ok(())
        }
    }

    /// What counts against the daily limit in a currency.
    pub fn daily(&self, currency: Currency, now: Timestamp) -> Decimal {
        self.sum(currency, |contribution| contribution.counted_daily(now))
    }

    /// What counts against the limit of budgets for a whole run in a currency.
    pub fn lifetime(&self, currency: Currency) -> Decimal {
        self.sum(currency, Contribution::counted_lifetime)
    }

    fn sum(&self, currency: Currency, counted: impl Fn(&Contribution) -> Decimal) -> Decimal {
        let of_currency = self.contributions.values().filter(|contribution| contribution.currency == currency);
        of_currency.map(counted).fold(Decimal::ZERO, Decimal::saturating_add)
    }

    /// The refusal of a monthly budget.
    pub fn monthly(&self, currency: Currency) -> LimitRefusal {
        LimitRefusal::monthly(&self.spender, currency)
    }

    /// The state with the reservation of a change. A change that adds nothing is noted too if the spender has contributed
    /// to its campaign, because it may free something.
    pub fn reserve(
        &self,
        target: SpendingTarget<'_>,
        change: ChangeId,
        limited: &LimitedAction<'_>,
        now: Timestamp,
    ) -> Result<Spending, LimitRefusal> {
        let Some(limit) = &self.effective_limit() else { return Ok(self.clone()) };
        let of = &self.spender;
        let demand = limited.demand(now).map_err(|unknown| unknown.in_currency(of, target.currency))?;
        let of_currency = match demand {
            Demand::Free => None,
            _ => Some(limit.check(of, target.connection, target.currency, demand)?),
        };
        let mut reserved = self.swept(now);
        let known = reserved.contributions.get(target.campaign);
        if demand.addition().is_none() && known.is_none() {
            return Ok(reserved);
        }
        if known.is_none() && reserved.contributions.len() + reserved.away.len() >= MAX_CONTRIBUTIONS {
            return Err(LimitRefusal::contributions(of));
        }
        let contribution = known.cloned().unwrap_or_else(|| Contribution::none(target.connection, target.currency));
        let contribution = contribution.through(target.connection);
        let contribution = contribution.begin(change, limited.before, demand.addition());
        reserved.contributions.insert(target.campaign.clone(), contribution);
        if let (Some(addition), Some(of_currency)) = (demand.addition(), of_currency) {
            reserved.check_sum(addition, of_currency, self, now)?;
        }
        Ok(reserved)
    }

    /// Refuses if more is reserved than the limit allows. A limit that was lowered below what counts stops nothing, but
    /// nothing is added until the sum fits, not even what has been paused today.
    fn check_sum(
        &self,
        addition: Addition,
        limit: &CurrencyLimit,
        before: &Spending,
        now: Timestamp,
    ) -> Result<(), LimitRefusal> {
        let currency = limit.currency;
        let (name, amount, reserved, wanted) = if addition.is_lifetime {
            (LimitName::Lifetime, limit.lifetime, before.lifetime(currency), self.lifetime(currency))
        } else {
            (LimitName::Daily, limit.daily, before.daily(currency, now), self.daily(currency, now))
        };
        if wanted > amount {
            let usage = LimitUsage { currency, amount, reserved };
            Err(LimitRefusal::sum(&self.spender, name, usage, wanted.saturating_sub(reserved)))
        } else {
            Ok(())
        }
    }

    /// The state once the outcome of a change is known. `after` is the campaign after a change that was applied in full
    /// or in part, if it was read. A change that is not under way here changes nothing.
    pub fn settle(&self, change: ChangeId, outcome: ChangeEffect<'_>, day: AccountDay) -> Spending {
        let mut settled = self.clone();
        let under_way = |contribution: &&mut Contribution| {
            contribution.pending.as_ref().is_some_and(|pending| pending.change == change)
        };
        if let Some(contribution) = settled.contributions.values_mut().find(under_way) {
            *contribution = contribution.clone().settled(outcome, day);
        }
        settled
    }

    /// The state after a person has freed the contribution to a campaign. `None` while a change of it is under way.
    pub fn freed(&self, campaign: &CampaignId) -> Option<Spending> {
        let mut freed = self.clone();
        match freed.contributions.remove(campaign) {
            Some(Contribution { pending: Some(_), .. }) => None,
            Some(_) | None => Some(freed),
        }
    }

    /// The state after a read has shown that a campaign does not run: its contribution counts until the day of the ad
    /// account is over. `seen` is the contribution as it was before the read. A contribution that has changed since, or
    /// has a change under way, stays as it is.
    pub fn observed(&self, campaign: &CampaignId, seen: &Contribution, day: AccountDay) -> Spending {
        let mut observed = self.clone();
        if let Some(contribution) = observed.contributions.get_mut(campaign).filter(|one| *one == seen) {
            *contribution = contribution.clone().at_rest(day);
        }
        observed
    }

    /// Counts creates, which start paused and reserve nothing.
    pub fn count_creates(&self, new: &[NewBudget<'_>], now: Timestamp) -> Result<Spending, LimitRefusal> {
        let Some(limit) = &self.effective_limit() else { return Ok(self.clone()) };
        for NewBudget { connection, currency, amount } in new {
            limit.check(&self.spender, connection, *currency, Demand::Paused(*amount))?;
        }
        let used = self.creates_today(now);
        let wanted = used.saturating_add(u32::try_from(new.len()).unwrap_or(u32::MAX));
        if wanted > limit.creates_per_day {
            return Err(LimitRefusal::creates(&self.spender, limit.creates_per_day, used, new.len()));
        }
        Ok(Spending { creates: Some((today(now), wanted)), ..self.clone() })
    }

    /// Campaigns that the spender has created today (UTC).
    pub fn creates_today(&self, now: Timestamp) -> u32 {
        self.creates.filter(|(day, _)| *day == today(now)).map_or(0, |(_, number)| number)
    }

    /// The state once it is written.
    #[must_use]
    pub fn written(&self) -> Spending {
        Spending { version: self.version + 1, ..self.clone() }
    }

    /// Without the contributions that do not count any more.
    fn swept(&self, now: Timestamp) -> Spending {
        let mut swept = self.clone();
        swept.contributions.retain(|_, contribution| contribution.counts(now));
        swept.left.retain(|_, until| now < *until);
        swept
    }
}

fn today(now: Timestamp) -> Date {
    TimeZone::UTC.to_datetime(now).date()
}

/// The budget of a campaign that a create makes.
#[derive(Clone, Copy, Debug)]
pub struct NewBudget<'a> {
    pub connection: &'a ConnectionId,
    pub currency: Currency,
    pub amount: Decimal,
}

/// The effect of a change.
#[derive(Clone, Copy, Debug)]
pub enum ChangeEffect<'a> {
    /// Nothing was applied.
    None,
    /// All or a part was applied. The campaign after it, if it was read.
    Some(Option<&'a CampaignValues>),
}

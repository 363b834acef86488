//! Spending limits of API keys: what a key may add to what runs, and what it has added (D62).
//!
//! A key with a limit reserves what a change adds before the change is sent. What the key has added to a campaign is
//! its contribution to it. Everything here is a pure function of the stored state.

mod approval;
mod contribution;
mod demand;
mod limit;
mod raised;
mod refusal;

#[cfg(test)]
mod tests;

pub use approval::ApprovalRule;
pub use contribution::{Contribution, Pending, Recent};
pub use demand::{Addition, Demand, LimitedAction};
pub use limit::{CurrencyLimit, SpendingLimit};
pub use raised::Raised;
pub use refusal::{LimitName, LimitRefusal, LimitUsage, RefusedAmounts};

use super::{CampaignChanges, CampaignId, CampaignStatus, CampaignValues, ChangeId, ConnectionId, Currency, KeyId};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// Most campaigns to which a key contributes at a time.
pub const MAX_CONTRIBUTIONS: usize = 200;

/// The limit of a key, and what counts against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySpending {
    pub key: KeyId,
    /// Rises with every write, so that no decision depends on an old state.
    pub version: i64,
    /// `None` for a key that has none any more.
    pub limit: Option<SpendingLimit>,
    pub contributions: BTreeMap<CampaignId, Contribution>,
    /// The latest day (UTC) with creates, and their number.
    pub creates: Option<(Date, u32)>,
    /// The key was stopped at this time: it adds nothing until a person resumes it.
    pub stopped_at: Option<Timestamp>,
    /// The latest change for which the key has requested an approval.
    pub asked: Option<ChangeId>,
    /// Whether the key has ever been without a limit. Its contributions of that time are in the history of changes
    /// only.
    pub was_unlimited: bool,
}

/// The campaign of a change, and who pays for it.
#[derive(Clone, Copy, Debug)]
pub struct Spender<'a> {
    pub campaign: &'a CampaignId,
    pub connection: &'a ConnectionId,
    pub currency: Currency,
}

impl KeySpending {
    /// The state of a key whose limit is new.
    pub fn new(key: KeyId, limit: SpendingLimit) -> KeySpending {
        KeySpending {
            key,
            version: 0,
            limit: Some(limit),
            contributions: BTreeMap::new(),
            creates: None,
            stopped_at: None,
            asked: None,
            was_unlimited: false,
        }
    }

    /// The effective limit: a stopped key adds nothing, also one that has no limit any more.
    fn effective_limit(&self) -> Option<SpendingLimit> {
        if self.stopped_at.is_some() { Some(SpendingLimit::zero()) } else { self.limit.clone() }
    }

    /// Refuses a later change by a key with a limit in a campaign with a monthly budget: an activation, another budget,
    /// or other dates, which may start it. The daily budget that would count is not the requested amount.
    pub fn check_monthly_budget(&self, changes: &CampaignChanges, currency: Currency) -> Result<(), LimitRefusal> {
        let is_activation = changes.status == Some(CampaignStatus::Active);
        if self.limit.is_some() && (is_activation || changes.names_budget() || changes.names_date()) {
            Err(LimitRefusal::monthly(currency))
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

    /// The state with the reservation of a change. A change that adds nothing is noted too if the key has contributed
    /// to its campaign, because it may free something.
    pub fn reserve(
        &self,
        spender: Spender<'_>,
        change: ChangeId,
        limited: &LimitedAction<'_>,
        now: Timestamp,
    ) -> Result<KeySpending, LimitRefusal> {
        let Some(limit) = &self.effective_limit() else { return Ok(self.clone()) };
        let demand = limited.demand(now).map_err(|unknown| unknown.in_currency(spender.currency))?;
        let of_currency = match demand {
            Demand::Free => None,
            _ => Some(limit.check(spender.connection, spender.currency, demand)?),
        };
        let mut reserved = self.swept(now);
        let known = reserved.contributions.get(spender.campaign);
        if demand.addition().is_none() && known.is_none() {
            return Ok(reserved);
        }
        if known.is_none() && reserved.contributions.len() >= MAX_CONTRIBUTIONS {
            return Err(LimitRefusal::contributions());
        }
        let contribution = known.cloned().unwrap_or_else(|| Contribution::none(spender.connection, spender.currency));
        let contribution = contribution.begin(change, limited.before, demand.addition());
        reserved.contributions.insert(spender.campaign.clone(), contribution);
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
        before: &KeySpending,
        now: Timestamp,
    ) -> Result<(), LimitRefusal> {
        let currency = limit.currency;
        let (name, amount, reserved, wanted) = if addition.is_lifetime {
            (LimitName::Lifetime, limit.lifetime, before.lifetime(currency), self.lifetime(currency))
        } else {
            (LimitName::Daily, limit.daily, before.daily(currency, now), self.daily(currency, now))
        };
        if wanted > amount {
            Err(LimitRefusal::sum(name, LimitUsage { currency, amount, reserved }, wanted.saturating_sub(reserved)))
        } else {
            Ok(())
        }
    }

    /// The state once the outcome of a change is known. `after` is the campaign after a change that was applied in full
    /// or in part, if it was read. A change that is not under way here changes nothing.
    pub fn settle(&self, change: ChangeId, outcome: ChangeEffect<'_>, day: AccountDay) -> KeySpending {
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
    pub fn freed(&self, campaign: &CampaignId) -> Option<KeySpending> {
        let mut freed = self.clone();
        match freed.contributions.remove(campaign) {
            Some(Contribution { pending: Some(_), .. }) => None,
            Some(_) | None => Some(freed),
        }
    }

    /// The state after a read has shown that a campaign does not run: its contribution counts until the day of the ad
    /// account is over. `seen` is the contribution as it was before the read. A contribution that has changed since, or
    /// has a change under way, stays as it is.
    pub fn observed(&self, campaign: &CampaignId, seen: &Contribution, day: AccountDay) -> KeySpending {
        let mut observed = self.clone();
        if let Some(contribution) = observed.contributions.get_mut(campaign).filter(|one| *one == seen) {
            *contribution = contribution.clone().at_rest(day);
        }
        observed
    }

    /// Counts creates, which start paused and reserve nothing.
    pub fn count_creates(&self, new: &[NewBudget<'_>], now: Timestamp) -> Result<KeySpending, LimitRefusal> {
        let Some(limit) = &self.effective_limit() else { return Ok(self.clone()) };
        for NewBudget { connection, currency, amount } in new {
            limit.check(connection, *currency, Demand::Paused(*amount))?;
        }
        let used = self.creates_today(now);
        let wanted = used.saturating_add(u32::try_from(new.len()).unwrap_or(u32::MAX));
        if wanted > limit.creates_per_day {
            return Err(LimitRefusal::creates(limit.creates_per_day, used, new.len()));
        }
        Ok(KeySpending { creates: Some((today(now), wanted)), ..self.clone() })
    }

    /// Campaigns that the key has created today (UTC).
    pub fn creates_today(&self, now: Timestamp) -> u32 {
        self.creates.filter(|(day, _)| *day == today(now)).map_or(0, |(_, number)| number)
    }

    /// The state once it is written.
    #[must_use]
    pub fn written(&self) -> KeySpending {
        KeySpending { version: self.version + 1, ..self.clone() }
    }

    /// Without the contributions that do not count any more.
    fn swept(&self, now: Timestamp) -> KeySpending {
        let mut swept = self.clone();
        swept.contributions.retain(|_, contribution| contribution.counts(now));
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

/// The present moment in the day of an ad account.
#[derive(Clone, Copy, Debug)]
pub struct AccountDay {
    pub now: Timestamp,
    /// End of the day in the account's time zone.
    pub ends_at: Timestamp,
}

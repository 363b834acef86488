//! Capabilities: one table for each platform. Creates, updates and dry runs are checked against it, and `listPlatforms`
//! and the documentation show it.

mod budgets;
mod dates;
mod names;

pub use budgets::{BudgetBound, DailySpend, DecimalLimit, SetBy};
pub use dates::{DateRule, DateRules, HELD_DAYS_AHEAD, Timing};
pub use names::{NameRules, NameUnit};

use crate::domain::{
    Accepted, BudgetPeriod, CampaignDraft, CampaignStatus, ChoiceRule, Currency, FieldError, Goal, Holder, Platform,
    TimeRule,
};
use crate::platforms::field_errors::FieldErrors;

/// The capabilities of one platform.
#[derive(Debug)]
pub struct Capabilities {
    pub platform: Platform,
    /// Goals that a campaign can be created with.
    pub goals: &'static [Goal],
    /// Budget periods that a campaign can be created with.
    pub budget_periods: &'static [BudgetPeriod],
    /// Goals that have no budget for the whole run.
    pub goals_without_whole_run: &'static [Goal],
    /// A PATCH can change the budget period.
    pub has_period_change: bool,
    /// States that a PATCH can move to.
    pub writable_statuses: &'static [CampaignStatus],
    pub names: NameRules,
    /// Who starts and ends a campaign at its dates: the platform, or this service where its campaigns have none.
    pub dates_held_by: Holder,
    pub dates: DateRules,
    /// A budget for the whole run needs an end.
    pub lifetime_needs_end: bool,
    /// The most that a day spends.
    pub daily_spend: DailySpend,
    pub deletion: Deletion,
    /// Smallest budgets, as far as they are known.
    pub minimum_budgets: &'static [BudgetBound],
    /// Largest budgets, as far as they are known.
    pub maximum_budgets: &'static [BudgetBound],
    /// The platform's own limit of an amount's decimals, below that of the currency.
    pub decimals: Option<DecimalLimit>,
    pub notes: &'static [&'static str],
}

/// The effect of DELETE on a platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    Removes,
    /// Archives it, because there is no removal.
    Archives,
}

impl Capabilities {
    /// The fields that a campaign with this budget period must have.
    pub fn needs(&self, period: BudgetPeriod) -> &'static [&'static str] {
        if self.lifetime_needs_end && period.is_whole_run() { &["end_at"] } else { &[] }
    }

    /// Budget periods of this API: those of the platform, and MONTHLY, which this service holds by a DAILY one.
    pub fn offered_periods(&self) -> Vec<BudgetPeriod> {
        let monthly = self.budget_periods.contains(&BudgetPeriod::Daily).then_some(BudgetPeriod::Monthly);
        self.budget_periods.iter().copied().chain(monthly).collect()
    }

    /// Who keeps a campaign within its budget. No platform has budgets for a month.
    pub fn budget_held_by(period: BudgetPeriod) -> Holder {
        match period {
            BudgetPeriod::Daily | BudgetPeriod::Total | BudgetPeriod::Lifetime => Holder::Platform,
            BudgetPeriod::Monthly => Holder::Service,
        }
    }

    /// The goals of new campaigns with this budget period.
    pub fn goals_with(&self, period: BudgetPeriod) -> Vec<Goal> {
        self.goals.iter().copied().filter(|goal| self.has(*goal, period)).collect()
    }

    /// The budget periods of new campaigns with this goal.
    fn periods_with(&self, goal: Goal) -> Vec<BudgetPeriod> {
        self.offered_periods().into_iter().filter(|period| self.has(goal, *period)).collect()
    }

    fn has(&self, goal: Goal, period: BudgetPeriod) -> bool {
        !(period.is_whole_run() && self.goals_without_whole_run.contains(&goal))
    }

    /// The faults of a draft by this table. Adapters add those that the table does not know, and those of the dates,
    /// which [`Capabilities::check_new_dates`] finds. Without a currency the amount is not checked.
    pub fn draft_errors(&self, currency: Option<Currency>, draft: &CampaignDraft) -> FieldErrors {
        let platform = self.platform;
        let CampaignDraft { goal, budget_period: period, budget_amount: amount, .. } = *draft;
        let mut errors = FieldErrors::default();
        if !self.goals.contains(&goal) {
            let instead = Some(Accepted::Goals(self.goals.to_vec()));
            errors.add("goal", ChoiceRule::Offered { platform, instead });
        }
        if !self.budget_periods.contains(&period) {
            let instead = Some(Accepted::Periods(self.offered_periods()));
            errors.add("budget_period", ChoiceRule::Offered { platform, instead });
        } else if !self.has(goal, period) {
            let instead = Accepted::Periods(self.periods_with(goal));
            errors.add("budget_period", ChoiceRule::OfferedWithGoal { platform, instead });
        } else if draft.end_at.is_none() {
            errors.extend(self.no_end_error(Some(period)));
        }
        errors.extend(currency.and_then(|currency| self.amount_error(amount, Some(period), currency)));
        errors.extend(self.name_error(&draft.name));
        errors
    }

    /// The error of a campaign without an end whose budget needs one.
    pub fn no_end_error(&self, period: Option<BudgetPeriod>) -> Option<FieldError> {
        let period = period.filter(|period| self.needs(*period).contains(&"end_at"))?;
        Some(FieldError::new("end_at", TimeRule::EndRequired { period, platform: self.platform }))
    }
}

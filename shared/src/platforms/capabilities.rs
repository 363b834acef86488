//! Capabilities: one table for each platform, which validators and documentation read.

use crate::domain::{AdAccount, BudgetPeriod, CampaignDraft, CampaignStatus, Currency, Goal, Holder, Platform};
use crate::error::FieldError;
use crate::platforms::field_errors::FieldErrors;
use rust_decimal::Decimal;

/// The capabilities of one platform.
#[derive(Debug)]
pub struct Capabilities {
    pub platform: Platform,
    /// Goals that a campaign can be created with.
    pub goals: &'static [Goal],
    /// Budget periods that a campaign can be created with.
    pub budget_periods: &'static [BudgetPeriod],
    /// States that a PATCH can move to.
    pub writable_statuses: &'static [CampaignStatus],
    /// Who starts and ends a campaign at its dates: the platform, or this service where its campaigns have none.
    pub dates_held_by: Holder,
    /// A budget for the whole run needs an end.
    pub lifetime_needs_end: bool,
    /// The most that a day spends.
    pub daily_spend: DailySpend,
    pub deletion: Deletion,
    /// Smallest budgets, as far as they are known.
    pub minimum_budgets: &'static [MinimumBudget],
    pub notes: &'static [&'static str],
}

/// The effect of DELETE on a platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    Removes,
    /// Archives it, because there is no removal.
    Archives,
}

/// The most that a campaign spends on a day, by the platform's own page.
#[derive(Debug)]
pub struct DailySpend {
    /// Hundredths of the highest daily budget in force on the day.
    pub hundredths: i64,
    pub page: &'static str,
}

/// A budget below this is rejected before anything is sent.
#[derive(Debug)]
pub struct MinimumBudget {
    pub period: BudgetPeriod,
    /// The currency; `None` for a number that holds in every currency.
    pub currency: Option<&'static str>,
    /// The amount, in hundredths of the major unit.
    pub hundredths: i64,
}

impl MinimumBudget {
    /// The amount in major units.
    pub fn amount(&self) -> Decimal {
        Decimal::new(self.hundredths, 2).normalize()
    }
}

impl Capabilities {
    /// The smallest budget for a period in a currency, if there is one.
    pub fn minimum_budget(&self, period: BudgetPeriod, currency: Currency) -> Option<Decimal> {
        let applies = |minimum: &&MinimumBudget| {
            minimum.period.means(period) && minimum.currency.is_none_or(|code| code == currency.code())
        };
        self.minimum_budgets.iter().filter(applies).map(MinimumBudget::amount).max()
    }

    /// The faults of a draft by this table. Adapters add those that the table does not know.
    pub fn draft_errors(&self, account: &AdAccount, draft: &CampaignDraft) -> FieldErrors {
        let name = self.platform.display_name();
        let mut errors = FieldErrors::default();
        if !self.goals.contains(&draft.goal) {
            let has: Vec<&str> = self.goals.iter().map(|goal| goal.plain()).collect();
            errors.add("goal", format!("is not offered on {name}: it has {}", has.join(", ")));
        }
        if !self.budget_periods.contains(&draft.budget_period) {
            let has: Vec<&str> = self.budget_periods.iter().map(|period| period.as_str()).collect();
            errors.add("budget_period", format!("is not offered on {name}: it has {}", has.join(", ")));
        } else if draft.end_at.is_none() {
            errors.extend(self.no_end_error(Some(draft.budget_period)));
        }
        errors.extend(self.amount_error(draft.budget_amount, Some(draft.budget_period), account.currency));
        errors
    }

    /// The error of a campaign without an end whose budget needs one.
    pub fn no_end_error(&self, period: Option<BudgetPeriod>) -> Option<FieldError> {
        let period = period.filter(|period| self.lifetime_needs_end && period.is_whole_run())?;
        let (period, name) = (period.as_str(), self.platform.display_name());
        Some(field_error("end_at", format!("is required with a {period} budget on {name}")))
    }

    /// The error of a budget that is not above zero, finer than its currency, or below the minimum.
    pub fn amount_error(
        &self,
        amount: Decimal,
        period: Option<BudgetPeriod>,
        currency: Currency,
    ) -> Option<FieldError> {
        if amount <= Decimal::ZERO {
            return Some(field_error("budget_amount", "must be greater than 0"));
        }
        if let Err(reason) = currency.check(amount) {
            return Some(field_error("budget_amount", reason.to_string()));
        }
        let period = period?;
        let minimum = self.minimum_budget(period, currency).filter(|minimum| amount < *minimum)?;
        let span = match period {
            BudgetPeriod::Daily => "a day",
            BudgetPeriod::Monthly => "a month",
            BudgetPeriod::Total | BudgetPeriod::Lifetime => "in all",
        };
        let name = self.platform.display_name();
        let code = currency.code();
        Some(field_error("budget_amount", format!("must be at least {minimum} {code} {span} on {name}")))
    }
}

/// An error of one field.
pub fn field_error(field: &str, message: impl Into<String>) -> FieldError {
    FieldError { field: field.to_owned(), message: message.into() }
}

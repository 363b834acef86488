//! Amounts of budgets: how small, how large and how fine they may be.

use super::Capabilities;
use crate::domain::{AmountRule, BudgetPeriod, Currency, FieldError};
use rust_decimal::Decimal;

/// A smallest or a largest budget. What is beyond it is rejected before anything is sent.
#[derive(Debug)]
pub struct BudgetBound {
    pub period: BudgetPeriod,
    /// The currency; `None` for a number that holds in every currency.
    pub currency: Option<&'static str>,
    /// The amount, in hundredths of the major unit.
    pub hundredths: i64,
    pub set_by: SetBy,
}

/// The most that a campaign spends on a day, by the platform's own page.
#[derive(Debug)]
pub struct DailySpend {
    /// Hundredths of the highest daily budget in force on the day.
    pub hundredths: i64,
    pub page: &'static str,
}

/// Who sets a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetBy {
    /// The contract of this API.
    Service,
    /// The platform, by its documentation.
    Platform,
}

impl SetBy {
    /// The name in the API: `platform`.
    pub fn as_str(self) -> &'static str {
        match self {
            SetBy::Service => "service",
            SetBy::Platform => "platform",
        }
    }
}

impl BudgetBound {
    /// A bound of the contract, which holds for the number in every currency.
    pub const fn of_service(period: BudgetPeriod, hundredths: i64) -> BudgetBound {
        BudgetBound { period, currency: None, hundredths, set_by: SetBy::Service }
    }

    /// A bound of the platform in one currency.
    pub const fn of_platform(period: BudgetPeriod, currency: &'static str, hundredths: i64) -> BudgetBound {
        BudgetBound { period, currency: Some(currency), hundredths, set_by: SetBy::Platform }
    }

    /// The amount in major units.
    pub fn amount(&self) -> Decimal {
        Decimal::new(self.hundredths, 2).normalize()
    }

    fn applies(&self, period: BudgetPeriod, currency: Currency) -> bool {
        self.period.means(period) && self.currency.is_none_or(|code| code == currency.code())
    }
}

/// A platform's limit of the decimals of an amount.
#[derive(Clone, Copy, Debug)]
pub struct DecimalLimit {
    /// The decimals in all other currencies.
    pub maximum: u32,
    /// Currencies whose amounts have no decimals.
    pub none_in: &'static [&'static str],
}

impl DecimalLimit {
    /// The most decimals in a currency.
    pub fn in_currency(&self, currency: Currency) -> u32 {
        if self.none_in.contains(&currency.code()) { 0 } else { self.maximum }
    }
}

impl Capabilities {
    /// The smallest budget for a period in a currency, if there is one.
    pub fn minimum_budget(&self, period: BudgetPeriod, currency: Currency) -> Option<Decimal> {
        let applies = |bound: &&BudgetBound| bound.applies(period, currency);
        self.minimum_budgets.iter().filter(applies).map(BudgetBound::amount).max()
    }

    /// The largest budget for a period in a currency, if there is one.
    fn maximum_budget(&self, period: BudgetPeriod, currency: Currency) -> Option<Decimal> {
        let applies = |bound: &&BudgetBound| bound.applies(period, currency);
        self.maximum_budgets.iter().filter(applies).map(BudgetBound::amount).min()
    }

    /// The most decimals of a budget in a currency.
    pub fn decimals_in(&self, currency: Currency) -> u32 {
        let limit = self.decimals.map(|limit| limit.in_currency(currency));
        limit.map_or(currency.decimals(), |limit| limit.min(currency.decimals()))
    }

    /// The error of a budget that is not above zero, too fine, or beyond a bound.
    pub fn amount_error(
        &self,
        amount: Decimal,
        period: Option<BudgetPeriod>,
        currency: Currency,
    ) -> Option<FieldError> {
        let broken = self.broken_rule(amount, period, currency)?;
        Some(FieldError::new("budget_amount", broken))
    }

    fn broken_rule(&self, amount: Decimal, period: Option<BudgetPeriod>, currency: Currency) -> Option<AmountRule> {
        let platform = self.platform;
        if amount <= Decimal::ZERO {
            return Some(AmountRule::Positive);
        }
        if let Err(reason) = currency.check(amount) {
            return Some(AmountRule::Exact(reason));
        }
        let places = self.decimals.map(|limit| limit.in_currency(currency));
        if let Some(most) = places.filter(|places| amount.normalize().scale() > *places) {
            return Some(AmountRule::Decimals { most, currency, platform });
        }
        let per = period?;
        if let Some(amount) = self.minimum_budget(per, currency).filter(|minimum| amount < *minimum) {
            return Some(AmountRule::AtLeast { amount, currency, per, platform });
        }
        let amount = self.maximum_budget(per, currency).filter(|maximum| amount > *maximum)?;
        Some(AmountRule::AtMost { amount, currency, per, platform })
    }
}

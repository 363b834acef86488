//! What an amount of money must satisfy, and other numbers.

use crate::domain::{BudgetPeriod, Currency, MoneyError, Platform};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use std::fmt;

/// What an amount must satisfy.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AmountRule {
    /// It is a number of JSON.
    Number,
    /// It is above zero.
    Positive,
    /// It is zero or more.
    NotNegative,
    /// It is a whole number from 0 on.
    Whole { most: u32 },
    /// It is an exact amount of its currency.
    Exact(MoneyError),
    /// The platform's numbers hold no more than this.
    Largest {
        #[serde_as(as = "DisplayFromStr")]
        amount: Decimal,
    },
    /// A platform has fewer decimals than the currency.
    Decimals { most: u32, currency: Currency, platform: Platform },
    /// The smallest budget of a platform.
    AtLeast {
        #[serde_as(as = "DisplayFromStr")]
        amount: Decimal,
        currency: Currency,
        per: BudgetPeriod,
        platform: Platform,
    },
    /// The smallest budget of a month, which this service holds by a daily one.
    MonthAtLeast {
        #[serde_as(as = "DisplayFromStr")]
        amount: Decimal,
        currency: Currency,
        platform: Platform,
    },
    /// The largest budget of a platform.
    AtMost {
        #[serde_as(as = "DisplayFromStr")]
        amount: Decimal,
        currency: Currency,
        per: BudgetPeriod,
        platform: Platform,
    },
}

impl fmt::Display for AmountRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AmountRule::Number => f.write_str("must be a number"),
            AmountRule::Positive => f.write_str("must be greater than 0"),
            AmountRule::NotNegative => f.write_str("must be 0 or more"),
            AmountRule::Whole { most } => write!(f, "must be a whole number from 0 to {most}"),
            AmountRule::Exact(reason) => reason.fmt(f),
            AmountRule::Largest { amount } => write!(f, "is too large: the maximum is {amount}"),
            AmountRule::Decimals { most, currency, platform } => {
                let (code, name) = (currency.code(), platform.display_name());
                write!(f, "must have at most {most} decimals in {code} on {name}")
            }
            AmountRule::AtLeast { amount, currency, per, platform } => {
                let (code, name) = (currency.code(), platform.display_name());
                write!(f, "must be at least {amount} {code} {} on {name}", per.span())
            }
            AmountRule::MonthAtLeast { amount, currency, platform } => {
                let (code, name) = (currency.code(), platform.display_name());
                write!(
                    f,
                    "must be at least {amount} {code} a month on {name}: 31 days of its smallest daily budget, which this \
                     service sets each day"
                )
            }
            AmountRule::AtMost { amount, currency, per, platform } => {
                let (code, name) = (currency.code(), platform.display_name());
                write!(f, "must be at most {amount} {code} {} on {name}", per.span())
            }
        }
    }
}

//! Budget periods of campaigns.

use super::variants;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The period that a budget amount covers.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::Display, EnumString, IntoStaticStr, VariantArray, Serialize, Deserialize,
)]
#[strum(serialize_all = "UPPERCASE")]
pub enum BudgetPeriod {
    /// Each day.
    Daily,
    /// Each month.
    Monthly,
    /// The whole run of the campaign. Only the enveloped shape has this name; the flat shape writes `LIFETIME`.
    Total,
    /// The whole run of the campaign. Both shapes have this name.
    Lifetime,
}

impl BudgetPeriod {
    /// Every period.
    pub const ALL: [BudgetPeriod; 4] = variants();

    /// Returns `true` if two periods are the same: `TOTAL` and `LIFETIME` are.
    pub fn means(self, other: BudgetPeriod) -> bool {
        self == other || (self.is_whole_run() && other.is_whole_run())
    }

    /// Returns `true` if the amount covers the whole run of the campaign.
    pub fn is_whole_run(self) -> bool {
        match self {
            BudgetPeriod::Total | BudgetPeriod::Lifetime => true,
            BudgetPeriod::Daily | BudgetPeriod::Monthly => false,
        }
    }

    /// The time in words, after an amount: `a day`.
    pub fn span(self) -> &'static str {
        match self {
            BudgetPeriod::Daily => "a day",
            BudgetPeriod::Monthly => "a month",
            BudgetPeriod::Total | BudgetPeriod::Lifetime => "in all",
        }
    }

    /// The name in the enveloped shape: `DAILY`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<BudgetPeriod> {
        name.parse().ok()
    }
}

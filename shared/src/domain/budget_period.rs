//! Budget periods of campaigns.

/// The period that a budget amount covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    pub const ALL: [BudgetPeriod; 4] =
        [BudgetPeriod::Daily, BudgetPeriod::Monthly, BudgetPeriod::Total, BudgetPeriod::Lifetime];

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

    /// The name in the enveloped shape: `DAILY`.
    pub fn as_str(self) -> &'static str {
        match self {
            BudgetPeriod::Daily => "DAILY",
            BudgetPeriod::Monthly => "MONTHLY",
            BudgetPeriod::Total => "TOTAL",
            BudgetPeriod::Lifetime => "LIFETIME",
        }
    }
}

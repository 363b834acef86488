//! Why a limit refuses a change.

use super::MAX_CONTRIBUTIONS;
use super::spender::{Spender, SpenderKind};
use crate::domain::{AmountAsText, Currency, KeyId, variants};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::serde_as;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The part of a limit that refuses a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum LimitName {
    Daily,
    Lifetime,
    PerChange,
    CreatesPerDay,
    Currency,
    Connection,
    BudgetUnknown,
    Contributions,
}

impl LimitName {
    /// Every name.
    pub const ALL: [LimitName; 8] = variants();

    /// The name in the API: `per_change`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<LimitName> {
        name.parse().ok()
    }
}

/// A limit in a currency, and what counts against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitUsage {
    pub currency: Currency,
    pub amount: Decimal,
    pub reserved: Decimal,
}

impl LimitUsage {
    /// The remaining amount; 0 if more is reserved than a lowered limit allows.
    pub fn remaining(self) -> Decimal {
        self.amount.saturating_sub(self.reserved).max(Decimal::ZERO)
    }
}

/// The refusal of a change that a limit does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitRefusal {
    /// Whose limit it is.
    pub of: Spender,
    pub limit: LimitName,
    pub currency: Option<Currency>,
    /// The limit, what counts against it, and what the change needs: amounts, or numbers of creates. `None` where the
    /// limit is no amount.
    pub amounts: Option<RefusedAmounts>,
    /// The sentence for the caller.
    pub message: String,
}

/// The amounts of a refusal.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedAmounts {
    #[serde_as(as = "AmountAsText")]
    pub amount: Decimal,
    #[serde_as(as = "AmountAsText")]
    pub reserved: Decimal,
    #[serde_as(as = "AmountAsText")]
    pub left: Decimal,
    #[serde_as(as = "AmountAsText")]
    pub needed: Decimal,
}

impl LimitRefusal {
    pub(super) fn sum(of: &Spender, limit: LimitName, usage: LimitUsage, needed: Decimal) -> LimitRefusal {
        let LimitUsage { currency, amount, reserved } = usage;
        let (who, code, rest) = (of.kind().subject(), currency.code(), usage.remaining());
        let message = match limit {
            LimitName::PerChange => format!(
                "One change {within} may add {amount} {code}, and this one adds {needed} {code}. Nothing was sent.",
                within = match of.kind() {
                    SpenderKind::Key => "with this API key",
                    SpenderKind::User => "for the user of this connection",
                }
            ),
            LimitName::Lifetime => format!(
                "{who} may add {amount} {code} to budgets for a whole run. {reserved} {code} are reserved and \
                 {rest} {code} left, and this change needs {needed} {code}. Nothing was sent."
            ),
            _ => format!(
                "{who} may run {amount} {code} a day. {reserved} {code} are reserved and {rest} {code} left, and \
                 this change needs {needed} {code}. What was paused or lowered counts until the day of its ad account \
                 is over. Nothing was sent."
            ),
        };
        let amounts = RefusedAmounts { amount, reserved, left: rest, needed };
        LimitRefusal { of: of.clone(), limit, currency: Some(currency), amounts: Some(amounts), message }
    }

    pub(super) fn creates(of: &Spender, amount: u32, used: u32, needed: usize) -> LimitRefusal {
        let left = amount.saturating_sub(used);
        let who = of.kind().subject();
        let message = format!(
            "{who} may create {amount} campaigns a day (UTC). {left} are left today, and this request needs \
             {needed}. Nothing was sent."
        );
        let amounts = RefusedAmounts {
            amount: amount.into(),
            reserved: used.into(),
            left: left.into(),
            needed: Decimal::from(needed),
        };
        LimitRefusal {
            of: of.clone(),
            limit: LimitName::CreatesPerDay,
            currency: None,
            amounts: Some(amounts),
            message,
        }
    }

    pub(super) fn currency(of: &Spender, currency: Currency) -> LimitRefusal {
        let (who, code) = (of.kind().subject(), currency.code());
        let message = format!(
            "{who} has no limit in {code}, so it can add no budget in {code}. A person can add one. Nothing was sent."
        );
        LimitRefusal::without_amounts(of, LimitName::Currency, Some(currency), message)
    }

    /// The refusal of a connection that the limit of a key does not name, or names no more. The key does not see which it
    /// is.
    pub fn connection(key: &KeyId) -> LimitRefusal {
        let message = "This API key may not change campaigns of this connection. A person can add the connection to its \
                       limit. Nothing was sent.";
        LimitRefusal::without_amounts(&Spender::Key(key.clone()), LimitName::Connection, None, message)
    }

    pub(super) fn budget_unknown(of: &Spender, currency: Currency) -> LimitRefusal {
        let message = match of.kind() {
            SpenderKind::Key => {
                "The campaign has no budget of its own, so what this change adds is not known. Use an API key without a \
                 limit. Nothing was sent."
            }
            SpenderKind::User => {
                "The campaign has no budget of its own, so what this change adds is not known, and the user of its \
                 connection has a spending limit. Nothing was sent."
            }
        };
        LimitRefusal::without_amounts(of, LimitName::BudgetUnknown, Some(currency), message)
    }

    /// The refusal of a monthly budget.
    pub(super) fn monthly(of: &Spender, currency: Currency) -> LimitRefusal {
        let message = match of.kind() {
            SpenderKind::Key => {
                "The budget is monthly, and an API key with a limit adds daily budgets and budgets for a whole run only. \
                 Nothing was sent."
            }
            SpenderKind::User => {
                "The budget is monthly, and the user of this connection has a spending limit, which knows daily budgets and \
                 budgets for a whole run only. Nothing was sent."
            }
        };
        LimitRefusal::without_amounts(of, LimitName::BudgetUnknown, Some(currency), message)
    }

    pub(super) fn contributions(of: &Spender) -> LimitRefusal {
        let who = of.kind().subject();
        let message = format!(
            "{who} has added to {MAX_CONTRIBUTIONS} campaigns, and more are not possible. Pause one: it is free \
             when the day of its ad account is over. Nothing was sent."
        );
        LimitRefusal::without_amounts(of, LimitName::Contributions, None, message)
    }

    fn without_amounts(
        of: &Spender,
        limit: LimitName,
        currency: Option<Currency>,
        message: impl Into<String>,
    ) -> LimitRefusal {
        LimitRefusal { of: of.clone(), limit, currency, amounts: None, message: message.into() }
    }
}

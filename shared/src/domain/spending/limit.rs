//! The limit itself, as a person sets it.

use super::ApprovalRule;
use super::demand::Demand;
use super::refusal::{LimitName, LimitRefusal, LimitUsage};
use super::spender::Spender;
use crate::domain::{AmountAsText, ConnectionId, Currency};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::{serde_as, skip_serializing_none};

/// What a spender may add to what runs.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpendingLimit {
    /// The connections of a key's [`Rights`](crate::domain::Rights). Empty in the limit of a user, which has its own.
    pub connections: Vec<ConnectionId>,
    /// One for each currency. Budgets in any other are refused.
    pub amounts: Vec<CurrencyLimit>,
    /// Most campaigns that may be created in a day (UTC).
    pub creates_per_day: u32,
    /// The changes that a person has to approve; `None` if none has to be.
    pub approval: Option<ApprovalRule>,
}

/// The limit in a currency, in major units.
#[serde_as]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CurrencyLimit {
    pub currency: Currency,
    /// Most that the daily budgets add up to.
    #[serde_as(as = "AmountAsText")]
    pub daily: Decimal,
    /// Most that the budgets for a whole run add up to.
    #[serde_as(as = "AmountAsText")]
    pub lifetime: Decimal,
    /// Most that one change may add; `None` for no bound of its own.
    #[serde_as(as = "Option<AmountAsText>")]
    pub per_change: Option<Decimal>,
}

impl SpendingLimit {
    /// A limit that admits nothing but pausing and removing: that of a key whose limit is not found.
    pub fn zero() -> SpendingLimit {
        SpendingLimit { connections: Vec::new(), amounts: Vec::new(), creates_per_day: 0, approval: None }
    }

    /// The limit in a currency.
    pub fn of(&self, currency: Currency) -> Option<&CurrencyLimit> {
        self.amounts.iter().find(|limit| limit.currency == currency)
    }

    /// Checks what needs no sum: the connection, the currency, and the size of the change. Returns the limit in the
    /// currency.
    ///
    /// The gate of a connection is [`Rights`](crate::domain::Rights): a request does not find what is outside. Here it is
    /// a rule on money, for a change that has waited while the limit became another one.
    pub(super) fn check(
        &self,
        of: &Spender,
        connection: &ConnectionId,
        currency: Currency,
        demand: Demand,
    ) -> Result<&CurrencyLimit, LimitRefusal> {
        if let Spender::Key(key) = of
            && !self.connections.contains(connection)
        {
            return Err(LimitRefusal::connection(key));
        }
        let of_currency = self.of(currency).ok_or_else(|| LimitRefusal::currency(of, currency))?;
        match of_currency.per_change {
            Some(amount) if demand.amount() > amount => {
                let usage = LimitUsage { currency, amount, reserved: Decimal::ZERO };
                Err(LimitRefusal::sum(of, LimitName::PerChange, usage, demand.amount()))
            }
            _ => Ok(of_currency),
        }
    }
}

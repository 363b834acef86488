//! The item of a key's spending, and its conversion. Amounts are decimals as text.

use crate::domain::spending::{ApprovalRule, Contribution, CurrencyLimit, Pending, Recent};
use crate::domain::{CampaignId, ChangeId, ConnectionId, Currency, CustomerId, KeyId, KeySpending, SpendingLimit};
use crate::error::Error;
use crate::store::{Item, from_item, table_keys, to_item};
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use std::collections::BTreeMap;

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct SpendingItem {
    version: i64,
    limit: Option<LimitAttribute>,
    contributions: BTreeMap<String, ContributionAttribute>,
    creates_on: Option<Date>,
    #[serde(default)]
    creates: u32,
    stopped_at: Option<Timestamp>,
    asked: Option<String>,
    /// A record from before this attribute does not tell.
    #[serde(default = "unknown_past")]
    was_unlimited: bool,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct LimitAttribute {
    connections: Vec<String>,
    amounts: Vec<AmountsAttribute>,
    creates_per_day: u32,
    approval: Option<ApprovalAttribute>,
}

#[derive(Serialize, Deserialize)]
struct ApprovalAttribute {
    activation: bool,
    /// By currency.
    amounts: BTreeMap<String, String>,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct AmountsAttribute {
    currency: String,
    daily: String,
    lifetime: String,
    per_change: Option<String>,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct ContributionAttribute {
    connection: String,
    currency: String,
    daily: String,
    lifetime: String,
    recent: Option<String>,
    recent_until: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_activated: bool,
    pending: Option<PendingAttribute>,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct PendingAttribute {
    change: String,
    daily: String,
    lifetime: String,
    is_whole: bool,
    daily_before: Option<String>,
}

/// What is not known counts as a time without a limit.
fn unknown_past() -> bool {
    true
}

/// The item of a key's spending.
pub(super) fn item(customer: CustomerId, spending: &KeySpending) -> Result<Item, Error> {
    let KeySpending { key, version, limit, contributions, creates, stopped_at, asked, was_unlimited } = spending;
    let contributions = contributions.iter().map(|(campaign, one)| (campaign.to_string(), one.into()));
    let item = SpendingItem {
        version: *version,
        limit: limit.as_ref().map(Into::into),
        contributions: contributions.collect(),
        creates_on: creates.map(|(day, _)| day),
        creates: creates.map_or(0, |(_, number)| number),
        stopped_at: *stopped_at,
        asked: asked.map(|id| id.to_string()),
        was_unlimited: *was_unlimited,
    };
    to_item(&table_keys::spending(customer, key), &item)
}

/// The key of a spending; `None` for another record.
pub(super) fn key_of(item: &Item) -> Option<KeyId> {
    table_keys::parse_spending_sk(item.get(table_keys::SORT)?.as_s().ok()?)
}

/// Parses the spending of a key. The key's id is in the sort key.
pub(super) fn parse(item: Item) -> Result<KeySpending, Error> {
    let key = key_of(&item).ok_or_else(corrupt)?;
    let item: SpendingItem = from_item(item)?;
    let SpendingItem { version, limit, contributions, creates_on, creates, stopped_at, asked, was_unlimited } = item;
    let contribution = |(campaign, one): (String, ContributionAttribute)| {
        Ok((CampaignId::parse(&campaign).ok_or_else(corrupt)?, one.parse()?))
    };
    Ok(KeySpending {
        key,
        version,
        limit: limit.map(LimitAttribute::parse).transpose()?,
        contributions: contributions.into_iter().map(contribution).collect::<Result<_, Error>>()?,
        creates: creates_on.map(|day| (day, creates)),
        stopped_at,
        asked: asked.map(|id| ChangeId::parse(&id).ok_or_else(corrupt)).transpose()?,
        was_unlimited,
    })
}

impl From<&SpendingLimit> for LimitAttribute {
    fn from(limit: &SpendingLimit) -> LimitAttribute {
        let SpendingLimit { connections, amounts, creates_per_day, approval } = limit;
        let amounts = amounts.iter().map(|CurrencyLimit { currency, daily, lifetime, per_change }| AmountsAttribute {
            currency: currency.code().to_owned(),
            daily: daily.to_string(),
            lifetime: lifetime.to_string(),
            per_change: per_change.map(|amount| amount.to_string()),
        });
        LimitAttribute {
            connections: connections.iter().map(ToString::to_string).collect(),
            amounts: amounts.collect(),
            creates_per_day: *creates_per_day,
            approval: approval.as_ref().map(Into::into),
        }
    }
}

impl LimitAttribute {
    fn parse(self) -> Result<SpendingLimit, Error> {
        let LimitAttribute { connections, amounts, creates_per_day, approval } = self;
        let of_currency = |AmountsAttribute { currency, daily, lifetime, per_change }: AmountsAttribute| {
            Ok(CurrencyLimit {
                currency: Currency::from_code(&currency).ok_or_else(corrupt)?,
                daily: amount(&daily)?,
                lifetime: amount(&lifetime)?,
                per_change: per_change.as_deref().map(amount).transpose()?,
            })
        };
        Ok(SpendingLimit {
            connections: connections.into_iter().map(ConnectionId).collect(),
            amounts: amounts.into_iter().map(of_currency).collect::<Result<_, Error>>()?,
            creates_per_day,
            approval: approval.map(ApprovalAttribute::parse).transpose()?,
        })
    }
}

impl From<&ApprovalRule> for ApprovalAttribute {
    fn from(ApprovalRule { activation, amounts }: &ApprovalRule) -> ApprovalAttribute {
        let amounts = amounts.iter().map(|(currency, amount)| (currency.code().to_owned(), amount.to_string()));
        ApprovalAttribute { activation: *activation, amounts: amounts.collect() }
    }
}

impl ApprovalAttribute {
    fn parse(self) -> Result<ApprovalRule, Error> {
        let of_currency = |(currency, most): (String, String)| {
            Ok((Currency::from_code(&currency).ok_or_else(corrupt)?, amount(&most)?))
        };
        let amounts = self.amounts.into_iter().map(of_currency).collect::<Result<_, Error>>()?;
        Ok(ApprovalRule { activation: self.activation, amounts })
    }
}

impl From<&Contribution> for ContributionAttribute {
    fn from(contribution: &Contribution) -> ContributionAttribute {
        let Contribution { connection, currency, daily, recent, lifetime, is_activated, pending } = contribution;
        let pending = pending.map(|Pending { change, daily, lifetime, is_whole, daily_before }| PendingAttribute {
            change: change.to_string(),
            daily: daily.to_string(),
            lifetime: lifetime.to_string(),
            is_whole,
            daily_before: daily_before.map(|amount| amount.to_string()),
        });
        ContributionAttribute {
            connection: connection.0.clone(),
            currency: currency.code().to_owned(),
            daily: daily.to_string(),
            lifetime: lifetime.to_string(),
            recent: recent.map(|recent| recent.amount.to_string()),
            recent_until: recent.map(|recent| recent.until),
            is_activated: *is_activated,
            pending,
        }
    }
}

impl ContributionAttribute {
    fn parse(self) -> Result<Contribution, Error> {
        let recent = self.recent.as_deref().map(amount).transpose()?.zip(self.recent_until);
        Ok(Contribution {
            connection: ConnectionId(self.connection),
            currency: Currency::from_code(&self.currency).ok_or_else(corrupt)?,
            daily: amount(&self.daily)?,
            recent: recent.map(|(amount, until)| Recent { amount, until }),
            lifetime: amount(&self.lifetime)?,
            is_activated: self.is_activated,
            pending: self.pending.map(PendingAttribute::parse).transpose()?,
        })
    }
}

impl PendingAttribute {
    fn parse(self) -> Result<Pending, Error> {
        Ok(Pending {
            change: ChangeId::parse(&self.change).ok_or_else(corrupt)?,
            daily: amount(&self.daily)?,
            lifetime: amount(&self.lifetime)?,
            is_whole: self.is_whole,
            daily_before: self.daily_before.as_deref().map(amount).transpose()?,
        })
    }
}

fn amount(text: &str) -> Result<Decimal, Error> {
    Decimal::from_str_exact(text).map_err(Error::internal)
}

fn corrupt() -> Error {
    Error::internal("a key has a corrupt spending")
}

#[cfg(test)]
#[test]
fn a_spending_is_stored_as_ever_and_read_as_it_was() {
    use crate::domain::Platform;
    let decimal = |text: &str| text.parse::<Decimal>().unwrap();
    let currency = |code| Currency::from_code(code).unwrap();
    let connection = ConnectionId("conn_1".to_owned());
    let change = ChangeId::first_at(Timestamp::UNIX_EPOCH);
    let limit = SpendingLimit {
        connections: vec![connection.clone()],
        amounts: vec![CurrencyLimit {
            currency: currency("USD"),
            daily: decimal("100.50"),
            lifetime: decimal("0"),
            per_change: Some(decimal("5")),
        }],
        creates_per_day: 3,
        approval: Some(ApprovalRule {
            activation: true,
            amounts: vec![(currency("JPY"), decimal("5000")), (currency("USD"), decimal("50.0"))],
        }),
    };
    let pending =
        Pending { change, daily: decimal("1.10"), lifetime: decimal("2"), is_whole: true, daily_before: None };
    let all = Contribution {
        daily: decimal("7.70"),
        recent: Some(Recent { amount: decimal("3.30"), until: Timestamp::UNIX_EPOCH }),
        lifetime: decimal("9"),
        is_activated: true,
        pending: Some(Pending { daily_before: Some(decimal("1")), ..pending }),
        ..Contribution::none(&connection, currency("USD"))
    };
    let few = Contribution { pending: Some(pending), ..Contribution::none(&connection, currency("JPY")) };
    let least = Contribution::none(&connection, currency("JPY"));
    let campaign = |id| CampaignId::new(Platform::Delta, "7", id);
    let nothing = KeySpending {
        key: KeyId("key_1".to_owned()),
        version: 1,
        limit: None,
        contributions: BTreeMap::new(),
        creates: None,
        stopped_at: None,
        asked: None,
        was_unlimited: false,
    };
    let full = KeySpending {
        version: 2,
        limit: Some(limit.clone()),
        contributions: [(campaign("1"), all), (campaign("2"), few), (campaign("3"), least)].into(),
        creates: Some((jiff::civil::date(2026, 12, 1), 2)),
        stopped_at: Some(Timestamp::UNIX_EPOCH),
        asked: Some(change),
        was_unlimited: true,
        ..nothing.clone()
    };
    let bare = SpendingLimit {
        amounts: limit.amounts.iter().map(|of| CurrencyLimit { per_change: None, ..of.clone() }).collect(),
        approval: None,
        ..limit
    };
    let spendings = [full, KeySpending { limit: Some(bare), ..nothing.clone() }, nothing];
    let customer = CustomerId(uuid::Uuid::nil());
    crate::store::stored::assert_stored("spending", spendings.iter().map(|one| item(customer, one).unwrap()));
    for spending in spendings {
        assert_eq!(parse(item(customer, &spending).unwrap()).unwrap(), spending);
    }
}

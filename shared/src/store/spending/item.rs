//! The item of a spending. Amounts are decimals as text.

use crate::domain::spending::{Contribution, Pending, Recent, Spender};
use crate::domain::{AmountAsText, CampaignId, ChangeId, ConnectionId, Currency, CustomerId, Spending, SpendingLimit};
use crate::error::Error;
use crate::store::{Item, from_item, table_keys, to_item};
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::{serde_as, serde_conv, skip_serializing_none};
use std::collections::BTreeMap;
use std::convert::Infallible;

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct SpendingItem {
    version: i64,
    limit: Option<SpendingLimit>,
    contributions: BTreeMap<CampaignId, StoredContribution>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    away: BTreeMap<CampaignId, StoredContribution>,
    creates_on: Option<Date>,
    #[serde(default)]
    creates: u32,
    stopped_at: Option<Timestamp>,
    leaving_since: Option<Timestamp>,
    asked: Option<ChangeId>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    left: BTreeMap<ConnectionId, Timestamp>,
    /// Unknown in a record of an older release.
    #[serde(default = "unknown_past")]
    was_unlimited: bool,
}

#[derive(Serialize, Deserialize)]
struct StoredContribution(#[serde(with = "ContributionAttributes")] Contribution);

#[serde_as]
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(remote = "Contribution")]
struct ContributionAttributes {
    connection: ConnectionId,
    currency: Currency,
    #[serde_as(as = "AmountAsText")]
    daily: Decimal,
    #[serde(flatten, with = "StoredRecent")]
    recent: Option<Recent>,
    #[serde_as(as = "AmountAsText")]
    lifetime: Decimal,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_activated: bool,
    pending: Option<Pending>,
}

#[serde_as]
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct RecentAttributes {
    #[serde_as(as = "Option<AmountAsText>")]
    recent: Option<Decimal>,
    recent_until: Option<Timestamp>,
}

serde_conv!(
    StoredRecent,
    Option<Recent>,
    |recent: &Option<Recent>| RecentAttributes {
        recent: recent.map(|recent| recent.amount),
        recent_until: recent.map(|recent| recent.until),
    },
    |RecentAttributes { recent, recent_until }| {
        let recent = recent.zip(recent_until);
        Ok::<_, Infallible>(recent.map(|(amount, until)| Recent { amount, until }))
    }
);

/// What is not known counts as a time without a limit.
fn unknown_past() -> bool {
    true
}

/// The item of a spending.
pub(super) fn item(customer: CustomerId, spending: &Spending) -> Result<Item, Error> {
    let Spending {
        spender,
        version,
        limit,
        contributions,
        away,
        creates,
        stopped_at,
        leaving_since,
        asked,
        left,
        was_unlimited,
    } = spending.clone();
    let (creates_on, creates) = creates.unzip();
    let item = SpendingItem {
        version,
        limit,
        contributions: contributions.into_iter().map(|(campaign, one)| (campaign, StoredContribution(one))).collect(),
        away: away.into_iter().map(|(campaign, one)| (campaign, StoredContribution(one))).collect(),
        creates_on,
        creates: creates.unwrap_or_default(),
        stopped_at,
        leaving_since,
        asked,
        left,
        was_unlimited,
    };
    to_item(&table_keys::spending(customer, &spender), &item)
}

/// Whose spending it is; `None` for another record.
pub(super) fn spender_of(item: &Item) -> Option<Spender> {
    table_keys::parse_spending_sk(item.get(table_keys::SORT)?.as_s().ok()?)
}

/// Parses a spending. Whose it is, is in the sort key.
pub(super) fn parse(item: Item) -> Result<Spending, Error> {
    let spender = spender_of(&item).ok_or_else(|| Error::internal("a spending has a malformed key"))?;
    let item: SpendingItem = from_item(item)?;
    let SpendingItem {
        version,
        limit,
        contributions,
        away,
        creates_on,
        creates,
        stopped_at,
        leaving_since,
        asked,
        left,
        was_unlimited,
    } = item;
    let contributions = contributions.into_iter().map(|(campaign, StoredContribution(one))| (campaign, one)).collect();
    let away = away.into_iter().map(|(campaign, StoredContribution(one))| (campaign, one)).collect();
    let creates = creates_on.map(|day| (day, creates));
    Ok(Spending {
        spender,
        version,
        limit,
        contributions,
        away,
        creates,
        stopped_at,
        leaving_since,
        asked,
        left,
        was_unlimited,
    })
}

#[cfg(test)]
fn full_limit(connection: &ConnectionId) -> SpendingLimit {
    use crate::domain::spending::{ApprovalRule, CurrencyLimit};
    let decimal = |text: &str| text.parse::<Decimal>().unwrap();
    let currency = |code| Currency::from_code(code).unwrap();
    SpendingLimit {
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
    }
}

#[cfg(test)]
#[test]
fn a_spending_is_stored_as_ever_and_read_as_it_was() {
    use crate::domain::spending::CurrencyLimit;
    use crate::domain::{ExternalRef, KeyId, Platform};
    let decimal = |text: &str| text.parse::<Decimal>().unwrap();
    let currency = |code| Currency::from_code(code).unwrap();
    let connection = ConnectionId("conn_1".to_owned());
    let change = ChangeId::first_at(Timestamp::UNIX_EPOCH);
    let limit = full_limit(&connection);
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
    let nothing = Spending { version: 1, ..Spending::none(Spender::Key(KeyId("key_1".to_owned()))) };
    let of_user = Spending {
        spender: Spender::User(ExternalRef::parse("shop:42@a.b").unwrap()),
        limit: Some(SpendingLimit { connections: Vec::new(), ..limit.clone() }),
        left: [(ConnectionId("conn_2".to_owned()), Timestamp::UNIX_EPOCH)].into(),
        away: [(campaign("4"), Contribution { daily: decimal("5"), ..least.clone() })].into(),
        leaving_since: Some(Timestamp::UNIX_EPOCH),
        ..nothing.clone()
    };
    let full = Spending {
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
    let spendings = [full, Spending { limit: Some(bare), ..nothing.clone() }, nothing, of_user];
    let customer = CustomerId(uuid::Uuid::nil());
    crate::store::stored::assert_stored("spending", spendings.iter().map(|one| item(customer, one).unwrap()));
    for spending in spendings {
        assert_eq!(parse(item(customer, &spending).unwrap()).unwrap(), spending);
    }
}

//! Spending limits of API keys and of users: what a key, or all who act for a user, may add to what runs (D62, D157). They
//! use the flat shape only.

use super::fields::Fields;
use super::wire::Number;
use crate::domain::spending::{ApprovalRule, CurrencyLimit, LimitName, LimitUsage, RefusedAmounts, Spendings};
use crate::domain::users::User;
use crate::domain::{
    AmountRule, ChoiceRule, ConnectionId, Currency, ExternalRef, LimitRefusal, Micros, MoneyError, Spending,
    SpendingLimit,
};
use crate::error::Error;
use jiff::Timestamp;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::Serialize;
use serde_with::skip_serializing_none;

const FIELD: &str = "spending_limit";
/// Most connections of a limit.
pub(super) const MAX_CONNECTIONS: usize = 100;
/// Most currencies of a limit.
pub(super) const MAX_CURRENCIES: usize = 20;
/// Creates a day without `creates_per_day`, and the most that it can be.
const DEFAULT_CREATES: u32 = 20;
const MAX_CREATES: u32 = 1_000;

/// Reads `spending_limit` of a key: an object, or null for none. `None` if it is absent or not valid.
pub(super) fn read_spending_limit(fields: &mut Fields<'_>) -> Option<Option<SpendingLimit>> {
    read_limit(fields, read_connections)
}

/// Reads `spending_limit` of a user, which counts in all of its connections.
pub(super) fn read_user_limit(fields: &mut Fields<'_>) -> Option<Option<SpendingLimit>> {
    read_limit(fields, |_| Vec::new())
}

fn read_limit(
    fields: &mut Fields<'_>,
    connections: fn(&mut Fields<'_>) -> Vec<ConnectionId>,
) -> Option<Option<SpendingLimit>> {
    let text = fields.take(FIELD)?;
    if text == "null" {
        return Some(None);
    }
    match read(text, connections) {
        Ok(limit) => Some(Some(limit)),
        Err(error) => {
            fields.add_nested_errors(FIELD, error);
            None
        }
    }
}

/// The connections of the limit of a key.
fn read_connections(fields: &mut Fields<'_>) -> Vec<ConnectionId> {
    let connections = fields.strings("connections");
    let connections = fields.require("connections", connections).unwrap_or_default();
    if connections.len() > MAX_CONNECTIONS {
        fields.add_error("connections", format!("must have at most {MAX_CONNECTIONS} ids"));
    }
    if has_repeats(&connections) {
        fields.add_error("connections", "must not have an id twice");
    }
    connections.into_iter().map(ConnectionId).collect()
}

fn read(text: &str, connections: fn(&mut Fields<'_>) -> Vec<ConnectionId>) -> Result<SpendingLimit, Error> {
    let mut fields = Fields::parse(text.as_bytes())?;
    let connections = connections(&mut fields);
    let objects = fields.objects("amounts");
    // An invalid limit still counts as present.
    let objects = fields.require("amounts", objects.filter(|objects| !objects.is_empty())).unwrap_or_default();
    let named = objects.len();
    let mut amounts = Vec::new();
    for (index, object) in objects.into_iter().enumerate() {
        match object.and_then(read_amounts) {
            Ok(limit) => amounts.push(limit),
            Err(error) => fields.add_nested_errors(&format!("amounts[{index}]"), error),
        }
    }
    let currencies: Vec<&str> = amounts.iter().map(|limit| limit.currency.code()).collect();
    if has_repeats(&currencies) || currencies.len() > MAX_CURRENCIES {
        fields.add_error("amounts", format!("must have each currency once, and at most {MAX_CURRENCIES}"));
    }
    let creates = fields.has("creates_per_day").then(|| fields.decimal("creates_per_day"));
    let creates = match creates {
        None => Some(DEFAULT_CREATES),
        Some(number) => number.filter(|number| number.fract().is_zero()).and_then(|number| number.to_u32()),
    };
    let creates_per_day = creates.filter(|creates| *creates <= MAX_CREATES);
    if creates_per_day.is_none() {
        fields.add_error("creates_per_day", AmountRule::Whole { most: MAX_CREATES });
    }
    let approval = read_approval(&mut fields, Some(amounts.as_slice()).filter(|valid| valid.len() == named));
    fields.finish()?;
    Ok(SpendingLimit { connections, amounts, creates_per_day: creates_per_day.unwrap_or_default(), approval })
}

/// Reads `approval`: the changes that a person has to approve. `None` if it is absent, null or not valid. Without the
/// limits, one of which is not valid, its currencies are not compared with theirs.
fn read_approval(fields: &mut Fields<'_>, limits: Option<&[CurrencyLimit]>) -> Option<ApprovalRule> {
    fields.skip_null("approval");
    let text = fields.take("approval")?;
    let read = |text: &str| {
        let mut fields = Fields::parse(text.as_bytes())?;
        let activation = fields.boolean("activation").unwrap_or_default();
        let mut amounts = Vec::new();
        for (index, object) in fields.objects("amounts").unwrap_or_default().into_iter().enumerate() {
            match object.and_then(read_threshold) {
                Ok(threshold) => amounts.push(threshold),
                Err(error) => fields.add_nested_errors(&format!("amounts[{index}]"), error),
            }
        }
        let currencies: Vec<Currency> = amounts.iter().map(|(currency, _)| *currency).collect();
        let has_limit =
            |currency: &Currency| limits.is_none_or(|limits| limits.iter().any(|limit| limit.currency == *currency));
        if has_repeats(&currencies) || !currencies.iter().all(has_limit) {
            fields.add_error("amounts", "must have each currency once, and only those of spending_limit.amounts");
        }
        fields.finish()?;
        if !activation && amounts.is_empty() {
            return Err(Error::field("activation", "must be true, or amounts must say what a person approves"));
        }
        Ok(ApprovalRule { activation, amounts })
    };
    read(text).map_err(|error| fields.add_nested_errors("approval", error)).ok()
}

fn read_threshold(mut fields: Fields<'_>) -> Result<(Currency, Decimal), Error> {
    let currency = read_currency(&mut fields);
    let currency = fields.require("currency", currency);
    let amount = read_amount(&mut fields, "amount", currency);
    let amount = fields.require("amount", amount);
    fields.finish()?;
    currency.zip(amount).ok_or_else(|| Error::internal("a required field is missing without a field error"))
}

fn read_currency(fields: &mut Fields<'_>) -> Option<Currency> {
    let currency = Currency::from_code(&fields.string("currency")?);
    if currency.is_none() {
        fields.add_error("currency", ChoiceRule::Currency);
    }
    currency
}

fn read_amounts(mut fields: Fields<'_>) -> Result<CurrencyLimit, Error> {
    let currency = read_currency(&mut fields);
    let currency = fields.require("currency", currency);
    let daily = read_amount(&mut fields, "daily", currency);
    let daily = fields.require("daily", daily);
    let lifetime = read_amount(&mut fields, "lifetime", currency);
    // What a list shows can be sent back as it is.
    fields.skip_null("per_change");
    let per_change = read_amount(&mut fields, "per_change", currency);
    fields.finish()?;
    let limit = currency.zip(daily).map(|(currency, daily)| CurrencyLimit {
        currency,
        daily,
        lifetime: lifetime.unwrap_or_default(),
        per_change,
    });
    limit.ok_or_else(|| Error::internal("a required field is missing without a field error"))
}

/// Reads an amount of 0 or more that the currency can hold.
fn read_amount(fields: &mut Fields<'_>, name: &str, currency: Option<Currency>) -> Option<Decimal> {
    let amount = fields.decimal(name)?;
    if amount.is_sign_negative() && !amount.is_zero() {
        fields.add_error(name, AmountRule::NotNegative);
        return None;
    }
    if let Err(reason) = check_amount(amount, currency) {
        fields.add_error(name, reason);
        return None;
    }
    Some(amount)
}

fn check_amount(amount: Decimal, currency: Option<Currency>) -> Result<(), MoneyError> {
    if let Some(currency) = currency {
        currency.check(amount)?;
    }
    Micros::from_amount(amount).map(drop)
}

fn has_repeats<T: PartialEq>(items: &[T]) -> bool {
    items.iter().enumerate().any(|(index, item)| items[..index].contains(item))
}

fn ids(connections: &[ConnectionId]) -> Vec<&str> {
    connections.iter().map(|connection| connection.0.as_str()).collect()
}

/// A limit on the wire.
#[skip_serializing_none]
#[derive(Serialize)]
pub(super) struct WireLimit<'a> {
    /// Absent in the limit of a user.
    connections: Option<Vec<&'a str>>,
    amounts: Vec<WireAmounts>,
    creates_per_day: u32,
    /// The rule, or null.
    approval: Option<Option<WireApproval>>,
}

#[derive(Serialize)]
struct WireApproval {
    activation: bool,
    amounts: Vec<WireThreshold>,
}

#[derive(Serialize)]
struct WireThreshold {
    currency: &'static str,
    amount: Number,
}

#[derive(Serialize)]
struct WireAmounts {
    currency: &'static str,
    daily: Number,
    lifetime: Number,
    per_change: Option<Number>,
}

impl<'a> From<&'a SpendingLimit> for WireLimit<'a> {
    fn from(limit: &'a SpendingLimit) -> WireLimit<'a> {
        let SpendingLimit { connections, amounts, creates_per_day, approval } = limit;
        let amounts = amounts.iter().map(|CurrencyLimit { currency, daily, lifetime, per_change }| WireAmounts {
            currency: currency.code(),
            daily: Number(*daily),
            lifetime: Number(*lifetime),
            per_change: per_change.map(Number),
        });
        WireLimit {
            connections: Some(ids(connections)),
            amounts: amounts.collect(),
            creates_per_day: *creates_per_day,
            approval: Some(approval.as_ref().map(Into::into)),
        }
    }
}

impl<'a> WireLimit<'a> {
    /// The limit of a user, which names no connections.
    pub(super) fn of_user(limit: &'a SpendingLimit) -> WireLimit<'a> {
        WireLimit { connections: None, ..limit.into() }
    }
}

impl From<&ApprovalRule> for WireApproval {
    fn from(ApprovalRule { activation, amounts }: &ApprovalRule) -> WireApproval {
        let threshold = |(currency, amount): &(Currency, Decimal)| WireThreshold {
            currency: currency.code(),
            amount: Number(*amount),
        };
        WireApproval { activation: *activation, amounts: amounts.iter().map(threshold).collect() }
    }
}

/// What is left of the limit of a key and of that of a user.
#[derive(Serialize)]
pub(super) struct WireAllLimits<'a> {
    #[serde(flatten)]
    of_key: WireLimits<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<WireUserLimits<'a>>,
}

/// The limit of a user.
#[derive(Serialize)]
struct WireUserLimits<'a> {
    external_ref: &'a str,
    is_paused: bool,
    #[serde(flatten)]
    limits: WireLimits<'a>,
}

impl<'a> WireUserLimits<'a> {
    fn new(user: &'a ExternalRef, spending: Option<&'a Spending>, now: Timestamp) -> WireUserLimits<'a> {
        let is_paused = spending.is_some_and(|spending| spending.stopped_at.is_some());
        WireUserLimits { external_ref: user.as_str(), is_paused, limits: limits_of(spending, now) }
    }
}

/// A limit, and what is left of it.
#[skip_serializing_none]
#[derive(Serialize)]
pub(super) struct WireLimits<'a> {
    limited: bool,
    connections: Option<Vec<&'a str>>,
    amounts: Option<Vec<WireLeft>>,
    creates: Option<WireCreates>,
    /// The rule, or null; absent without a limit.
    approval: Option<Option<WireApproval>>,
}

#[derive(Serialize)]
struct WireLeft {
    currency: &'static str,
    daily: WireSum,
    lifetime: WireSum,
    per_change: Option<Number>,
}

#[derive(Serialize)]
struct WireSum {
    limit: Number,
    reserved: Number,
    left: Number,
}

impl From<LimitUsage> for WireSum {
    fn from(usage: LimitUsage) -> WireSum {
        WireSum { limit: Number(usage.amount), reserved: Number(usage.reserved), left: Number(usage.remaining()) }
    }
}

#[derive(Serialize)]
struct WireCreates {
    limit: u32,
    used: u32,
}

/// The limits that count for a request.
#[derive(Debug)]
pub struct Limits {
    /// Of its key; `None` for a key without a limit, and for a person.
    pub key: Option<Spending>,
    /// Of the user for whom it acts.
    pub user: Option<User>,
}

/// The body of `getLimits`: what is left of them.
pub(super) fn limits_body(limits: &Limits, now: Timestamp) -> WireAllLimits<'_> {
    let user = limits.user.as_ref();
    let user = user.map(|user| WireUserLimits::new(&user.external_ref, user.spending.as_ref(), now));
    WireAllLimits { of_key: limits_of(limits.key.as_ref(), now), user }
}

/// What is left of the limits that a change counts against.
pub(super) fn limits_of_change(spendings: &Spendings, now: Timestamp) -> WireAllLimits<'_> {
    let user = spendings.iter().find_map(|spending| Some((spending.spender.user()?, spending)));
    let user = user.map(|(user, spending)| WireUserLimits::new(user, Some(spending), now));
    WireAllLimits { of_key: limits_of(spendings.key(), now), user }
}

/// What is left of a spending limit.
pub(super) fn limits_of(spending: Option<&Spending>, now: Timestamp) -> WireLimits<'_> {
    let Some((spending, limit)) = spending.and_then(|spending| Some((spending, spending.limit.as_ref()?))) else {
        return WireLimits { limited: false, connections: None, amounts: None, creates: None, approval: None };
    };
    let amounts = limit.amounts.iter().map(|&CurrencyLimit { currency, daily, lifetime, per_change }| WireLeft {
        currency: currency.code(),
        daily: LimitUsage { currency, amount: daily, reserved: spending.daily(currency, now) }.into(),
        lifetime: LimitUsage { currency, amount: lifetime, reserved: spending.lifetime(currency) }.into(),
        per_change: per_change.map(Number),
    });
    WireLimits {
        limited: true,
        connections: spending.spender.key().map(|_| ids(&limit.connections)),
        amounts: Some(amounts.collect()),
        creates: Some(WireCreates { limit: limit.creates_per_day, used: spending.creates_today(now) }),
        approval: Some(limit.approval.as_ref().map(Into::into)),
    }
}

/// The limit that refuses a request.
#[derive(Serialize)]
pub(crate) struct WireRefusal {
    limit: &'static str,
    /// Whose limit it is.
    of: &'static str,
    currency: Option<&'static str>,
    amount: Option<Number>,
    reserved: Option<Number>,
    left: Option<Number>,
    needed: Option<Number>,
}

impl From<&LimitRefusal> for WireRefusal {
    fn from(refusal: &LimitRefusal) -> WireRefusal {
        let part = |part: fn(&RefusedAmounts) -> Decimal| refusal.amounts.as_ref().map(part).map(Number);
        WireRefusal {
            limit: LimitName::as_str(refusal.limit),
            of: refusal.of.kind().as_str(),
            currency: refusal.currency.map(Currency::code),
            amount: part(|amounts| amounts.amount),
            reserved: part(|amounts| amounts.reserved),
            left: part(|amounts| amounts.left),
            needed: part(|amounts| amounts.needed),
        }
    }
}

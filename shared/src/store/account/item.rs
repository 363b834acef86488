//! Accounts: a customer, the hashes of its API keys, and its use of the plan.

use super::assistant_keys::parse_assistant_keys;
use super::keys::{KeyMap, last_uses, own_keys, parse_keys};
use crate::domain::{
    Allowance, ApiKeys, Customer, CustomerId, Event, KeyDisplay, Plan, QuotaThreshold, ReportedQuota, Reporting, Usage,
};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::event::occurrence;
use crate::store::table_keys::Key;
use crate::store::transactions::put_write;
use crate::store::{Item, Store, Values, attribute, from_item, store_error, table_keys, text, to_item};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::{millisecond, second};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A customer as stored.
#[derive(Clone, Debug)]
pub struct Account {
    pub customer: Customer,
    /// The keys. Those of assistants are missing if an API key was admitted: [`Store::assistant_keys`] reads them.
    pub keys: ApiKeys,
    /// Use of the current period.
    pub usage: Usage,
    /// Theoretical arrival time of the rate limit (GCRA), in microseconds since 1970; 0 before the first request.
    pub tat_us: i64,
    /// The number of the customer's connections, without PENDING ones.
    pub connections: usize,
    /// The quota threshold that was reported last.
    pub quota_told: Option<ReportedQuota>,
    /// Whether a limit of a user has ever asked for approvals.
    pub users_ask: bool,
    /// The currency of totals for people, and the customer's rates to it.
    pub reporting: Option<Reporting>,
    /// The IANA name of the time zone in which pages show times; `None` for that of each browser.
    pub time_zone: Option<String>,
}

impl Account {
    /// A new account with the default key, without any use.
    pub fn new(customer: Customer, key_hash: impl Into<String>, display: impl Into<KeyDisplay>) -> Account {
        let keys = ApiKeys::default_alone(key_hash, display, customer.created_at);
        Account { keys, ..Account::without_key(customer) }
    }

    /// A new account without an API key.
    pub fn without_key(customer: Customer) -> Account {
        let usage = Usage::of_month(customer.created_at);
        Account {
            customer,
            keys: ApiKeys::none(),
            usage,
            tat_us: 0,
            connections: 0,
            quota_told: None,
            users_ask: false,
            reporting: None,
            time_zone: None,
        }
    }

    /// The account with the keys of its assistants among these.
    pub(super) fn with_assistants_of(self, keys: &ApiKeys) -> Account {
        Account { keys: self.keys.with_assistants_of(keys), ..self }
    }

    /// The account's position within the limits of its plan.
    pub fn allowance(&self, now: Timestamp) -> Allowance {
        Allowance::new(self.customer.plan, self.usage, self.tat_us, now)
    }

    /// The quota thresholds that the account has reached and that no event has reported.
    pub fn unreported_quota(&self) -> Vec<QuotaThreshold> {
        QuotaThreshold::unreported(self.customer.plan, self.usage, self.quota_told)
    }
}

/// Conditions compare the times, so they are numbers. `tat` is in microseconds since 1970.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct AccountItem {
    customer_id: CustomerId,
    email: String,
    plan: Plan,
    created_at: Timestamp,
    disabled: bool,
    api_keys: KeyMap,
    /// When the operator last replaced all keys.
    #[serde(default, with = "millisecond::optional")]
    keys_replaced_at: Option<Timestamp>,
    tat: i64,
    #[serde(with = "second::required")]
    period_start: Timestamp,
    #[serde(with = "second::required")]
    period_end: Timestamp,
    used: u64,
    connections_count: usize,
    /// The quota threshold that was reported last, in percent.
    quota_told: Option<u64>,
    /// The start of the period that it was reported for.
    #[serde(default, with = "second::optional")]
    quota_told_period: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    users_ask: bool,
    reporting: Option<Reporting>,
    time_zone: Option<String>,
}

impl Store {
    /// Reads an account with a consistent read. Its usage is that of the period at `now`.
    pub async fn account(&self, id: CustomerId, now: Timestamp) -> Result<Option<Account>, Error> {
        let own = table_keys::account(id);
        let (account, assistants) = tokio::join!(self.read(&own), self.assistant_keys(id));
        let account = account?.map(|item| parse_account(item, now)).transpose()?;
        let assistants = assistants?;
        Ok(account.map(|account| account.with_assistants_of(&assistants)))
    }

    /// An account and another record, in one round trip. `None` for what does not exist. The usage is that of the period at
    /// `now`.
    pub(in crate::store) async fn account_and(
        &self,
        id: CustomerId,
        other: Key,
        now: Timestamp,
    ) -> Result<(Option<Account>, Option<Item>), Error> {
        let keys = [table_keys::account(id), table_keys::assistant_keys(id), other];
        let mut found = self.batch_read(&keys).await?;
        let mut take = |key: &Key| {
            let at = found.iter().position(|item| item.get(table_keys::SORT) == Some(&text(&key.sk)))?;
            Some(found.swap_remove(at))
        };
        let [account, assistants, other] = keys.each_ref().map(&mut take);
        let account = account.map(|item| parse_account(item, now)).transpose()?;
        let assistants = assistants.map_or_else(|| Ok(ApiKeys::none()), parse_assistant_keys)?;
        Ok((account.map(|account| account.with_assistants_of(&assistants)), other))
    }

    /// Stores a new account with its default key. Fails if the account exists.
    pub async fn create_account(&self, account: &Account) -> Result<(), Error> {
        let failed = self.transact(self.account_writes(account)?).await?;
        if failed.is_empty() { Ok(()) } else { Err(Error::internal("the account exists")) }
    }

    /// A new account as part of a transaction, with the events of its keys. The first write fails if the account exists.
    pub(in crate::store) fn account_writes(&self, account: &Account) -> Result<Vec<TransactWriteItem>, Error> {
        let put = self.put_item(account_item(account)?).condition_expression("attribute_not_exists(pk)");
        let Account { customer, keys, .. } = account;
        let made = Event::of_keys(&ApiKeys::none(), keys, occurrence(customer.id, customer.created_at));
        let events = made.iter().map(|event| self.event_write(event));
        std::iter::once(put_write(put)).chain(events).collect()
    }

    /// Disables an account, or enables it again. `false` if the account does not exist.
    pub async fn set_disabled(&self, id: CustomerId, disabled: bool) -> Result<bool, Error> {
        self.set_account_field(id, "disabled", AttributeValue::Bool(disabled)).await
    }

    /// Notes that a limit of a user asks for approvals, so that pages look for them.
    pub async fn note_users_ask(&self, id: CustomerId) -> Result<(), Error> {
        self.set_account_field(id, "users_ask", AttributeValue::Bool(true)).await.map(drop)
    }

    /// Sets the reporting currency with its rates, or takes both away.
    pub async fn set_reporting(&self, id: CustomerId, reporting: Option<&Reporting>) -> Result<(), Error> {
        self.set_account_field(id, "reporting", attribute(&reporting)?).await.map(drop)
    }

    /// Sets the time zone in which pages show times, or takes it away.
    pub async fn set_time_zone(&self, id: CustomerId, zone: Option<&str>) -> Result<(), Error> {
        self.set_account_field(id, "time_zone", attribute(&zone)?).await.map(drop)
    }

    async fn set_account_field(&self, id: CustomerId, field: &str, value: AttributeValue) -> Result<bool, Error> {
        let update = self
            .update_item(&table_keys::account(id))
            .update_expression("SET #field = :value")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_names("#field", field)
            .value(":value", value);
        conditional_update(update).await
    }

    /// Scans for all accounts, without the keys of assistants. Only for the operator's command line.
    pub async fn all_accounts(&self, now: Timestamp) -> Result<Vec<Account>, Error> {
        let scan = self.scan().filter_expression("sk = :account").value(":account", text("ACCOUNT"));
        let items = scan.into_paginator().items().send().try_collect().await.map_err(store_error)?;
        items.into_iter().map(|item| parse_account(item, now)).collect()
    }
}

/// The item of a new account.
fn account_item(account: &Account) -> Result<Item, Error> {
    let Account { customer, keys, usage, tat_us, connections, quota_told, users_ask, reporting, time_zone } = account;
    let record = AccountItem {
        customer_id: customer.id,
        email: customer.email.clone(),
        plan: customer.plan,
        created_at: customer.created_at,
        disabled: customer.disabled,
        api_keys: own_keys(keys),
        keys_replaced_at: None,
        tat: *tat_us,
        period_start: usage.period_start,
        period_end: usage.period_end,
        used: usage.requests_used,
        connections_count: *connections,
        quota_told: quota_told.map(|told| told.threshold.percent()),
        quota_told_period: quota_told.map(|told| told.period_start),
        users_ask: *users_ask,
        reporting: reporting.clone(),
        time_zone: time_zone.clone(),
    };
    to_item(&table_keys::account(customer.id), &record)
}

/// Parses an account, without the keys of its assistants. Its usage is that of the period at `now`.
pub(super) fn parse_account(item: Item, now: Timestamp) -> Result<Account, Error> {
    let uses = last_uses(&item);
    let record: AccountItem = from_item(item)?;
    let quota_told = quota_told_of(&record)?;
    let AccountItem { period_start, period_end, used: requests_used, connections_count: connections, .. } = record;
    let usage = Usage { period_start, period_end, requests_used }.at(now);
    let AccountItem { customer_id: id, email, plan, created_at, disabled, api_keys, keys_replaced_at, .. } = record;
    let keys = parse_keys(api_keys).last_used(&uses).replaced(keys_replaced_at);
    let customer = Customer { id, email, plan, created_at, disabled };
    let (tat_us, users_ask, reporting, time_zone) = (record.tat, record.users_ask, record.reporting, record.time_zone);
    Ok(Account { customer, keys, usage, tat_us, connections, quota_told, users_ask, reporting, time_zone })
}

fn quota_told_of(record: &AccountItem) -> Result<Option<ReportedQuota>, Error> {
    let Some((percent, period_start)) = record.quota_told.zip(record.quota_told_period) else { return Ok(None) };
    let threshold = QuotaThreshold::ALL.into_iter().find(|threshold| threshold.percent() == percent);
    let threshold = threshold.ok_or_else(|| Error::internal("an account has an unknown share of its quota"))?;
    Ok(Some(ReportedQuota { threshold, period_start }))
}

#[cfg(test)]
#[test]
fn an_account_is_stored_as_ever_and_read_as_it_was() {
    use crate::domain::{Currency, Rate};
    let now = Timestamp::constant(1_790_000_000, 123_000_000);
    let id = CustomerId(uuid::Uuid::nil());
    let customer =
        Customer { id, email: "c@example.com".to_owned(), plan: Plan::Pro, created_at: now, disabled: false };
    let least = Account::without_key(customer.clone());
    let mut all =
        Account::new(customer, "hash", KeyDisplay { prefix: "uak_".to_owned(), last_four: Some("wxyz".to_owned()) });
    let mut keys = all.keys.all().to_vec();
    let first = keys[0].clone();
    keys.push(crate::domain::ApiKeyInfo {
        id: crate::domain::KeyId("key_2".to_owned()),
        expires_at: Some(now),
        is_limited: true,
        external_ref: crate::domain::ExternalRef::parse("user42"),
        stopped_at: Some(now),
        ..first
    });
    all.keys = ApiKeys::new(keys);
    all.customer.disabled = true;
    (all.tat_us, all.connections, all.users_ask) = (7, 3, true);
    all.quota_told = Some(ReportedQuota { threshold: QuotaThreshold::Percent80, period_start: all.usage.period_start });
    let rates = [(Currency::from_code("USD").unwrap(), Rate::parse("0.92").unwrap())];
    let euros = Reporting::new(Currency::from_code("EUR").unwrap());
    all.reporting = Some(euros.with_rates(&rates, jiff::civil::date(2026, 11, 30)));
    all.time_zone = Some("Europe/Berlin".to_owned());
    let accounts = [all, least];
    crate::store::stored::assert_stored("account", accounts.iter().map(|account| account_item(account).unwrap()));
    for account in accounts {
        let read = parse_account(account_item(&account).unwrap(), now).unwrap();
        assert_eq!(format!("{read:?}"), format!("{account:?}"));
    }
}

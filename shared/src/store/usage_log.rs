//! Usage logs: an item per request.

use super::{Item, Store, Values, from_item, number, store_error, table_keys, text, to_item};
use crate::domain::usage_log::RETENTION_DAYS;
use crate::domain::{
    ConnectionId, CustomerId, ExternalRef, KeyId, Platform, Reference, UsageEntry, UsageFilters, UsagePosition,
};
use crate::error::Error;
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::fmt::serde::timestamp::second;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_with::{serde_conv, skip_serializing_none};
use std::convert::Infallible;
use uuid::Uuid;

const RETENTION: SignedDuration = SignedDuration::from_hours(RETENTION_DAYS * 24);

/// A page of a usage log.
#[derive(Debug)]
pub struct UsagePage {
    /// The entries, newest first.
    pub entries: Vec<UsageEntry>,
    /// Position of the next page; `None` at the end.
    pub next: Option<UsagePosition>,
}

#[derive(Serialize, Deserialize)]
struct UsageLogItem {
    #[serde(flatten, with = "EntryAttributes")]
    entry: UsageEntry,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(remote = "UsageEntry")]
struct EntryAttributes {
    request_id: Uuid,
    at: Timestamp,
    method: String,
    path: String,
    #[serde(rename = "status_code")]
    status: u16,
    response_time_ms: u64,
    #[serde(default, with = "KnownPlatform")]
    platform: Option<Platform>,
    platform_time_ms: Option<u64>,
    tool: Option<String>,
    #[serde(rename = "api_key")]
    key: Option<KeyId>,
    reference: Option<Reference>,
    key_digest: Option<String>,
    external_ref: Option<ExternalRef>,
    connection: Option<ConnectionId>,
}

serde_conv!(
    // A platform that only newer code knows is left out.
    KnownPlatform,
    Option<Platform>,
    |platform: &Option<Platform>| platform.map(Platform::as_str),
    |name: Option<String>| Ok::<_, Infallible>(name.as_deref().and_then(Platform::parse))
);

/// A condition of the filter expression.
struct Condition {
    attribute: &'static str,
    test: &'static str,
    values: Vec<(&'static str, AttributeValue)>,
}

impl Store {
    /// Adds an entry to a customer's usage log.
    pub async fn put_usage(&self, customer: CustomerId, entry: &UsageEntry) -> Result<(), Error> {
        self.put(to_item(&table_keys::usage_entry(customer, &entry.position()), &usage_log_item(entry))?).await
    }

    /// Reads `read` entries of a customer's usage log, newest first, and returns those that match the filters and have
    /// not expired. `after` must be within the time range of the filters.
    pub async fn usage(
        &self,
        customer: CustomerId,
        filters: &UsageFilters,
        after: Option<&UsagePosition>,
        read: i32,
        now: Timestamp,
    ) -> Result<UsagePage, Error> {
        let (from, to) = filters.key_range();
        let conditions = conditions(filters, now);
        let tests: Vec<&str> = conditions.iter().map(|condition| condition.test).collect();
        let mut query = self
            .query()
            .key_condition_expression("pk = :log AND sk BETWEEN :from AND :to")
            .values([(":log", text(table_keys::usage_log(customer))), (":from", text(from)), (":to", text(to))])
            .set_exclusive_start_key(after.map(|position| table_keys::usage_entry(customer, position).attributes()))
            .scan_index_forward(false)
            .limit(read)
            .filter_expression(tests.join(" AND "));
        for Condition { attribute, values, .. } in conditions {
            query = query.expression_attribute_names(format!("#{attribute}"), attribute).values(values);
        }
        let output = query.send().await.map_err(store_error)?;
        let last_key =
            output.last_evaluated_key.as_ref().map(|key| key.get(table_keys::SORT).and_then(|sk| sk.as_s().ok()));
        let next =
            last_key.map(|sk| sk.and_then(|sk| UsagePosition::parse(sk)).ok_or_else(malformed_key)).transpose()?;
        let items = output.items.unwrap_or_default().into_iter();
        let entries = items.map(parse).collect::<Result<_, _>>()?;
        Ok(UsagePage { entries, next })
    }
}

fn malformed_key() -> Error {
    Error::internal("a usage log entry has a malformed key")
}

fn conditions(filters: &UsageFilters, now: Timestamp) -> Vec<Condition> {
    let UsageFilters {
        from: _,
        to: _,
        method,
        statuses,
        path,
        request_id,
        api_key,
        reference,
        key_digest,
        external_ref,
        connection,
    } = filters;
    let expiry = vec![(":now", number(now.as_second()))];
    let mut conditions =
        vec![Condition { attribute: table_keys::EXPIRES_AT, test: "#expires_at > :now", values: expiry }];
    if let Some(method) = method {
        let values = vec![(":method", text(method))];
        conditions.push(Condition { attribute: "method", test: "#method = :method", values });
    }
    if let Some(statuses) = statuses {
        let (low, high) = (i64::from(*statuses.start()), i64::from(*statuses.end()));
        let values = vec![(":low", number(low)), (":high", number(high))];
        conditions.push(Condition { attribute: "status_code", test: "#status_code BETWEEN :low AND :high", values });
    }
    if let Some(path) = path {
        let values = vec![(":path", text(path))];
        conditions.push(Condition { attribute: "path", test: "begins_with(#path, :path)", values });
    }
    if let Some(id) = request_id {
        let values = vec![(":request", text(id.to_string()))];
        conditions.push(Condition { attribute: "request_id", test: "#request_id = :request", values });
    }
    if let Some(KeyId(id)) = api_key {
        let values = vec![(":key", text(id))];
        conditions.push(Condition { attribute: "api_key", test: "#api_key = :key", values });
    }
    let own_names = [
        ("reference", "#reference = :reference", ":reference", reference.as_ref().map(Reference::as_str)),
        ("key_digest", "#key_digest = :digest", ":digest", key_digest.as_deref()),
        ("external_ref", "#external_ref = :user", ":user", external_ref.as_ref().map(ExternalRef::as_str)),
        ("connection", "#connection = :connection", ":connection", connection.as_ref().map(|id| id.0.as_str())),
    ];
    conditions.extend(own_names.into_iter().filter_map(|(attribute, test, placeholder, value)| {
        Some(Condition { attribute, test, values: vec![(placeholder, text(value?))] })
    }));
    conditions
}

fn usage_log_item(entry: &UsageEntry) -> UsageLogItem {
    UsageLogItem { entry: entry.clone(), expires_at: entry.at + RETENTION }
}

fn parse(item: Item) -> Result<UsageEntry, Error> {
    from_item(item).map(|UsageLogItem { entry, .. }| entry)
}

#[cfg(test)]
#[test]
fn an_entry_is_stored_as_ever_and_read_as_it_was() {
    let few = UsageEntry {
        request_id: Uuid::nil(),
        at: Timestamp::UNIX_EPOCH,
        method: "GET".to_owned(),
        path: "/v1/campaigns".to_owned(),
        status: 200,
        response_time_ms: 5,
        platform: None,
        platform_time_ms: None,
        tool: None,
        key: None,
        reference: None,
        key_digest: None,
        external_ref: None,
        connection: None,
    };
    let all = UsageEntry {
        platform: Some(Platform::Zeta),
        platform_time_ms: Some(4),
        tool: Some("list_campaigns".to_owned()),
        key: Some(KeyId("key_1".to_owned())),
        reference: Reference::parse("order-42"),
        key_digest: Some("d1".to_owned()),
        external_ref: ExternalRef::parse("user42"),
        connection: Some(ConnectionId("conn_1".to_owned())),
        ..few.clone()
    };
    let entries = [all, few];
    let items = entries.clone().map(|entry| super::stored::attributes(&usage_log_item(&entry)));
    super::stored::assert_stored("usage", items.clone());
    assert_eq!(items.map(|item| parse(item).unwrap()), entries);
    let mut newer = super::stored::attributes(&usage_log_item(&entries[0]));
    newer.insert("platform".to_owned(), text("eta_ads"));
    assert_eq!(parse(newer).unwrap().platform, None, "a platform that only newer code knows");
}

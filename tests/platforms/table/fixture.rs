//! A platform's table, and requests to compare with it.

use crate::world::{World, id_of};
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use shared::clock::Clock;
use shared::domain::{Currency, Platform};
use std::collections::HashMap;

/// A platform's table, and a world with ad accounts of it.
pub(super) struct Fixture {
    pub(super) world: World,
    pub(super) platform: &'static str,
    pub(super) table: Value,
    /// Connections by currency.
    connections: HashMap<String, Value>,
    /// Campaigns that were named.
    named: usize,
}

impl Fixture {
    pub(super) async fn new(platform: Platform) -> Fixture {
        let world = World::start().await;
        let platform = platform.as_str();
        let response = world.ask("GET", "/v1/platforms").expect(200).await.json();
        let tables = response["platforms"].as_array().expect("a list");
        let table = tables.iter().find(|table| table["platform"] == platform).expect("the platform").clone();
        Fixture { world, platform, table, connections: HashMap::new(), named: 0 }
    }

    /// A create of a shape, with values that every rule of the table permits.
    pub(super) async fn draft(&mut self, shape: &str, currency: &str) -> Value {
        let connection = self.connection(currency).await;
        let body = json!({"name": self.name(), "budget_amount": 500_000, "budget_period": "DAILY"});
        let goal = self.table[shape]["goals"][0].clone();
        match shape {
            "flat" => with(&with(&body, "goal", goal), "connection_id", connection["id"].clone()),
            _ => with(&with(&body, "goal", goal), "organization_id", connection["remote_account_id"].clone()),
        }
    }

    /// A name of its own, because some platforms have each name once.
    pub(super) fn name(&mut self) -> String {
        self.named += 1;
        format!("Campaign {}", self.named)
    }

    /// The connection of an ad account in this currency.
    async fn connection(&mut self, currency: &str) -> Value {
        if let Some(known) = self.connections.get(currency) {
            return known.clone();
        }
        let open =
            self.world.control("POST", "accounts").json(&json!({"platform": self.platform, "currency": currency}));
        let account = id_of(&open.expect(201).await.json()["account"]);
        self.world.connect(self.platform, &[&account]).await;
        // Meta shows its accounts with a prefix that they do not have elsewhere.
        let is_its = |connection: &Value| account.ends_with(connection["remote_account_id"].as_str().expect("an id"));
        let connection = self.world.connections().await.into_iter().find(is_its).expect("a connection");
        self.connections.insert(currency.to_owned(), connection.clone());
        connection
    }

    /// The body of a response: its error as fields and words, which differ in form between a dry run and a refusal.
    pub(super) async fn post(&self, shape: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = with(body, "platform", self.table[shape]["platform"].clone());
        let ask = self.world.ask("POST", path).header("x-api-shape", shape).json(&body);
        let response = ask.send().await.expect("a response");
        (response.status.as_u16(), response.json())
    }

    /// The dry run and the create refuse a body with the same words about a field, and the platform hears nothing.
    pub(super) async fn refused(&self, shape: &str, body: &Value, field: &str) -> String {
        let before = self.world.received(self.platform).await.len();
        let (status, dry_run) = self.post(shape, "/v1/campaigns?dry_run=true", body).await;
        if status == 200 {
            let result = if shape == "flat" { &dry_run } else { &dry_run["data"] };
            assert_eq!(result["verdict"], "would_fail", "{} {body}: {dry_run}", self.platform);
        }
        let (status, refusal) = self.post(shape, "/v1/campaigns", body).await;
        assert_eq!(status, 400, "{} {body}: {refusal}", self.platform);
        assert_eq!(words(&dry_run), words(&refusal), "{} {body}", self.platform);
        assert_eq!(self.world.received(self.platform).await.len(), before, "{} {body}", self.platform);
        let words = words(&refusal);
        assert!(words.starts_with(field), "{} {body}: {words}", self.platform);
        words
    }

    /// The dry run expects the campaign, and the create makes it.
    pub(super) async fn accepted(&self, shape: &str, body: &Value) -> Value {
        let (status, dry_run) = self.post(shape, "/v1/campaigns?dry_run=true", body).await;
        let result = if shape == "flat" { &dry_run } else { &dry_run["data"] };
        assert_eq!((status, &result["verdict"]), (200, &json!("would_create")), "{} {body}: {dry_run}", self.platform);
        let (status, created) = self.post(shape, "/v1/campaigns", body).await;
        assert_eq!(status, 201, "{} {body}: {created}", self.platform);
        if shape == "flat" { created } else { created["data"].clone() }
    }

    /// The budget periods of a shape.
    pub(super) fn periods(&self, shape: &str) -> Vec<Value> {
        self.table[shape]["budget_periods"].as_array().expect("a list").clone()
    }

    /// The body with a budget period and the fields that it needs.
    pub(super) fn with_period(&self, body: &Value, period: &Value) -> Value {
        let goal = period["goals"][0].clone();
        let body = with(&with(body, "budget_period", period["period"].clone()), "goal", goal);
        names(&period["needs"]).iter().fold(body, |body, need| with(&body, need, needed(need)))
    }
}

/// The object with another value of a field.
pub(super) fn with(body: &Value, field: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[field] = value;
    body
}

/// The object without a field.
pub(super) fn without(body: &Value, field: &str) -> Value {
    let mut body = body.clone();
    body.as_object_mut().expect("an object").remove(field);
    body
}

/// A value of a field that a budget period needs.
fn needed(field: &str) -> Value {
    assert_eq!(field, "end_at", "the test knows no value of this field");
    json!("2035-01-01")
}

/// The words of an error, each with its field.
fn words(body: &Value) -> String {
    let error = ["/data/error", "/error"].into_iter().find_map(|path| body.pointer(path)).unwrap_or(body);
    let details = error["details"].as_array().or_else(|| body["details"].as_array());
    match details {
        Some(details) => details
            .iter()
            .map(|one| [&one["field"], &one["message"]].map(|text| text.as_str().expect("a text")).join(" "))
            .collect::<Vec<_>>()
            .join("; "),
        None => error["message"].as_str().unwrap_or_else(|| panic!("no words: {body}")).to_owned(),
    }
}

pub(super) fn names(list: &Value) -> Vec<String> {
    list.as_array().expect("a list").iter().map(|name| name.as_str().expect("a text").to_owned()).collect()
}

pub(super) fn decimal(number: &Value) -> Decimal {
    number.to_string().parse().expect("a number")
}

pub(super) fn number(amount: Decimal) -> Value {
    serde_json::from_str(&amount.normalize().to_string()).expect("a number")
}

/// The most decimals of an amount in a currency, by the table.
pub(super) fn places(table: &Value, code: &str) -> u32 {
    let own = Currency::from_code(code).expect("a currency").decimals();
    let limit = table["decimals"]["maximum"].as_u64().and_then(|most| u32::try_from(most).ok()).unwrap_or(own);
    if names(&table["decimals"]["none_in"]).iter().any(|one| one == code) { 0 } else { limit.min(own) }
}

/// An instant so many days from now, in whole seconds.
pub(super) fn in_days(days: i64) -> Value {
    let at = Clock::system().now() + SignedDuration::from_hours(24 * days);
    json!(Timestamp::from_second(at.as_second()).expect("a time").to_string())
}

/// A day of the ad account where the platform has whole days, otherwise an instant.
pub(super) fn date(table: &Value, days: i64) -> Value {
    let at = in_days(days);
    let day = &at.as_str().expect("a text")[..10];
    if table["dates"]["precision"] == "day" { json!(day) } else { at }
}

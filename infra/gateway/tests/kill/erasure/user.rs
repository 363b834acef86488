//! A user of the customer with everything that a user has, and where it is found.

use crate::kill::harness::Harness;
use crate::kill::users::USER_HEADER;
use aws_sdk_dynamodb::types::AttributeValue;
use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};
use shared::clock::Clock;
use shared::store::table_keys;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// The changes that wait are due long after the erasure.
const LATER: SignedDuration = SignedDuration::from_hours(24 * 20);

/// The user, and its ad account on each of some platforms.
pub(super) struct TestUser {
    pub(super) name: &'static str,
    pub(super) label: String,
    reference: String,
    accounts: Vec<String>,
    connections: Vec<String>,
    campaigns: Vec<String>,
    campaign_names: Vec<String>,
    pub(super) changes: BTreeSet<String>,
    /// A request of each platform that shows the campaign there, with the token of the user's grant.
    probes: BTreeMap<&'static str, Value>,
}

impl TestUser {
    /// Connects a new ad account on each platform, where a campaign runs and a change of it waits.
    pub(super) async fn new(harness: &Harness, name: &'static str, platforms: &[&'static str]) -> TestUser {
        let mut user = TestUser {
            name,
            label: format!("Label of {name}"),
            reference: format!("order-4711-{name}"),
            accounts: Vec::new(),
            connections: Vec::new(),
            campaigns: Vec::new(),
            campaign_names: Vec::new(),
            changes: BTreeSet::new(),
            probes: BTreeMap::new(),
        };
        let limit = json!({"amounts": [{"currency": "USD", "daily": 10_000}]});
        let body = json!({"label": user.label, "spending_limit": limit});
        harness.ask(None, Method::PUT, &format!("/v1/users/{name}"), &body).await;
        let bound = json!({"name": "Bound", "scopes": ["read", "write"], "external_ref": name});
        harness.ask(None, Method::POST, "/v1/api-keys", &bound).await;
        for platform in platforms {
            user.accounts.push(harness.connect_new(platform, name).await);
            user.run_campaign(harness, platform).await;
            user.probe(harness, platform).await;
        }
        let all = json!({"status": "ACTIVE", "ids": user.campaigns});
        harness.ask(Some(name), Method::POST, "/v1/campaigns/status", &all).await;
        user.connections = user.listed(harness, "connections", &["id"]).await.into_iter().collect();
        user.changes = user.listed(harness, "changes", &["id"]).await;
        user
    }

    async fn run_campaign(&mut self, harness: &Harness, platform: &str) {
        let name = format!("Bread of {} on {platform}", self.name);
        let draft = json!({"platform": platform, "name": name, "goal": "TRAFFIC", "budget_amount": 60,
            "budget_period": "DAILY", "reference": self.reference});
        let created = harness.ask(Some(self.name), Method::POST, "/v1/campaigns", &draft).await;
        let id = created["id"].as_str().unwrap().to_owned();
        let path = format!("/v1/campaigns/{id}");
        let key = format!("activation-{platform}");
        let headers = [(USER_HEADER, self.name), ("idempotency-key", key.as_str())];
        let active = json!({"status": "ACTIVE", "reference": self.reference});
        let activated = harness.call_with(&headers, Method::PATCH, &path, &active).await.unwrap();
        assert_eq!(activated.status, 200, "{activated:?}");
        let at = Clock::system().now() + LATER;
        let later = json!({"budget_amount": 70, "reference": self.reference});
        harness.ask(Some(self.name), Method::PATCH, &format!("{path}?apply_at={at:.0}"), &later).await;
        self.campaigns.push(id);
        self.campaign_names.push(name);
    }

    /// Finds a request that shows the campaign of a platform.
    async fn probe(&mut self, harness: &Harness, platform: &'static str) {
        let log = format!("requests?platform={platform}");
        let before = harness.books(&log).await["requests"].as_array().unwrap().len();
        let path = format!("/v1/campaigns?platform={platform}");
        harness.ask(Some(self.name), Method::GET, &path, &Value::Null).await;
        for logged in harness.books(&log).await["requests"].as_array().unwrap().iter().skip(before) {
            if self.is_shown_by(harness, logged).await {
                self.probes.insert(platform, logged.clone());
            }
        }
        assert!(self.probes.contains_key(platform), "no request shows the campaign on {platform}");
    }

    async fn is_shown_by(&self, harness: &Harness, probe: &Value) -> bool {
        let shown = harness.send_again(probe).await;
        self.campaign_names.iter().any(|name| shown.contains(name))
    }

    /// The platforms on which the token of the user's grant still shows its campaign.
    pub(super) async fn readable(&self, harness: &Harness) -> Vec<&'static str> {
        let mut readable = Vec::new();
        for (platform, probe) in &self.probes {
            if self.is_shown_by(harness, probe).await {
                readable.push(*platform);
            }
        }
        readable
    }

    /// Its campaigns in the sandbox's books.
    pub(super) async fn books(&self, harness: &Harness) -> Vec<Value> {
        let is_own = |campaign: &Value| self.campaign_names.iter().any(|name| campaign["name"] == name.as_str());
        harness.platform_campaigns().await.into_iter().filter(is_own).collect()
    }

    /// Some fields of each entry of a list of the user.
    pub(super) async fn listed(&self, harness: &Harness, list: &str, fields: &[&str]) -> BTreeSet<String> {
        let entries = if list == "campaigns" { "unified" } else { list };
        let listed = harness.list(&format!("/v1/{list}?external_ref={}&", self.name), entries).await;
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let entry = |entry: &Value| fields.iter().map(|name| text(&entry[*name])).collect::<Vec<_>>().join(" ");
        listed.iter().map(entry).collect()
    }

    /// Everything that names the user, or what is the user's.
    pub(super) fn names(&self) -> Vec<&str> {
        let lists = [&self.accounts, &self.connections, &self.campaigns, &self.campaign_names];
        let own = [self.name, &self.label, &self.reference];
        own.into_iter().chain(lists.into_iter().flatten().map(String::as_str)).collect()
    }

    /// The keys of the records of a table that name the user, or what is the user's.
    pub(super) fn records(&self, table: &[HashMap<String, AttributeValue>]) -> BTreeSet<String> {
        let names = self.names();
        let is_own = |text: &str| names.iter().any(|name| text.contains(name));
        table.iter().filter(|item| is_own(&format!("{item:?}"))).map(key_of).collect()
    }
}

/// The keys of a record as text.
pub(super) fn key_of(item: &HashMap<String, AttributeValue>) -> String {
    let text = |name: &str| item[name].as_s().unwrap().as_str();
    format!("{} {}", text(table_keys::PARTITION), text(table_keys::SORT))
}

/// Whether a record has the tokens of a grant.
pub(super) fn is_grant(item: &HashMap<String, AttributeValue>) -> bool {
    table_keys::parse_grant_sk(item[table_keys::SORT].as_s().unwrap()).is_some()
}

/// All records of the table of a data folder.
pub(super) async fn table(folder: &Path) -> Vec<HashMap<String, AttributeValue>> {
    let scan = gateway::aws_of_folder(folder).dynamodb_client().scan().table_name("unified-ads").consistent_read(true);
    scan.into_paginator().items().send().collect::<Result<Vec<_>, _>>().await.unwrap()
}

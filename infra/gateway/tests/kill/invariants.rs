//! The invariants: campaigns at the platforms, intents in the store and responses to clients agree.

use crate::kill::CONCURRENT_REQUESTS;
use crate::kill::harness::Harness;
use crate::kill::requests::Exchange;
use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::ready;
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use shared::app::{App, Config};
use shared::domain::{Intent, IntentState};
use shared::store::table_keys;
use std::collections::{BTreeMap, HashMap};

/// All intents in the store.
pub(crate) struct Intents(Vec<Intent>);

/// Number of intents by state.
#[derive(Debug, Default)]
pub(crate) struct StateCounts {
    pub(crate) created: usize,
    pub(crate) not_created: usize,
    pub(crate) unknown: usize,
}

/// A platform, and the id of a campaign there.
type RemoteCampaign = (String, String);

impl Intents {
    pub(crate) async fn read(app: &App, config: &Config) -> Intents {
        let mut intents = Vec::new();
        for item in items(config).await {
            let text = |name: &str| item[name].as_s().unwrap().as_str();
            let customer = table_keys::parse_customer_pk(text(table_keys::PARTITION));
            let id = table_keys::parse_intent_sk(text(table_keys::SORT));
            if let (Some(customer), Some(id)) = (customer, id) {
                intents.push(app.store.intent(customer, id).await.unwrap().unwrap());
            }
        }
        Intents(intents)
    }

    pub(crate) fn count_states(&self) -> StateCounts {
        let mut counts = StateCounts::default();
        for intent in &self.0 {
            match intent.state {
                IntentState::Created(_) => counts.created += 1,
                IntentState::Refused(_) | IntentState::NotCreated => counts.not_created += 1,
                IntentState::Unknown => counts.unknown += 1,
            }
        }
        counts
    }

    /// The intents with a campaign, by that campaign.
    fn by_campaign(&self) -> BTreeMap<RemoteCampaign, Vec<&Intent>> {
        let mut created: BTreeMap<RemoteCampaign, Vec<&Intent>> = BTreeMap::new();
        for intent in &self.0 {
            if let IntentState::Created(id) = &intent.state {
                let remote = id.remote_in(&intent.account_id).unwrap_or_default().to_owned();
                created.entry((intent.platform.as_str().to_owned(), remote)).or_default().push(intent);
            }
        }
        created
    }

    /// Each campaign at the platforms belongs to exactly one intent, and each intent is reconciled. Returns the
    /// violations.
    pub(crate) fn check_platforms(&self, campaigns: &[Value]) -> Vec<String> {
        let unknown = self.0.iter().filter(|intent| intent.state == IntentState::Unknown);
        let mut violations: Vec<String> = unknown.map(|intent| format!("not reconciled: {intent:?}")).collect();
        let mut created = self.by_campaign();
        let mut names: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for campaign in campaigns {
            let field = |name: &str| campaign[name].as_str().unwrap_or_default();
            *names.entry((field("platform"), field("name"))).or_default() += 1;
            match created.remove(&(field("platform").to_owned(), field("id").to_owned())).as_deref() {
                Some([intent]) => violations.extend(campaign_violation(campaign, intent)),
                Some(several) => violations.push(format!("{campaign} belongs to several intents: {several:?}")),
                None => violations.push(format!("{campaign} belongs to no intent")),
            }
        }
        violations.extend(created.into_keys().map(|remote| format!("not at the platform: {remote:?}")));
        let duplicates = names.into_iter().filter(|(_, count)| *count > 1);
        violations.extend(duplicates.map(|(name, count)| format!("{count} campaigns at the platform: {name:?}")));
        violations
    }

    /// `getCampaign` returns each created campaign as it was requested. Returns the violations.
    pub(crate) async fn check_api(&self, harness: &Harness) -> Vec<String> {
        let violations = stream::iter(self.by_campaign().into_values().flatten()).map(async |intent| {
            let IntentState::Created(id) = &intent.state else { return None };
            let campaign = harness.get(&format!("/v1/campaigns/{id}")).await;
            let is_right = campaign["id"] == json!(id.to_string())
                && campaign["name"] == json!(intent.draft.name)
                && campaign["status"] == "PAUSED"
                && is_equal(&campaign["budget_amount"].to_string(), &intent.draft.budget_amount.to_string());
            (!is_right).then(|| format!("the API returns {campaign} for {intent:?}"))
        });
        violations.buffer_unordered(CONCURRENT_REQUESTS).filter_map(ready).collect().await
    }

    /// Each campaign in a client's responses came of its request, and a request with an idempotency key has exactly one
    /// campaign per target. Returns the violations.
    pub(crate) fn check_exchange(&self, exchange: &Exchange) -> Vec<String> {
        let Exchange { request, responses, .. } = exchange;
        let created = |intent: &Intent| match &intent.state {
            IntentState::Created(id) if is_equal(&intent.draft.budget_amount.to_string(), &request.budget) => {
                Some(id.to_string())
            }
            _ => None,
        };
        let of_request = self.0.iter().filter(|intent| intent.draft.name == request.name);
        let created: Vec<String> = of_request.filter_map(created).collect();
        let reported = responses.iter().flat_map(|received| received.campaigns());
        let unknown = reported.filter(|id| !created.contains(id));
        let mut violations: Vec<String> = unknown.map(|id| format!("{id} has no intent: {exchange:?}")).collect();
        let last = responses.last().map(|received| (received.status, received.campaigns().len()));
        let expected = (Some((201, request.targets)), request.targets);
        if request.idempotency_key.is_some() && (last, created.len()) != expected {
            violations.push(format!("{created:?} were created for {exchange:?}"));
        }
        violations
    }
}

/// The difference between a campaign at its platform and its intent.
fn campaign_violation(campaign: &Value, intent: &Intent) -> Option<String> {
    let field = |name: &str| campaign[name].as_str().unwrap_or_default();
    let is_right = field("name") == intent.draft.name
        && field("account").trim_start_matches("act_") == intent.account_id
        && ["PAUSED", "DISABLE"].contains(&field("status"))
        && is_equal(field("budget"), &intent.draft.budget_amount.to_string());
    (!is_right).then(|| format!("{campaign} was created for {intent:?}"))
}

/// Compares two decimals, ignoring trailing zeros.
fn is_equal(one: &str, other: &str) -> bool {
    let normalized = |text: &str| match text.split_once('.') {
        Some((integer, fraction)) => (integer.to_owned(), fraction.trim_end_matches('0').to_owned()),
        None => (text.to_owned(), String::new()),
    };
    normalized(one) == normalized(other)
}

/// All items of the table.
async fn items(config: &Config) -> Vec<HashMap<String, AttributeValue>> {
    let scan = config.aws.dynamodb_client().scan().table_name(&config.table).consistent_read(true);
    scan.into_paginator().items().send().collect::<Result<Vec<_>, _>>().await.unwrap()
}

/// Clears the rate limits. Requests with the advanced clock moved their theoretical arrival times into the future.
pub(crate) async fn reset_rate_limits(config: &Config) {
    for item in items(config).await.into_iter().filter(|item| item.contains_key("tat")) {
        let update = config.aws.dynamodb_client().update_item().table_name(&config.table);
        let update = update.key(table_keys::PARTITION, item[table_keys::PARTITION].clone());
        let update = update.key(table_keys::SORT, item[table_keys::SORT].clone()).update_expression("SET tat = :zero");
        let update = update.expression_attribute_values(":zero", AttributeValue::N("0".to_owned()));
        update.send().await.unwrap();
    }
}

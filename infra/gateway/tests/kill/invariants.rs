//! The invariants: campaigns at the platforms, creates in the store and responses to clients agree.

use crate::kill::CONCURRENT_REQUESTS;
use crate::kill::harness::Harness;
use crate::kill::requests::Exchange;
use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::ready;
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use shared::app::{App, Config};
use shared::domain::{ChangeState, Create};
use shared::store::table_keys;
use std::collections::{BTreeMap, HashMap};

/// All creates in the store.
pub(crate) struct Creates(Vec<Create>);

/// Number of creates by state.
#[derive(Debug, Default)]
pub(crate) struct StateCounts {
    pub(crate) created: usize,
    pub(crate) not_created: usize,
    pub(crate) unknown: usize,
}

/// A platform, and the id of a campaign there.
type RemoteCampaign = (String, String);

impl Creates {
    pub(crate) async fn read(app: &App, config: &Config) -> Creates {
        let mut creates = Vec::new();
        for item in items(config).await {
            let text = |name: &str| item[name].as_s().unwrap().as_str();
            let customer = table_keys::parse_customer_pk(text(table_keys::PARTITION));
            let id = table_keys::parse_change_sk(text(table_keys::SORT));
            if let (Some(customer), Some(id)) = (customer, id) {
                creates.extend(Create::of(app.store.change(customer, id).await.unwrap().unwrap()));
            }
        }
        Creates(creates)
    }

    pub(crate) fn count_states(&self) -> StateCounts {
        let mut counts = StateCounts::default();
        for create in &self.0 {
            match create.state {
                ChangeState::Applied | ChangeState::PartlyApplied(_) => counts.created += 1,
                ChangeState::AwaitingApproval
                | ChangeState::Failed(_)
                | ChangeState::Canceled(_)
                | ChangeState::Rejected(_)
                | ChangeState::Expired => counts.not_created += 1,
                ChangeState::Scheduled | ChangeState::Sending => counts.unknown += 1,
            }
        }
        counts
    }

    /// The creates with a campaign, by that campaign.
    fn by_campaign(&self) -> BTreeMap<RemoteCampaign, Vec<&Create>> {
        let mut created: BTreeMap<RemoteCampaign, Vec<&Create>> = BTreeMap::new();
        for create in &self.0 {
            if let Some(id) = &create.campaign {
                let remote = id.remote_in(&create.account_id).unwrap_or_default().to_owned();
                created.entry((create.platform.as_str().to_owned(), remote)).or_default().push(create);
            }
        }
        created
    }

    /// Each campaign at the platforms belongs to exactly one create, and each create is reconciled. Returns the
    /// violations.
    pub(crate) fn check_platforms(&self, campaigns: &[Value]) -> Vec<String> {
        let unknown = self.0.iter().filter(|create| create.state == ChangeState::Sending);
        let mut violations: Vec<String> = unknown.map(|create| format!("not reconciled: {create:?}")).collect();
        let mut created = self.by_campaign();
        let mut names: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for campaign in campaigns {
            let field = |name: &str| campaign[name].as_str().unwrap_or_default();
            *names.entry((field("platform"), field("name"))).or_default() += 1;
            match created.remove(&(field("platform").to_owned(), field("id").to_owned())).as_deref() {
                Some([create]) => violations.extend(campaign_violation(campaign, create)),
                Some(several) => violations.push(format!("{campaign} belongs to several creates: {several:?}")),
                None => violations.push(format!("{campaign} belongs to no create")),
            }
        }
        violations.extend(created.into_keys().map(|remote| format!("not at the platform: {remote:?}")));
        let duplicates = names.into_iter().filter(|(_, count)| *count > 1);
        violations.extend(duplicates.map(|(name, count)| format!("{count} campaigns at the platform: {name:?}")));
        violations
    }

    /// `getCampaign` returns each created campaign as it was requested. Returns the violations.
    pub(crate) async fn check_api(&self, harness: &Harness) -> Vec<String> {
        let violations = stream::iter(self.by_campaign().into_values().flatten()).map(async |create| {
            let Some(id) = &create.campaign else { return None };
            let campaign = harness.get(&format!("/v1/campaigns/{id}")).await;
            let is_right = campaign["id"] == json!(id.to_string())
                && campaign["name"] == json!(create.draft().name)
                && campaign["status"] == "PAUSED"
                && is_equal(&campaign["budget_amount"].to_string(), &create.draft().budget_amount.to_string());
            (!is_right).then(|| format!("the API returns {campaign} for {create:?}"))
        });
        violations.buffer_unordered(CONCURRENT_REQUESTS).filter_map(ready).collect().await
    }

    /// Each campaign in a client's responses came of its request, and a request with an idempotency key has exactly one
    /// campaign per target. Returns the violations.
    pub(crate) fn check_exchange(&self, exchange: &Exchange) -> Vec<String> {
        let Exchange { request, responses, .. } = exchange;
        let created = |create: &Create| match &create.campaign {
            Some(id) if is_equal(&create.draft().budget_amount.to_string(), &request.budget) => Some(id.to_string()),
            _ => None,
        };
        let of_request = self.0.iter().filter(|create| create.draft().name == request.name);
        let created: Vec<String> = of_request.filter_map(created).collect();
        let reported = responses.iter().flat_map(|received| received.campaigns());
        let unknown = reported.filter(|id| !created.contains(id));
        let mut violations: Vec<String> = unknown.map(|id| format!("{id} has no create: {exchange:?}")).collect();
        let last = responses.last().map(|received| (received.status, received.campaigns().len()));
        let expected = (Some((201, request.targets)), request.targets);
        if request.idempotency_key.is_some() && (last, created.len()) != expected {
            violations.push(format!("{created:?} were created for {exchange:?}"));
        }
        violations
    }
}

/// The difference between a campaign at its platform and its create.
fn campaign_violation(campaign: &Value, create: &Create) -> Option<String> {
    let field = |name: &str| campaign[name].as_str().unwrap_or_default();
    let is_right = field("name") == create.draft().name
        && field("account").trim_start_matches("act_") == create.account_id
        && ["PAUSED", "DISABLE"].contains(&field("status"))
        && is_equal(field("budget"), &create.draft().budget_amount.to_string());
    (!is_right).then(|| format!("{campaign} was created for {create:?}"))
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

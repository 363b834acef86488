//! What the store says was wanted and what came of it, held against what there is.

use crate::AT_ONCE;
use crate::orders::Dealing;
use crate::shop::Shop;
use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::ready;
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use shared::app::{App, Config};
use shared::domain::{Intent, IntentState};
use shared::store::table_keys;
use std::collections::{BTreeMap, HashMap};

/// Every intent that the store holds.
pub(crate) struct Books(Vec<Intent>);

/// How many intents are in which state.
#[derive(Debug, Default)]
pub(crate) struct States {
    pub(crate) created: usize,
    pub(crate) not_created: usize,
    pub(crate) unknown: usize,
}

/// A platform, and a campaign's id there.
type Remote = (String, String);

impl Books {
    pub(crate) async fn read(app: &App, config: &Config) -> Books {
        let mut intents = Vec::new();
        for item in items(config).await {
            let text = |name: &str| item[name].as_s().unwrap().as_str();
            let (customer, id) = (
                table_keys::parse_customer_pk(text(table_keys::PARTITION)),
                table_keys::parse_intent_sk(text(table_keys::SORT)),
            );
            if let (Some(customer), Some(id)) = (customer, id) {
                intents.push(app.store.intent(customer, id).await.unwrap().unwrap());
            }
        }
        Books(intents)
    }

    pub(crate) fn states(&self) -> States {
        let mut states = States::default();
        for intent in &self.0 {
            match intent.state {
                IntentState::Created(_) => states.created += 1,
                IntentState::Refused(_) | IntentState::NotCreated => states.not_created += 1,
                IntentState::Unknown => states.unknown += 1,
            }
        }
        states
    }

    /// The intents of which a campaign came, by that campaign.
    fn created(&self) -> BTreeMap<Remote, Vec<&Intent>> {
        let mut created: BTreeMap<Remote, Vec<&Intent>> = BTreeMap::new();
        for intent in &self.0 {
            if let IntentState::Created(id) = &intent.state {
                let remote = id.remote_in(&intent.account_id).unwrap_or_default().to_owned();
                created.entry((intent.platform.as_str().to_owned(), remote)).or_default().push(intent);
            }
        }
        created
    }

    /// Each campaign at the platforms is what one intent wanted, and each intent is final.
    pub(crate) fn against(&self, made: &[Value]) -> Vec<String> {
        let unsettled = self.0.iter().filter(|intent| intent.state == IntentState::Unknown);
        let mut faults: Vec<String> = unsettled.map(|intent| format!("not settled: {intent:?}")).collect();
        let mut created = self.created();
        let mut names: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for campaign in made {
            let field = |name: &str| campaign[name].as_str().unwrap_or_default();
            *names.entry((field("platform"), field("name"))).or_default() += 1;
            match created.remove(&(field("platform").to_owned(), field("id").to_owned())).as_deref() {
                Some([intent]) => faults.extend(differs(campaign, intent)),
                Some(several) => faults.push(format!("came of several: {campaign}: {several:?}")),
                None => faults.push(format!("nobody knows of {campaign}")),
            }
        }
        faults.extend(created.into_keys().map(|remote| format!("not there: {remote:?}")));
        let twice = names.into_iter().filter(|(_, times)| *times > 1);
        faults.extend(twice.map(|(name, times)| format!("{times} times there: {name:?}")));
        faults
    }

    /// Each campaign is shown by the service as it was ordered.
    pub(crate) async fn as_the_service_shows_them(&self, shop: &Shop) -> Vec<String> {
        let shown = stream::iter(self.created().into_values().flatten()).map(async |intent| {
            let IntentState::Created(id) = &intent.state else { return None };
            let shown = shop.get(&format!("/v1/campaigns/{id}")).await;
            let is_right = shown["id"] == json!(id.to_string())
                && shown["name"] == json!(intent.draft.name)
                && shown["status"] == "PAUSED"
                && is_same(&shown["budget_amount"].to_string(), &intent.draft.budget_amount.to_string());
            (!is_right).then(|| format!("shown otherwise: {shown}, ordered as {intent:?}"))
        });
        shown.buffer_unordered(AT_ONCE).filter_map(ready).collect().await
    }

    /// What a client was told is so: each campaign that he ever heard of came of his order, and an order with a key
    /// has all that it wants, each once.
    pub(crate) fn of(&self, dealing: &Dealing) -> Vec<String> {
        let Dealing { order, heard, .. } = dealing;
        let is_his = |intent: &&Intent| intent.draft.name == order.name;
        let came_of_it = |intent: &Intent| match &intent.state {
            IntentState::Created(id) if is_same(&intent.draft.budget_amount.to_string(), &order.budget) => {
                Some(id.to_string())
            }
            _ => None,
        };
        let his: Vec<String> = self.0.iter().filter(is_his).filter_map(came_of_it).collect();
        let told = heard.iter().flat_map(|heard| heard.campaigns());
        let strange = told.filter(|id| !his.contains(id)).map(|id| format!("{id} is not known: {dealing:?}"));
        let mut faults: Vec<String> = strange.collect();
        let last = heard.last().map(|heard| (heard.status, heard.campaigns().len()));
        if order.key.is_some() && (last, his.len()) != (Some((201, order.targets)), order.targets) {
            faults.push(format!("{his:?} came of {dealing:?}"));
        }
        faults
    }
}

/// What is wrong with a campaign at its platform.
fn differs(campaign: &Value, intent: &Intent) -> Option<String> {
    let field = |name: &str| campaign[name].as_str().unwrap_or_default();
    let is_right = field("name") == intent.draft.name
        && field("account").trim_start_matches("act_") == intent.account_id
        && ["PAUSED", "DISABLE"].contains(&field("status"))
        && is_same(field("budget"), &intent.draft.budget_amount.to_string());
    (!is_right).then(|| format!("{campaign} came of {intent:?}"))
}

/// Whether two decimals are the same number.
fn is_same(one: &str, other: &str) -> bool {
    let significant = |text: &str| match text.split_once('.') {
        Some((whole, places)) => (whole.to_owned(), places.trim_end_matches('0').to_owned()),
        None => (text.to_owned(), String::new()),
    };
    significant(one) == significant(other)
}

/// Everything in the table.
async fn items(config: &Config) -> Vec<HashMap<String, AttributeValue>> {
    let scan = config.aws.dynamodb_client().scan().table_name(&config.table).consistent_read(true);
    scan.into_paginator().items().send().collect::<Result<Vec<_>, _>>().await.unwrap()
}

/// Undoes what requests of later have done to the rate of those of now.
pub(crate) async fn let_the_rate_be_of_now(config: &Config) {
    for item in items(config).await.into_iter().filter(|item| item.contains_key("tat")) {
        let update = config.aws.dynamodb_client().update_item().table_name(&config.table);
        let update = update.key(table_keys::PARTITION, item[table_keys::PARTITION].clone());
        let update = update.key(table_keys::SORT, item[table_keys::SORT].clone()).update_expression("REMOVE tat");
        update.send().await.unwrap();
    }
}

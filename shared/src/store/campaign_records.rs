//! What we know of a campaign beyond its platform: the goal and period that were asked for, and when.

use super::{Store, from_item, store_error, table_keys, text, to_item};
use crate::domain::{BudgetPeriod, Campaign, CampaignId, CustomerId, Goal, IntentId};
use crate::error::Error;
use aws_sdk_dynamodb::types::KeysAndAttributes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The service's own knowledge of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignRecord {
    /// The goal that was asked for, where the platform's mapping loses it.
    pub goal: Option<Goal>,
    /// The period in the caller's word (TOTAL or LIFETIME).
    pub budget_period: Option<BudgetPeriod>,
    /// When the service made it; `None` for a campaign made elsewhere.
    pub created_at: Option<Timestamp>,
    /// What it came of, if the service made it.
    pub intent: Option<IntentId>,
    /// When the service last changed it.
    pub updated_at: Timestamp,
}

impl CampaignRecord {
    /// Adds what the record knows to what the platform says.
    pub fn apply_to(self, campaign: &mut Campaign) {
        campaign.goal = self.goal.or(campaign.goal);
        // The platform decides which kind of period it is; the record only remembers the caller's word for it.
        if let (Some(ours), Some(theirs)) = (self.budget_period, campaign.budget_period)
            && ours.means(theirs)
        {
            campaign.budget_period = Some(ours);
        }
        campaign.created_at = campaign.created_at.or(self.created_at);
        campaign.updated_at = campaign.updated_at.max(Some(self.updated_at));
    }
}

#[derive(Serialize, Deserialize)]
struct RecordItem {
    campaign_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_period: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    intent: Option<String>,
    updated_at: Timestamp,
}

impl Store {
    /// Stores the record of a campaign that was just made.
    pub async fn put_record(
        &self,
        customer: CustomerId,
        id: &CampaignId,
        record: &CampaignRecord,
    ) -> Result<(), Error> {
        let item = RecordItem {
            campaign_id: id.to_string(),
            goal: record.goal.map(|goal| goal_name(goal).to_owned()),
            budget_period: record.budget_period.map(|period| period.as_str().to_owned()),
            created_at: record.created_at,
            intent: record.intent.map(|id| id.to_string()),
            updated_at: record.updated_at,
        };
        let item = to_item(&table_keys::campaign(customer, id), &item)?;
        self.client.put_item().table_name(&self.table).set_item(Some(item)).send().await.map_err(store_error)?;
        Ok(())
    }

    /// Notes that a campaign was changed; makes a record for one that was made elsewhere.
    pub async fn touch_record(&self, customer: CustomerId, id: &CampaignId, now: Timestamp) -> Result<(), Error> {
        self.update(&table_keys::campaign(customer, id))
            .update_expression("SET updated_at = :now, campaign_id = :id")
            .expression_attribute_values(":now", text(now.to_string()))
            .expression_attribute_values(":id", text(id.to_string()))
            .send()
            .await
            .map_err(store_error)?;
        Ok(())
    }

    /// Reads one record.
    pub async fn record(&self, customer: CustomerId, id: &CampaignId) -> Result<Option<CampaignRecord>, Error> {
        let key = table_keys::campaign(customer, id).attributes();
        let get = self.client.get_item().table_name(&self.table).set_key(Some(key));
        let answer = get.send().await.map_err(store_error)?;
        Ok(answer.item.map(from_item).transpose()?.map(record))
    }

    /// Reads the records of at most 100 campaigns, in one round trip as a rule.
    pub async fn records(
        &self,
        customer: CustomerId,
        ids: &[&CampaignId],
    ) -> Result<HashMap<String, CampaignRecord>, Error> {
        let mut found = HashMap::new();
        let mut wanted: Vec<_> = ids.iter().map(|id| table_keys::campaign(customer, id).attributes()).collect();
        // The store may answer a part and name the rest; it makes progress each time.
        while !wanted.is_empty() {
            let keys = KeysAndAttributes::builder().set_keys(Some(wanted)).build().map_err(Error::internal)?;
            let get = self.client.batch_get_item().request_items(&self.table, keys);
            let answer = get.send().await.map_err(store_error)?;
            for item in answer.responses.unwrap_or_default().into_values().flatten() {
                let item: RecordItem = from_item(item)?;
                found.insert(item.campaign_id.clone(), record(item));
            }
            let rest = answer.unprocessed_keys.unwrap_or_default();
            wanted = rest.into_values().flat_map(|keys| keys.keys).collect();
        }
        Ok(found)
    }
}

fn record(item: RecordItem) -> CampaignRecord {
    let RecordItem { campaign_id: _, goal, budget_period, created_at, intent, updated_at } = item;
    CampaignRecord {
        goal: goal.as_deref().and_then(parse_goal),
        budget_period: budget_period.as_deref().and_then(parse_budget_period),
        created_at,
        intent: intent.as_deref().and_then(IntentId::parse),
        updated_at,
    }
}

pub(super) fn parse_goal(name: &str) -> Option<Goal> {
    Goal::ALL.into_iter().find(|goal| goal_name(*goal) == name)
}

pub(super) fn parse_budget_period(word: &str) -> Option<BudgetPeriod> {
    BudgetPeriod::ALL.into_iter().find(|period| period.as_str() == word)
}

pub(super) fn goal_name(goal: Goal) -> &'static str {
    match goal {
        Goal::BrandAwareness => "BRAND_AWARENESS",
        Goal::Reach => "REACH",
        Goal::WebsiteTraffic => "WEBSITE_TRAFFIC",
        Goal::Leads => "LEADS",
        Goal::Sales => "SALES",
        Goal::Conversions => "CONVERSIONS",
        Goal::AppPromotion => "APP_PROMOTION",
    }
}

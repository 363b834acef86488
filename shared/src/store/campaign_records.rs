//! Campaign records: the facts about a campaign that its platform does not store.

use super::table_keys::{self, Key};
use super::{Store, Values, from_item, store_error, text, to_item};
use crate::domain::{BudgetPeriod, Campaign, CampaignId, CustomerId, Goal, IntentId};
use crate::error::Error;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The service's record of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignRecord {
    /// The requested goal, which the platform's mapping may lose.
    pub goal: Option<Goal>,
    /// The requested budget period: platforms do not tell TOTAL from LIFETIME.
    pub budget_period: Option<BudgetPeriod>,
    /// Creation by the service; `None` for a campaign created elsewhere.
    pub created_at: Option<Timestamp>,
    /// The intent, if the service created the campaign.
    pub intent: Option<IntentId>,
    /// Last change by the service.
    pub updated_at: Timestamp,
}

impl CampaignRecord {
    /// Completes a campaign that was read from its platform.
    pub fn apply_to(self, campaign: &mut Campaign) {
        campaign.goal = self.goal.or(campaign.goal);
        // The platform decides the period; the record only decides its spelling.
        if let (Some(recorded), Some(reported)) = (self.budget_period, campaign.budget_period)
            && recorded.means(reported)
        {
            campaign.budget_period = Some(recorded);
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
    /// Stores the record of a new campaign.
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
        self.put(item).await
    }

    /// Records a change of a campaign. Adds a record for a campaign created elsewhere.
    pub async fn touch_record(&self, customer: CustomerId, id: &CampaignId, now: Timestamp) -> Result<(), Error> {
        self.update_item(&table_keys::campaign(customer, id))
            .update_expression("SET updated_at = :now, campaign_id = :id")
            .values([(":now", text(now.to_string())), (":id", text(id.to_string()))])
            .send()
            .await
            .map_err(store_error)
            .map(drop)
    }

    /// Reads a record with an eventually consistent read: enough to complete a campaign.
    pub async fn record(&self, customer: CustomerId, id: &CampaignId) -> Result<Option<CampaignRecord>, Error> {
        let output = self.get_item(&table_keys::campaign(customer, id)).send().await.map_err(store_error)?;
        Ok(output.item.map(from_item).transpose()?.map(record))
    }

    /// Reads a record with a consistent read, for a decision that depends on its latest state.
    pub async fn latest_record(&self, customer: CustomerId, id: &CampaignId) -> Result<Option<CampaignRecord>, Error> {
        let item = self.read(&table_keys::campaign(customer, id)).await?;
        Ok(item.map(from_item).transpose()?.map(record))
    }

    /// Whether the customer has a campaign record: one of a campaign that this service created or changed.
    pub async fn has_campaign(&self, customer: CustomerId) -> Result<bool, Error> {
        let query = self.query_prefix(customer, table_keys::CAMPAIGN_PREFIX).consistent_read(false).limit(1);
        let output = query.send().await.map_err(store_error)?;
        Ok(output.count > 0)
    }

    /// Reads the records of up to 100 campaigns, usually in one call, with eventually consistent reads.
    pub async fn records(
        &self,
        customer: CustomerId,
        ids: &[&CampaignId],
    ) -> Result<HashMap<String, CampaignRecord>, Error> {
        let keys: Vec<Key> = ids.iter().map(|id| table_keys::campaign(customer, id)).collect();
        let by_id = |item| from_item(item).map(|item: RecordItem| (item.campaign_id.clone(), record(item)));
        self.batch_read_eventually(&keys).await?.into_iter().map(by_id).collect()
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

pub(super) fn parse_budget_period(name: &str) -> Option<BudgetPeriod> {
    BudgetPeriod::ALL.into_iter().find(|period| period.as_str() == name)
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

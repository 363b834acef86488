//! Stored [`CampaignRecord`]s.

use super::change::MovedAttributes;
use super::conditional::conditional_put;
use super::table_keys::{self, Key};
use super::{Store, Values, from_item, number, store_error, text, to_item};
use crate::domain::{BudgetPeriod, CampaignId, CampaignRecord, ChangeId, CustomerId, Goal, HeldCampaigns, Platform};
use crate::error::Error;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use std::collections::HashMap;

/// Attempts to store the record of a new campaign, which somebody may move between two of them.
const MAX_ATTEMPTS: usize = 5;

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct RecordItem {
    campaign_id: String,
    goal: Option<String>,
    budget_period: Option<String>,
    created_at: Option<Timestamp>,
    change: Option<ChangeId>,
    #[serde(flatten)]
    moved: MovedAttributes,
    updated_at: Timestamp,
}

impl Store {
    /// Stores the record of a new campaign, unless it is stored already: its dates may have been moved since. It
    /// keeps what somebody has moved before the create was found.
    pub async fn put_record(
        &self,
        customer: CustomerId,
        id: &CampaignId,
        record: &CampaignRecord,
    ) -> Result<(), Error> {
        let (mut record, mut read) = (record.clone(), 0);
        for _ in 0..MAX_ATTEMPTS {
            if self.put_record_after(customer, id, &record, read).await? {
                return Ok(());
            }
            let Some(found) = self.latest_record(customer, id).await?.filter(|found| found.create.is_none()) else {
                return Ok(());
            };
            read = found.revision;
            record = record.keeping(found);
        }
        Err(Error::internal("the record of a new campaign has moved too often"))
    }

    /// `false` if the campaign has a record of its create, or one of another revision; 0 is one that was never moved.
    async fn put_record_after(
        &self,
        customer: CustomerId,
        id: &CampaignId,
        record: &CampaignRecord,
        revision: i64,
    ) -> Result<bool, Error> {
        let CampaignRecord { goal, budget_period, created_at, create, updated_at, .. } = record;
        let item = RecordItem {
            campaign_id: id.to_string(),
            goal: goal.map(|goal| goal.as_str().to_owned()),
            budget_period: budget_period.map(|period| period.as_str().to_owned()),
            created_at: *created_at,
            change: *create,
            moved: MovedAttributes::of(record),
            updated_at: *updated_at,
        };
        let item = to_item(&table_keys::campaign(customer, id), &item)?;
        let put = self.put_item(item).expression_attribute_names("#change", "change");
        let put = match revision {
            0 => put.condition_expression("attribute_not_exists(#change) AND attribute_not_exists(revision)"),
            read => put
                .condition_expression("attribute_not_exists(#change) AND revision = :read")
                .value(":read", number(read)),
        };
        conditional_put(put).await
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
        let by_id = |item| {
            let item: RecordItem = from_item(item)?;
            Ok((item.campaign_id.clone(), record(item)))
        };
        self.batch_read_eventually(&keys).await?.into_iter().map(by_id).collect()
    }

    /// Counts the campaigns of an ad account for which this service does something in time. Reads the records of all that it
    /// has created or changed there. Of no ad account there are none.
    pub async fn held_campaigns(
        &self,
        customer: CustomerId,
        platform: Platform,
        account_id: &str,
        now: Timestamp,
    ) -> Result<HeldCampaigns, Error> {
        let prefix = format!("{}{}", table_keys::CAMPAIGN_PREFIX, CampaignId::new(platform, account_id, ""));
        let (mut found, mut start) = (HeldCampaigns::default(), None);
        if account_id.is_empty() {
            return Ok(found);
        }
        loop {
            let query = self.query_prefix(customer, &prefix).set_exclusive_start_key(start);
            let page = query.send().await.map_err(store_error)?;
            for item in page.items.unwrap_or_default() {
                let record = record(from_item(item)?);
                found.dated += usize::from(record.held.lie_ahead(now));
                found.monthly += usize::from(record.monthly.is_some());
            }
            start = page.last_evaluated_key;
            if start.is_none() {
                return Ok(found);
            }
        }
    }
}

fn record(item: RecordItem) -> CampaignRecord {
    let RecordItem { campaign_id: _, goal, budget_period, created_at, change: create, moved, updated_at } = item;
    // A goal or a period that only newer code knows is as if there were none.
    let goal = goal.as_deref().and_then(Goal::parse);
    let budget_period = budget_period.as_deref().and_then(BudgetPeriod::parse);
    moved.record(CampaignRecord { goal, budget_period, created_at, create, updated_at, ..CampaignRecord::default() })
}

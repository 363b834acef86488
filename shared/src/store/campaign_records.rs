//! Stored [`CampaignRecord`]s.

use super::change::PacingAttributes;
use super::conditional::conditional_put;
use super::table_keys::{self, Key};
use super::{Store, Values, from_item, store_error, text, to_item};
use crate::domain::{BudgetPeriod, CampaignId, CampaignRecord, ChangeId, CustomerId, Goal, HeldDates};
use crate::error::Error;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use std::collections::HashMap;
use uuid::Uuid;

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct RecordItem {
    campaign_id: String,
    goal: Option<String>,
    budget_period: Option<String>,
    created_at: Option<Timestamp>,
    change: Option<String>,
    held_start_at: Option<Timestamp>,
    held_activation: Option<String>,
    held_end_at: Option<Timestamp>,
    held_pause: Option<String>,
    held_moved_by: Option<Uuid>,
    held_moved_at: Option<Timestamp>,
    #[serde(flatten)]
    pacing: PacingAttributes,
    updated_at: Timestamp,
}

impl Store {
    /// Stores the record of a new campaign, unless it is stored already: its dates may have been moved since.
    pub async fn put_record(
        &self,
        customer: CustomerId,
        id: &CampaignId,
        record: &CampaignRecord,
    ) -> Result<(), Error> {
        let CampaignRecord { goal, budget_period, created_at, create, held, moved_by, pacing, updated_at } = record;
        let item = RecordItem {
            campaign_id: id.to_string(),
            goal: goal.map(|goal| goal.as_str().to_owned()),
            budget_period: budget_period.map(|period| period.as_str().to_owned()),
            created_at: *created_at,
            change: create.map(|id| id.to_string()),
            held_start_at: held.start_at,
            held_activation: held.activation.map(|id| id.to_string()),
            held_end_at: held.end_at,
            held_pause: held.pause.map(|id| id.to_string()),
            held_moved_by: moved_by.map(|(request, _)| request),
            held_moved_at: moved_by.map(|(_, at)| at),
            pacing: pacing.as_ref().into(),
            updated_at: *updated_at,
        };
        let item = to_item(&table_keys::campaign(customer, id), &item)?;
        let put = self
            .put_item(item)
            .condition_expression("attribute_not_exists(#change)")
            .expression_attribute_names("#change", "change");
        conditional_put(put).await.map(drop)
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
        output.item.map(|item| record(from_item(item)?)).transpose()
    }

    /// Reads a record with a consistent read, for a decision that depends on its latest state.
    pub async fn latest_record(&self, customer: CustomerId, id: &CampaignId) -> Result<Option<CampaignRecord>, Error> {
        let item = self.read(&table_keys::campaign(customer, id)).await?;
        item.map(|item| record(from_item(item)?)).transpose()
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
            Ok((item.campaign_id.clone(), record(item)?))
        };
        self.batch_read_eventually(&keys).await?.into_iter().map(by_id).collect()
    }
}

fn record(item: RecordItem) -> Result<CampaignRecord, Error> {
    let RecordItem {
        campaign_id: _,
        goal,
        budget_period,
        created_at,
        change,
        held_start_at: start_at,
        held_activation,
        held_end_at: end_at,
        held_pause,
        held_moved_by,
        held_moved_at,
        pacing,
        updated_at,
    } = item;
    Ok(CampaignRecord {
        goal: goal.as_deref().and_then(Goal::parse),
        budget_period: budget_period.as_deref().and_then(BudgetPeriod::parse),
        created_at,
        create: parse_change(change),
        held: HeldDates {
            start_at,
            activation: parse_change(held_activation),
            end_at,
            pause: parse_change(held_pause),
        },
        moved_by: held_moved_by.zip(held_moved_at),
        pacing: pacing.parse()?,
        updated_at,
    })
}

fn parse_change(id: Option<String>) -> Option<ChangeId> {
    ChangeId::parse(&id?)
}

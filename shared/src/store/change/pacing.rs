//! Monthly budgets that the service holds: attributes of the campaign's record, due for maintenance.

use super::attributes::{RequesterAttribute, corrupt_record};
use super::end::ended;
use super::item::item;
use crate::domain::pacing::Ledger;
use crate::domain::{CampaignId, Change, ChangeError, ChangeId, ChangeState, ChangeStatus, CustomerId, Event, Pacing};
use crate::error::Error;
use crate::store::transactions::{put_write, update_write};
use crate::store::{Store, Values, number, table_keys, text};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

/// The attributes of a monthly budget in the record of a campaign; none without one.
#[skip_serializing_none]
#[derive(Default, Serialize, Deserialize)]
pub(in crate::store) struct PacingAttributes {
    pacing: Option<PacingAttribute>,
    pacing_revision: Option<i64>,
    due_kind: Option<String>,
    /// In seconds since 1970.
    due_at: Option<i64>,
}

/// Amounts are texts, because a number of DynamoDB may lose digits.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct PacingAttribute {
    amount: String,
    requested_by: RequesterAttribute,
    request: Uuid,
    daily: String,
    day: Date,
    reported: String,
    certain: String,
    before: String,
    high: String,
    spent: String,
    read_at: Option<Timestamp>,
    step: Option<String>,
    resume: Option<String>,
    closed_until: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_halted: bool,
}

/// A write of a monthly budget, with the changes that belong to it.
#[derive(Debug)]
pub struct PacingWrite<'a> {
    pub campaign: &'a CampaignId,
    /// The monthly budget as it was read.
    pub before: Option<&'a Pacing>,
    /// The one from now on; `None` ends it.
    pub after: Option<&'a Pacing>,
    /// Waiting changes that are canceled, and why.
    pub cancel: &'a [Change],
    pub reason: Option<ChangeError>,
    /// Changes that are stored: waiting, or with their outcome.
    pub put: &'a [Change],
    /// The time of a change by a request, which the campaign shows.
    pub changed_at: Option<Timestamp>,
    pub at: Timestamp,
}

impl<'a> PacingWrite<'a> {
    /// A write without changes.
    pub fn new(
        campaign: &'a CampaignId,
        before: Option<&'a Pacing>,
        after: Option<&'a Pacing>,
        at: Timestamp,
    ) -> PacingWrite<'a> {
        PacingWrite { campaign, before, after, cancel: &[], reason: None, put: &[], changed_at: None, at }
    }
}

impl Store {
    /// Stores a monthly budget and its changes in one transaction. `false`, with nothing changed, if the budget was
    /// written since it was read, or a change does not wait any more.
    pub async fn write_pacing(&self, customer: CustomerId, write: &PacingWrite<'_>) -> Result<bool, Error> {
        let mut writes = vec![update_write(self.pacing_update(customer, write)?)?];
        let mut events = Vec::new();
        for change in write.cancel {
            let canceled = &ChangeState::Canceled(write.reason.clone());
            writes.push(update_write(self.end_update(change, canceled, write.at)?)?);
            events.extend(ended(change, canceled, write.at)?.1);
        }
        for change in write.put {
            writes.push(put_write(self.put_item(item(change)?))?);
            let event = Event::of_new(change).or_else(|| Event::of_end(change, ChangeStatus::Sending, None, write.at));
            events.extend(event);
        }
        for event in events {
            writes.push(self.event_write(&event)?);
        }
        Ok(self.transact(writes).await?.is_empty())
    }

    fn pacing_update(&self, customer: CustomerId, write: &PacingWrite<'_>) -> Result<UpdateItemFluentBuilder, Error> {
        let update = self
            .update_item(&table_keys::campaign(customer, write.campaign))
            .value(":campaign", text(write.campaign.to_string()))
            .value(":at", text(write.changed_at.unwrap_or(write.at).to_string()));
        let update = match write.before {
            None => update.condition_expression("attribute_not_exists(pacing_revision)"),
            Some(before) => {
                update.condition_expression("pacing_revision = :before").value(":before", number(before.revision))
            }
        };
        // What maintenance reads changes nothing that the campaign shows as a change.
        let updated_at = match write.changed_at {
            Some(_) => "updated_at = :at",
            None => "updated_at = if_not_exists(updated_at, :at)",
        };
        let set = format!("SET campaign_id = :campaign, {updated_at}");
        let Some(after) = write.after else {
            return Ok(update.update_expression(format!("{set} REMOVE pacing, pacing_revision, due_kind, due_at")));
        };
        let pacing = serde_dynamo::to_attribute_value(PacingAttribute::from(after)).map_err(Error::internal)?;
        Ok(update
            .update_expression(format!(
                "{set}, pacing = :pacing, pacing_revision = :revision, due_kind = :kind, due_at = :due"
            ))
            .value(":pacing", pacing)
            .values([
                (":revision", number(after.revision)),
                (":kind", text(table_keys::DUE_PACING)),
                (":due", number(after.due_at.as_second())),
            ]))
    }
}

impl From<Option<&Pacing>> for PacingAttributes {
    fn from(pacing: Option<&Pacing>) -> PacingAttributes {
        let Some(pacing) = pacing else { return PacingAttributes::default() };
        PacingAttributes {
            pacing: Some(pacing.into()),
            pacing_revision: Some(pacing.revision),
            due_kind: Some(table_keys::DUE_PACING.to_owned()),
            due_at: Some(pacing.due_at.as_second()),
        }
    }
}

impl From<&Pacing> for PacingAttribute {
    fn from(pacing: &Pacing) -> PacingAttribute {
        let Pacing {
            amount,
            requested_by,
            request,
            daily,
            ledger,
            step,
            resume,
            closed_until,
            is_halted,
            revision: _,
            due_at: _,
        } = pacing;
        let Ledger { day, reported, certain, before, high, spent, read_at } = ledger;
        PacingAttribute {
            amount: amount.to_string(),
            requested_by: requested_by.into(),
            request: *request,
            daily: daily.to_string(),
            day: *day,
            reported: reported.to_string(),
            certain: certain.to_string(),
            before: before.to_string(),
            high: high.to_string(),
            spent: spent.to_string(),
            read_at: *read_at,
            step: step.map(|id| id.to_string()),
            resume: resume.map(|id| id.to_string()),
            closed_until: *closed_until,
            is_halted: *is_halted,
        }
    }
}

impl PacingAttributes {
    /// The monthly budget of a record, if it has one.
    pub(in crate::store) fn parse(self) -> Result<Option<Pacing>, Error> {
        let PacingAttributes { pacing, pacing_revision, due_kind: _, due_at } = self;
        let Some((pacing, (revision, due_at))) = pacing.zip(pacing_revision.zip(due_at)) else { return Ok(None) };
        let ledger = Ledger {
            day: pacing.day,
            reported: decimal(&pacing.reported)?,
            certain: decimal(&pacing.certain)?,
            before: decimal(&pacing.before)?,
            high: decimal(&pacing.high)?,
            spent: decimal(&pacing.spent)?,
            read_at: pacing.read_at,
        };
        Ok(Some(Pacing {
            amount: decimal(&pacing.amount)?,
            requested_by: pacing.requested_by.parse()?,
            request: pacing.request,
            daily: decimal(&pacing.daily)?,
            ledger,
            step: change(pacing.step)?,
            resume: change(pacing.resume)?,
            closed_until: pacing.closed_until,
            is_halted: pacing.is_halted,
            revision,
            due_at: Timestamp::from_second(due_at).map_err(Error::internal)?,
        }))
    }
}

fn decimal(text: &str) -> Result<Decimal, Error> {
    Decimal::from_str_exact(text).map_err(|_| corrupt_record())
}

fn change(id: Option<String>) -> Result<Option<ChangeId>, Error> {
    id.map(|id| ChangeId::parse(&id).ok_or_else(corrupt_record)).transpose()
}

//! The life of a change: stored before anything is sent, and due for maintenance until its outcome is known.

use super::attributes::{ErrorAttribute, ValuesAttribute};
use super::item::{APPLIED, FAILED, SENDING, item, parse, state_name};
use crate::domain::{
    CampaignId, CampaignValues, Change, ChangeId, ChangeState, ChangeStatus, CustomerId, Event, ReadCampaign,
};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::transactions::contended;
use crate::store::{Store, Values, number, table_keys, text};
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use serde::Serialize;

/// The latest attempt of a change has no outcome.
const SENDING_ATTEMPT: &str = "attempt = :attempt AND #state = :sending";
/// The same, and no event has told it.
const UNTOLD: &str =
    "attempt = :attempt AND #state = :sending AND (attribute_not_exists(doubt_told) OR doubt_told <> :attempt)";

/// What became of a change.
#[derive(Clone, Debug)]
pub struct Settlement {
    pub state: ChangeState,
    /// The campaign that a create has made.
    pub campaign: Option<CampaignId>,
    /// The campaign before the change, if it was read.
    pub before: Option<CampaignValues>,
    /// The campaign after the change, if it was read.
    pub after: Option<CampaignValues>,
    /// The campaign as it was read to find this out, if later changes may have changed it further.
    pub seen: Option<ReadCampaign>,
    pub at: Timestamp,
}

impl Settlement {
    /// The event of the change that it settles.
    pub fn event(&self, change: &Change) -> Option<Event> {
        let previous = if change.is_doubt_told() { ChangeStatus::Unknown } else { ChangeStatus::Sending };
        let Settlement { state, campaign, before, after, seen, at } = self.clone();
        let change = change.clone();
        let settled = Change {
            state,
            campaign: campaign.or(change.campaign),
            before: before.or(change.before),
            after: after.or(change.after),
            settled_at: Some(at),
            ..change
        };
        Event::of_end(&settled, previous, seen, at)
    }
}

impl Store {
    /// Stores a new change, or the next attempt at one that has failed or was never sent. Call this before sending. An
    /// existing one of the same attempt was stored before a lost response. One that waits for its first attempt, with the
    /// number 0, replaces nothing.
    pub async fn begin_change(&self, change: &Change) -> Result<(), Error> {
        let is_stored = self.put_and_tell(self.new_change_put(change)?, Event::of_new(change).as_ref()).await?;
        if is_stored || self.has_begun(change).await? { Ok(()) } else { Err(contended()) }
    }

    pub(in crate::store) fn new_change_put(&self, change: &Change) -> Result<PutItemFluentBuilder, Error> {
        let put = self.put_item(item(change)?);
        let ended = "#state = :failed OR expires_at <= :now";
        let condition = match &change.state {
            // What waits for a person has no attempt of its own yet.
            ChangeState::AwaitingApproval => format!("attribute_not_exists(pk) OR {ended}"),
            _ if change.attempt == 0 => return Ok(put.condition_expression("attribute_not_exists(pk)")),
            _ => format!("attribute_not_exists(pk) OR attempt <> :attempt AND ({ended})"),
        };
        let now = change.sent_at.unwrap_or(change.send_deadline);
        let put = put
            .condition_expression(condition)
            .expression_attribute_names("#state", "state")
            .value(":failed", text(FAILED))
            .value(":now", number(now.as_second()));
        let has_attempt = change.state != ChangeState::AwaitingApproval;
        Ok(if has_attempt { put.value(":attempt", number(change.attempt)) } else { put })
    }

    /// Whether a change that exists is this attempt at it.
    pub(in crate::store) async fn has_begun(&self, change: &Change) -> Result<bool, Error> {
        if change.attempt == 0 {
            return Ok(true);
        }
        let known = self.change(change.customer, change.id).await?;
        Ok(known.is_some_and(|known| known.attempt == change.attempt && known.state == change.state))
    }

    /// Ends the record of a change of which nothing was sent, such as one to a value that the campaign already has. It
    /// expires at once, so no reader sees it. A delete would need a permission for the customer's other records, too.
    pub async fn discard_change(&self, change: &Change, now: Timestamp) -> Result<(), Error> {
        conditional_update(self.discard_update(change, now)).await.map(drop)
    }

    pub(in crate::store) fn discard_update(&self, change: &Change, now: Timestamp) -> UpdateItemFluentBuilder {
        if_sending(self.update_change(change).expression_attribute_names("#state", "state"))
            .update_expression("SET expires_at = :now REMOVE due_kind, due_at")
            .values([(":attempt", number(change.attempt)), (":now", number(now.as_second()))])
    }

    /// Stores the outcome of a change; it is no longer due. `false`, with nothing changed, if a later attempt has
    /// begun, or the outcome is known and another one.
    pub async fn settle_change(&self, change: &Change, settlement: &Settlement) -> Result<bool, Error> {
        let event = settlement.event(change);
        if self.update_and_tell(self.settle_update(change, settlement)?, event.as_ref()).await? {
            return Ok(true);
        }
        if settlement.campaign.is_none() {
            return Ok(false);
        }
        // A request and maintenance may find the same campaign.
        let known = self.change(change.customer, change.id).await?;
        Ok(known.is_some_and(|known| {
            let is_same = known.attempt == change.attempt && known.campaign == settlement.campaign;
            is_same && known.state == ChangeState::Applied
        }))
    }

    pub(in crate::store) fn settle_update(
        &self,
        change: &Change,
        settlement: &Settlement,
    ) -> Result<UpdateItemFluentBuilder, Error> {
        let Settlement { state, campaign, before, after, seen: _, at } = settlement;
        let update = self.update_change(change).expression_attribute_names("#state", "state");
        // A create may be found after a search that found nothing.
        let update = match (state, campaign) {
            (ChangeState::Applied, Some(_)) => update
                .condition_expression("attempt = :attempt AND #state <> :applied")
                .value(":applied", text(APPLIED)),
            _ => if_sending(update),
        };
        let mut set = vec!["#state = :state", "settled_at = :at"];
        let mut values = vec![
            (":attempt", number(change.attempt)),
            (":state", text(state_name(state))),
            (":at", text(at.to_string())),
        ];
        // An edit has its campaign from the start.
        if let Some(campaign) = campaign.as_ref().or(change.campaign.as_ref()) {
            set.extend(["campaign_id = :campaign", "campaign_key = :key"]);
            values.push((":campaign", text(campaign.to_string())));
            values.push((":key", text(table_keys::campaign_key(change.customer, campaign))));
        }
        if let Some(before) = before {
            set.push("#before = :before");
            values.push((":before", map(&ValuesAttribute::from(before))?));
        }
        if let Some(after) = after {
            set.push("#after = :after");
            values.push((":after", map(&ValuesAttribute::from(after))?));
        }
        let mut remove = "due_kind, due_at";
        match state.error() {
            Some(error) => {
                set.push("#error = :error");
                values.push((":error", map(&ErrorAttribute::from(error))?));
            }
            None => remove = "due_kind, due_at, #error",
        }
        let update = update.expression_attribute_names("#error", "error");
        let update = if before.is_some() { update.expression_attribute_names("#before", "before") } else { update };
        let update = if after.is_some() { update.expression_attribute_names("#after", "after") } else { update };
        Ok(update.update_expression(format!("SET {} REMOVE {remove}", set.join(", "))).values(values))
    }

    /// Ends the latest attempt of a change without an outcome: it sends nothing from `at` on, and is due then. Keeps the
    /// campaign as it was before, if that was read: it tells what the change has changed.
    pub async fn mark_outcome_unknown(
        &self,
        change: &Change,
        before: Option<&CampaignValues>,
        at: Timestamp,
    ) -> Result<bool, Error> {
        let update = self.update_change(change).expression_attribute_names("#state", "state");
        let update = match before {
            None => update.update_expression("SET due_at = :due, #until = :until, doubt_told = :attempt"),
            Some(before) => update
                .update_expression("SET due_at = :due, #until = :until, doubt_told = :attempt, #before = :before")
                .expression_attribute_names("#before", "before")
                .value(":before", map(&ValuesAttribute::from(before))?),
        };
        let update = update.expression_attribute_names("#until", "until").values([
            (":attempt", number(change.attempt)),
            (":due", number(at.as_second())),
            (":until", number(at.as_millisecond())),
            (":sending", text(SENDING)),
        ]);
        let change = change.clone();
        let before = before.cloned().or_else(|| change.before.clone());
        let doubted = Change { before, send_deadline: at, ..change };
        let untold = update.clone().condition_expression(UNTOLD);
        if self.update_and_tell(untold, Some(&Event::of_doubt(&doubted, at))).await? {
            return Ok(true);
        }
        // Maintenance has told it while this process was suspended, or the change has ended.
        self.update_and_tell(update.condition_expression(SENDING_ATTEMPT), None).await
    }

    /// Tells that the outcome of a change is unknown, if nobody has told it of the latest attempt.
    pub async fn tell_doubt(&self, change: &Change, at: Timestamp) -> Result<(), Error> {
        let update = self
            .update_change(change)
            .update_expression("SET doubt_told = :attempt")
            .condition_expression(UNTOLD)
            .expression_attribute_names("#state", "state")
            .values([(":attempt", number(change.attempt)), (":sending", text(SENDING))]);
        self.update_and_tell(update, Some(&Event::of_doubt(change, at))).await.map(drop)
    }

    /// Postpones the next look at a change without an outcome.
    pub async fn postpone_change(&self, change: &Change, until: Timestamp) -> Result<bool, Error> {
        let update = if_sending(self.update_change(change).expression_attribute_names("#state", "state"))
            .update_expression("SET due_at = :due")
            .values([(":attempt", number(change.attempt)), (":due", number(until.as_second()))]);
        conditional_update(update).await
    }

    /// Extends the retention of a change.
    pub async fn renew_change(&self, change: &Change, now: Timestamp) -> Result<bool, Error> {
        let update = self
            .update_change(change)
            .update_expression("SET expires_at = :expiry")
            .condition_expression("attribute_exists(pk)")
            .value(":expiry", number(Change::expiry_from(now).as_second()));
        conditional_update(update).await
    }

    /// Reads a change with a consistent read.
    pub async fn change(&self, customer: CustomerId, id: ChangeId) -> Result<Option<Change>, Error> {
        let item = self.read(&table_keys::change(customer, id)).await?;
        item.map(|item| parse(customer, item)).transpose()
    }

    pub(super) fn update_change(&self, change: &Change) -> UpdateItemFluentBuilder {
        self.update_item(&table_keys::change(change.customer, change.id))
    }
}

pub(super) fn map(attribute: &impl Serialize) -> Result<AttributeValue, Error> {
    serde_dynamo::to_attribute_value(attribute).map_err(Error::internal)
}

/// Adds the condition that the attempt is the latest and the outcome not known.
fn if_sending(update: UpdateItemFluentBuilder) -> UpdateItemFluentBuilder {
    update.condition_expression(SENDING_ATTEMPT).value(":sending", text(SENDING))
}

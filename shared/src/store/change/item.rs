//! The item of a change, and its conversion.

use super::attributes::{
    ActionAttributes, ApprovalAttribute, ErrorAttribute, RequesterAttribute, ValuesAttribute, corrupt_record,
};
use crate::domain::{
    CampaignId, Change, ChangeError, ChangeId, ChangeState, ConnectionId, Currency, CustomerId, Executor, KeyId,
    Platform, Reason, Told,
};
use crate::error::{Error, Kind};
use crate::store::due::{change_kind, scheduled_kind};
use crate::store::table_keys::open_sort;
use crate::store::{Item, from_item, table_keys, to_item};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

pub(super) const SENDING: &str = "SENDING";
pub(super) const APPLIED: &str = "APPLIED";
pub(super) const PARTLY_APPLIED: &str = "PARTLY_APPLIED";
pub(super) const FAILED: &str = "FAILED";
pub(super) const SCHEDULED: &str = "SCHEDULED";
pub(super) const CANCELED: &str = "CANCELED";
pub(super) const AWAITING: &str = "AWAITING_APPROVAL";
const REJECTED: &str = "REJECTED";
const EXPIRED: &str = "EXPIRED";

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct ChangeItem {
    platform: String,
    account_id: String,
    connection: String,
    currency: String,
    #[serde(flatten)]
    action: ActionAttributes,
    campaign_id: Option<String>,
    /// Partition key of the index of a campaign's changes.
    campaign_key: Option<String>,
    request: Uuid,
    requested_by: RequesterAttribute,
    executed_by: String,
    approval: Option<ApprovalAttribute>,
    asked: Option<ValuesAttribute>,
    state: String,
    error: Option<ErrorAttribute>,
    /// In seconds since 1970.
    apply_at: Option<i64>,
    #[serde(default)]
    is_held: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_step: bool,
    #[serde(default)]
    is_limited: bool,
    stops: Option<String>,
    before: Option<ValuesAttribute>,
    after: Option<ValuesAttribute>,
    attempt: i64,
    /// In milliseconds since 1970, because conditions compare it.
    #[serde(rename = "until")]
    send_deadline: i64,
    sent_at: Option<Timestamp>,
    settled_at: Option<Timestamp>,
    expires_at: i64,
    /// The latest attempt whose unknown outcome an event has told.
    doubt_told: Option<i64>,
    /// Whether an event has told that it is late.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    late_told: bool,
    #[serde(flatten)]
    waiting: WaitingAttributes,
}

/// Keys of the indexes `open` and `due`, of a change that waits or has no outcome.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct WaitingAttributes {
    open_key: Option<String>,
    open_sort: Option<String>,
    due_kind: Option<String>,
    due_at: Option<i64>,
}

/// A change as it was at an event.
#[derive(Serialize, Deserialize)]
pub(in crate::store) struct SnapshotAttribute {
    id: String,
    #[serde(flatten)]
    change: ChangeItem,
}

impl SnapshotAttribute {
    pub(in crate::store) fn of(change: &Change) -> SnapshotAttribute {
        SnapshotAttribute { id: change.id.to_string(), change: attributes(change) }
    }

    pub(in crate::store) fn parse(self, customer: CustomerId) -> Result<Change, Error> {
        self.change.parse(customer, ChangeId::parse(&self.id).ok_or_else(corrupt_record)?)
    }
}

/// The item of a change. It is due for maintenance at its time, or if it has no outcome at the end of its attempt.
pub(super) fn item(change: &Change) -> Result<Item, Error> {
    to_item(&table_keys::change(change.customer, change.id), &attributes(change))
}

fn attributes(change: &Change) -> ChangeItem {
    let Change {
        id: _,
        customer,
        platform,
        account_id,
        connection,
        currency,
        campaign,
        action,
        request,
        requested_by,
        executed_by,
        approval,
        asked,
        state,
        apply_at,
        is_held,
        is_step,
        is_limited,
        stops,
        before,
        after,
        attempt,
        send_deadline,
        sent_at,
        settled_at,
        expires_at,
        told,
    } = change;
    ChangeItem {
        platform: platform.as_str().to_owned(),
        account_id: account_id.clone(),
        connection: connection.0.clone(),
        currency: currency.code().to_owned(),
        action: action.into(),
        campaign_id: campaign.as_ref().map(CampaignId::to_string),
        campaign_key: campaign.as_ref().map(|campaign| table_keys::campaign_key(*customer, campaign)),
        request: *request,
        requested_by: requested_by.into(),
        executed_by: executed_by.as_str().to_owned(),
        approval: approval.as_ref().map(Into::into),
        asked: asked.as_ref().map(Into::into),
        state: state_name(state).to_owned(),
        error: state.error().map(Into::into),
        apply_at: apply_at.map(Timestamp::as_second),
        is_held: *is_held,
        is_step: *is_step,
        is_limited: *is_limited,
        stops: stops.as_ref().map(|key| key.0.clone()),
        before: before.as_ref().map(Into::into),
        after: after.as_ref().map(Into::into),
        attempt: *attempt,
        send_deadline: send_deadline.as_millisecond(),
        sent_at: *sent_at,
        settled_at: *settled_at,
        expires_at: expires_at.as_second(),
        doubt_told: told.in_doubt,
        late_told: told.late,
        waiting: waiting_attributes(change),
    }
}

fn waiting_attributes(change: &Change) -> WaitingAttributes {
    let waits_until = waits_until(change);
    let (due_kind, due_at) = due_of(change, waits_until).unzip();
    WaitingAttributes {
        open_key: waits_until.map(|_| table_keys::open_key(change)),
        open_sort: waits_until.map(|_| open_sort(change)),
        due_kind,
        due_at,
    }
}

/// The time until which a change waits: its own, or that of a person's approval.
fn waits_until(change: &Change) -> Option<Timestamp> {
    match change.state {
        ChangeState::Scheduled => change.apply_at,
        ChangeState::AwaitingApproval => Some(change.approval_until()),
        _ => None,
    }
}

/// `due_kind` and `due_at` of a change that waits for this time, or has no outcome.
fn due_of(change: &Change, waits_for: Option<Timestamp>) -> Option<(String, i64)> {
    match (&change.state, waits_for) {
        (_, Some(apply_at)) => Some((scheduled_kind(change.id), apply_at.as_second())),
        (ChangeState::Sending, None) => Some((change_kind(change.id), change.send_deadline.as_second())),
        _ => None,
    }
}

/// Parses a change. Its id is in the sort key.
pub(super) fn parse(customer: CustomerId, item: Item) -> Result<Change, Error> {
    let id = item
        .get(table_keys::SORT)
        .and_then(|sk| table_keys::parse_change_sk(sk.as_s().ok()?))
        .ok_or_else(corrupt_record)?;
    from_item::<ChangeItem>(item)?.parse(customer, id)
}

impl ChangeItem {
    fn parse(self, customer: CustomerId, id: ChangeId) -> Result<Change, Error> {
        let campaign = self.campaign_id.map(|id| CampaignId::parse(&id).ok_or_else(corrupt_record)).transpose()?;
        Ok(Change {
            id,
            customer,
            platform: Platform::parse(&self.platform).ok_or_else(corrupt_record)?,
            account_id: self.account_id,
            connection: ConnectionId(self.connection),
            currency: Currency::from_code(&self.currency).ok_or_else(corrupt_record)?,
            campaign,
            action: self.action.parse()?,
            request: self.request,
            requested_by: self.requested_by.parse()?,
            executed_by: Executor::parse(&self.executed_by).ok_or_else(corrupt_record)?,
            approval: self.approval.map(ApprovalAttribute::parse).transpose()?,
            asked: self.asked.map(ValuesAttribute::parse).transpose()?,
            state: parse_state(&self.state, self.error.map(Into::into), self.before.is_some())?,
            apply_at: self.apply_at.map(Timestamp::from_second).transpose().map_err(Error::internal)?,
            is_held: self.is_held,
            is_step: self.is_step,
            is_limited: self.is_limited,
            stops: self.stops.map(KeyId),
            before: self.before.map(ValuesAttribute::parse).transpose()?,
            after: self.after.map(ValuesAttribute::parse).transpose()?,
            attempt: self.attempt,
            send_deadline: Timestamp::from_millisecond(self.send_deadline).map_err(Error::internal)?,
            sent_at: self.sent_at,
            settled_at: self.settled_at,
            expires_at: Timestamp::from_second(self.expires_at).map_err(Error::internal)?,
            told: Told { in_doubt: self.doubt_told, late: self.late_told },
        })
    }
}

/// The stored name of a state.
pub(super) fn state_name(state: &ChangeState) -> &'static str {
    match state {
        ChangeState::Scheduled => SCHEDULED,
        ChangeState::Sending => SENDING,
        ChangeState::Applied => APPLIED,
        ChangeState::PartlyApplied(_) => PARTLY_APPLIED,
        ChangeState::Failed(_) => FAILED,
        ChangeState::Canceled(_) => CANCELED,
        ChangeState::AwaitingApproval => AWAITING,
        ChangeState::Rejected(_) => REJECTED,
        ChangeState::Expired => EXPIRED,
    }
}

/// Parses a state. A change that waits with the campaign before it has been applied in part by an earlier attempt.
fn parse_state(name: &str, error: Option<ChangeError>, has_before: bool) -> Result<ChangeState, Error> {
    match (name, error) {
        (SCHEDULED, _) => Ok(ChangeState::Scheduled),
        (AWAITING, _) => Ok(ChangeState::AwaitingApproval),
        (SENDING, _) => Ok(ChangeState::Sending),
        (APPLIED, _) => Ok(ChangeState::Applied),
        (PARTLY_APPLIED, Some(error)) => Ok(ChangeState::PartlyApplied(error)),
        (FAILED, Some(error)) => Ok(ChangeState::Failed(error)),
        (CANCELED, reason) if has_before => Ok(ChangeState::PartlyApplied(reason.unwrap_or_else(canceled_in_part))),
        (CANCELED, reason) => Ok(ChangeState::Canceled(reason)),
        (REJECTED, Some(error)) => Ok(ChangeState::Rejected(error)),
        (EXPIRED, _) => Ok(ChangeState::Expired),
        _ => Err(corrupt_record()),
    }
}

/// The state of a change that waited and has ended, as it is read then.
pub(super) fn ended_state(change: &Change, state: &ChangeState) -> Result<ChangeState, Error> {
    parse_state(state_name(state), state.error().cloned(), change.before.is_some())
}

/// Why a change that somebody canceled is applied in part.
fn canceled_in_part() -> ChangeError {
    ChangeError {
        code: Kind::Conflict.code().to_owned(),
        reason: Some(Reason::PartlyApplied),
        message: "It was canceled after its platform had taken a part of it. The campaign shows which.".to_owned(),
        ..ChangeError::default()
    }
}

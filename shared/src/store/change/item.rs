//! The item of a change, and its conversion.

use super::attributes::{
    ActionAttributes, ApprovalAttribute, ChangesAttribute, ErrorAttribute, RequesterAttribute, ValuesAttribute,
    corrupt_record,
};
use crate::domain::{
    CampaignId, Change, ChangeError, ChangeId, ChangeState, ConnectionId, Currency, CustomerId, Executor, KeyId,
    NextLook, Platform, ReportedStates,
};
use crate::error::Error;
use crate::store::due::{change_kind, scheduled_kind};
use crate::store::table_keys::{open_key, open_sort};
use crate::store::{Item, from_item, table_keys, to_item};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

const SENDING: &str = "SENDING";
const APPLIED: &str = "APPLIED";
const PARTLY_APPLIED: &str = "PARTLY_APPLIED";
pub(super) const FAILED: &str = "FAILED";
const SCHEDULED: &str = "SCHEDULED";
const CANCELED: &str = "CANCELED";
const AWAITING: &str = "AWAITING_APPROVAL";
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
    only_if: Option<ChangesAttribute>,
    campaign_id: Option<String>,
    request: Uuid,
    requested_by: RequesterAttribute,
    executed_by: String,
    approval: Option<ApprovalAttribute>,
    asked: Option<ValuesAttribute>,
    #[serde(flatten)]
    state: StateAttributes,
    /// In seconds since 1970.
    apply_at: Option<i64>,
    #[serde(flatten)]
    of_service: ServiceAttributes,
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
    #[serde(flatten)]
    told: ToldAttributes,
    #[serde(flatten)]
    index: IndexAttributes,
    #[serde(default)]
    version: i64,
}

/// What of the service's own a change is about.
#[derive(Serialize, Deserialize)]
struct ServiceAttributes {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_held: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_step: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_limited: bool,
}

/// A state, and why it is that.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct StateAttributes {
    state: String,
    error: Option<ErrorAttribute>,
}

/// What events have told.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct ToldAttributes {
    /// The latest attempt whose unknown outcome an event has told.
    doubt_told: Option<i64>,
    /// Whether an event has told that it is late.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    late_told: bool,
}

/// Keys of the indexes: `campaign`, `open` of a change that waits, and `due` of one that waits or has no outcome.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct IndexAttributes {
    campaign_key: Option<String>,
    open_key: Option<String>,
    open_sort: Option<String>,
    due_kind: Option<String>,
    /// In seconds since 1970.
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

/// The item of a change: a function of the change alone, with the keys of the indexes.
pub(super) fn item(change: &Change) -> Result<Item, Error> {
    to_item(&table_keys::change(change.customer, change.id), &attributes(change))
}

fn attributes(change: &Change) -> ChangeItem {
    let Change {
        id: _,
        customer: _,
        platform,
        account_id,
        connection,
        currency,
        campaign,
        action,
        only_if,
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
        next_look: _,
        version,
    } = change;
    ChangeItem {
        platform: platform.as_str().to_owned(),
        account_id: account_id.clone(),
        connection: connection.0.clone(),
        currency: currency.code().to_owned(),
        action: action.into(),
        only_if: only_if.as_ref().map(Into::into),
        campaign_id: campaign.as_ref().map(CampaignId::to_string),
        request: *request,
        requested_by: requested_by.into(),
        executed_by: executed_by.as_str().to_owned(),
        approval: approval.as_ref().map(Into::into),
        asked: asked.as_ref().map(Into::into),
        state: StateAttributes { state: state_name(state).to_owned(), error: state.error().map(Into::into) },
        apply_at: apply_at.map(Timestamp::as_second),
        of_service: ServiceAttributes { is_held: *is_held, is_step: *is_step, is_limited: *is_limited },
        stops: stops.as_ref().map(|key| key.0.clone()),
        before: before.as_ref().map(Into::into),
        after: after.as_ref().map(Into::into),
        attempt: *attempt,
        send_deadline: send_deadline.as_millisecond(),
        sent_at: *sent_at,
        settled_at: *settled_at,
        expires_at: expires_at.as_second(),
        told: ToldAttributes { doubt_told: told.in_doubt, late_told: told.late },
        index: IndexAttributes::of(change),
        version: *version,
    }
}

impl IndexAttributes {
    fn of(change: &Change) -> IndexAttributes {
        let due_at = change.due_at().map(Timestamp::as_second);
        let is_open = change.is_open() && due_at.is_some();
        let due_kind = if is_open { scheduled_kind(change.id) } else { change_kind(change.id) };
        let campaign_key = |campaign| table_keys::campaign_key(change.customer, campaign);
        IndexAttributes {
            campaign_key: change.campaign.as_ref().map(campaign_key),
            open_key: is_open.then(|| open_key(change)),
            open_sort: is_open.then(|| open_sort(change)),
            due_kind: due_at.map(|_| due_kind),
            due_at,
        }
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
        let change = Change {
            id,
            customer,
            platform: Platform::parse(&self.platform).ok_or_else(corrupt_record)?,
            account_id: self.account_id,
            connection: ConnectionId(self.connection),
            currency: Currency::from_code(&self.currency).ok_or_else(corrupt_record)?,
            campaign,
            action: self.action.parse()?,
            only_if: self.only_if.map(ChangesAttribute::parse).transpose()?,
            request: self.request,
            requested_by: self.requested_by.parse()?,
            executed_by: Executor::parse(&self.executed_by).ok_or_else(corrupt_record)?,
            approval: self.approval.map(ApprovalAttribute::parse).transpose()?,
            asked: self.asked.map(ValuesAttribute::parse).transpose()?,
            state: parse_state(&self.state.state, self.state.error.map(Into::into), self.before.is_some())?,
            apply_at: self.apply_at.map(Timestamp::from_second).transpose().map_err(Error::internal)?,
            is_held: self.of_service.is_held,
            is_step: self.of_service.is_step,
            is_limited: self.of_service.is_limited,
            stops: self.stops.map(KeyId),
            before: self.before.map(ValuesAttribute::parse).transpose()?,
            after: self.after.map(ValuesAttribute::parse).transpose()?,
            attempt: self.attempt,
            send_deadline: Timestamp::from_millisecond(self.send_deadline).map_err(Error::internal)?,
            sent_at: self.sent_at,
            settled_at: self.settled_at,
            expires_at: Timestamp::from_second(self.expires_at).map_err(Error::internal)?,
            told: ReportedStates { in_doubt: self.told.doubt_told, late: self.told.late_told },
            next_look: NextLook::OfState,
            version: self.version,
        };
        let next_look = match self.index.due_at {
            due_at if due_at == change.due_at().map(Timestamp::as_second) => NextLook::OfState,
            Some(due_at) => NextLook::At(Timestamp::from_second(due_at).map_err(Error::internal)?),
            None => NextLook::Never,
        };
        Ok(Change { next_look, ..change })
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

/// Parses a state. One that was canceled in part had a state of its own in records of before versions.
fn parse_state(name: &str, error: Option<ChangeError>, has_before: bool) -> Result<ChangeState, Error> {
    match (name, error) {
        (SCHEDULED, _) => Ok(ChangeState::Scheduled),
        (AWAITING, _) => Ok(ChangeState::AwaitingApproval),
        (SENDING, _) => Ok(ChangeState::Sending),
        (APPLIED, _) => Ok(ChangeState::Applied),
        (PARTLY_APPLIED, Some(error)) => Ok(ChangeState::PartlyApplied(error)),
        (FAILED, Some(error)) => Ok(ChangeState::Failed(error)),
        (CANCELED, reason) if has_before => {
            Ok(ChangeState::PartlyApplied(reason.unwrap_or_else(ChangeError::canceled_in_part)))
        }
        (CANCELED, reason) => Ok(ChangeState::Canceled(reason)),
        (REJECTED, Some(error)) => Ok(ChangeState::Rejected(error)),
        (EXPIRED, _) => Ok(ChangeState::Expired),
        _ => Err(corrupt_record()),
    }
}

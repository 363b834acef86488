//! The item of a change, and its conversion.

use super::attributes::{
    StoredAction, StoredApproval, StoredReportedStates, StoredRequester, StoredState, corrupt_record,
};
use crate::domain::{
    Action, Approval, CampaignChanges, CampaignId, CampaignValues, Change, ChangeError, ChangeId, ChangeState,
    ConnectionId, Currency, CustomerId, Executor, ExternalRef, KeyId, NextLook, Platform, Reference, ReportedStates,
    Requester,
};
use crate::error::Error;
use crate::store::due::{change_kind, scheduled_kind};
use crate::store::table_keys::{idempotency_key, open_key, open_sort, reference_key, user_key};
use crate::store::{Item, from_item, table_keys, to_item};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::{millisecond, second};
use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as, skip_serializing_none};
use uuid::Uuid;

#[derive(Serialize, Deserialize)]
struct ChangeItem {
    #[serde(flatten, with = "ChangeAttributes")]
    change: Change,
    #[serde(flatten)]
    index: IndexAttributes,
}

/// A change without what its key says.
#[serde_as]
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(remote = "Change")]
struct ChangeAttributes {
    #[serde(skip, default = "unknown_id")]
    id: ChangeId,
    #[serde(skip, default = "unknown_customer")]
    customer: CustomerId,
    #[serde_as(as = "DisplayFromStr")]
    platform: Platform,
    account_id: String,
    connection: ConnectionId,
    currency: Currency,
    #[serde(rename = "campaign_id")]
    campaign: Option<CampaignId>,
    #[serde(flatten, with = "StoredAction")]
    action: Action,
    only_if: Option<CampaignChanges>,
    request: Uuid,
    #[serde(with = "StoredRequester")]
    requested_by: Requester,
    executed_by: Executor,
    #[serde_as(as = "Option<StoredApproval>")]
    approval: Option<Approval>,
    asked: Option<CampaignValues>,
    #[serde(flatten, with = "StoredState")]
    state: ChangeState,
    #[serde(default, with = "second::optional")]
    apply_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_held: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_step: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_limited: bool,
    limited_user: Option<ExternalRef>,
    stops: Option<KeyId>,
    before: Option<CampaignValues>,
    after: Option<CampaignValues>,
    attempt: i64,
    /// A number, because conditions compare it.
    #[serde(rename = "until", with = "millisecond::required")]
    send_deadline: Timestamp,
    sent_at: Option<Timestamp>,
    settled_at: Option<Timestamp>,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
    #[serde(flatten, with = "StoredReportedStates")]
    told: ReportedStates,
    /// By the attribute `due_at`.
    #[serde(skip, default = "look_of_state")]
    next_look: NextLook,
    #[serde(default)]
    version: i64,
    reference: Option<Reference>,
    key_digest: Option<String>,
    external_ref: Option<ExternalRef>,
}

fn unknown_id() -> ChangeId {
    ChangeId::first_at(Timestamp::UNIX_EPOCH)
}

fn unknown_customer() -> CustomerId {
    CustomerId(Uuid::nil())
}

fn look_of_state() -> NextLook {
    NextLook::OfState
}

/// Keys of the indexes: `campaign`, `open` of a change that waits, `due` of one that waits or has no outcome, and those
/// that find it by what the caller has called it: `reference`, `idempotency` and `user`.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct IndexAttributes {
    campaign_key: Option<String>,
    open_key: Option<String>,
    open_sort: Option<String>,
    due_kind: Option<String>,
    #[serde(default, with = "second::optional")]
    due_at: Option<Timestamp>,
    reference_key: Option<String>,
    idempotency_key: Option<String>,
    user_key: Option<String>,
}

/// A change as it was at an event.
#[derive(Serialize, Deserialize)]
pub(in crate::store) struct ChangeSnapshot {
    id: ChangeId,
    #[serde(flatten)]
    change: ChangeItem,
}

impl ChangeSnapshot {
    pub(in crate::store) fn of(change: &Change) -> ChangeSnapshot {
        ChangeSnapshot { id: change.id, change: ChangeItem::of(change) }
    }

    pub(in crate::store) fn change(self, customer: CustomerId) -> Change {
        self.change.change(customer, self.id)
    }
}

/// The item of a change: a function of the change alone, with the keys of the indexes.
pub(super) fn item(change: &Change) -> Result<Item, Error> {
    to_item(&table_keys::change(change.customer, change.id), &ChangeItem::of(change))
}

impl IndexAttributes {
    fn of(change: &Change) -> IndexAttributes {
        let due_at = change.due_at();
        let is_open = change.is_open() && due_at.is_some();
        let due_kind = if is_open { scheduled_kind(change.id) } else { change_kind(change.id) };
        let customer = change.customer;
        let campaign_key = |campaign| table_keys::campaign_key(customer, campaign);
        IndexAttributes {
            campaign_key: change.campaign.as_ref().map(campaign_key),
            open_key: is_open.then(|| open_key(change)),
            open_sort: is_open.then(|| open_sort(change)),
            due_kind: due_at.map(|_| due_kind),
            due_at,
            reference_key: change.reference.as_ref().map(|reference| reference_key(customer, reference)),
            idempotency_key: change.key_digest.as_ref().map(|digest| idempotency_key(customer, digest)),
            user_key: change.external_ref.as_ref().map(|user| user_key(customer, user)),
        }
    }
}

/// Parses a change. Its id is in the sort key.
pub(in crate::store) fn parse(customer: CustomerId, item: Item) -> Result<Change, Error> {
    let id = item
        .get(table_keys::SORT)
        .and_then(|sk| table_keys::parse_change_sk(sk.as_s().ok()?))
        .ok_or_else(corrupt_record)?;
    Ok(from_item::<ChangeItem>(item)?.change(customer, id))
}

impl ChangeItem {
    fn of(change: &Change) -> ChangeItem {
        ChangeItem { change: change.clone(), index: IndexAttributes::of(change) }
    }

    fn change(self, customer: CustomerId, id: ChangeId) -> Change {
        let ChangeItem { change, index } = self;
        let state = match change.state {
            // In a record from a release without versions, a change that was canceled in part has no state of its own.
            ChangeState::Canceled(reason) if change.before.is_some() => {
                ChangeState::PartlyApplied(reason.unwrap_or_else(ChangeError::canceled_in_part))
            }
            state => state,
        };
        let change = Change { id, customer, state, ..change };
        let next_look = match index.due_at {
            due_at if due_at.map(Timestamp::as_second) == change.due_at().map(Timestamp::as_second) => {
                NextLook::OfState
            }
            Some(due_at) => NextLook::At(due_at),
            None => NextLook::Never,
        };
        Change { next_look, ..change }
    }
}

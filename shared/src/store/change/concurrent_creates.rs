//! Concurrent creates of one name in one ad account, and the owner of each campaign.
//!
//! Most platforms cannot tell two creates of the same name apart. So a search checks here whether a candidate may
//! belong to another create, and then claims it. The open creates of a name share one item, so their number is bounded.

use crate::domain::{ChangeId, ChangeStatement, Create, Reason};
use crate::error::{Error, Kind};
use crate::store::conditional::{condition_failure, conditional_delete, conditional_put, conditional_update};
use crate::store::transactions::update_write;
use crate::store::{Item, Store, Values, from_item, number, store_error, table_keys, text, to_item};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValuesOnConditionCheckFailure, TransactWriteItem};
use jiff::fmt::serde::timestamp::second;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Retention of a name after its last attempt.
const NAME_RETENTION: SignedDuration = SignedDuration::from_hours(48);
/// An unreconciled create stops blocking others of its name this long after its send deadline.
const ABANDONED_AFTER_MS: i64 = 10 * 60 * 1_000;
/// Prefix of an attribute with the send deadline of an open create.
const OPEN: &str = "open#";
/// Prefix of an attribute with the start of an open create.
const SINCE: &str = "since#";
/// The attribute with the ids of all open creates.
const OPEN_IDS: &str = "open_ids";
/// Prefix of an attribute with the latest attempt of an open create.
const ATTEMPT: &str = "attempt#";

/// Most open creates of one name in one ad account. A full item has about 20 KB.
pub const MAX_OPEN_CREATES: usize = 100;

/// A set of ids has an exact size, even when a write is repeated after a lost response.
const HAS_ROOM: &str = "(attribute_not_exists(#ids) OR size(#ids) < :max OR contains(#ids, :one))";
/// Only the latest attempt of a create may write.
const IS_LATEST: &str = "(attribute_not_exists(#attempt) OR #attempt <= :attempt)";

/// The open creates of one name in one ad account: those without an outcome.
#[derive(Debug, Default)]
pub struct ConcurrentCreates(Vec<OpenCreate>);

#[derive(Debug)]
struct OpenCreate {
    id: ChangeId,
    send_deadline: i64,
    created_at: i64,
}

#[derive(Serialize, Deserialize)]
struct CampaignOwnerItem {
    owner: ChangeId,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
}

impl ConcurrentCreates {
    /// Returns `true` if a campaign may belong to another open create than `create`: to one that may still send, or to
    /// one that began later than `create` but not after the campaign's creation.
    pub fn may_belong_to_another(
        &self,
        create: &Create,
        campaign_created_at: Option<Timestamp>,
        now: Timestamp,
    ) -> bool {
        let campaign_created_at = campaign_created_at.map_or(i64::MAX, Timestamp::as_millisecond);
        let created_at = create.began_at().as_millisecond();
        let now = now.as_millisecond();
        let mut others =
            self.0.iter().filter(|open| open.id != create.id && open.send_deadline + ABANDONED_AFTER_MS > now);
        others.any(|open| {
            open.send_deadline > now || open.created_at > created_at && open.created_at <= campaign_created_at
        })
    }
}

impl Store {
    /// Adds an open create, unless a later attempt has begun. Fails if there are too many.
    pub(super) async fn begin_create(&self, create: &Create) -> Result<(), Error> {
        let update = self
            .open_create_update(create)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let Err(error) = update.send().await else { return Ok(()) };
        match error.as_service_error().and_then(condition_failure) {
            Some(Some(item)) if open_attempt(item, create.id) > Some(create.attempt) => Ok(()),
            Some(_) => Err(too_many_open_creates(create)),
            None => Err(store_error(error)),
        }
    }

    /// Adds an open create as part of a transaction, for the first attempt of a new create. Its condition is that there
    /// are not too many.
    pub(super) fn begin_create_write(&self, create: &Create) -> Result<TransactWriteItem, Error> {
        update_write(self.open_create_update(create))
    }

    fn open_create_update(&self, create: &Create) -> UpdateItemFluentBuilder {
        let id = create.id.to_string();
        self.update_item(&name_key(create))
            .update_expression(
                "SET #open = :until, #since = :since, #attempt = :attempt, expires_at = :expiry ADD #ids :id",
            )
            .condition_expression(format!("{IS_LATEST} AND {HAS_ROOM}"))
            .set_expression_attribute_names(Some(names(create.id)))
            .values([
                (":until", number(create.send_deadline.as_millisecond())),
                (":since", number(create.began_at().as_millisecond())),
                (":attempt", number(create.attempt)),
                (":expiry", number((create.send_deadline + NAME_RETENTION).as_second())),
                (":max", number(i64::try_from(MAX_OPEN_CREATES).unwrap_or(i64::MAX))),
                (":one", text(id.clone())),
                (":id", AttributeValue::Ss(vec![id])),
            ])
    }

    /// Removes an open create, unless a later attempt has begun.
    pub async fn end_create(&self, create: &Create) -> Result<(), Error> {
        let update = self
            .update_item(&name_key(create))
            .update_expression("REMOVE #open, #since, #attempt DELETE #ids :id")
            .condition_expression(IS_LATEST)
            .set_expression_attribute_names(Some(names(create.id)))
            .values([(":id", AttributeValue::Ss(vec![create.id.to_string()])), (":attempt", number(create.attempt))]);
        conditional_update(update).await.map(drop)
    }

    /// Forgets a create whose user is erased: it is not open, and owns no campaign.
    pub(in crate::store) async fn forget_create(&self, create: &Create) -> Result<(), Error> {
        self.end_create(create).await?;
        let unused = self
            .delete_item(&name_key(create))
            .condition_expression("attribute_not_exists(#ids)")
            .expression_attribute_names("#ids", OPEN_IDS);
        conditional_delete(unused).await?;
        let remote = create.campaign.as_ref().and_then(|campaign| campaign.remote_in(&create.account_id));
        let Some(remote) = remote else { return Ok(()) };
        let owned = self
            .delete_item(&table_keys::campaign_owner(create.platform, &create.account_id, remote))
            .condition_expression("#owner = :me")
            .expression_attribute_names("#owner", "owner")
            .value(":me", text(create.id.to_string()));
        conditional_delete(owned).await.map(drop)
    }

    /// Reads the open creates of a create's name in its ad account.
    pub async fn concurrent_creates(&self, create: &Create) -> Result<ConcurrentCreates, Error> {
        Ok(parse_concurrent_creates(&self.read(&name_key(create)).await?.unwrap_or_default()))
    }

    /// The create that has claimed a campaign.
    pub async fn campaign_owner(&self, create: &Create, remote_id: &str) -> Result<Option<ChangeId>, Error> {
        let item = self.read(&table_keys::campaign_owner(create.platform, &create.account_id, remote_id)).await?;
        item.map(|item| from_item(item).map(|CampaignOwnerItem { owner, .. }| owner)).transpose()
    }

    /// Claims a campaign for a create. `false` if another create has claimed it.
    pub async fn claim_campaign(&self, create: &Create, remote_id: &str) -> Result<bool, Error> {
        let item = CampaignOwnerItem { owner: create.id, expires_at: create.expires_at };
        let item = to_item(&table_keys::campaign_owner(create.platform, &create.account_id, remote_id), &item)?;
        let put = self
            .put_item(item)
            .condition_expression("attribute_not_exists(pk) OR #owner = :me")
            .expression_attribute_names("#owner", "owner")
            .value(":me", text(create.id.to_string()));
        conditional_put(put).await
    }
}

fn name_key(create: &Create) -> table_keys::Key {
    table_keys::concurrent_creates(create.platform, &create.account_id, &create.draft().name)
}

fn names(id: ChangeId) -> HashMap<String, String> {
    let named = [("#open", OPEN), ("#since", SINCE), ("#attempt", ATTEMPT)];
    let named = named.map(|(name, prefix)| (name.to_owned(), format!("{prefix}{id}")));
    named.into_iter().chain([("#ids".to_owned(), OPEN_IDS.to_owned())]).collect()
}

/// The latest attempt of an open create.
fn open_attempt(item: &Item, id: ChangeId) -> Option<i64> {
    item.get(&format!("{ATTEMPT}{id}"))?.as_n().ok()?.parse().ok()
}

/// Refuses a create before anything is sent: a name that reaches the bound has a caller that ignores its errors.
pub(super) fn too_many_open_creates(create: &Create) -> Error {
    let message = ChangeStatement::OpenCreates { name: create.draft().name.clone(), number: MAX_OPEN_CREATES };
    Error::new(Kind::Conflict, message).because(Reason::LimitReached)
}

fn parse_concurrent_creates(item: &Item) -> ConcurrentCreates {
    let time = |name: &str| item.get(name).and_then(|value| value.as_n().ok()?.parse().ok());
    let open = |name: &String| {
        let id = name.strip_prefix(OPEN).and_then(ChangeId::parse)?;
        Some(OpenCreate {
            id,
            send_deadline: time(name)?,
            created_at: time(&format!("{SINCE}{id}")).unwrap_or_default(),
        })
    };
    ConcurrentCreates(item.keys().filter_map(open).collect())
}

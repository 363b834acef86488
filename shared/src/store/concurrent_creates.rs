//! Creates of one name in one ad account that may be under way, and whose a campaign is.
//!
//! Most platforms keep nothing by which a create could be told from another one of the same name. So whoever looks
//! for a campaign that may be his learns here whether it may be somebody else's, and says that it is his.

use super::conditional::{conditional_put, conditional_update};
use super::{Item, Store, from_item, number, table_keys, text, to_item};
use crate::domain::{Intent, IntentId};
use crate::error::Error;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem, Update};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// How long a name is remembered after the last create of it began.
const NAME_RETENTION: SignedDuration = SignedDuration::from_hours(48);
/// What was not settled so long after it could be sent last is not waited for by others.
const ABANDONED_AFTER_MS: i64 = 10 * 60 * 1_000;
/// What the attributes of creates that are not settled begin with; their values are when they can send no more.
const OPEN: &str = "open#";
/// The same for when they began.
const SINCE: &str = "since#";
/// And for which attempt said so last.
const ATTEMPT: &str = "attempt#";

const BEGIN: &str = "SET #open = :until, #since = :since, #attempt = :attempt, expires_at = :expiry";
/// What an attempt says is no more of interest once a later one at the same intent has begun.
const IS_LATEST: &str = "attribute_not_exists(#attempt) OR #attempt <= :attempt";

/// The creates of one name in one ad account that are not settled.
#[derive(Debug, Default)]
pub struct ConcurrentCreates(Vec<OpenCreate>);

#[derive(Debug)]
struct OpenCreate {
    id: IntentId,
    until: i64,
    since: i64,
}

#[derive(Serialize, Deserialize)]
struct CampaignOwnerItem {
    owner: String,
    expires_at: i64,
}

impl ConcurrentCreates {
    /// Whether a campaign that was made at some time may have come of another create than this one: of one that can be
    /// sent still, or of one that began after this one and before the campaign was made.
    pub fn may_belong_to_another(&self, than: &Intent, made: Option<Timestamp>, now: Timestamp) -> bool {
        let made = made.map_or(i64::MAX, Timestamp::as_millisecond);
        let since = than.created_at.as_millisecond();
        let now = now.as_millisecond();
        let mut others = self.0.iter().filter(|open| open.id != than.id && open.until + ABANDONED_AFTER_MS > now);
        others.any(|open| open.until > now || open.since > since && open.since <= made)
    }
}

impl Store {
    /// Says that a create may be under way from now on.
    pub(super) async fn begin_create(&self, intent: &Intent) -> Result<(), Error> {
        let update = self
            .update(&key_of(intent))
            .update_expression(BEGIN)
            .condition_expression(IS_LATEST)
            .set_expression_attribute_names(Some(names(intent.id)))
            .set_expression_attribute_values(Some(values(intent)));
        conditional_update(update).await.map(|_| ())
    }

    /// The same as a part of a transaction.
    pub(super) fn begin_create_write(&self, intent: &Intent) -> Result<TransactWriteItem, Error> {
        let update = Update::builder()
            .table_name(&self.table)
            .set_key(Some(key_of(intent).attributes()))
            .update_expression(BEGIN)
            .set_expression_attribute_names(Some(names(intent.id)))
            .set_expression_attribute_values(Some(values(intent)));
        Ok(TransactWriteItem::builder().update(update.build().map_err(Error::internal)?).build())
    }

    /// Says that an attempt at a create is settled, unless a later one is under way.
    pub async fn end_create(&self, intent: &Intent) -> Result<(), Error> {
        let update = self
            .update(&key_of(intent))
            .update_expression("REMOVE #open, #since, #attempt")
            .condition_expression(IS_LATEST)
            .set_expression_attribute_names(Some(names(intent.id)))
            .expression_attribute_values(":attempt", number(intent.attempt));
        conditional_update(update).await.map(|_| ())
    }

    /// Reads which creates of an intent's name in its ad account are not settled.
    pub async fn concurrent_creates(&self, intent: &Intent) -> Result<ConcurrentCreates, Error> {
        Ok(concurrent_creates(&self.read(&key_of(intent)).await?.unwrap_or_default()))
    }

    /// Whose a campaign is; `None` for one that nobody has said to be his.
    pub async fn campaign_owner(&self, intent: &Intent, remote_id: &str) -> Result<Option<IntentId>, Error> {
        let item = self.read(&table_keys::campaign_owner(intent.platform, &intent.account_id, remote_id)).await?;
        let owner = item.map(|item| from_item(item).map(|CampaignOwnerItem { owner, .. }| owner)).transpose()?;
        Ok(owner.and_then(|owner| IntentId::parse(&owner)))
    }

    /// Says that a campaign came of an intent. `false` when it is another one's.
    pub async fn claim_campaign(&self, intent: &Intent, remote_id: &str) -> Result<bool, Error> {
        let owner = intent.id.to_string();
        let expires_at = intent.expires_at.as_second();
        let item = CampaignOwnerItem { owner: owner.clone(), expires_at };
        let item = to_item(&table_keys::campaign_owner(intent.platform, &intent.account_id, remote_id), &item)?;
        let put = self.client.put_item().table_name(&self.table).set_item(Some(item));
        let put = put.condition_expression("attribute_not_exists(pk) OR #owner = :me");
        let put = put.expression_attribute_names("#owner", "owner").expression_attribute_values(":me", text(owner));
        conditional_put(put).await
    }
}

fn key_of(intent: &Intent) -> table_keys::Key {
    table_keys::concurrent_creates(intent.platform, &intent.account_id, &intent.draft.name)
}

fn names(id: IntentId) -> HashMap<String, String> {
    let named = [("#open", OPEN), ("#since", SINCE), ("#attempt", ATTEMPT)];
    named.map(|(name, prefix)| (name.to_owned(), format!("{prefix}{id}"))).into()
}

fn values(intent: &Intent) -> HashMap<String, AttributeValue> {
    let values = [
        (":until", intent.send_deadline.as_millisecond()),
        (":since", intent.created_at.as_millisecond()),
        (":attempt", intent.attempt),
        (":expiry", (intent.send_deadline + NAME_RETENTION).as_second()),
    ];
    values.map(|(name, value)| (name.to_owned(), number(value))).into()
}

fn concurrent_creates(item: &Item) -> ConcurrentCreates {
    let time = |name: &str| item.get(name).and_then(|value| value.as_n().ok()?.parse().ok());
    let open = |name: &String| {
        let id = name.strip_prefix(OPEN).and_then(IntentId::parse)?;
        Some(OpenCreate { id, until: time(name)?, since: time(&format!("{SINCE}{id}")).unwrap_or_default() })
    };
    ConcurrentCreates(item.keys().filter_map(open).collect())
}

//! Creates of one name in one ad account: which of them are under way, and which campaign came of which.
//!
//! Most platforms keep nothing by which a create could be told from another one of the same name. So whoever looks
//! for a campaign that may be his learns here whose it is already, and whether it may be somebody's who is still at it.

use super::accounts::applied;
use super::{Item, Store, keys, number, text};
use crate::domain::{Intent, IntentId};
use crate::error::Error;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem, Update};
use jiff::{SignedDuration, Timestamp};

/// How long it is kept which campaign came of which create.
const KEPT: SignedDuration = SignedDuration::from_hours(48);
/// What the attributes of creates that are under way begin with; their values are when they end.
const OPEN: &str = "open#";
/// What the attributes of campaigns begin with; their values are the intents that they came of.
const MADE: &str = "made#";

const BEGIN: &str = "SET #open = :until, expires_at = :expiry";

/// What is known of the creates of one name in one ad account.
#[derive(Debug, Default)]
pub struct Namesakes {
    open: Vec<(IntentId, i64)>,
    made: Vec<(String, IntentId)>,
}

impl Namesakes {
    /// Whether another create than this one may be sent now, or may have been sent by somebody who is still at it.
    pub fn others_under_way(&self, but: IntentId, now: Timestamp) -> bool {
        self.open.iter().any(|(id, until)| *id != but && *until > now.as_millisecond())
    }

    /// The intent that a campaign is known to have come of.
    pub fn owner(&self, remote_id: &str) -> Option<IntentId> {
        self.made.iter().find(|(made, _)| made == remote_id).map(|(_, owner)| *owner)
    }
}

impl Store {
    /// Says that a create is under way.
    pub(super) async fn begin_name(&self, intent: &Intent) -> Result<(), Error> {
        let update = self.update(&key_of(intent)).update_expression(BEGIN);
        applied(begun(update, intent)).await.map(|_| ())
    }

    /// The same as a part of a transaction.
    pub(super) fn name_begins(&self, intent: &Intent) -> Result<TransactWriteItem, Error> {
        let (until, expiry) = times_of(intent);
        let update = Update::builder()
            .table_name(&self.table)
            .set_key(Some(key_of(intent).attributes()))
            .update_expression(BEGIN)
            .expression_attribute_names("#open", open(intent.id))
            .expression_attribute_values(":until", until)
            .expression_attribute_values(":expiry", expiry);
        Ok(TransactWriteItem::builder().update(update.build().map_err(Error::internal)?).build())
    }

    /// Says that a create is over and that this campaign came of it. `false` when the campaign is another one's.
    pub async fn name_made(&self, intent: &Intent, remote_id: &str) -> Result<bool, Error> {
        let update = self
            .update(&key_of(intent))
            .update_expression("SET #made = :me, expires_at = :expiry REMOVE #open")
            .condition_expression("attribute_not_exists(#made) OR #made = :me")
            .expression_attribute_names("#made", format!("{MADE}{remote_id}"))
            .expression_attribute_names("#open", open(intent.id))
            .expression_attribute_values(":me", text(intent.id.to_string()))
            .expression_attribute_values(":expiry", times_of(intent).1);
        applied(update).await
    }

    /// Says that a create is over and that nothing came of it.
    pub async fn name_ends(&self, intent: &Intent) -> Result<(), Error> {
        let update = self
            .update(&key_of(intent))
            .update_expression("REMOVE #open")
            .expression_attribute_names("#open", open(intent.id));
        applied(update).await.map(|_| ())
    }

    /// Reads what is known of the creates that have an intent's name in its ad account.
    pub async fn namesakes(&self, intent: &Intent) -> Result<Namesakes, Error> {
        Ok(namesakes(self.read(&key_of(intent)).await?.unwrap_or_default()))
    }
}

fn key_of(intent: &Intent) -> keys::Key {
    keys::name(intent.platform, &intent.account_id, &intent.draft.name)
}

fn begun(update: UpdateItemFluentBuilder, intent: &Intent) -> UpdateItemFluentBuilder {
    let (until, expiry) = times_of(intent);
    update
        .expression_attribute_names("#open", open(intent.id))
        .expression_attribute_values(":until", until)
        .expression_attribute_values(":expiry", expiry)
}

fn times_of(intent: &Intent) -> (AttributeValue, AttributeValue) {
    (number(intent.until.as_millisecond()), number((intent.until + KEPT).as_second()))
}

fn open(id: IntentId) -> String {
    format!("{OPEN}{id}")
}

/// Whatever else the item holds is not of interest.
fn namesakes(item: Item) -> Namesakes {
    let mut known = Namesakes::default();
    for (name, value) in item {
        if let Some(id) = name.strip_prefix(OPEN).and_then(IntentId::parse) {
            known.open.extend(value.as_n().ok().and_then(|until| until.parse().ok()).map(|until| (id, until)));
        } else if let Some(made) = name.strip_prefix(MADE) {
            let owner = value.as_s().ok().and_then(|owner| IntentId::parse(owner));
            known.made.extend(owner.map(|owner| (made.to_owned(), owner)));
        }
    }
    known
}

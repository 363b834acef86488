//! What the dashboard keeps of a customer's ad accounts, so that a page need not wait for platforms: of each account the
//! latest reading of its campaigns and of their days, and the changes that people have made since. The rows are JSON of
//! the dashboard. A restart of the reading loses nothing, so all of it expires.

use super::conditional::conditional_update;
use super::table_keys::{self, OVERVIEW_PREFIX};
use super::{Item, Store, Values, from_item, number, text, to_item};
use crate::domain::CustomerId;
use crate::error::Error;
use jiff::fmt::serde::timestamp::{millisecond, second};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// How long rows of an account that cannot be read any more are shown.
const TIME_TO_LIVE: SignedDuration = SignedDuration::from_hours(24);

/// The key of the changes, beside those of the parts.
const CHANGE: &str = "CHANGE";

/// A part of the reading of an ad account. Each is an item, because together they may be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub enum OverviewPart {
    /// The campaigns.
    Campaigns,
    /// What they did by day.
    Days,
}

/// A part as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPart {
    pub part: OverviewPart,
    /// The id of the connection.
    pub connection: String,
    /// When the latest reading began.
    pub tried_at: Timestamp,
    /// The latest rows, and when the reading began that has found them.
    pub rows: Option<(Timestamp, String)>,
    /// Why the latest reading failed.
    pub problem: Option<String>,
}

/// A change that a person made. The overview shows it until a reading that began later contains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptChange {
    /// The id of the campaign; of no campaign for a change that may concern all of them.
    pub campaign: Option<String>,
    /// The id of a bulk change. Each has an end of its own.
    pub bulk: Option<String>,
    /// A reading that began until then may not know the change.
    pub at: Timestamp,
    /// Until when a bulk change may go on whose end is not known yet.
    pub open_until: Option<Timestamp>,
    /// The campaign's values after it.
    pub values: Option<String>,
}

/// All that is kept of a customer's ad accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptOverview {
    pub parts: Vec<KeptPart>,
    pub changes: Vec<KeptChange>,
}

/// What a reading has found: rows, or why there are none.
pub type PartOutcome = Result<String, String>;

/// A part as stored. Conditions compare the times, so they are numbers.
#[derive(Serialize, Deserialize)]
struct PartItem {
    connection_id: String,
    #[serde(with = "millisecond::required")]
    tried_at: Timestamp,
    #[serde(default, with = "millisecond::optional")]
    read_at: Option<Timestamp>,
    #[serde(rename = "rows_json")]
    rows: Option<String>,
    problem: Option<String>,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct ChangeItem {
    campaign: Option<String>,
    bulk_id: Option<String>,
    #[serde(with = "millisecond::required")]
    changed_at: Timestamp,
    /// Absent once the end of a bulk change is known.
    #[serde(default, with = "millisecond::optional", skip_serializing_if = "Option::is_none")]
    open_until: Option<Timestamp>,
    values_json: Option<String>,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
}

impl KeptPart {
    /// Takes the outcome of a reading that began at a time. Rows stay when a later reading fails.
    pub fn take(&mut self, began: Timestamp, outcome: &PartOutcome) {
        self.tried_at = began;
        match outcome {
            Ok(rows) => (self.rows, self.problem) = (Some((began, rows.clone())), None),
            Err(problem) => self.problem = Some(problem.clone()),
        }
    }
}

impl KeptChange {
    /// Any campaigns may have changed until a time.
    pub fn of_any(at: Timestamp) -> KeptChange {
        KeptChange { campaign: None, bulk: None, at, open_until: None, values: None }
    }

    /// Whether a reading that began at a time may not know the change. While a bulk change goes on, a reading that began
    /// after its start is as good as the next one; once it has ended, only a later one knows all of it.
    pub fn is_after(&self, began: Timestamp, now: Timestamp) -> bool {
        began <= self.open_until.filter(|until| *until <= now).unwrap_or(self.at)
    }
}

impl Store {
    /// Reads what is kept of a customer's ad accounts.
    pub async fn overview(&self, customer: CustomerId, now: Timestamp) -> Result<KeptOverview, Error> {
        let mut kept = KeptOverview::default();
        for item in self.read_prefix(customer, OVERVIEW_PREFIX).await? {
            match part_of(&item) {
                Some(part) => kept.parts.extend(parse_part(part, item, now)?),
                None => kept.changes.extend(parse_change(item, now)?),
            }
        }
        Ok(kept)
    }

    /// Keeps the outcome of a reading that began at a time, unless that of a later one is kept already.
    pub async fn keep_part(
        &self,
        customer: CustomerId,
        part: OverviewPart,
        connection: &str,
        began: Timestamp,
        outcome: &PartOutcome,
    ) -> Result<(), Error> {
        let set = "SET connection_id = :connection, tried_at = :began, expires_at = :end";
        let (expression, name, found) = match outcome {
            Ok(rows) => (format!("{set}, rows_json = :rows, read_at = :began REMOVE problem"), ":rows", rows),
            Err(problem) => (format!("{set}, problem = :problem"), ":problem", problem),
        };
        let update = self
            .update_item(&table_keys::overview_part(customer, part.into(), connection))
            .update_expression(expression)
            .condition_expression("attribute_not_exists(tried_at) OR tried_at <= :began")
            .values([
                (":connection", text(connection)),
                (":began", number(began.as_millisecond())),
                (":end", number((began + TIME_TO_LIVE).as_second())),
                (name, text(found)),
            ]);
        conditional_update(update).await.map(drop)
    }

    /// Keeps a change.
    pub async fn keep_change(&self, customer: CustomerId, change: &KeptChange) -> Result<(), Error> {
        let KeptChange { campaign, bulk, at, open_until, values } = change.clone();
        let key = change_key(customer, bulk.as_deref().or(campaign.as_deref()));
        let item = ChangeItem {
            campaign,
            bulk_id: bulk,
            changed_at: at,
            open_until,
            values_json: values,
            expires_at: at + TIME_TO_LIVE,
        };
        self.put(to_item(&key, &item)?).await
    }

    /// Keeps that a bulk change has ended until a time. The first who knows it says so: later ones change nothing.
    pub async fn keep_bulk_end(&self, customer: CustomerId, bulk: &str, at: Timestamp) -> Result<(), Error> {
        let update = self
            .update_item(&change_key(customer, Some(bulk)))
            .update_expression("SET changed_at = :at REMOVE open_until")
            .condition_expression("attribute_exists(open_until)")
            .values([(":at", number(at.as_millisecond()))]);
        conditional_update(update).await.map(drop)
    }
}

/// The key of a change of a campaign or of a bulk change; of neither for all others.
fn change_key(customer: CustomerId, id: Option<&str>) -> table_keys::Key {
    table_keys::overview_part(customer, CHANGE, id.unwrap_or_default())
}

/// The part that an item has; `None` for a change.
fn part_of(item: &Item) -> Option<OverviewPart> {
    let sort_key = item.get(table_keys::SORT)?.as_s().ok()?.strip_prefix(OVERVIEW_PREFIX)?;
    let (name, _) = sort_key.split_once('#')?;
    name.parse().ok()
}

fn parse_part(part: OverviewPart, item: Item, now: Timestamp) -> Result<Option<KeptPart>, Error> {
    let PartItem { connection_id: connection, tried_at, read_at, rows, problem, expires_at } = from_item(item)?;
    let kept = KeptPart { part, connection, tried_at, rows: read_at.zip(rows), problem };
    Ok((now.as_second() < expires_at.as_second()).then_some(kept))
}

fn parse_change(item: Item, now: Timestamp) -> Result<Option<KeptChange>, Error> {
    let ChangeItem { campaign, bulk_id: bulk, changed_at: at, open_until, values_json: values, expires_at } =
        from_item(item)?;
    let kept = KeptChange { campaign, bulk, at, open_until, values };
    Ok((now.as_second() < expires_at.as_second()).then_some(kept))
}

//! The turn of a campaign: which change of a key with a limit is under way, and what such keys have raised today. Whoever
//! takes the turn writes both, so that raises at one time count together.

use crate::domain::spending::Raised;
use crate::domain::{CampaignId, Change, ChangeId};
use crate::error::Error;
use crate::store::transactions::update_write;
use crate::store::{Item, Store, Values, from_item, number, table_keys, text};
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// The turn of a campaign, as it was read before the campaign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// Limited changes that have had the turn.
    pub count: i64,
    /// The change that has the turn.
    pub change: Option<ChangeId>,
    /// What keys have raised of the campaign, today or earlier.
    pub raised: Option<Raised>,
}

#[derive(Deserialize)]
struct TurnItem {
    count: i64,
    change: Option<String>,
    raised: Option<RaisedAttribute>,
}

/// Amounts are decimals as text.
#[derive(Serialize, Deserialize)]
struct RaisedAttribute {
    is_lifetime: bool,
    from: String,
    highest: String,
    until: Timestamp,
}

impl Store {
    /// Takes the turn for a change, under the condition that nobody has had it since it was read. `turn` is as it was read,
    /// but for what the change raises.
    pub(in crate::store) fn take_turn(
        &self,
        change: &Change,
        campaign: &CampaignId,
        turn: Turn,
    ) -> Result<TransactWriteItem, Error> {
        let update = self
            .update_item(&table_keys::turn(change.customer, campaign))
            .condition_expression("attribute_not_exists(pk) OR attribute_not_exists(#change) AND #count = :count")
            .expression_attribute_names("#change", "change")
            .expression_attribute_names("#count", "count")
            .values([
                (":change", text(change.id.to_string())),
                (":count", number(turn.count)),
                (":next", number(turn.count + 1)),
            ]);
        let takes = "SET #change = :change, #count = :next";
        update_write(match &turn.raised {
            None => update.update_expression(takes),
            Some(raised) => {
                let raised =
                    serde_dynamo::to_attribute_value(RaisedAttribute::from(raised)).map_err(Error::internal)?;
                update.update_expression(format!("{takes}, raised = :raised")).value(":raised", raised)
            }
        })
    }
}

pub(super) fn parse(item: Item) -> Result<Turn, Error> {
    let TurnItem { count, change, raised } = from_item(item)?;
    let raised = raised.map(RaisedAttribute::parse).transpose()?;
    Ok(Turn { count, change: change.and_then(|id| ChangeId::parse(&id)), raised })
}

impl From<&Raised> for RaisedAttribute {
    fn from(Raised { is_lifetime, from, highest, until }: &Raised) -> RaisedAttribute {
        let (from, highest) = (from.to_string(), highest.to_string());
        RaisedAttribute { is_lifetime: *is_lifetime, from, highest, until: *until }
    }
}

impl RaisedAttribute {
    fn parse(self) -> Result<Raised, Error> {
        let RaisedAttribute { is_lifetime, from, highest, until } = self;
        let amount = |text: &str| Decimal::from_str_exact(text).map_err(Error::internal);
        Ok(Raised { is_lifetime, from: amount(&from)?, highest: amount(&highest)?, until })
    }
}

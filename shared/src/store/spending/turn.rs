//! The turn of a campaign: which change that counts against a limit is under way, and what such changes have raised today.
//! Whoever takes the turn writes both, so that raises at one time count together.

use crate::domain::spending::Raised;
use crate::domain::{CampaignId, Change, ChangeId};
use crate::error::Error;
use crate::store::transactions::update_write;
use crate::store::{Store, Values, attribute, number, table_keys, text};
use aws_sdk_dynamodb::types::TransactWriteItem;
use serde::Deserialize;

/// The turn of a campaign, as it was read before the campaign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Turn {
    /// Limited changes that have had the turn.
    pub count: i64,
    /// The change that has the turn.
    pub change: Option<ChangeId>,
    /// What was raised of the campaign, today or earlier.
    pub raised: Option<Raised>,
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
                update.update_expression(format!("{takes}, raised = :raised")).value(":raised", attribute(raised)?)
            }
        })
    }
}

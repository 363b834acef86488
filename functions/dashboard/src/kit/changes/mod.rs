//! Changes to campaigns for people: what was done, by whom, and with what outcome.

mod added;
mod budget;
#[cfg(test)]
pub(crate) mod bulk_sample;
mod export;
mod many;
mod on_its_way;
mod row;
#[cfg(test)]
pub(crate) mod sample;
mod undone;
mod words;

pub(crate) use added::{Added, moment, runs, sums};
pub(crate) use export::{EXPORT_TITLES, export_rows};
pub(crate) use many::{Entry, Part, entries, going_on_with};
pub(crate) use on_its_way::{OnItsWay, is_tried};
pub(crate) use row::{ChangeRow, requester_for, requester_text, rows, rows_for};
pub(crate) use undone::{Undone, undone_by};
pub(crate) use words::{headline, kind_word, state_word};

use shared::domain::{CampaignValues, Change, Currency};

/// The campaign as the change has read it last.
pub(crate) fn latest_values(change: &Change) -> Option<&CampaignValues> {
    change.after.as_ref().or(change.values_before())
}

/// The currency of the campaign; `None` if it was not read.
fn currency(change: &Change) -> Option<Currency> {
    latest_values(change).map(|values| values.currency)
}

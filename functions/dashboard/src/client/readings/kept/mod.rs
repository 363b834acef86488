//! The forms in which readings are kept in the table: JSON that fits into an item. What another release has kept in another
//! form is read anew.

mod campaigns;
mod days;

pub(super) use campaigns::{KeptCampaigns, changed, removed, values};
pub(super) use days::{read_days, write_days};

use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::value::RawValue;
use shared::domain::ConnectionId;
use shared::store::OverviewPart;

/// Most bytes of the rows of an account. An item of the table has at most 400 KB.
const MAX_BYTES: usize = 350_000;

/// The JSON of the first rows that fit together, and whether some do not.
fn first_that_fit<T: Serialize>(rows: impl Iterator<Item = T>) -> (Vec<Box<RawValue>>, bool) {
    let (mut written, mut bytes) = (Vec::new(), 0);
    for row in rows {
        let Ok(row) = serde_json::value::to_raw_value(&row) else { continue };
        bytes += row.get().len() + 1;
        if bytes > MAX_BYTES {
            return (written, true);
        }
        written.push(row);
    }
    (written, false)
}

/// Whether nothing was kept of a connection but that it has no campaigns, or that they did nothing; `None` if what was kept
/// cannot be read.
pub(super) fn is_empty(part: OverviewPart, json: &str, connection: &ConnectionId) -> Option<bool> {
    match part {
        OverviewPart::Campaigns => KeptCampaigns::read(json).map(|kept| kept.rows.is_empty()),
        OverviewPart::Days => read_days(json, connection).map(|kept| kept.rows.is_empty()),
    }
}

/// Reads a value that may be missing. `None` if there is one that cannot be read.
fn all_or_none<T, U>(value: Option<T>, read: impl Fn(T) -> Option<U>) -> Option<Option<U>> {
    match value {
        Some(value) => read(value).map(Some),
        None => Some(None),
    }
}

/// A decimal as it is kept: its digits.
fn digits(number: Decimal) -> String {
    number.normalize().to_string()
}

fn decimal(digits: &str) -> Option<Decimal> {
    Decimal::from_str_exact(digits).ok()
}

//! Rows of a list, read one by one.

use super::fault::unreadable;
use crate::domain::Platform;
use crate::error::Error;
use serde_json::value::RawValue;

/// Reads each row of a page, in its place. A row that cannot be read is `None`, with a warning: the others are worth
/// having. Where no row can be read the answer has another form, and an empty list would hide that.
pub(super) fn readable<T>(
    rows: &[Box<RawValue>],
    read: impl Fn(&RawValue) -> Result<T, Error>,
) -> Result<Vec<Option<T>>, Error> {
    let warn = |error: Error| {
        let reason = error.source.as_ref().map(ToString::to_string);
        tracing::warn!(platform = %Platform::Epsilon, reason, "a row that cannot be read was left out");
    };
    let read: Vec<Option<T>> = rows.iter().map(|row| read(row).map_err(warn).ok()).collect();
    if !read.is_empty() && read.iter().all(Option::is_none) {
        return Err(unreadable("a page without a readable row"));
    }
    Ok(read)
}

//! An entry that folds is whole on the page where it begins: the page reads on until it ends.

use super::ROWS;
use super::filter::Filter;
use crate::client::api::{Api, Refusal};
use crate::client::changes;
use crate::kit::changes::going_on_with;
use shared::envelope::ChangeList;

/// The changes of a page, and what comes after them.
pub(super) struct Read {
    pub(super) list: ChangeList,
    /// Whether its last entry is known to end on it.
    pub(super) is_whole: bool,
}

impl Read {
    /// What is shown without an answer.
    pub(super) fn nothing() -> Read {
        Read { list: ChangeList { changes: Vec::new(), next_cursor: None, next_since: None }, is_whole: true }
    }
}

/// Reads a page, and on to the end of its last entry, as far as one more page has it.
pub(super) async fn read(api: &Api<'_>, filter: &Filter) -> Result<Read, Refusal> {
    let mut list = changes::list(api, &filter.api_target(ROWS)).await?;
    let (Some(cursor), Some(last)) = (list.next_cursor.clone(), list.changes.last().cloned()) else {
        return Ok(Read { list, is_whole: true });
    };
    if going_on_with(&last, std::slice::from_ref(&last)) == 0 {
        return Ok(Read { list, is_whole: true });
    }
    // Without an answer the entry says that more of it may be on the next page.
    let Ok(next) = changes::list(api, &filter.api_target_after(&cursor, ROWS)).await else {
        return Ok(Read { list, is_whole: false });
    };
    let more = going_on_with(&last, &next.changes);
    let is_whole = more < next.changes.len() || next.next_cursor.is_none();
    if more == 0 {
        return Ok(Read { list, is_whole });
    }
    // The next page begins after what is taken, so its cursor is that of a request for as much.
    let taken = if more == next.changes.len() {
        next
    } else {
        match changes::list(api, &filter.api_target_after(&cursor, more)).await {
            Ok(taken) => taken,
            Err(_) => return Ok(Read { list, is_whole: false }),
        }
    };
    list.changes.extend(taken.changes);
    list.next_cursor = taken.next_cursor;
    Ok(Read { list, is_whole })
}

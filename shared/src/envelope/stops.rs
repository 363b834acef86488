//! The stop of an API key, and how far it is, which the same request says when it is sent again (D65). It uses the flat
//! shape only.

use super::wire::iso_millis;
use crate::domain::{ChangeId, StopProgress};
use jiff::Timestamp;
use serde::Serialize;

/// The body of `stopKey`.
#[derive(Serialize)]
pub(super) struct WireStop {
    stopped_at: String,
    changes: Vec<String>,
    done: bool,
}

/// The body of `stopKey`.
pub(super) fn stop_body(stopped_at: Timestamp, progress: &StopProgress) -> WireStop {
    let changes = progress.changes.iter().map(ChangeId::to_string).collect();
    WireStop { stopped_at: iso_millis(stopped_at), changes, done: progress.is_done }
}

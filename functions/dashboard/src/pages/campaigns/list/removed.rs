//! Removed campaigns. Nothing is kept of them, so the list of them is read when somebody wants it.

use super::super::filter::Filter;
use crate::accounts::ConnectionError;
use crate::api::{Api, Pagination};
use crate::overview::Row;
use crate::pages::campaigns::Campaign;
use serde::Deserialize;

/// What is told of the list beside its rows.
#[derive(Default)]
pub(super) struct Removed {
    /// There are more than are shown.
    pub(super) is_cut: bool,
    /// Why some of them are missing.
    pub(super) problems: Vec<String>,
}

#[derive(Deserialize)]
struct List {
    unified: Vec<Campaign>,
    pagination: Pagination,
    #[serde(default)]
    errors: Vec<ConnectionError>,
}

/// Reads the first campaigns with a status of removed ones.
pub(super) async fn read(api: &Api<'_>, filter: &Filter, status: &str) -> (Vec<Row>, Option<Removed>) {
    match api.read::<List>(&filter.removed_target(status)).await {
        Ok(List { unified, pagination, errors }) => {
            let problems = errors.into_iter().map(|error| error.message).collect();
            let removed = Removed { is_cut: pagination.next_cursor.is_some(), problems };
            (unified.into_iter().map(Row::without_numbers).collect(), Some(removed))
        }
        Err(refusal) => (Vec::new(), Some(Removed { is_cut: false, problems: vec![refusal.message] })),
    }
}

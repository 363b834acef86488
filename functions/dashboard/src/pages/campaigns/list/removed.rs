//! Removed campaigns. Nothing is kept of them, so the list of them is read when somebody wants it.

use super::super::filter::Filter;
use super::super::wire::CampaignList;
use crate::client::api::Api;
use crate::client::overview::Row;

/// What is told of the list beside its rows.
#[derive(Default)]
pub(super) struct Removed {
    /// There are more than are shown.
    pub(super) is_cut: bool,
    /// Why some of them are missing.
    pub(super) problems: Vec<String>,
}

/// Reads the first campaigns of a filter.
pub(super) async fn read(api: &Api<'_>, filter: &Filter) -> (Vec<Row>, Option<Removed>) {
    match api.read::<CampaignList>(&filter.api_target()).await {
        Ok(CampaignList { unified, pagination, errors }) => {
            let problems = errors.into_iter().map(|error| error.message).collect();
            let removed = Removed { is_cut: pagination.next_cursor.is_some(), problems };
            (unified.into_iter().map(Row::without_numbers).collect(), Some(removed))
        }
        Err(refusal) => (Vec::new(), Some(Removed { is_cut: false, problems: vec![refusal.message] })),
    }
}

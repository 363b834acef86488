//! Removed campaigns. Nothing is kept of them, so their list is read when somebody opens it.

use crate::client::api::Api;
use crate::client::campaigns;
use crate::client::readings::CampaignRow;
use crate::kit::campaign::CampaignSummary;
use crate::kit::words;
use crate::pages::campaigns::filter::Filter;
use shared::domain::Campaign;
use shared::envelope::CampaignList;

/// What the page says of the list beside its rows.
#[derive(Default)]
pub(super) struct RemovedList {
    /// There are more than are shown.
    pub(super) is_cut: bool,
    /// Why some of them are missing.
    pub(super) problems: Vec<String>,
}

/// Reads the first campaigns of a filter.
pub(super) async fn read(api: &Api<'_>, filter: &Filter) -> (Vec<CampaignRow>, Option<RemovedList>) {
    match campaigns::page(api, &filter.api_target()).await {
        Ok(CampaignList { campaigns, next_cursor, failures }) => {
            let problems = failures.into_iter().map(|(_, _, error)| words::message(&error.message)).collect();
            let removed = RemovedList { is_cut: next_cursor.is_some(), problems };
            let row = |campaign: &Campaign| CampaignRow {
                connection: campaign.connection.0.clone(),
                ..CampaignRow::without_numbers(CampaignSummary::from(campaign))
            };
            (campaigns.iter().map(row).collect(), Some(removed))
        }
        Err(refusal) => (Vec::new(), Some(RemovedList { is_cut: false, problems: vec![refusal.in_full()] })),
    }
}

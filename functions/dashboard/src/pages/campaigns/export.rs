//! The campaigns of the list's filter as a file.

use super::filter::Filter;
use super::list::fits;
use super::wire::{Campaign, CampaignList, goal_word};
use crate::client::accounts::{self, Connection, platform_name};
use crate::client::api::{Api, Refusal};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::csv::{self, Cell, Csv};
use crate::kit::money;
use jiff::Timestamp;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

const TITLES: &[&str] = &[
    "Name",
    "Id",
    "Platform",
    "Ad account",
    "Ad account number",
    "Status",
    "Goal",
    "Currency",
    "Budget",
    "Budget for",
    "Spent so far",
    "Start",
    "End",
    "Created",
    "Last changed",
];

/// Sends the file: every page of the list, whichever the person looks at.
pub(crate) async fn download(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let filter = Filter::of(&request.query);
    let api = Api::new(request, person);
    Ok(match table(&api, &filter, request.now).await {
        Ok(csv) => csv.reply("campaigns", &csv::day(request.now)),
        Err(refusal) => Notice::failure(refusal, &[]).then(filter.path()),
    })
}

async fn table(api: &Api<'_>, filter: &Filter, now: Timestamp) -> Result<Csv, Refusal> {
    let connections = accounts::connections(api).await?;
    let mut csv = Csv::new(TITLES);
    csv.fill(api, &filter.api_target(), |csv, list: CampaignList| {
        csv.note_missing(!list.errors.is_empty());
        for campaign in &list.unified {
            let target = format!("{}:{}", campaign.platform, campaign.organization_id);
            let connection = accounts::of_target(&target, &connections);
            if fits(campaign, connection.map_or("", |connection| &connection.id.0), filter, now) {
                csv.row(cells(campaign, connection, now));
            }
        }
        list.pagination.next_cursor
    })
    .await?;
    Ok(csv)
}

fn cells(campaign: &Campaign, connection: Option<&Connection>, now: Timestamp) -> [Cell; 15] {
    let digits = |amount| money::digits(amount, &campaign.currency);
    [
        Cell::text(campaign.name.as_str()),
        Cell::text(campaign.id.as_str()),
        Cell::text(platform_name(&campaign.platform)),
        Cell::text(connection.map_or(campaign.organization_id.as_str(), Connection::own_name)),
        Cell::text(campaign.organization_id.as_str()),
        Cell::text(campaign.status_word(now)),
        Cell::text(goal_word(&campaign.goal)),
        Cell::text(campaign.currency.as_str()),
        Cell::known(campaign.budget_amount.as_deref().map(digits)),
        Cell::text(money::span(campaign.budget_period.as_deref()).trim()),
        Cell::known(campaign.total_spend_amount.as_deref().map(digits)),
        Cell::known(campaign.start_at),
        Cell::known(campaign.end_at),
        Cell::known(campaign.created_at),
        Cell::known(campaign.updated_at),
    ]
}

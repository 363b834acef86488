//! The campaigns of the list's filter as a file.

use crate::client::accounts::{self, Connection};
use crate::client::all_pages::fill;
use crate::client::api::{Api, Refusal};
use crate::client::campaigns;
use crate::client::notice::Notice;
use crate::client::readings::Overview;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::campaign::{CampaignSummary, goal_word};
use crate::kit::csv::{self, Cell, Csv};
use crate::kit::money;
use crate::pages::campaigns::filter::Filter;
use jiff::Timestamp;
use shared::domain::{Campaign, CampaignId, ExternalRef};
use shared::envelope::{CampaignList, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;
use std::collections::BTreeSet;

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
    let user = users::named(&request.query)?;
    let filter = Filter::of(&request.query);
    let api = Api::new(request, person).acting_for(user.as_ref());
    let fast = match fast(request, person, user.as_ref(), &filter).await {
        Ok(fast) => fast,
        Err(refusal) => return Ok(Notice::failure(refusal, &[]).then(filter.path())),
    };
    Ok(match table(&api, &filter, fast.as_ref(), request.now).await {
        Ok(csv) => csv.reply("campaigns", &csv::day(request.now)),
        Err(refusal) => Notice::failure(refusal, &[]).then(filter.path()),
    })
}

/// The campaigns that spend too fast, if the list is of those: the API does not compare their spend.
async fn fast(
    request: &WebRequest,
    person: &SignedIn,
    user: Option<&ExternalRef>,
    filter: &Filter,
) -> Result<Option<BTreeSet<CampaignId>>, Refusal> {
    if !filter.is_of_fast() {
        return Ok(None);
    }
    let overview = Overview::read(request, person, user).await?;
    let rows = overview.rows.iter().filter(|row| row.is_too_fast(request.now));
    Ok(Some(rows.map(|row| row.campaign.id.clone()).collect()))
}

async fn table(
    api: &Api<'_>,
    filter: &Filter,
    fast: Option<&BTreeSet<CampaignId>>,
    now: Timestamp,
) -> Result<Csv, Refusal> {
    let connections = accounts::connections(api).await?;
    let mut csv = Csv::new(TITLES);
    let read = |target: String| async move { campaigns::page(api, &target).await };
    let add = |csv: &mut Csv, list: CampaignList| {
        csv.note_missing(!list.failures.is_empty());
        for campaign in &list.campaigns {
            let summary = CampaignSummary::from(campaign);
            let is_fast = fast.is_none_or(|fast| fast.contains(&campaign.id));
            if is_fast && filter.fits(&summary, &campaign.connection.0, now) {
                let connection = connections.iter().find(|known| known.id == campaign.connection);
                csv.row(cells(campaign, summary.status_word(now), connection));
            }
        }
        list.next_cursor
    };
    fill(&mut csv, &filter.api_target(), read, add).await?;
    Ok(csv)
}

fn cells(campaign: &Campaign, status: &'static str, connection: Option<&Connection>) -> [Cell; 15] {
    let digits = |amount| money::form_amount(amount, campaign.currency.code());
    [
        Cell::text(campaign.name.as_str()),
        Cell::text(campaign.id.to_string()),
        Cell::text(campaign.id.platform().display_name()),
        Cell::text(connection.map_or(campaign.account_id.as_str(), Connection::own_name)),
        Cell::text(campaign.account_id.as_str()),
        Cell::text(status),
        Cell::text(campaign.goal.map_or("Another goal", goal_word)),
        Cell::text(campaign.currency.code()),
        Cell::known(campaign.budget_amount.map(digits)),
        Cell::text(money::span_of(campaign.budget_period).trim()),
        Cell::known(campaign.total_spend_amount.map(digits)),
        Cell::known(campaign.start_at.map(in_seconds)),
        Cell::known(campaign.end_at.map(in_seconds)),
        Cell::known(campaign.created_at.map(in_millis)),
        Cell::known(campaign.updated_at.map(in_millis)),
    ]
}

/// A time of a platform, as the API returns it.
fn in_seconds(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second()).unwrap_or(at)
}

/// A time of this service, as the API returns it.
fn in_millis(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

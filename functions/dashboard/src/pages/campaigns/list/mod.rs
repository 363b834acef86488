//! The page of all campaigns.

use super::filter::Filter;
use super::wire::{Campaign, goal_word};
use crate::accounts::{self, ConnectionError, Failure, platform_name};
use crate::addresses::{self, CAMPAIGNS};
use crate::api::{Api, Pagination, Refusal};
use crate::choice::Choice;
use crate::layout::{self, Layout};
use crate::session::SignedIn;
use askama::Template;
use jiff::Timestamp;
use serde::Deserialize;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "campaigns.html")]
struct CampaignsPage {
    layout: Layout,
    platforms: Vec<Choice>,
    statuses: Vec<Choice>,
    /// The query string of this page, with which a form in a row comes back to it.
    list: String,
    rows: Vec<Row>,
    failures: Vec<Failure>,
    /// The list that the API refused.
    refusal: Option<Refusal>,
    is_connected: bool,
    is_filtered: bool,
    first_page: Option<String>,
    next_page: Option<String>,
}

struct Row {
    id: String,
    name: String,
    path: String,
    platform: String,
    account: String,
    tone: &'static str,
    status: &'static str,
    budget: String,
    goal: &'static str,
    next_status: Option<(&'static str, &'static str)>,
}

#[derive(Default, Deserialize)]
struct CampaignList {
    unified: Vec<Campaign>,
    pagination: Pagination,
    #[serde(default)]
    errors: Vec<ConnectionError>,
}

/// Shows the page. It renders even if the API refuses the list.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let filter = Filter::of(&request.query);
    let api = Api::new(request, person);
    let target = filter.target();
    let (list, connected) = tokio::join!(api.read::<CampaignList>(&target), accounts::connections(&api));
    let (list, refusal) = list.map_or_else(|refusal| (CampaignList::default(), Some(refusal)), |list| (list, None));
    let is_connected = connected.as_ref().map_or(true, |connections| !connections.is_empty());
    let connections = connected.unwrap_or_default();
    let layout = Layout::signed_in(request, "Campaigns", CAMPAIGNS, person);
    let template = CampaignsPage {
        platforms: filter.platforms(),
        statuses: filter.statuses(),
        list: filter.list(),
        rows: list.unified.into_iter().map(|campaign| row(campaign, request.now)).collect(),
        failures: list.errors.into_iter().map(|error| Failure::new(error, &connections)).collect(),
        refusal,
        is_connected,
        is_filtered: filter.is_filtered(),
        first_page: filter.is_continued().then(|| filter.at(None).path()),
        next_page: list.pagination.next_cursor.map(|cursor| filter.at(Some(cursor)).path()),
        layout,
    };
    Ok(layout::show(request, &template))
}

fn row(campaign: Campaign, now: Timestamp) -> Row {
    Row {
        path: addresses::campaign(&campaign.id),
        platform: platform_name(&campaign.platform).to_owned(),
        tone: campaign.tone(now),
        status: campaign.status_word(now),
        budget: campaign.budget(),
        goal: goal_word(&campaign.goal),
        next_status: campaign.next_status(),
        id: campaign.id,
        name: campaign.name,
        account: campaign.organization_id,
    }
}

#[cfg(test)]
mod tests;

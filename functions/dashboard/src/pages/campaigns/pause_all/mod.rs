//! Pauses everything: the page that confirms it, and its form, which pauses once for the form's idempotency key.

mod active;

use super::bulk::reply_started;
use crate::client::accounts::{self, Failure};
use crate::client::api::{Api, Refusal};
use crate::client::campaigns::{BulkTargets, set_statuses};
use crate::client::changes;
use crate::client::notice::Notice;
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::addresses::{CAMPAIGNS, PAUSE_ALL};
use crate::kit::campaign::Switch;
use crate::kit::campaign_forms::KEY_FIELD;
use crate::pages::campaigns::filter::Filter;
use crate::pages::layout::{self, Layout};
use active::ActiveCampaigns;
use askama::Template;
use shared::domain::{Action, CampaignStatus, Change};
use shared::envelope::WebReply;
use shared::envelope::query::{pairs, value};
use shared::error::Error;
use shared::serve::WebRequest;
use uuid::Uuid;

/// The scheduled changes, as many as one page of the API has.
const SCHEDULED: &str = "/v1/changes?state=scheduled&limit=100";

#[derive(Template)]
#[template(path = "pages/campaigns/pause_all/pause_all.html")]
struct PauseAllPage {
    layout: Layout,
    /// The list that the person came from: its query string, and its address.
    list: String,
    list_path: String,
    /// Makes a double click or a reload pause once.
    key: String,
    /// The active campaigns for people.
    campaigns: String,
    /// What their known budgets come to a day, in each currency.
    sums: Vec<String>,
    /// The names of the first ones, and what is said of the others.
    names: Vec<String>,
    others: Option<String>,
    /// It is certain that no campaign is active.
    is_none: bool,
    /// Where none is active: whether scheduled activations wait, or may wait, which a pause would cancel.
    has_activations: bool,
    failures: Vec<Failure>,
    /// Why the campaigns could not be counted.
    refusal: Option<Refusal>,
}

/// Shows what would be paused.
pub(crate) async fn confirm(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let api = Api::new(request, person);
    let (active, connections) = tokio::join!(ActiveCampaigns::count(&api, request.now), accounts::connections(&api));
    let (active, refusal) = match active {
        Ok(active) => (active, None),
        Err(refusal) => (ActiveCampaigns { is_cut: true, ..ActiveCampaigns::default() }, Some(refusal)),
    };
    // Without the connections an account has the name of its platform.
    let connections = connections.unwrap_or_default();
    let has_activations = active.is_none() && may_have_activations(&api).await;
    let layout = Layout::signed_in(request, "Pause everything", CAMPAIGNS, person);
    let list = Filter::of(&pairs(value(&request.query, "list")));
    let template = PauseAllPage {
        list_path: list.path(),
        list: list.list(),
        key: layout.value(KEY_FIELD).map_or_else(|| Uuid::new_v4().to_string(), str::to_owned),
        campaigns: active.words(),
        sums: active.sums(),
        others: active.others(),
        is_none: active.is_none(),
        has_activations,
        names: active.names,
        failures: active.errors.into_iter().map(|error| Failure::new(error, &connections)).collect(),
        refusal,
        layout,
    };
    Ok(layout::show(request, &template))
}

/// Whether a scheduled change may activate a campaign: one does, or not all are known.
async fn may_have_activations(api: &Api<'_>) -> bool {
    let activates = |change: &Change| match &change.action {
        Action::Update(changes) => changes.status == Some(CampaignStatus::Active),
        Action::Create(_) | Action::Delete => false,
    };
    match changes::list(api, SCHEDULED).await {
        Ok(list) => list.next_cursor.is_some() || list.changes.iter().any(activates),
        Err(_) => true,
    }
}

/// Pauses everything that is active, and leads to the page that shows how far it is.
pub(crate) async fn pause_all(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let Some(key) = value(&form, KEY_FIELD).filter(|key| !key.is_empty()) else {
        let message = "The form is incomplete, so nothing is paused. Send it again.".to_owned();
        return Ok(Notice { message, ..Notice::default() }.then(PAUSE_ALL));
    };
    let api = Api::new(request, person);
    let started = set_statuses(&api, Switch::Pause, BulkTargets::All, key).await;
    if let Ok(started) = &started {
        readings::note_pause_of_all(request, person.customer(), started.bulk).await;
    }
    Ok(reply_started(started, Switch::Pause, key, PAUSE_ALL.to_owned(), &Filter::of_form(&form)))
}

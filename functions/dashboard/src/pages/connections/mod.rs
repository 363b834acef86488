//! Connections: connect buttons, the list with states and reasons, forms to check and name, and for what new campaigns have,
//! and a page that removes one.

mod new_campaigns;
mod removal;
mod rename;
mod words;

pub(crate) use new_campaigns::set_defaults;
pub(crate) use removal::{remove, show_removal};
pub(crate) use rename::rename;

use crate::client::api::Api;
use crate::client::connections;
use crate::client::notice::Notice;
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::addresses::{CONNECTIONS, USER, of_user};
use crate::kit::connections::{ConnectionSummary, broken};
use crate::kit::plans::no_room;
use crate::kit::text::readable_text;
use crate::pages::layout::{self, Layout};
use askama::Template;
use new_campaigns::NewCampaigns;
use secrecy::ExposeSecret;
use shared::app::App;
use shared::domain::{Connection, ConnectionStatus, Platform};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use words::{ConsentOutcome, checked, not_begun, outcome};

/// Connections on one page, so that it stays small for a customer with many.
const PAGE_SIZE: usize = 25;

#[derive(Template)]
#[template(path = "pages/connections/connections.html")]
struct ConnectionsPage {
    layout: Layout,
    platforms: Vec<(&'static str, &'static str)>,
    /// The outcome of the platform's consent page.
    outcome: Option<ConsentOutcome>,
    /// What to do if the plan has no room for another connection.
    full: Option<String>,
    total: usize,
    first: usize,
    rows: Vec<ConnectionRow>,
    previous: Option<usize>,
    next: Option<usize>,
}

/// A connection, with what its forms show.
struct ConnectionRow {
    summary: ConnectionSummary,
    /// The customer's own name for it, for the form that renames it.
    label: String,
    /// What it is called without that name.
    on_platform: String,
    /// The page that removes it.
    removal: String,
    /// Name and page of the user to whom it belongs.
    user: Option<(String, String)>,
    /// What its new campaigns have; `None` while its consent is not complete.
    new_campaigns: Option<NewCampaigns>,
    last_synced_at: String,
}

impl ConnectionRow {
    fn of(connection: Connection) -> ConnectionRow {
        let summary = ConnectionSummary::of(&connection);
        let on_platform = rename::on_platform(&connection);
        let Connection { platform, status, label, external_ref, campaign_defaults, last_synced_at, .. } = connection;
        let is_connected = status != ConnectionStatus::Pending;
        ConnectionRow {
            removal: removal::path(&summary),
            summary,
            label: label.unwrap_or_default(),
            on_platform,
            user: external_ref.map(|user| (user.to_string(), of_user(USER, &user))),
            new_campaigns: if is_connected { NewCampaigns::of(platform, campaign_defaults) } else { None },
            last_synced_at: readable_text(last_synced_at, "never"),
        }
    }
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let all = connections::list(&Api::new(request, person)).await.map_err(layout::failed)?;
    let mut all: Vec<ConnectionRow> = all.into_iter().map(ConnectionRow::of).collect();
    all.sort_by_key(|row| row.summary.rank());
    let page = value(&request.query, "page").and_then(|page| page.parse::<usize>().ok()).unwrap_or(1).max(1);
    let total = all.len();
    let first = (page - 1).saturating_mul(PAGE_SIZE);
    let broken = broken(all.iter().map(|row| &row.summary));
    let template = ConnectionsPage {
        // The list is newer than what the menu has read.
        layout: Layout { broken, ..Layout::signed_in(request, "Connections", CONNECTIONS, person) },
        platforms: platforms(&request.app),
        outcome: outcome(&request.query, &all, &person.account),
        full: no_room(&person.account),
        total,
        first: first + 1,
        rows: all.into_iter().skip(first).take(PAGE_SIZE).collect(),
        previous: (page > 1).then(|| page - 1),
        next: (first.saturating_add(PAGE_SIZE) < total).then_some(page + 1),
    };
    Ok(layout::show_with_targets(request, &template, connections::consent_origins(&request.app)))
}

/// Leads to the platform's consent page.
pub(crate) async fn connect(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let platform = value(&form, "platform").unwrap_or_default();
    let back = request.public_url(CONNECTIONS)?;
    Ok(match connections::authorize(&Api::new(request, person), platform, &back).await {
        Ok(consent) => {
            // What could not be read before the consent is read again after it.
            readings::note_any(request, person.customer()).await;
            WebReply::see_other(consent.expose_secret())
        }
        Err(refusal) => not_begun(refusal, &person.account).then(CONNECTIONS),
    })
}

/// Checks all connections with their platforms.
pub(crate) async fn sync(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let synced = connections::sync(&Api::new(request, person)).await;
    let notice = synced.map_or_else(|refusal| Notice::failure(refusal, &[]), |synced| checked(&synced));
    Ok(notice.then(CONNECTIONS))
}

/// The platforms that the operator has set up: the name in the API, and the product's.
fn platforms(app: &App) -> Vec<(&'static str, &'static str)> {
    let is_set_up = |platform: &Platform| app.platform_config(*platform).is_some();
    Platform::ALL.into_iter().filter(is_set_up).map(|platform| (platform.as_str(), platform.display_name())).collect()
}

/// The connection of a form.
fn id(form: &[(String, String)]) -> &str {
    value(form, "id").unwrap_or_default()
}

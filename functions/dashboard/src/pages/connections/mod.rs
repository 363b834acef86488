//! Connections: connect buttons, the list with states and reasons, and forms to check, name and remove, and
//! for what new campaigns have.

mod new_campaigns;
mod row;
mod words;

pub(crate) use new_campaigns::set_defaults;
pub(crate) use row::Row;

use crate::client::api::Api;
use crate::client::notice::Notice;
use crate::client::overview;
use crate::client::session::SignedIn;
use crate::kit::addresses::CONNECTIONS;
use crate::kit::plans::no_room;
use crate::pages::layout::{self, Layout};
use askama::Template;
use row::Connection;
use secrecy::{ExposeSecret, SecretString};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use shared::app::App;
use shared::domain::Platform;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::platforms::adapter;
use shared::platforms::oauth::AuthorizeRequest;
use shared::serve::WebRequest;
use url::Url;
use words::{Outcome, Synced, checked, not_begun, outcome};

/// Connections on one page, so that it stays small for a customer with many.
const PAGE_SIZE: usize = 25;

#[derive(Template)]
#[template(path = "pages/connections/connections.html")]
struct ConnectionsPage {
    layout: Layout,
    platforms: Vec<(&'static str, &'static str)>,
    /// The outcome of the platform's consent page.
    outcome: Option<Outcome>,
    /// What to do if the plan has no room for another connection.
    full: Option<String>,
    total: usize,
    first: usize,
    rows: Vec<Row>,
    previous: Option<usize>,
    next: Option<usize>,
}

#[derive(Deserialize)]
struct ConnectionList {
    connections: Vec<Connection>,
}

#[derive(Deserialize)]
struct Authorize {
    authorize_url: SecretString,
}

#[derive(Serialize)]
struct Label<'a> {
    label: Option<&'a str>,
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let all = all(request, person).await?;
    let page = value(&request.query, "page").and_then(|page| page.parse::<usize>().ok()).unwrap_or(1).max(1);
    let total = all.len();
    let first = (page - 1).saturating_mul(PAGE_SIZE);
    let template = ConnectionsPage {
        // The list is newer than what the menu has read.
        layout: Layout { broken: broken(&all), ..Layout::signed_in(request, "Connections", CONNECTIONS, person) },
        platforms: platforms(&request.app),
        outcome: outcome(&request.query, &all, &person.account),
        full: no_room(&person.account),
        total,
        first: first + 1,
        rows: all.into_iter().skip(first).take(PAGE_SIZE).collect(),
        previous: (page > 1).then(|| page - 1),
        next: (first.saturating_add(PAGE_SIZE) < total).then_some(page + 1),
    };
    Ok(layout::show_with_targets(request, &template, consent_origins(&request.app)))
}

/// Leads to the platform's consent page.
pub(crate) async fn connect(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let platform = layout::path_segment(value(&form, "platform").unwrap_or_default());
    let back = layout::path_segment(&request.public_url(CONNECTIONS)?);
    let target = format!("/v1/connections/{platform}/authorize?redirect_uri={back}");
    Ok(match Api::new(request, person).get::<Authorize>(&target).await {
        Ok(consent) => {
            // What could not be read before the consent is read again after it.
            overview::note_any(request, person.customer()).await;
            WebReply::see_other(consent.authorize_url.expose_secret())
        }
        Err(refusal) => not_begun(refusal, &person.account).then(CONNECTIONS),
    })
}

/// Checks all connections with their platforms.
pub(crate) async fn sync(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let synced = Api::new(request, person).act::<Synced>("POST", "/v1/connections/sync").await;
    let notice = synced.map_or_else(|refusal| Notice::failure(refusal, &[]), |synced| checked(&synced));
    Ok(notice.then(CONNECTIONS))
}

/// Sets or removes the label of a connection.
pub(crate) async fn label(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let label = value(&form, "label").map(str::trim).filter(|label| !label.is_empty());
    let labelled = Api::new(request, person).change::<IgnoredAny>("PATCH", &target(&form), &Label { label }).await;
    Ok(match labelled {
        Ok(_) => Notice::success("The label is saved."),
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(CONNECTIONS))
}

/// Removes a connection.
pub(crate) async fn remove(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let removed = Api::new(request, person).act::<IgnoredAny>("DELETE", &target(&form)).await;
    Ok(match removed {
        Ok(_) => Notice::success("The connection is removed. Its campaigns stay at the platform as they are."),
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(CONNECTIONS))
}

/// All connections, those that need a person first.
pub(crate) async fn all(request: &WebRequest, person: &SignedIn) -> Result<Vec<Row>, Error> {
    let list: ConnectionList = Api::new(request, person).get("/v1/connections").await.map_err(layout::failed)?;
    let mut rows: Vec<Row> = list.connections.into_iter().filter_map(Row::of).collect();
    rows.sort_by_key(|row| (!row.needs_consent, row.reason.is_empty()));
    Ok(rows)
}

/// The number of connections that need a person.
pub(crate) fn broken(rows: &[Row]) -> usize {
    rows.iter().filter(|row| row.needs_consent).count()
}

/// The platforms that the operator has set up: the name in the API, and the product's.
pub(crate) fn platforms(app: &App) -> Vec<(&'static str, &'static str)> {
    let is_set_up = |platform: &Platform| app.platform_config(*platform).is_some();
    Platform::ALL.into_iter().filter(is_set_up).map(|platform| (platform.as_str(), platform.display_name())).collect()
}

/// The origins of the consent pages, at which the connect forms end.
pub(crate) fn consent_origins(app: &App) -> Vec<String> {
    // A verifier has at least 43 characters (RFC 7636, section 4.1).
    let blank = SecretString::from("0".repeat(43));
    let origin = |platform: Platform| {
        let request = AuthorizeRequest { redirect_uri: "https://localhost/", state: &blank, verifier: &blank };
        let url = adapter(platform).authorize_url(app.platform_config(platform)?, &request).ok()?;
        Some(Url::parse(&url).ok()?.origin().ascii_serialization())
    };
    let mut origins: Vec<String> = Platform::ALL.into_iter().filter_map(origin).collect();
    origins.sort();
    origins.dedup();
    origins
}

fn target(form: &[(String, String)]) -> String {
    format!("/v1/connections/{}", layout::path_segment(value(form, "id").unwrap_or_default()))
}

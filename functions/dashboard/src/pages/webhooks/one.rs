//! The page of an endpoint: settings, test, secret, deliveries, replay.

use super::PATH;
use super::deliveries::{self, DeliveryList, STATUSES};
use super::endpoint::{self, find};
use super::form::EndpointForm;
use super::secret::NEW_SECRET;
use crate::client::api::{Api, Refusal};
use crate::client::session::SignedIn;
use crate::client::shown_once::{open, token};
use crate::kit::addresses::{WEBHOOKS, sign_in_again, webhook};
use crate::kit::choice::{Choice, choices_in_force};
use crate::kit::list_filter::ListFilter;
use crate::pages::layout::{self, Layout, path_segment};
use askama::Template;
use secrecy::{ExposeSecret, SecretString};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// Deliveries on a page. Each may have 20 attempts with 1 KB of an answer.
const ROWS: usize = 20;

#[derive(Template)]
#[template(path = "pages/webhooks/webhook.html")]
struct WebhookPage {
    layout: Layout,
    endpoint: endpoint::Row,
    new_secret: Option<SecretString>,
    /// Whether the person signed in recently enough to replace the secret and to change the URL.
    is_recent: bool,
    sign_in_again: String,
    /// The secret that the form replaces, and the token that makes a double click replace it once.
    version: i64,
    token: String,
    form: EndpointForm,
    filter: ListFilter,
    statuses: Vec<Choice>,
    rows: Vec<deliveries::Row>,
    /// Why the API has refused the rows.
    refusal: Option<Refusal>,
    older: Option<String>,
}

/// Shows the page. It renders even if the API refuses the deliveries.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let id = value(&request.query, "id").unwrap_or_default();
    let filter = deliveries::filter(id, &request.query);
    let target = filter.api_target(&format!("{PATH}/{}/deliveries", path_segment(id)), ROWS);
    let api = Api::new(request, person);
    let (found, list) = tokio::join!(find(request, person, id), api.get::<DeliveryList>(&target));
    let (endpoint, health) = found?;
    let (list, refusal) = list.map_or_else(|refusal| (DeliveryList::default(), Some(refusal)), |list| (list, None));
    let layout = Layout::signed_in(request, "Webhook endpoint", WEBHOOKS, person);
    let shown = endpoint::Row::new(&endpoint, &health, request.now);
    let row = |delivery| deliveries::row(delivery, shown.is_enabled, request.now);
    let template = WebhookPage {
        rows: list.deliveries.into_iter().map(row).collect(),
        older: list.pagination.next_cursor.map(|cursor| filter.older(&cursor)),
        statuses: choices_in_force(STATUSES, deliveries::chosen(&filter)),
        new_secret: open(layout.notice.as_ref(), NEW_SECRET),
        is_recent: person.session.is_recent(request.now),
        sign_in_again: sign_in_again(&webhook(id)),
        version: endpoint.secret_version(),
        token: token(layout.notice.as_ref()),
        form: EndpointForm::new(layout.notice.as_ref(), Some(&endpoint)),
        endpoint: shown,
        filter,
        refusal,
        layout,
    };
    Ok(layout::show(request, &template))
}

//! The page of an endpoint: settings, test, secret, deliveries, replay.

use super::deliveries;
use super::form::EndpointForm;
use super::secret::NEW_SECRET;
use crate::client::api::{Api, Refusal};
use crate::client::one_time_secret::{open, token};
use crate::client::session::SignedIn;
use crate::client::webhooks::{self, deliveries_path, find};
use crate::kit::addresses::{WEBHOOKS, sign_in_again, webhook};
use crate::kit::choice::Choice;
use crate::kit::list_filter::ListFilter;
use crate::kit::webhook_endpoint::EndpointRow;
use crate::pages::layout::{self, Layout};
use askama::Template;
use secrecy::{ExposeSecret, SecretString};
use shared::envelope::query::value;
use shared::envelope::{DeliveryList, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;

/// Deliveries on a page. Each may have 20 attempts with 1 KB of an answer.
const ROWS: usize = 20;

#[derive(Template)]
#[template(path = "pages/webhooks/webhook.html")]
struct WebhookPage {
    layout: Layout,
    endpoint: EndpointRow,
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
    rows: Vec<deliveries::DeliveryRow>,
    /// Why the API has refused the rows.
    refusal: Option<Refusal>,
    older: Option<String>,
}

/// Shows the page. It renders even if the API refuses the deliveries.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let id = value(&request.query, "id").unwrap_or_default();
    let filter = deliveries::filter(id, &request.query);
    let target = filter.api_target(&deliveries_path(id), ROWS);
    let api = Api::new(request, person);
    let (found, list) = tokio::join!(find(request, person, id), webhooks::deliveries(&api, &target));
    let (endpoint, health) = found?;
    let (DeliveryList { deliveries: list, next_cursor }, refusal) = match list {
        Ok(list) => (list, None),
        Err(refusal) => (DeliveryList { deliveries: Vec::new(), next_cursor: None }, Some(refusal)),
    };
    let layout = Layout::signed_in(request, "Webhook endpoint", WEBHOOKS, person);
    let shown = EndpointRow::new(&endpoint, &health, request.now);
    let row = |delivery| deliveries::row(delivery, shown.is_enabled, request.now);
    let template = WebhookPage {
        rows: list.into_iter().map(row).collect(),
        older: next_cursor.map(|cursor| filter.older(&cursor)),
        statuses: deliveries::statuses(&filter),
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

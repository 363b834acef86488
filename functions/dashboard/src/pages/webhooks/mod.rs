//! Webhooks: the endpoints that receive signed events, and a page for each with its settings and deliveries.

mod actions;
mod deliveries;
mod form;
mod one;
mod secret;
mod types;

use crate::client::one_time_secret::token;
use crate::client::session::SignedIn;
use crate::client::webhooks::with_health;
use crate::kit::addresses::{WEBHOOKS, sign_in_again};
use crate::kit::webhook_endpoint::EndpointRow;
use crate::pages::layout::{self, Layout};
pub(crate) use actions::{change, delete, replay, resume, set_status, test};
use askama::Template;
use form::EndpointForm;
pub(crate) use form::FIELDS;
pub(crate) use one::show as show_one;
pub(crate) use secret::{create, rotate};
use shared::domain::MAX_WEBHOOK_ENDPOINTS;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/webhooks/webhooks.html")]
struct WebhooksPage {
    layout: Layout,
    rows: Vec<EndpointRow>,
    most: i64,
    is_full: bool,
    /// Whether the person signed in recently enough to create an endpoint.
    is_recent: bool,
    sign_in_again: String,
    /// Makes a double click or a reload create one endpoint.
    token: String,
    form: EndpointForm,
}

/// Shows the list.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let endpoints = with_health(request, person).await?;
    let layout = Layout::signed_in(request, "Webhooks", WEBHOOKS, person);
    let template = WebhooksPage {
        is_full: i64::try_from(endpoints.len()).is_ok_and(|count| count >= MAX_WEBHOOK_ENDPOINTS),
        rows: endpoints.iter().map(|(endpoint, health)| EndpointRow::new(endpoint, health, request.now)).collect(),
        most: MAX_WEBHOOK_ENDPOINTS,
        is_recent: person.session.is_recent(request.now),
        sign_in_again: sign_in_again(WEBHOOKS),
        token: token(layout.notice.as_ref()),
        form: EndpointForm::new(layout.notice.as_ref(), None),
        layout,
    };
    Ok(layout::show(request, &template))
}

//! The dashboard: pages for the people of a customer. They sign in with OpenID Connect, and every action is a form.

mod accounts;
mod addresses;
mod all_pages;
mod amount;
mod api;
mod assets;
mod changes;
mod chart;
mod choice;
mod csv;
mod draft;
mod exact_request;
mod form_errors;
mod form_fields;
mod insights;
mod kept_form;
mod layout;
mod left;
mod limit;
mod list_filter;
mod money;
mod notice;
mod order;
mod overview;
mod pages;
mod people;
mod plans;
mod requester_choices;
mod routes;
mod session;
mod shown_once;
mod sign_in;
mod words;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::secrets::SecretAccess;
use shared::serve::{IncomingRequest, WebRequest, serve_web};
use std::sync::Arc;

/// The secrets that the function reads.
pub const SECRETS: SecretAccess = SecretAccess::ALL;

/// Handles a request.
pub async fn handle(app: Arc<App>, request: Request) -> Response<Body> {
    serve_web(IncomingRequest::new(app, request), page, layout::error_page).await
}

async fn page(request: &WebRequest) -> Result<WebReply, Error> {
    match assets::find(&request.path) {
        Some(asset) => Ok(asset),
        None => routes::handle(request).await,
    }
}

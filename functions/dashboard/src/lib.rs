//! The dashboard: pages for the people of a customer. They sign in with OpenID Connect, and every action is a form.

mod client;
mod kit;
mod pages;

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
    serve_web(IncomingRequest::new(app, request), page, pages::layout::error_page).await
}

/// The addresses of all pages and files, without those of actions.
pub fn addresses() -> impl Iterator<Item = &'static str> {
    pages::routes::pages()
}

/// The addresses of all actions.
pub fn actions() -> impl Iterator<Item = &'static str> {
    pages::routes::actions()
}

async fn page(request: &WebRequest) -> Result<WebReply, Error> {
    match kit::assets::find(&request.path) {
        Some(asset) => Ok(asset),
        None => pages::routes::handle(request).await,
    }
}

//! The billing endpoints: checkout, portal, status, the customer, and what the payment provider sends.

mod checkout;
mod customer;
mod payer;
mod portal;
mod refresh;
mod returned;
mod status;
mod webhook;

use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::envelope::Reply;
use shared::error::Error;
use shared::routes::is_public;
use shared::serve::{Call, PublicCall, serve, serve_public};
use std::sync::Arc;

/// Answers one request.
pub async fn answer(app: Arc<App>, request: Request) -> Response<Body> {
    if is_public(request.uri().path()) {
        return serve_public(app, request, public_route).await;
    }
    serve(app, request, route).await
}

async fn route(call: Call) -> Result<Reply, Error> {
    match call.public.operation() {
        ("POST", "/v1/billing/create-checkout-session") => checkout::checkout(&call).await,
        ("POST", "/v1/billing/portal") => portal::portal(&call).await,
        ("GET", "/v1/billing/status") => status::status(&call).await,
        ("GET", "/v1/customer/me") => customer::me(&call).await,
        _ => Err(Error::not_found("path")),
    }
}

/// What carries no key: the provider's webhooks are signed, and who comes back from a purchase only sees a page.
async fn public_route(call: PublicCall) -> Result<Reply, Error> {
    match call.operation() {
        ("POST", "/v1/billing/webhook") => webhook::webhook(&call).await,
        ("GET", "/v1/billing/return") => Ok(returned::returned(&call).await),
        _ => Err(Error::not_found("path")),
    }
}

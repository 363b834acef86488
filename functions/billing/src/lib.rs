//! The billing endpoints: checkout, portal, status, the customer, and what the payment provider sends.

mod checkout;
mod checkout_return;
mod customer;
mod payment_customer;
mod portal;
mod status;
mod subscription_sync;
mod webhook;

use lambda_http::http::Method;
use lambda_http::{Body, Request, Response};
use shared::app::App;
use shared::domain::CustomerId;
use shared::envelope::Reply;
use shared::error::Error;
use shared::routes::is_public;
use shared::serve::{ApiRequest, Call, serve, serve_public, serve_with_prefetch};
use shared::store::BillingRecord;
use std::sync::Arc;

/// Answers one request.
pub async fn answer(app: Arc<App>, request: Request) -> Response<Body> {
    if is_public(request.uri().path()) {
        return serve_public(app, request, public_route).await;
    }
    if request.method() == Method::GET {
        return serve_with_prefetch(app, request, read, tell).await;
    }
    serve(app, request, route).await
}

/// What the endpoints tell that only read.
fn read(call: &ApiRequest, customer: CustomerId) -> impl Future<Output = Result<BillingRecord, Error>> + use<> {
    let app = Arc::clone(&call.app);
    async move { app.store.billing(customer).await }
}

async fn tell(call: Call, billing: Result<BillingRecord, Error>) -> Result<Reply, Error> {
    match call.request.operation() {
        ("GET", "/v1/billing/status") => status::status(&call, billing?),
        ("GET", "/v1/customer/me") => customer::me(&call, billing?),
        _ => Err(Error::not_found("path")),
    }
}

async fn route(call: Call) -> Result<Reply, Error> {
    match call.request.operation() {
        ("POST", "/v1/billing/create-checkout-session") => checkout::checkout(&call).await,
        ("POST", "/v1/billing/portal") => portal::portal(&call).await,
        _ => Err(Error::not_found("path")),
    }
}

/// What carries no key: the provider's webhooks are signed, and who comes back from a purchase only sees a page.
async fn public_route(call: ApiRequest) -> Result<Reply, Error> {
    match call.operation() {
        ("POST", "/v1/billing/webhook") => webhook::webhook(&call).await,
        ("GET", "/v1/billing/return") => Ok(checkout_return::checkout_return(&call).await),
        _ => Err(Error::not_found("path")),
    }
}

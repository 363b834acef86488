//! `stripe`: the payment provider, Stripe's API 2026-10-28.endive, with Checkout and the billing portal as pages.
//!
//! API reference: Authentication, Errors, Idempotent requests, Metadata, Versioning; guides: Fulfill orders, Webhooks.
//! Where they leave the exact wording open, the sandbox takes the strict reading.

mod api;
mod auth;
mod control;
mod delivery;
mod error;
mod events;
mod idempotency;
mod ids;
mod lifecycle;
mod objects;
mod outbox;
mod pages;
mod params;
mod signature;
mod state;

use crate::faults::RequestKind;
use crate::http::{Request, Response};
use crate::service::{RequestContext, Service};
use api::Route;
pub use auth::KEY;
pub(crate) use control::{METHODS, handle as control};
pub(crate) use delivery::{Next, WebhookClient};
use error::StripeError;
use events::Trigger;
use idempotency::KeyedRequest;
use jiff::Timestamp;
pub(crate) use pages::overview::Overview;
pub(crate) use state::{NAME, Stripe};

/// An address of the provider.
enum Address<'r> {
    Api,
    Checkout(&'r str),
    Portal(&'r str),
}

fn address(path: &str) -> Address<'_> {
    match path.strip_prefix('/').and_then(|path| path.split_once('/')) {
        Some(("pay", id)) => Address::Checkout(id),
        Some(("portal", id)) => Address::Portal(id),
        _ => Address::Api,
    }
}

/// The idempotency key of a request that passes authentication and routing.
fn keyed(request: &Request) -> Option<KeyedRequest> {
    api::check_request(request).ok()?;
    Route::of(request)?;
    KeyedRequest::read(request).ok().flatten()
}

impl Service for Stripe {
    fn title(&self) -> &'static str {
        "Stripe"
    }

    fn request_kind(&self, request: &Request) -> RequestKind {
        match address(&request.path) {
            Address::Api => {
                Route::of(request).map_or(RequestKind::Other, |route| RequestKind::Operation(route.operation()))
            }
            Address::Checkout(_) | Address::Portal(_) => RequestKind::Page,
        }
    }

    fn begin(&mut self, request: &Request) -> Option<Response> {
        let entered = keyed(request).is_none_or(|keyed| self.keys.begin(&keyed));
        (!entered).then(|| api::reject(&StripeError::key_in_use(), request).with("stripe-should-retry", "true"))
    }

    fn finish(&mut self, request: &Request, response: &Response, now: Timestamp) {
        let Some(keyed) = keyed(request) else { return };
        self.keys.finish(&keyed);
        // A 500 counts as an execution, so a retry with the same key gets it again.
        if response.status >= 500 {
            self.keys.store(keyed, response, now.as_second());
        }
    }

    fn handle(&mut self, request: &Request, context: &RequestContext<'_>) -> Response {
        let trigger = Trigger::at(context.now.as_second());
        self.expire_due(&trigger);
        match address(&request.path) {
            Address::Checkout(id) => pages::checkout::handle(self, request, id, &trigger),
            Address::Portal(id) => pages::portal::handle(self, request, id, &trigger),
            Address::Api => api::handle(self, request, context),
        }
    }

    fn internal_error(&self, request: &Request) -> Response {
        api::reject(&StripeError::internal(), request)
    }

    fn rate_limited(&self, request: &Request) -> Response {
        api::reject(&StripeError::rate_limited(), request).with("stripe-rate-limited-reason", "endpoint-rate")
    }
}

//! `stripe`: the payment provider, Stripe's API 2026-10-28.endive with Checkout and the billing
//! portal as pages that a person can click.
//!
//! API reference: Authentication, Errors, Idempotent requests, Metadata, Versioning; guides:
//! Fulfill orders, Webhooks. Where they leave the exact wording open, the choice is the strict one.
//!
//! It is no ad platform, but it is recorded and fails like one.

mod api;
mod auth;
mod card;
mod control;
mod customer;
mod delivery;
mod error;
mod events;
mod idempotency;
mod ids;
mod invoice;
mod lifecycle;
mod params;
mod pay_page;
mod portal;
mod portal_page;
mod prices;
mod session;
mod signature;
mod subscription;

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::api::Route;
use self::customer::Customer;
use self::error::StripeError;
use self::events::{Occasion, Outbox};
use self::idempotency::{Keys, Ticket};
use self::portal::Portal;
use self::session::Session;
use self::subscription::Subscription;
use crate::account::AccountSummary;
use crate::faults::Call;
use crate::http::{Reply, Request};
use crate::platform::{Platform, RequestContext, SpendError, Spent};

pub use auth::KEY;
pub(crate) use card::card;
pub(crate) use control::{METHODS, answer as control};
pub(crate) use delivery::{Next, WebhookClient};

/// The wire word.
pub(crate) const WORD: &str = "stripe";

/// All that the provider holds.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Stripe {
    customers: BTreeMap<String, Customer>,
    sessions: BTreeMap<String, Session>,
    portals: BTreeMap<String, Portal>,
    subscriptions: BTreeMap<String, Subscription>,
    /// The ids of the subscriptions, the oldest first.
    order: Vec<String>,
    keys: Keys,
    outbox: Outbox,
}

/// An address of the provider.
enum Address<'r> {
    Api,
    Pay(&'r str),
    Portal(&'r str),
}

fn address(path: &str) -> Address<'_> {
    match path.strip_prefix('/').and_then(|path| path.split_once('/')) {
        Some(("pay", id)) => Address::Pay(id),
        Some(("portal", id)) => Address::Portal(id),
        _ => Address::Api,
    }
}

/// The ticket of a request that would get as far as its key.
fn ticket(request: &Request) -> Option<Ticket> {
    api::admitted(request).ok()?;
    Route::of(request)?;
    Ticket::of(request).ok().flatten()
}

impl Platform for Stripe {
    fn title(&self) -> &'static str {
        "Stripe"
    }

    fn call(&self, request: &Request) -> Call {
        match address(&request.path) {
            Address::Api => Route::of(request).map_or(Call::Other, |route| Call::Known(route.operation())),
            Address::Pay(_) | Address::Portal(_) => Call::Consent,
        }
    }

    fn enter(&mut self, request: &Request) -> Option<Reply> {
        let entered = ticket(request).is_none_or(|ticket| self.keys.enter(&ticket));
        (!entered).then(|| api::refused(&StripeError::key_in_use(), request).with("stripe-should-retry", "true"))
    }

    fn leave(&mut self, request: &Request, reply: &Reply, now: Timestamp) {
        let Some(ticket) = ticket(request) else { return };
        self.keys.leave(&ticket);
        // A failure inside is an execution, and so it is what the key gives from now on.
        if reply.status >= 500 {
            self.keys.keep(ticket, reply, now.as_second());
        }
    }

    fn answer(&mut self, request: &Request, moment: &RequestContext<'_>) -> Reply {
        let occasion = Occasion::at(moment.now.as_second());
        self.expire_due(&occasion);
        match address(&request.path) {
            Address::Pay(id) => pay_page::answer(self, request, id, &occasion),
            Address::Portal(id) => portal_page::answer(self, request, id, &occasion),
            Address::Api => api::answer(self, request, moment),
        }
    }

    fn broken(&self, request: &Request) -> Reply {
        api::refused(&StripeError::broken(), request)
    }

    fn throttled(&self, request: &Request) -> Reply {
        api::refused(&StripeError::too_many(), request).with("stripe-rate-limited-reason", "endpoint-rate")
    }

    /// There are no grants: the fault that would call this is refused.
    fn revoke_used(&mut self, _: &Request) {}

    fn open_account(&mut self, _: &str) -> Option<AccountSummary> {
        None
    }

    fn accounts(&self) -> Vec<AccountSummary> {
        Vec::new()
    }

    fn spend(&mut self, _: &str, _: &str, _: Timestamp) -> Result<Spent, SpendError> {
        Err(SpendError::Unknown)
    }

    fn campaigns(&self, _: Timestamp) -> Vec<Value> {
        Vec::new()
    }
}

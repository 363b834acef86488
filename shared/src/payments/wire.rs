//! The provider's objects as published, as far as they are read: API 2026-10-28.endive,
//! <https://docs.stripe.com/api>.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The version of the API that these types are of. The webhook endpoint is made with the same one.
pub const VERSION: &str = "2026-10-28.endive";

/// Another object: its id, or the whole of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Reference {
    /// Its id.
    Id(String),
    /// The whole of it.
    Whole {
        /// Its id.
        id: String,
    },
}

impl Reference {
    /// The object's id.
    pub fn id(&self) -> &str {
        match self {
            Reference::Id(id) | Reference::Whole { id } => id,
        }
    }
}

/// A customer: <https://docs.stripe.com/api/customers/object>.
#[derive(Clone, Debug, Deserialize)]
pub struct Customer {
    /// `cus_…`.
    pub id: String,
}

/// A checkout session: <https://docs.stripe.com/api/checkout/sessions/object>.
#[derive(Clone, Debug, Deserialize)]
pub struct CheckoutSession {
    /// `cs_…`.
    pub id: String,
    /// `payment`, `setup` or `subscription`.
    pub mode: String,
    /// `open`, `complete` or `expired`.
    pub status: Option<String>,
    /// `paid`, `unpaid` or `no_payment_required`.
    pub payment_status: String,
    /// Where to pay; null once it is complete or expired.
    pub url: Option<String>,
    /// Who pays.
    pub customer: Option<Reference>,
}

/// A portal session: <https://docs.stripe.com/api/customer_portal/sessions/object>.
#[derive(Clone, Debug, Deserialize)]
pub struct PortalSession {
    /// Where the portal is.
    pub url: String,
}

/// A subscription: <https://docs.stripe.com/api/subscriptions/object>.
#[derive(Clone, Debug, Deserialize)]
pub struct Subscription {
    /// `sub_…`.
    pub id: String,
    /// One of eight words, and perhaps more some day.
    pub status: String,
    /// When it was made, in seconds since 1970.
    pub created: i64,
    /// Whether it ends with its period.
    pub cancel_at_period_end: bool,
    /// What is paid for.
    pub items: List<Item>,
}

/// One line of a subscription: <https://docs.stripe.com/api/subscription_items/object>.
#[derive(Clone, Debug, Deserialize)]
pub struct Item {
    /// `si_…`.
    pub id: String,
    /// What it costs.
    pub price: Price,
    /// Seconds since 1970.
    pub current_period_start: i64,
    /// Seconds since 1970.
    pub current_period_end: i64,
}

/// A price: <https://docs.stripe.com/api/prices/object>.
#[derive(Clone, Debug, Deserialize)]
pub struct Price {
    /// `price_…`.
    pub id: String,
}

/// A page of objects: <https://docs.stripe.com/api/pagination>.
#[derive(Clone, Debug, Deserialize)]
pub struct List<T> {
    /// The objects.
    pub data: Vec<T>,
    /// Whether there are more after the last one.
    pub has_more: bool,
}

/// An event: <https://docs.stripe.com/api/events/object>.
#[derive(Clone, Debug, Deserialize)]
pub struct Event {
    /// `evt_…`.
    pub id: String,
    /// `customer.subscription.updated` and many others.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is about.
    pub data: EventData,
}

/// The part of an event that holds its object.
#[derive(Clone, Debug, Deserialize)]
pub struct EventData {
    /// The object as it was when the event happened: of some kinds an [`EventObject`].
    pub object: Value,
}

/// What checkout sessions, subscriptions and invoices say alike: whose they are.
#[derive(Clone, Debug, Deserialize)]
pub struct EventObject {
    /// Who pays.
    pub customer: Option<Reference>,
    /// Our customer, on a checkout session.
    pub client_reference_id: Option<String>,
    /// Our customer again, as `account`.
    #[serde(default)]
    pub metadata: Option<BTreeMap<String, String>>,
}

/// A refusal: <https://docs.stripe.com/api/errors>.
#[derive(Debug, Deserialize)]
pub(super) struct ErrorBody {
    pub(super) error: Refusal,
}

/// What a refusal says. Its message is not read: it may quote the key.
#[derive(Debug, Deserialize)]
pub(super) struct Refusal {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) code: Option<String>,
    pub(super) param: Option<String>,
}

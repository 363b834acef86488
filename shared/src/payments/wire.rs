//! The objects of the payment provider's API, version 2026-10-28.endive, with the fields that are read:
//! <https://docs.stripe.com/api>.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The API version of these types. The webhook endpoint must have the same one.
pub(super) const VERSION: &str = "2026-10-28.endive";

/// A reference to another object, which may be expanded: <https://docs.stripe.com/api/expanding_objects>.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum Expandable {
    Id(String),
    Object { id: String },
}

impl Expandable {
    /// The object's id.
    pub(super) fn id(&self) -> &str {
        match self {
            Expandable::Id(id) | Expandable::Object { id } => id,
        }
    }
}

/// Maximum length of an object's id: <https://docs.stripe.com/upgrades#what-changes-does-stripe-consider-to-be-backward-compatible>.
const MAX_ID_LENGTH: usize = 255;

/// Whether a text can be the id of an object. An id becomes part of addresses and of keys in the table.
pub(super) fn is_object_id(text: &str) -> bool {
    let is_id_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    (1..=MAX_ID_LENGTH).contains(&text.len()) && text.bytes().all(is_id_byte)
}

/// A customer: <https://docs.stripe.com/api/customers/object>.
#[derive(Clone, Debug, Deserialize)]
pub struct Customer {
    /// `cus_…`.
    pub id: String,
    /// Whether it is deleted. A deleted customer buys nothing any more.
    #[serde(default)]
    pub deleted: bool,
}

/// A checkout session: <https://docs.stripe.com/api/checkout/sessions/object>.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct CheckoutSession {
    /// `cs_…`.
    pub(super) id: String,
    /// `payment`, `setup` or `subscription`.
    pub(super) mode: String,
    /// `open`, `complete` or `expired`.
    pub(super) status: Option<String>,
    /// `paid`, `unpaid` or `no_payment_required`.
    pub(super) payment_status: String,
    /// The page of the session; null once it is complete or expired.
    pub(super) url: Option<String>,
    /// The customer at the provider.
    pub(super) customer: Option<Expandable>,
}

/// A portal session: <https://docs.stripe.com/api/customer_portal/sessions/object>.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct PortalSession {
    /// The page of the portal.
    pub(super) url: String,
}

/// A subscription: <https://docs.stripe.com/api/subscriptions/object>.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Subscription {
    /// `sub_…`.
    pub(super) id: String,
    /// One of eight values; new ones may be added.
    pub(super) status: String,
    /// Creation time in seconds since 1970.
    pub(super) created: i64,
    /// Whether it ends with the current period.
    pub(super) cancel_at_period_end: bool,
    pub(super) items: List<Item>,
}

/// An item of a subscription: <https://docs.stripe.com/api/subscription_items/object>.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Item {
    /// `si_…`.
    pub(super) id: String,
    pub(super) price: Price,
    /// Seconds since 1970.
    pub(super) current_period_start: i64,
    /// Seconds since 1970.
    pub(super) current_period_end: i64,
}

/// A price: <https://docs.stripe.com/api/prices/object>.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Price {
    /// `price_…`.
    pub(super) id: String,
}

/// A price of the catalogue: <https://docs.stripe.com/api/prices/object>.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct CataloguePrice {
    /// `usd`.
    pub(super) currency: String,
    /// In the smallest unit of the currency; null for a price that is finer, or that has tiers.
    pub(super) unit_amount: Option<i64>,
    /// Null for a price that is paid once.
    pub(super) recurring: Option<Recurring>,
}

/// How often a price is paid.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Recurring {
    /// `day`, `week`, `month` or `year`.
    pub(super) interval: String,
    pub(super) interval_count: u32,
}

/// A page of objects: <https://docs.stripe.com/api/pagination>.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct List<T> {
    /// The objects.
    pub(super) data: Vec<T>,
    /// Whether there is another page.
    pub(super) has_more: bool,
}

/// An event: <https://docs.stripe.com/api/events/object>.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Event {
    /// `evt_…`.
    pub(super) id: String,
    /// `customer.subscription.updated` and many others.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// The object of the event.
    pub(super) data: EventData,
}

/// The object of an event.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct EventData {
    /// The object at the time of the event; for the handled types an [`EventObject`].
    pub(super) object: Value,
}

/// The fields that checkout sessions, subscriptions and invoices share: their customer.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct EventObject {
    /// The customer at the provider.
    pub(super) customer: Option<Expandable>,
    /// Our customer id, on a checkout session.
    pub(super) client_reference_id: Option<String>,
    /// Our customer id, as `account`.
    pub(super) metadata: Option<BTreeMap<String, String>>,
}

/// The body of an error response: <https://docs.stripe.com/api/errors>.
#[derive(Debug, Deserialize)]
pub(super) struct ErrorBody {
    pub(super) error: Refusal,
}

/// An error. Its message is not read: it may quote the API key.
#[derive(Debug, Deserialize)]
pub(super) struct Refusal {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) code: Option<String>,
    pub(super) param: Option<String>,
}

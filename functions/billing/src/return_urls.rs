//! The URLs to which the payment provider's pages lead back: the dashboard for a person who came from it, or else a page
//! that anyone can load.

use shared::auth::Caller;
use shared::payments::SESSION_ID_PLACEHOLDER;

/// The page that anyone can load.
const RETURN: &str = "/v1/billing/return";
/// The page of the dashboard. Its query names the outcome: one of the constants below.
const DASHBOARD_PAGE: &str = "/dashboard/billing?checkout=";
/// The parameter of the return URL that leads on to the dashboard.
pub(crate) const TO_DASHBOARD: &str = "to_dashboard";

/// The customer has left the checkout without paying.
pub(crate) const CANCELED: &str = "canceled";
/// The customer comes from the portal, or the address names no checkout.
pub(crate) const FROM_PORTAL: &str = "back";
/// The plan applies.
pub(crate) const PAID: &str = "paid";
/// The payment is still being processed.
pub(crate) const PENDING: &str = "pending";
/// Nothing was paid.
pub(crate) const UNPAID: &str = "unpaid";
/// The provider has not confirmed the payment yet.
pub(crate) const UNCONFIRMED: &str = "unconfirmed";
/// There is no such checkout.
pub(crate) const UNKNOWN: &str = "unknown";

/// The path after a checkout that was completed.
pub(crate) fn success_path(caller: &Caller) -> String {
    let to_dashboard = if is_person(caller) { format!("&{TO_DASHBOARD}=yes") } else { String::new() };
    format!("{RETURN}?session_id={SESSION_ID_PLACEHOLDER}{to_dashboard}")
}

/// The path after anything else, with its outcome.
pub(crate) fn return_path(caller: &Caller, outcome: &str) -> String {
    if is_person(caller) { dashboard_page(outcome) } else { RETURN.to_owned() }
}

/// The page of the dashboard that shows an outcome.
pub(crate) fn dashboard_page(outcome: &str) -> String {
    format!("{DASHBOARD_PAGE}{outcome}")
}

fn is_person(caller: &Caller) -> bool {
    matches!(caller, Caller::Session(_))
}

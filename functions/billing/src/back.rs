//! The way back from the pages of the payment provider: to the dashboard for a person who came from it, or to a page
//! that anyone can load.

use shared::auth::Caller;
use shared::payments::SESSION_ID_PLACEHOLDER;

/// The page without the dashboard.
const RETURN: &str = "/v1/billing/return";
/// The page of the dashboard. Its query says what happened.
const OWN_PAGE: &str = "/dashboard/billing?checkout=";
/// The parameter of a return that leads on to the dashboard.
pub(crate) const TO_DASHBOARD: &str = "to_dashboard";

/// The checkout was left.
pub(crate) const CANCELED: &str = "canceled";
/// The portal was left.
pub(crate) const BACK: &str = "back";
/// The plan applies.
pub(crate) const PAID: &str = "paid";
/// The payment is under way.
pub(crate) const PENDING: &str = "pending";
/// Nothing was paid.
pub(crate) const UNPAID: &str = "unpaid";
/// The provider has not told yet.
pub(crate) const UNCONFIRMED: &str = "unconfirmed";
/// There is no such checkout.
pub(crate) const UNKNOWN: &str = "unknown";

/// The path after a checkout that was completed.
pub(crate) fn success_path(caller: &Caller) -> String {
    let on = if is_person(caller) { format!("&{TO_DASHBOARD}=yes") } else { String::new() };
    format!("{RETURN}?session_id={SESSION_ID_PLACEHOLDER}{on}")
}

/// The path after anything else.
pub(crate) fn back_path(caller: &Caller, outcome: &str) -> String {
    if is_person(caller) { own_page(outcome) } else { RETURN.to_owned() }
}

/// The page of the dashboard that tells an outcome.
pub(crate) fn own_page(outcome: &str) -> String {
    format!("{OWN_PAGE}{outcome}")
}

fn is_person(caller: &Caller) -> bool {
    matches!(caller, Caller::Session(_))
}

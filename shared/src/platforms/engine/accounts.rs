//! The parts of listing ad accounts that all platforms share.

use crate::domain::{AdAccount, Currency, Platform};

/// The currency of an ad account; `None`, with a warning, if it is unknown. The account is then left out, because its
/// budgets could be neither read nor written.
pub fn known_currency(platform: Platform, account: &str, code: Option<&str>) -> Option<Currency> {
    let currency = code.and_then(Currency::from_code);
    if currency.is_none() {
        tracing::warn!(%platform, account, "an account in an unknown currency was left out");
    }
    currency
}

/// Sorts accounts by id and removes duplicates.
pub fn by_id(mut accounts: Vec<AdAccount>) -> Vec<AdAccount> {
    accounts.sort_by(|one, other| (&one.id, &one.manager_id).cmp(&(&other.id, &other.manager_id)));
    accounts.dedup_by(|later, earlier| later.id == earlier.id);
    accounts
}

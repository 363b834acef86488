//! Ad accounts: what every platform's list of them has in common.

use crate::domain::{AdAccount, Currency, Platform};

/// The currency of an ad account. An account in an unknown currency is left out with a warning: no budget of it could be
/// read or written.
pub fn known_currency(platform: Platform, account: &str, code: Option<&str>) -> Option<Currency> {
    let currency = code.and_then(Currency::from_code);
    if currency.is_none() {
        tracing::warn!(%platform, account, "an account in an unknown currency was left out");
    }
    currency
}

/// The accounts by id, each once.
pub fn by_id(mut accounts: Vec<AdAccount>) -> Vec<AdAccount> {
    accounts.sort_by(|one, other| (&one.id, &one.manager_id).cmp(&(&other.id, &other.manager_id)));
    accounts.dedup_by(|later, earlier| later.id == earlier.id);
    accounts
}

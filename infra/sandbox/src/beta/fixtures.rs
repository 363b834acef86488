//! The ad accounts of a new sandbox, and those that quirks add.

use super::account::Account;
use super::quirks::{BARE_190, BARE_190_ACCOUNT};
use crate::service::RequestContext;

/// The accounts of a new sandbox, in the order of the consent page.
pub(crate) fn initial_accounts() -> Vec<Account> {
    [
        (1_203_004_005_006_001, "Harbour Coffee", "USD", "America/New_York"),
        (1_203_004_005_006_002, "Harbour Coffee Japan", "JPY", "Asia/Tokyo"),
        (1_203_004_005_006_003, "Harbour Coffee Bahrain", "BHD", "Asia/Bahrain"),
        (1_203_004_005_006_004, "Harbour Coffee Colombia", "COP", "America/Bogota"),
        (1_203_004_005_006_005, "Harbour Coffee Germany", "EUR", "Europe/Berlin"),
    ]
    .map(|(id, name, currency, zone)| Account::new(id, name, currency, zone))
    .into()
}

/// Adds the account of each active quirk, once.
pub(crate) fn add_quirk_accounts(accounts: &mut Vec<Account>, context: &RequestContext<'_>) {
    if context.quirk(BARE_190) && !accounts.iter().any(|account| account.id == BARE_190_ACCOUNT) {
        accounts.push(Account::new(BARE_190_ACCOUNT, "Harbour Coffee Pages", "USD", "America/New_York"));
    }
}

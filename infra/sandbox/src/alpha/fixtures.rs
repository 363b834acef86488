//! The ad accounts of a new sandbox, and those that quirks add.

use super::account::Account;
use super::budget::{Amount, Budget};
use super::campaign::{Campaign, Status, UNSPECIFIED};
use super::quirks::{UNDECLARED, UNDECLARED_CUSTOMER};
use crate::ads::Ads;
use crate::money::MICROS;
use crate::service::RequestContext;
use jiff::Timestamp;
use serde_json::Map;
use std::collections::BTreeMap;

/// The manager of the initial accounts.
const MANAGER: i64 = 1_002_003_999;

/// The accounts of a new sandbox, in the order of the consent page.
pub(crate) fn initial_accounts() -> Vec<Account> {
    let clients = [
        (1_002_003_001, "Harbour Coffee", "USD", "America/New_York"),
        (1_002_003_002, "Harbour Coffee Japan", "JPY", "Asia/Tokyo"),
        (1_002_003_003, "Harbour Coffee Kuwait", "KWD", "Asia/Kuwait"),
        (1_002_003_004, "Harbour Coffee Germany", "EUR", "Europe/Berlin"),
    ];
    let client = |(id, name, currency, zone)| {
        let account = Account::new(id, name, currency, zone);
        Account { parent: Some(MANAGER), ..account }
    };
    let manager = Account::new(MANAGER, "Harbour Coffee Group", "USD", "America/New_York");
    clients.into_iter().map(client).chain([Account { manager: true, ..manager }]).collect()
}

/// Adds the account of each active quirk, once.
pub(crate) fn add_quirk_accounts(accounts: &mut Vec<Account>, ads: &mut Ads, context: &RequestContext<'_>) {
    if context.quirk(UNDECLARED_CUSTOMER) && !accounts.iter().any(|account| account.id == UNDECLARED) {
        let account = undeclared_account();
        account.campaigns.keys().for_each(|id| ads.add_where_none(&id.to_string()));
        accounts.push(account);
    }
}

/// A customer with one campaign that predates the EU political advertising declaration.
fn undeclared_account() -> Account {
    let name = "Evergreen";
    let budget = Budget {
        id: 14_000_000_001,
        name: Some(name.to_owned()),
        amount: Amount::Daily(50 * MICROS),
        shared: false,
        removed: false,
    };
    let campaign = Campaign {
        id: 20_000_000_001,
        name: name.to_owned(),
        status: Status::Paused,
        channel: "SEARCH".to_owned(),
        strategy: "target_spend".to_owned(),
        strategy_settings: Map::new(),
        budget: budget.id,
        start: "2024-05-06 00:00:00".to_owned(),
        end: None,
        eu_political: UNSPECIFIED.to_owned(),
        networks: BTreeMap::from([("target_google_search".to_owned(), true)]),
        delivered: BTreeMap::new(),
        created: Timestamp::default(),
    };
    let account = Account::new(UNDECLARED, "Harbour Coffee Poland", "PLN", "Europe/Warsaw");
    Account { campaigns: [(campaign.id, campaign)].into(), budgets: [(budget.id, budget)].into(), ..account }
}

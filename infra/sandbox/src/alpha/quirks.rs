//! Quirks: what Google does to some customers.
//!
//! Google Ads API reference v26: `CampaignError`, `MutateError`, `Customer`; EU political advertising. A manager that reads
//! as closed and is usable was recorded live. Not verified: whether an omitted `networkSettings` is refused or
//! buys every network, and which changes are exempt while a declaration is missing.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::Map;

use super::accounts::Account;
use super::budget::{Amount, Budget};
use super::campaign::{Campaign, Status};
use crate::money::MICROS;
use crate::platform::RequestContext;
use crate::quirks::Quirk;

pub(crate) const DEFAULT_NETWORKS: &str = "default_networks";
pub(crate) const CLOSED_MANAGER: &str = "closed_manager";
const UNDECLARED_CUSTOMER: &str = "undeclared_customer";

pub(crate) const QUIRKS: &[Quirk] = &[
    Quirk {
        name: DEFAULT_NETWORKS,
        what: "A create may omit networks, and then buys each that it omits: Google search, partners and display.",
    },
    Quirk { name: CLOSED_MANAGER, what: "Managers read as CLOSED, and their clients are usable as ever." },
    Quirk {
        name: UNDECLARED_CUSTOMER,
        what: "One more customer opens with the next request; an undeclared campaign blocks all its mutates.",
    },
];

/// The customer that the quirk `undeclared_customer` opens. Its id is below the newest, so that new accounts are numbered
/// as ever.
pub(crate) const UNDECLARED: i64 = 1_002_003_900;

/// The declaration of a campaign that has none.
pub(crate) const UNSPECIFIED: &str = "UNSPECIFIED";

/// Opens the accounts that a quirk is about, once.
pub(crate) fn open_accounts(accounts: &mut Vec<Account>, moment: &RequestContext<'_>) {
    if moment.quirk(UNDECLARED_CUSTOMER) && !accounts.iter().any(|account| account.id == UNDECLARED) {
        accounts.push(undeclared());
    }
}

/// A customer with one campaign from before the declaration was asked for.
fn undeclared() -> Account {
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
        cost_micros: 0,
        created: Timestamp::default(),
    };
    let account = Account::new(UNDECLARED, "Harbour Coffee Poland", "PLN", "Europe/Warsaw");
    Account { campaigns: [(campaign.id, campaign)].into(), budgets: [(budget.id, budget)].into(), ..account }
}

//! The advertisers of a new sandbox, and those that quirks add.
//!
//! TikTok API for Business v1.3: "Get campaigns". Lists still hold objectives that no create takes (recorded live).

use super::account::Account;
use super::campaign::{Campaign, DAY, Kind};
use super::quirks::{ARCHIVE, LEGACY_OBJECTIVES, OLD_SMART, OLD_SMART_PLUS, TROUBLED, TROUBLED_CREATES};
use crate::ads::Ads;
use crate::delivery::DeliveredDays;
use crate::money::MICROS;
use crate::service::RequestContext;

/// Ids count up from here.
const FIRST_ID: u64 = 7_301_002_003_004_005_000;

/// Legacy objectives, and one that TikTok does not document.
const ARCHIVED_OBJECTIVES: &[&str] = &["APP_INSTALL", "CONVERSIONS", "CATALOG_SALES", "UNHEARD_OF"];

/// The id of the next account when `count` accounts exist.
pub(crate) fn next_id(count: usize) -> String {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    FIRST_ID.saturating_add(count).saturating_add(1).to_string()
}

/// The accounts of a new sandbox, in the order of the consent page.
pub(crate) fn initial_accounts() -> Vec<Account> {
    let accounts = [
        ("Harbour Coffee", "USD", "America/New_York", "Etc/GMT+5"),
        ("Harbour Coffee Japan", "JPY", "Asia/Tokyo", "Etc/GMT-9"),
        ("Harbour Coffee Kuwait", "KWD", "Asia/Kuwait", "Etc/GMT-3"),
        ("Harbour Coffee Germany", "EUR", "Europe/Berlin", "Etc/GMT-1"),
    ];
    let numbered = accounts.into_iter().enumerate();
    numbered
        .map(|(index, (name, currency, zone, offset))| Account::new(next_id(index), name, currency, zone, offset))
        .collect()
}

/// Adds the account of each active quirk, once.
pub(crate) fn add_quirk_accounts(accounts: &mut Vec<Account>, ads: &mut Ads, context: &RequestContext<'_>) {
    let mut add = |quirk: &str, create: fn() -> Account| {
        let account = Some(quirk).filter(|quirk| context.quirk(quirk)).map(|_| create());
        let account = account.filter(|new| accounts.iter().all(|known| known.id != new.id));
        let campaigns = account.iter().flat_map(|account| account.campaigns.keys());
        campaigns.for_each(|id| ads.add_where_none(&id.to_string()));
        accounts.extend(account);
    };
    add(TROUBLED_CREATES, troubled_account);
    add(LEGACY_OBJECTIVES, archive_account);
    add(OLD_SMART_PLUS, old_smart_account);
}

fn troubled_account() -> Account {
    Account::new(TROUBLED.to_owned(), "Harbour Coffee Troubles", "USD", "America/New_York", "Etc/GMT+5")
}

fn archive_account() -> Account {
    let account = Account::new(ARCHIVE.to_owned(), "Harbour Coffee Archive", "USD", "America/New_York", "Etc/GMT+5");
    let ids = 1_700_000_000_000_001..;
    let campaigns = ids.zip(ARCHIVED_OBJECTIVES).map(|(id, objective)| (id, archived_campaign(id, objective)));
    Account { campaigns: campaigns.collect(), ..account }
}

fn old_smart_account() -> Account {
    let account =
        Account::new(OLD_SMART.to_owned(), "Harbour Coffee Automatic", "USD", "America/New_York", "Etc/GMT+5");
    let id = 1_700_000_000_000_101;
    let campaign = Campaign { enabled: true, is_old_smart_plus: true, ..archived_campaign(id, "WEB_CONVERSIONS") };
    Account { campaigns: [(id, campaign)].into(), ..account }
}

fn archived_campaign(id: u64, objective: &str) -> Campaign {
    let created = "2021-05-04 08:00:00";
    Campaign {
        id,
        kind: Kind::Manual,
        is_old_smart_plus: false,
        name: format!("Archive {objective}"),
        objective: objective.to_owned(),
        budget_mode: DAY.to_owned(),
        budget: 50 * MICROS,
        budget_optimize_on: false,
        enabled: false,
        deleted: false,
        campaign_type: "REGULAR_CAMPAIGN".to_owned(),
        app_promotion_type: None,
        sales_destination: None,
        virtual_objective_type: None,
        special_industries: Vec::new(),
        created: created.to_owned(),
        modified: created.to_owned(),
        delivered: DeliveredDays::new(),
    }
}

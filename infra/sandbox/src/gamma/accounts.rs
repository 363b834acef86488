//! Advertisers (ad accounts), and the addresses that list and describe them.
//!
//! TikTok API for Business v1.3: "Get authorized ad accounts", "Get ad account information".

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::{Data, NO_PERMISSION, Refusal};
use super::campaign::Campaign;
use super::given::Query;
use super::oauth::check_app;
use super::{Gamma, access, quirks};
use crate::account::AccountSummary;
use crate::http::Request;
use crate::oauth::Consent;
use crate::platform::RequestContext;

/// One advertiser.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Account {
    /// Nineteen digits.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) currency: String,
    /// As people call it: `Asia/Tokyo`.
    pub(crate) time_zone: String,
    /// As a distance from Greenwich: `Etc/GMT-9`.
    pub(crate) offset_zone: String,
    pub(crate) campaigns: BTreeMap<u64, Campaign>,
    /// Every `request_id` with which a campaign was made.
    pub(crate) request_ids: BTreeSet<String>,
}

const FIELDS: &[&str] = &["advertiser_id", "name", "currency", "timezone", "display_timezone", "status"];

/// So many advertisers can be asked about at once.
const MOST_ASKED: usize = 100;

impl Account {
    pub(crate) fn new(id: String, name: &str, currency: &str, time_zone: &str, offset_zone: &str) -> Self {
        Self {
            id,
            name: name.to_owned(),
            currency: currency.to_owned(),
            time_zone: time_zone.to_owned(),
            offset_zone: offset_zone.to_owned(),
            campaigns: BTreeMap::new(),
            request_ids: BTreeSet::new(),
        }
    }

    pub(crate) fn card(&self) -> AccountSummary {
        AccountSummary {
            id: self.id.clone(),
            name: self.name.clone(),
            currency: self.currency.clone(),
            time_zone: self.time_zone.clone(),
            marks: if quirks::is_own(&self.id) { vec!["quirk"] } else { Vec::new() },
        }
    }

    fn field(&self, name: &str) -> Value {
        match name {
            "advertiser_id" => json!(self.id),
            "name" => json!(self.name),
            "currency" => json!(self.currency),
            "timezone" => json!(self.offset_zone),
            "display_timezone" => json!(self.time_zone),
            _ => json!("STATUS_ENABLE"),
        }
    }
}

/// Before the first day's accounts and before every account that is opened.
const FIRST_ID: u64 = 7_301_002_003_004_005_000;

/// The id of the account that comes after `count` others.
pub(crate) fn id_after(count: usize) -> String {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    FIRST_ID.saturating_add(count).saturating_add(1).to_string()
}

/// The accounts that are there on the first day, in the order of the consent page.
pub(crate) fn first_day() -> Vec<Account> {
    let own = [
        ("Harbour Coffee", "USD", "America/New_York", "Etc/GMT+5"),
        ("Harbour Coffee Japan", "JPY", "Asia/Tokyo", "Etc/GMT-9"),
        ("Harbour Coffee Kuwait", "KWD", "Asia/Kuwait", "Etc/GMT-3"),
        ("Harbour Coffee Germany", "EUR", "Europe/Berlin", "Etc/GMT-1"),
    ];
    let numbered = own.into_iter().enumerate();
    numbered
        .map(|(at, (name, currency, zone, offset))| Account::new(id_after(at), name, currency, zone, offset))
        .collect()
}

fn chosen<'a>(gamma: &'a Gamma, consent: &'a Consent) -> impl Iterator<Item = &'a Account> {
    gamma.accounts.iter().filter(|account| consent.accounts.contains(&account.id))
}

/// The advertisers that a token reaches.
pub(crate) fn authorized(
    gamma: &Gamma,
    request: &Request,
    consent: &Consent,
    moment: &RequestContext<'_>,
) -> Result<Data, Refusal> {
    let query = Query::read(request, &["app_id", "secret"])?;
    check_app(query.required("app_id")?, query.required("secret")?)?;
    let shown = |account: &Account| json!({ "advertiser_id": account.id, "advertiser_name": account.name });
    let mut list: Vec<Value> = chosen(gamma, consent).map(shown).collect();
    if moment.quirk(quirks::DELETED_ADVERTISER) {
        list.push(json!({ "advertiser_id": quirks::DELETED, "advertiser_name": "Harbour Coffee Closed" }));
    }
    Ok(Data::Plain(json!({ "list": list })))
}

/// Describes the named advertisers, with the fields that were asked for. One that does not exist any more refuses the
/// whole call (recorded live, 2026-07).
pub(crate) fn info(gamma: &Gamma, request: &Request, consent: &Consent) -> Result<Data, Refusal> {
    let query = Query::read(request, &["advertiser_ids", "fields"])?;
    let ids = query.texts("advertiser_ids", None)?.ok_or_else(|| Refusal::missing("advertiser_ids"))?;
    if ids.is_empty() || ids.len() > MOST_ASKED {
        return Err(Refusal::at("advertiser_ids", "Length must be between 1 and 100."));
    }
    let wanted = query.texts("fields", Some(FIELDS))?;
    let wanted = wanted.unwrap_or_else(|| FIELDS.iter().map(|&name| name.to_owned()).collect());
    if let Some(gone) = ids.iter().find(|id| gamma.accounts.iter().all(|account| account.id != **id)) {
        let why = format!("Advertiser {gone} doesn't exist or has been deleted.");
        return Err(Refusal::new(NO_PERMISSION, why));
    }
    let mut list = Vec::new();
    for id in ids {
        let at = access::reach(gamma, consent, &id)?;
        let account = gamma.accounts.get(at);
        let fields = |account: &Account| wanted.iter().map(|name| (name.clone(), account.field(name))).collect();
        list.extend(account.map(|account| Value::Object(fields(account))));
    }
    Ok(Data::Plain(json!({ "list": list })))
}

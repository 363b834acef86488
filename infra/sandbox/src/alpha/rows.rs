//! The rows of a query before its conditions apply.

use super::account::Account;
use super::ad_fields::AdRow;
use super::budget::Budget;
use super::campaign::Campaign;
use super::currency;
use super::date_range::DateRange;
use super::field_value::FieldValue;
use super::primary::{self, Primary};
use crate::ads::{Ads, Hold, UNKNOWN_WORD};
use crate::delivery::{self, Delivery};
use crate::service::RequestContext;
use jiff::civil::{Date, DateTime};
use std::collections::BTreeSet;

/// The data and the settings of a search.
pub(crate) struct SearchContext<'a> {
    /// The searched account.
    pub(crate) account: &'a Account,
    pub(crate) all_accounts: &'a [Account],
    pub(crate) ads: &'a Ads,
    pub(crate) request: &'a RequestContext<'a>,
    /// The current time in the account's time zone.
    pub(crate) local_time: DateTime,
    /// The sandbox setting that shortens pages.
    pub(crate) page_size: Option<usize>,
    /// Whether managers read as closed.
    pub(crate) closed_managers: bool,
    /// Whether reports on days leave out metrics that are zero.
    pub(crate) omits_zeros: bool,
}

/// One row: a resource and the resources joined to it.
#[derive(Clone)]
pub(crate) struct Row<'a> {
    account: &'a Account,
    client: Option<&'a Account>,
    campaign: Option<&'a Campaign>,
    /// The primary status of the campaign.
    primary: Option<Primary>,
    ad: Option<AdRow<'a>>,
    ads: &'a Ads,
    budget: Option<&'a Budget>,
    currency: Option<&'static str>,
    /// The row's day, in a report by day.
    day: Option<Date>,
    delivery: Delivery,
    local_time: DateTime,
    closed_managers: bool,
}

/// The rows of a resource: one for each, or one for each day in the range.
pub(crate) fn rows<'a>(context: &SearchContext<'a>, from: &str, range: Option<DateRange>) -> Vec<Row<'a>> {
    resources(context, from, range.is_none()).into_iter().flat_map(|row| row.with_delivery(range)).collect()
}

/// `is_read` tells a read of campaigns from a report, which no quirk of their words concerns.
fn resources<'a>(context: &SearchContext<'a>, from: &str, is_read: bool) -> Vec<Row<'a>> {
    let SearchContext { account, ads, local_time, closed_managers, .. } = *context;
    let client = None;
    let campaign = None;
    let budget = None;
    let currency = None;
    let day = None;
    let delivery = Delivery::default();
    let (primary, ad) = (None, None);
    let row = Row {
        account,
        client,
        campaign,
        primary,
        ad,
        ads,
        budget,
        currency,
        day,
        delivery,
        local_time,
        closed_managers,
    };
    let base = || row.clone();
    match from {
        "campaign" => {
            let row = |campaign: &'a Campaign| Row {
                campaign: Some(campaign),
                primary: Some(if is_read { context.shown_primary(campaign) } else { context.primary(campaign) }),
                budget: account.budgets.get(&campaign.budget),
                ..base()
            };
            account.campaigns.values().map(row).collect()
        }
        "campaign_budget" => account.budgets.values().map(|budget| Row { budget: Some(budget), ..base() }).collect(),
        "ad_group_ad" => {
            let row = |ad: AdRow<'a>| Row {
                campaign: Some(ad.campaign),
                primary: Some(context.primary(ad.campaign)),
                ad: Some(ad),
                ..base()
            };
            let campaigns = account.campaigns.values().filter(|campaign| campaign.has_ads());
            campaigns.flat_map(|campaign| context.ads_of(campaign)).map(row).collect()
        }
        "customer" => vec![base()],
        "customer_client" => {
            let is_client = |other: &&Account| other.id == account.id || other.parent == Some(account.id);
            let clients = context.all_accounts.iter().filter(is_client);
            clients.map(|client| Row { client: Some(client), ..base() }).collect()
        }
        "currency_constant" => currency::codes().map(|code| Row { currency: Some(code), ..base() }).collect(),
        _ => Vec::new(),
    }
}

impl<'a> SearchContext<'a> {
    /// The primary status of a campaign.
    fn primary(&self, campaign: &Campaign) -> Primary {
        let id = campaign.id.to_string();
        primary::of_campaign(campaign, &self.ads.of(&id, self.request), self.ads.campaign_hold(&id), self.local_time)
    }

    /// The primary status of a campaign as a read shows it.
    fn shown_primary(&self, campaign: &Campaign) -> Primary {
        let primary = self.primary(campaign);
        if campaign.is_removed() {
            return primary;
        }
        Primary::of_words(self.ads.words(&campaign.id.to_string(), primary.words(), self.request))
    }

    fn ads_of(&self, campaign: &'a Campaign) -> Vec<AdRow<'a>> {
        let is_unknown = self.request.quirk(UNKNOWN_WORD.name) && !campaign.is_removed();
        let primary = |ad| {
            if is_unknown { Primary::unheard_of() } else { primary::of_ad(campaign, ad, self.local_time) }
        };
        let ads = self.ads.of(&campaign.id.to_string(), self.request).into_iter();
        ads.map(|ad| AdRow { campaign, ad, primary: primary(ad) }).collect()
    }
}

impl Row<'_> {
    /// The value of a field by its full name; `None` where Google omits it.
    pub(crate) fn field(&self, name: &str) -> Option<FieldValue> {
        let (resource, name) = name.split_once('.')?;
        match resource {
            "customer" if name == "status" => Some(self.status(self.account)),
            "customer_client" if name == "status" => Some(self.status(self.client?)),
            "campaign" if name == "primary_status" => Some(FieldValue::text(&self.primary.as_ref()?.status)),
            "campaign" if name == "primary_status_reasons" => FieldValue::words(&self.primary.as_ref()?.reasons),
            "ad_group" => self.ad.as_ref()?.group_field(name, self.account.id),
            "ad_group_ad" => self.ad.as_ref()?.field(name, self.account.id),
            "campaign" => self.campaign?.field(name, self.account.id, self.local_time),
            "campaign_budget" => self.account.budget_field(self.budget?, name),
            "customer" => self.account.field(name),
            "customer_client" => self.client?.client_field(name, self.account),
            "currency_constant" => currency_field(self.currency?, name),
            "metrics" => metric(&self.delivery, name),
            "segments" if name == "date" => Some(FieldValue::text(self.day?.to_string())),
            _ => None,
        }
    }

    fn status(&self, account: &Account) -> FieldValue {
        let is_suspended = self.ads.account_hold(&account.id.to_string()) == Some(Hold::Suspended);
        FieldValue::text(if account.manager && self.closed_managers {
            "CLOSED"
        } else if is_suspended {
            "SUSPENDED"
        } else {
            "ENABLED"
        })
    }

    /// The campaigns whose numbers the row adds up.
    fn campaigns(&self) -> Vec<&Campaign> {
        let all = self.account.campaigns.values();
        match (self.campaign, self.budget) {
            (Some(campaign), _) => vec![campaign],
            (None, Some(budget)) => all.filter(|one| one.budget == budget.id).collect(),
            (None, None) => all.collect(),
        }
    }

    /// The row with the numbers of the range, or a row for each of its days; without a range, those of the whole run.
    fn with_delivery(self, range: Option<DateRange>) -> Vec<Self> {
        let Some(DateRange { first, last, by_day }) = range else {
            let delivery = self.delivery_between(Date::MIN, Date::MAX);
            return vec![Self { delivery, ..self }];
        };
        if !by_day {
            let delivery = self.delivery_between(first, last);
            return vec![Self { delivery, ..self }];
        }
        let days = self.campaigns().into_iter().flat_map(|one| one.delivered.range(first..=last).map(|(day, _)| *day));
        let days: BTreeSet<Date> = days.collect();
        let row = |day: Date| Self { day: Some(day), delivery: self.delivery_between(day, day), ..self.clone() };
        days.into_iter().map(row).collect()
    }

    fn delivery_between(&self, first: Date, last: Date) -> Delivery {
        let mut total = Delivery::default();
        let delivered = self.campaigns().into_iter().filter_map(|one| delivery::sum(&one.delivered, first, last));
        delivered.for_each(|delivery| total.add(&delivery));
        total
    }
}

/// A metric. Counts are 64-bit integers, conversions and their value doubles.
fn metric(delivery: &Delivery, name: &str) -> Option<FieldValue> {
    let count = |count: u64| FieldValue::Int(i64::try_from(count).unwrap_or(i64::MAX));
    Some(match name {
        "cost_micros" => FieldValue::Int(delivery.spend),
        "impressions" => count(delivery.impressions),
        "clicks" => count(delivery.clicks),
        "conversions" => FieldValue::Double(delivery.conversions),
        "conversions_value" => FieldValue::Double(delivery.conversion_value),
        _ => return None,
    })
}

fn currency_field(code: &str, name: &str) -> Option<FieldValue> {
    match name {
        "resource_name" => Some(FieldValue::Text(format!("currencyConstants/{code}"))),
        "code" => Some(FieldValue::text(code)),
        "billable_unit_micros" => Some(FieldValue::Int(currency::billable_unit(code))),
        _ => None,
    }
}

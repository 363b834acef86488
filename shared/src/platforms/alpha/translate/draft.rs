//! A new campaign: a checked draft, what is sent for it, and the campaign that came of it.

use super::checks::{end_fault, name_fault, period_fault, start_fault};
use super::{DATE_TIME, instant, zone};
use crate::domain::moment::instant_of;
use crate::domain::{AdAccount, Campaign, CampaignDraft, CampaignId, CampaignStatus, Goal, Micros, Platform};
use crate::error::Error;
use crate::platforms::alpha::fault::unreadable;
use crate::platforms::alpha::{CAPABILITIES, query, wire};
use crate::platforms::capabilities::fault;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// A draft that the platform can hold, in the platform's units.
#[derive(Debug)]
pub(in crate::platforms::alpha) struct Order<'a> {
    account: &'a AdAccount,
    draft: &'a CampaignDraft,
    kind: CampaignKind,
    micros: Micros,
    zone: TimeZone,
    start: Option<DateTime>,
    end: Option<DateTime>,
}

/// What stands for a goal on a platform that has none: the channel, and what bidding aims at there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CampaignKind {
    SearchForClicks,
    SearchForConversions,
    SearchForConversionValue,
    DisplayForImpressions,
}

impl CampaignKind {
    fn of(goal: Goal) -> Option<CampaignKind> {
        match goal {
            Goal::WebsiteTraffic => Some(CampaignKind::SearchForClicks),
            Goal::Leads | Goal::Conversions => Some(CampaignKind::SearchForConversions),
            Goal::Sales => Some(CampaignKind::SearchForConversionValue),
            Goal::BrandAwareness | Goal::Reach => Some(CampaignKind::DisplayForImpressions),
            // An app campaign names the app and its store, and a draft has neither.
            Goal::AppPromotion => None,
        }
    }
}

impl<'a> Order<'a> {
    /// Checks a draft, and reports all of its faults together.
    pub(in crate::platforms::alpha) fn new(
        account: &'a AdAccount,
        draft: &'a CampaignDraft,
    ) -> Result<Order<'a>, Error> {
        let zone = zone(account)?;
        let mut faults = CAPABILITIES.draft_faults(account, draft);
        faults.extend(name_fault(&draft.name));
        let kind = CampaignKind::of(draft.goal);
        faults.extend(period_fault(draft.budget_period, kind));
        let micros = Micros::from_amount(draft.budget_amount);
        let micros = micros.map_err(|reason| faults.push(fault("budget_amount", reason.to_string()))).ok();
        let start = draft.start_at.map(|moment| moment.start_in(&zone)).transpose();
        let start = start.map_err(|reason| faults.push(fault("start_at", reason.message()))).ok().flatten();
        let end = draft.end_at.map(|moment| moment.end_in(&zone)).transpose();
        let end = end.map_err(|reason| faults.push(fault("end_at", reason.message()))).ok().flatten();
        faults.extend(start.and_then(|start| start_fault(start, &account.time_zone)));
        faults.extend(end.and_then(|end| end_fault(start, end, &account.time_zone)));
        match (kind, micros) {
            (Some(kind), Some(micros)) if faults.is_empty() => {
                Ok(Order { account, draft, kind, micros, zone, start, end })
            }
            _ => Err(Error::fields(faults).on(Platform::Alpha)),
        }
    }

    /// Both resources in one request, which is carried out whole or not at all.
    ///
    /// Google Ads API: Mutating resources, temporary resource names: the campaign names its budget by a negative
    /// number that holds within the request. What would default to on (status) or to shared (budget) is said.
    pub(in crate::platforms::alpha) fn request(&self) -> wire::MutateGoogleAdsRequest {
        let customer = format!("customers/{}", self.account.id);
        let budget_name = format!("{customer}/campaignBudgets/-1");
        let budget = wire::Operation::Create { create: self.budget(budget_name.clone()) };
        let campaign =
            wire::Operation::Create { create: self.campaign(format!("{customer}/campaigns/-2"), budget_name) };
        wire::MutateGoogleAdsRequest {
            mutate_operations: vec![
                wire::MutateOperation::CampaignBudgetOperation(budget),
                wire::MutateOperation::CampaignOperation(campaign),
            ],
            response_content_type: wire::ResponseContentType::MutableResource,
        }
    }

    fn budget(&self, resource_name: String) -> wire::CampaignBudget {
        let micros = Some(wire::Int64(self.micros.0));
        let whole_run = self.draft.budget_period.is_whole_run();
        wire::CampaignBudget {
            resource_name: Some(resource_name),
            amount_micros: micros.filter(|_| !whole_run),
            total_amount_micros: micros.filter(|_| whole_run),
            period: Some(if whole_run { "CUSTOM_PERIOD" } else { "DAILY" }.to_owned()),
            delivery_method: Some("STANDARD".to_owned()),
            explicitly_shared: Some(false),
            reference_count: None,
        }
    }

    fn is_display(&self) -> bool {
        self.kind == CampaignKind::DisplayForImpressions
    }

    /// The channel's own network alone. Left out, the platform refuses the campaign or buys partner traffic too.
    fn networks(&self) -> wire::NetworkSettings {
        wire::NetworkSettings {
            target_google_search: !self.is_display(),
            target_search_network: false,
            target_content_network: self.is_display(),
            target_partner_search_network: false,
        }
    }

    fn campaign(&self, resource_name: String, budget_name: String) -> wire::Campaign {
        let channel = if self.is_display() { "DISPLAY" } else { "SEARCH" };
        let bids_for = |kind| (self.kind == kind).then(wire::Empty::default);
        wire::Campaign {
            resource_name: Some(resource_name),
            name: Some(self.draft.name.clone()),
            status: Some("PAUSED".to_owned()),
            advertising_channel_type: Some(channel.to_owned()),
            campaign_budget: Some(budget_name),
            network_settings: Some(self.networks()),
            contains_eu_political_advertising: Some("DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING".to_owned()),
            target_spend: bids_for(CampaignKind::SearchForClicks),
            maximize_conversions: bids_for(CampaignKind::SearchForConversions),
            maximize_conversion_value: bids_for(CampaignKind::SearchForConversionValue),
            manual_cpm: bids_for(CampaignKind::DisplayForImpressions),
            start_date_time: self.start.map(|local| local.strftime(DATE_TIME).to_string()),
            end_date_time: self.end.map(|local| local.strftime(DATE_TIME).to_string()),
            ..wire::Campaign::default()
        }
    }

    /// The campaign that the results of the request are about. `raw` is put together like a row of a search, from
    /// the two resources as they came back.
    pub(in crate::platforms::alpha) fn created(&self, results: &[wire::MutateResult]) -> Result<Campaign, Error> {
        let prefix = format!("customers/{}/campaigns/", self.account.id);
        let of_campaign = |result: &&wire::MutateResult| result.resource_name.starts_with(&prefix);
        let result = results.iter().find(of_campaign).ok_or_else(|| unreadable("an answer without a campaign"))?;
        let remote_id = result.resource_name.trim_start_matches(&prefix).to_owned();
        query::number(&remote_id).ok_or_else(|| unreadable("a campaign without an id"))?;
        Ok(Campaign {
            id: CampaignId::new(Platform::Alpha, &self.account.id, &remote_id),
            account_id: self.account.id.clone(),
            remote_id,
            name: self.draft.name.clone(),
            status: CampaignStatus::Paused,
            goal: Some(self.draft.goal),
            budget_amount: Some(self.draft.budget_amount),
            budget_period: Some(self.draft.budget_period),
            currency: self.account.currency,
            total_spend_amount: Some(Decimal::ZERO),
            start_at: self.instant(self.start).or_else(|| self.given_start(result)),
            end_at: self.instant(self.end),
            created_at: None,
            updated_at: None,
            raw: joined(results)?,
        })
    }

    fn instant(&self, local: Option<DateTime>) -> Option<Timestamp> {
        instant_of(local?, &self.zone).ok()
    }

    /// The start that the platform chose itself, where it says so.
    fn given_start(&self, result: &wire::MutateResult) -> Option<Timestamp> {
        let campaign: wire::Campaign = serde_json::from_str(result.campaign.as_ref()?.get()).ok()?;
        instant(&campaign.start_date_time?, &self.zone)
    }
}

/// The resources of the results under the names that they have in a row; where only a resource's name came back,
/// that name alone.
fn joined(results: &[wire::MutateResult]) -> Result<String, Error> {
    let mut row: BTreeMap<&str, Box<RawValue>> = BTreeMap::new();
    for result in results {
        let (key, resource) = match (&result.campaign_budget, result.resource_name.contains("/campaignBudgets/")) {
            (Some(budget), _) => ("campaignBudget", Some(budget)),
            (None, true) => ("campaignBudget", None),
            (None, false) => ("campaign", result.campaign.as_ref()),
        };
        let resource = match resource {
            Some(resource) => resource.clone(),
            None => {
                let name_alone = BTreeMap::from([("resourceName", &result.resource_name)]);
                serde_json::value::to_raw_value(&name_alone).map_err(unreadable)?
            }
        };
        row.insert(key, resource);
    }
    serde_json::to_string(&row).map_err(unreadable)
}

#[cfg(test)]
mod dates;
#[cfg(test)]
mod tests;

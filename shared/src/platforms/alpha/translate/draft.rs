//! A new campaign: checks a draft, translates it, and reads the campaign that was created.

use super::checks::{end_fault, name_fault, period_fault, start_fault};
use super::{DATE_TIME, instant, zone};
use crate::domain::moment::instant_of;
use crate::domain::{AdAccount, BudgetPeriod, Campaign, Goal, Micros, Platform};
use crate::error::Error;
use crate::platforms::alpha::fault::unreadable;
use crate::platforms::alpha::{CAPABILITIES, api, query, wire};
use crate::platforms::capabilities::fault;
use crate::platforms::engine::create::{CreateInput, PreparedCreate};
use jiff::Timestamp;
use jiff::civil::DateTime;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The platform has no goals: a goal is a channel, and the target of its bidding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CampaignKind {
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

/// Checks a draft, reports all of its faults together, and translates it.
pub(in crate::platforms::alpha) fn prepare(input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
    let CreateInput { account, draft, .. } = *input;
    let zone = zone(account)?;
    let mut faults = CAPABILITIES.draft_faults(account, draft);
    faults.extend(name_fault(&draft.name));
    let kind = CampaignKind::of(draft.goal);
    faults.extend(period_fault(draft.budget_period, kind == Some(CampaignKind::DisplayForImpressions)));
    let micros = Micros::from_amount(draft.budget_amount);
    let micros = micros.map_err(|reason| faults.push(fault("budget_amount", reason.to_string()))).ok();
    let start = draft.start_at.map(|moment| moment.start_in(&zone)).transpose();
    let start = start.map_err(|reason| faults.push(fault("start_at", reason.message()))).ok().flatten();
    let end = draft.end_at.map(|moment| moment.end_in(&zone)).transpose();
    let end = end.map_err(|reason| faults.push(fault("end_at", reason.message()))).ok().flatten();
    faults.extend(start.and_then(|start| start_fault(start, &account.time_zone)));
    faults.extend(end.and_then(|end| end_fault(start, end, &account.time_zone)));
    let budget = micros.and_then(|micros| budget(draft.budget_period, micros));
    let (Some(kind), Some(budget), true) = (kind, budget, faults.is_empty()) else {
        return Err(Error::fields(faults).on(Platform::Alpha));
    };
    let url = api::method(&account.id, "googleAds:mutate")?;
    let mut prepared = PreparedCreate::new(Platform::Alpha, input, url, &request(input, kind, budget, start, end))?;
    let instant = |local: Option<DateTime>| instant_of(local?, &zone).ok();
    (prepared.campaign.start_at, prepared.campaign.end_at) = (instant(start), instant(end));
    Ok(prepared)
}

/// Both resources in one request, which is applied whole or not at all.
///
/// Google Ads API: Mutating resources, temporary resource names: the campaign names its budget by a negative number
/// that holds within the request. What would default to on (status) or to shared (budget) is stated.
fn request(
    input: &CreateInput<'_>,
    kind: CampaignKind,
    budget: wire::CampaignBudget,
    start: Option<DateTime>,
    end: Option<DateTime>,
) -> wire::MutateGoogleAdsRequest {
    let customer = format!("customers/{}", input.account.id);
    let budget_name = format!("{customer}/campaignBudgets/-1");
    let budget = wire::CampaignBudget { resource_name: Some(budget_name.clone()), ..budget };
    let campaign = wire::Campaign {
        resource_name: Some(format!("{customer}/campaigns/-2")),
        name: Some(input.draft.name.clone()),
        campaign_budget: Some(budget_name),
        start_date_time: start.map(|local| local.strftime(DATE_TIME).to_string()),
        end_date_time: end.map(|local| local.strftime(DATE_TIME).to_string()),
        ..campaign(kind)
    };
    wire::MutateGoogleAdsRequest {
        mutate_operations: vec![
            wire::MutateOperation::CampaignBudgetOperation(wire::Operation::Create { create: budget }),
            wire::MutateOperation::CampaignOperation(wire::Operation::Create { create: campaign }),
        ],
        response_content_type: wire::ResponseContentType::MutableResource,
    }
}

/// The budget of one campaign, still without its name; `None` for a period that the platform lacks.
fn budget(period: BudgetPeriod, micros: Micros) -> Option<wire::CampaignBudget> {
    let micros = Some(wire::Int64(micros.0));
    let (amount_micros, total_amount_micros, period) = match period {
        BudgetPeriod::Daily => (micros, None, "DAILY"),
        BudgetPeriod::Total | BudgetPeriod::Lifetime => (None, micros, "CUSTOM_PERIOD"),
        BudgetPeriod::Monthly => return None,
    };
    Some(wire::CampaignBudget {
        resource_name: None,
        amount_micros,
        total_amount_micros,
        period: Some(period.to_owned()),
        delivery_method: Some("STANDARD".to_owned()),
        explicitly_shared: Some(false),
        reference_count: None,
    })
}

/// The choices that a kind of campaign stands for. It runs on the channel's own network alone: without network
/// settings the platform refuses the campaign or buys partner traffic too.
fn campaign(kind: CampaignKind) -> wire::Campaign {
    let is_display = kind == CampaignKind::DisplayForImpressions;
    let bids_for = |bidding| (kind == bidding).then(wire::Empty::default);
    wire::Campaign {
        status: Some("PAUSED".to_owned()),
        advertising_channel_type: Some(if is_display { "DISPLAY" } else { "SEARCH" }.to_owned()),
        network_settings: Some(wire::NetworkSettings {
            target_google_search: !is_display,
            target_search_network: false,
            target_content_network: is_display,
            target_partner_search_network: false,
        }),
        contains_eu_political_advertising: Some("DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING".to_owned()),
        target_spend: bids_for(CampaignKind::SearchForClicks),
        maximize_conversions: bids_for(CampaignKind::SearchForConversions),
        maximize_conversion_value: bids_for(CampaignKind::SearchForConversionValue),
        manual_cpm: bids_for(CampaignKind::DisplayForImpressions),
        ..wire::Campaign::default()
    }
}

/// The campaign that the results of the request are about. Its `raw` is put together like a row of a search, from the
/// two resources as they were returned.
pub(in crate::platforms::alpha) fn created(
    account: &AdAccount,
    prepared: &PreparedCreate,
    results: &[wire::MutateResult],
) -> Result<Campaign, Error> {
    let prefix = format!("customers/{}/campaigns/", account.id);
    let of_campaign = |result: &&wire::MutateResult| result.resource_name.starts_with(&prefix);
    let result = results.iter().find(of_campaign).ok_or_else(|| unreadable("an answer without a campaign"))?;
    let remote_id = result.resource_name.trim_start_matches(&prefix).to_owned();
    query::number(&remote_id).ok_or_else(|| unreadable("a campaign without an id"))?;
    let created = prepared.created(remote_id, joined(results)?);
    let start_at = created.start_at.or_else(|| given_start(account, result));
    Ok(Campaign { start_at, ..created })
}

/// The start that the platform chose itself, where it says so.
fn given_start(account: &AdAccount, result: &wire::MutateResult) -> Option<Timestamp> {
    let campaign: wire::Campaign = serde_json::from_str(result.campaign.as_ref()?.get()).ok()?;
    instant(&campaign.start_date_time?, &zone(account).ok()?)
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

//! A new campaign: checks a draft, translates it, and reads the campaign that was created.

use super::schedule;
use crate::platforms::alpha::{Alpha, CAPABILITIES, api, error, query, wire};
use crate::platforms::engine::create::as_seen;
use crate::platforms::prelude::*;
use serde_json::value::to_raw_value;
use std::collections::BTreeMap;

impl Create for Alpha {
    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
        let CreateInput { account, draft, .. } = *input;
        let zone = errors::time_zone(Platform::Alpha, account)?;
        let mut errors = CAPABILITIES.draft_errors(Some(account.currency), draft);
        let campaign = campaign(draft.goal);
        let micros = errors.check("budget_amount", Micros::from_amount(draft.budget_amount));
        let (start, end) = schedule::of_draft(input, &zone, &mut errors);
        let budget = micros.and_then(|micros| {
            errors.offered(Platform::Alpha, "budget_period", write_budget(draft.budget_period, micros))
        });
        let (Some(campaign), Some(budget), true) = (campaign, budget, errors.is_empty()) else {
            return Err(errors.into_error(Platform::Alpha));
        };
        let campaign = wire::Campaign {
            name: Some(draft.name.clone()),
            start_date_time: start.map(schedule::written),
            end_date_time: end.map(schedule::written),
            contains_eu_political_advertising: Some(declaration(draft).to_owned()),
            ..campaign
        };
        let url = api::method(&account.id, "googleAds:mutate")?;
        let mut prepared = PreparedCreate::new(Platform::Alpha, input, url, &request(account, budget, campaign))?;
        prepared.campaign.start_at = schedule::instant(start, &zone);
        prepared.campaign.end_at = schedule::instant(end, &zone);
        Ok(prepared)
    }

    /// Reads the campaign from the results. Its `raw` is put together like a row of a search, from the two resources as
    /// they were returned.
    fn read_created(
        &self,
        account: &AdAccount,
        prepared: &PreparedCreate,
        response: &OutboundResponse,
    ) -> Result<PlatformCampaign, Error> {
        let results = api::read_both(response)?;
        let prefix = format!("customers/{}/campaigns/", account.id);
        let result = results.iter().find(|result| result.resource_name.starts_with(&prefix));
        let result = result.ok_or_else(|| unreadable(Platform::Alpha, "a response without a campaign"))?;
        let remote_id = result.resource_name.trim_start_matches(&prefix).to_owned();
        query::number(&remote_id).ok_or_else(|| unreadable(Platform::Alpha, "a campaign without an id"))?;
        let raw = joined(&results).map_err(|error| unreadable(Platform::Alpha, error))?;
        let seen = super::created(account, &remote_id, &raw).ok();
        Ok(as_seen(prepared.created(remote_id, raw), seen))
    }

    /// A request that is at fault for every customer is rejected before anything is created.
    fn create_failure(&self, response: &OutboundResponse, error: Error) -> CreateFailure {
        if response.status.is_client_error() && error::is_operators_error(&error) {
            return CreateFailure::NotCreated(error);
        }
        CreateFailure::of(response, error)
    }
}

/// Google Ads API: Mutating resources, temporary resource names. The campaign names its budget by a negative number
/// that holds within the request.
fn request(
    account: &AdAccount,
    budget: wire::CampaignBudget,
    campaign: wire::Campaign,
) -> wire::MutateGoogleAdsRequest {
    let resource_name = |resource: &str| Some(format!("customers/{}/{resource}", account.id));
    let campaign_budget = resource_name("campaignBudgets/-1");
    let budget = wire::CampaignBudget { resource_name: campaign_budget.clone(), ..budget };
    let campaign = wire::Campaign { resource_name: resource_name("campaigns/-2"), campaign_budget, ..campaign };
    wire::MutateGoogleAdsRequest::of(
        wire::Operation::Create { create: budget },
        wire::Operation::Create { create: campaign },
    )
}

/// Whether the ads are political advertising in the European Union: Google refuses a campaign that does not say.
fn declaration(draft: &CampaignDraft) -> &'static str {
    if draft.is_political() { "CONTAINS_EU_POLITICAL_ADVERTISING" } else { "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING" }
}

/// The budget of one campaign; `None` for a period that the platform lacks.
fn write_budget(period: BudgetPeriod, micros: Micros) -> Option<wire::CampaignBudget> {
    let micros = Some(wire::Int64(micros.0));
    let (amount_micros, total_amount_micros, period) = match period {
        BudgetPeriod::Daily => (micros, None, "DAILY"),
        BudgetPeriod::Total | BudgetPeriod::Lifetime => (None, micros, "CUSTOM_PERIOD"),
        BudgetPeriod::Monthly => return None,
    };
    Some(wire::CampaignBudget {
        amount_micros,
        total_amount_micros,
        period: Some(period.to_owned()),
        delivery_method: Some("STANDARD".to_owned()),
        explicitly_shared: Some(false),
        ..wire::CampaignBudget::default()
    })
}

/// The channel and the bidding of a goal, because the platform has no goals; `None` for a goal that it cannot have. The
/// campaign runs on the channel's own network alone: without network settings the platform refuses it or buys partner
/// traffic too. The status would default to on.
fn campaign(goal: Goal) -> Option<wire::Campaign> {
    let (empty, unset) = (Some(wire::Empty {}), wire::Campaign::default());
    let (channel, bidding) = match goal {
        Goal::WebsiteTraffic => ("SEARCH", wire::Campaign { target_spend: empty, ..unset }),
        Goal::Leads | Goal::Conversions => ("SEARCH", wire::Campaign { maximize_conversions: empty, ..unset }),
        Goal::Sales => ("SEARCH", wire::Campaign { maximize_conversion_value: empty, ..unset }),
        Goal::BrandAwareness | Goal::Reach => ("DISPLAY", wire::Campaign { manual_cpm: empty, ..unset }),
        // An app campaign names the app and its store, and a draft has neither.
        Goal::AppPromotion => return None,
    };
    Some(wire::Campaign {
        status: Some("PAUSED".to_owned()),
        advertising_channel_type: Some(channel.to_owned()),
        network_settings: Some(wire::NetworkSettings {
            target_google_search: channel == "SEARCH",
            target_search_network: false,
            target_content_network: channel == "DISPLAY",
            target_partner_search_network: false,
        }),
        ..bidding
    })
}

/// The resources of the results under the names that they have in a row; where only a resource's name came back,
/// that name alone.
fn joined(results: &[wire::MutateResult]) -> serde_json::Result<String> {
    let mut row = BTreeMap::new();
    for result in results {
        let is_budget = result.campaign_budget.is_some() || result.resource_name.contains("/campaignBudgets/");
        let (key, resource) =
            if is_budget { ("campaignBudget", &result.campaign_budget) } else { ("campaign", &result.campaign) };
        let name_alone = || to_raw_value(&BTreeMap::from([("resourceName", &result.resource_name)]));
        row.insert(key, resource.clone().map_or_else(name_alone, Ok)?);
    }
    serde_json::to_string(&row)
}

#[cfg(test)]
mod tests;

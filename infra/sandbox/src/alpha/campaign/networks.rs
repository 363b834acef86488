//! The networks that a campaign targets.
//!
//! Google Ads API reference v26: `Campaign.NetworkSettings`, `CampaignError`. An omitted flag is false, so a create
//! without settings targets no network and is rejected. Not verified: Google may target every network instead, as the
//! quirk `default_networks` does. Only SEARCH and DISPLAY campaigns choose their networks.

use super::Campaign;
use crate::alpha::error::AdsError;
use serde_json::Value;
use std::collections::BTreeMap;

type Networks = BTreeMap<String, bool>;

const GOOGLE: &str = "target_google_search";
const SEARCH: &str = "target_search_network";
const CONTENT: &str = "target_content_network";
const PARTNER: &str = "target_partner_search_network";

const CPM: &str = "manual_cpm";

/// The networks of a request.
pub(super) fn read(input: &Value) -> Networks {
    let settings = input.get("network_settings").and_then(Value::as_object);
    settings.into_iter().flatten().filter_map(|(name, on)| Some((name.clone(), on.as_bool()?))).collect()
}

/// Targets every available network that the request omits. Partner search is for selected accounts only.
pub(super) fn fill(campaign: &mut Campaign) {
    if !chooses_networks(&campaign.channel) {
        return;
    }
    let networks = &mut campaign.networks;
    let google = *networks.entry(GOOGLE.to_owned()).or_insert(campaign.strategy != CPM);
    for (name, on) in [(SEARCH, google), (CONTENT, true), (PARTNER, false)] {
        networks.entry(name.to_owned()).or_insert(on);
    }
}

/// Rejects networks that exclude each other or the bidding strategy, and a campaign without networks.
pub(super) fn check(campaign: &Campaign) -> Result<(), AdsError> {
    let targets = |name: &str| campaign.networks.get(name) == Some(&true);
    if targets(SEARCH) && !targets(GOOGLE) {
        let why = "The search network comes only with Google search.";
        return Err(network_error("CANNOT_TARGET_SEARCH_NETWORK_WITHOUT_GOOGLE_SEARCH", why, SEARCH));
    }
    if targets(PARTNER) {
        let why = "The partner search network is for selected accounts.";
        return Err(network_error("CANNOT_TARGET_PARTNER_SEARCH_NETWORK", why, PARTNER));
    }
    if targets(GOOGLE) && campaign.strategy == CPM {
        let why = "Cannot target Google Search network for a CPM campaign.";
        return Err(network_error("CANNOT_TARGET_GOOGLE_SEARCH_FOR_CPM_CAMPAIGN", why, GOOGLE));
    }
    if chooses_networks(&campaign.channel) && !campaign.networks.values().any(|on| *on) {
        let code = ("campaignError", "CAMPAIGN_MUST_TARGET_AT_LEAST_ONE_NETWORK");
        return Err(AdsError::new(code, "Must target at least one network.").at("network_settings"));
    }
    Ok(())
}

fn chooses_networks(channel: &str) -> bool {
    matches!(channel, "SEARCH" | "DISPLAY")
}

fn network_error(value: &'static str, why: &str, network: &str) -> AdsError {
    AdsError::new(("campaignError", value), why).at(&format!("network_settings.{network}"))
}

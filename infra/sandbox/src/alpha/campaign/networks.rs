//! The networks on which a campaign is shown.
//!
//! Google Ads API reference v26: `Campaign.NetworkSettings`, `CampaignError`. A flag that is not sent is false, so that a
//! create without settings targets no network. That it is refused, and not given every network, is not verified; the quirk
//! `default_networks` is the other reading. Channels besides SEARCH and DISPLAY choose their own networks.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Campaign;
use crate::alpha::error::AdsError;

type Networks = BTreeMap<String, bool>;

const GOOGLE: &str = "target_google_search";
const SEARCH: &str = "target_search_network";
const CONTENT: &str = "target_content_network";
const PARTNER: &str = "target_partner_search_network";

const CPM: &str = "manual_cpm";

/// The networks that a request names.
pub(super) fn read(given: &Value) -> Networks {
    let settings = given.get("network_settings").and_then(Value::as_object);
    settings.into_iter().flatten().filter_map(|(name, on)| Some((name.clone(), on.as_bool()?))).collect()
}

/// Buys every network that is not named and that the campaign can have. Partner search is for selected accounts.
pub(super) fn fill(campaign: &mut Campaign) {
    if !chooses(&campaign.channel) {
        return;
    }
    let networks = &mut campaign.networks;
    let google = *networks.entry(GOOGLE.to_owned()).or_insert(campaign.strategy != CPM);
    for (name, on) in [(SEARCH, google), (CONTENT, true), (PARTNER, false)] {
        networks.entry(name.to_owned()).or_insert(on);
    }
}

/// Refuses networks that do not go together or with the bidding, and a campaign without any.
pub(super) fn check(campaign: &Campaign) -> Result<(), AdsError> {
    let on = |name: &str| campaign.networks.get(name) == Some(&true);
    if on(SEARCH) && !on(GOOGLE) {
        let why = "The search network comes only with Google search.";
        return Err(refuse("CANNOT_TARGET_SEARCH_NETWORK_WITHOUT_GOOGLE_SEARCH", why, SEARCH));
    }
    if on(PARTNER) {
        let why = "The partner search network is for selected accounts.";
        return Err(refuse("CANNOT_TARGET_PARTNER_SEARCH_NETWORK", why, PARTNER));
    }
    if on(GOOGLE) && campaign.strategy == CPM {
        let why = "Cannot target Google Search network for a CPM campaign.";
        return Err(refuse("CANNOT_TARGET_GOOGLE_SEARCH_FOR_CPM_CAMPAIGN", why, GOOGLE));
    }
    if chooses(&campaign.channel) && !campaign.networks.values().any(|on| *on) {
        let code = ("campaignError", "CAMPAIGN_MUST_TARGET_AT_LEAST_ONE_NETWORK");
        return Err(AdsError::new(code, "Must target at least one network.").at("network_settings"));
    }
    Ok(())
}

fn chooses(channel: &str) -> bool {
    matches!(channel, "SEARCH" | "DISPLAY")
}

fn refuse(value: &'static str, why: &str, network: &str) -> AdsError {
    AdsError::new(("campaignError", value), why).at(&format!("network_settings.{network}"))
}

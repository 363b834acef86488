//! The bidding strategies and budget periods of each channel.
//!
//! Google Ads API: Campaigns, Bidding, Assign strategies; Budgets, Overview. The live service accepts more pairs in
//! places. The sandbox rejects every pair that is not listed.

use super::error::AdsError;

/// Channels that need no unsupported field, with their strategies.
const CHANNELS: &[(&str, &[&str])] = &[
    (
        "SEARCH",
        &[
            "target_spend",
            "maximize_conversions",
            "maximize_conversion_value",
            "manual_cpc",
            "target_cpa",
            "target_roas",
        ],
    ),
    (
        "DISPLAY",
        &[
            "manual_cpm",
            "manual_cpc",
            "target_spend",
            "maximize_conversions",
            "maximize_conversion_value",
            "target_cpa",
            "target_roas",
        ],
    ),
    ("VIDEO", &["manual_cpm", "manual_cpv", "maximize_conversions", "target_cpa"]),
    ("PERFORMANCE_MAX", &["maximize_conversions", "maximize_conversion_value"]),
    ("DEMAND_GEN", &["target_spend", "maximize_conversions", "maximize_conversion_value", "target_cpa"]),
];

/// Whether a channel supports total budgets.
pub(crate) fn supports_total_budget(channel: &str) -> bool {
    matches!(channel, "SEARCH" | "PERFORMANCE_MAX" | "SHOPPING" | "DEMAND_GEN" | "VIDEO")
}

/// The type of a strategy's field: `target_spend` is `TARGET_SPEND`.
pub(crate) fn strategy_type(strategy: &str) -> String {
    strategy.to_ascii_uppercase()
}

/// Rejects a channel that needs unsupported settings, and a strategy that the channel does not support.
pub(crate) fn check(channel: &str, strategy: &str) -> Result<(), AdsError> {
    let Some((_, strategies)) = CHANNELS.iter().find(|(known, _)| *known == channel) else {
        return Err(unavailable(channel));
    };
    if strategies.contains(&strategy) {
        return Ok(());
    }
    let code = ("biddingError", "CANNOT_ATTACH_BIDDING_STRATEGY_TO_CAMPAIGN");
    let why = "The bidding strategy cannot be attached to a campaign of this channel.";
    Err(AdsError::new(code, why).at(strategy).with_trigger(strategy_type(strategy)))
}

fn unavailable(channel: &str) -> AdsError {
    let error =
        |value, why: &str, field: &str| AdsError::new(("campaignError", value), why).at(field).with_trigger(channel);
    match channel {
        "SHOPPING" => error("MISSING_SHOPPING_SETTING", "A shopping setting is needed.", "shopping_setting"),
        "HOTEL" => error("MISSING_HOTEL_SETTING", "A hotel setting is needed.", "hotel_setting"),
        "MULTI_CHANNEL" => AdsError::required("advertising_channel_sub_type"),
        _ => error(
            "ADVERTISING_CHANNEL_TYPE_NOT_AVAILABLE_FOR_ACCOUNT_TYPE",
            "The channel type is not available for this account.",
            "advertising_channel_type",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_channel_supports_only_its_own_strategies() {
        assert!(check("SEARCH", "target_spend").is_ok());
        assert!(check("DISPLAY", "manual_cpm").is_ok());
        let code = |channel, strategy| check(channel, strategy).unwrap_err().code.1;
        assert_eq!(code("SEARCH", "manual_cpm"), "CANNOT_ATTACH_BIDDING_STRATEGY_TO_CAMPAIGN");
        assert_eq!(code("SHOPPING", "manual_cpc"), "MISSING_SHOPPING_SETTING");
        assert_eq!(code("MULTI_CHANNEL", "target_cpa"), "REQUIRED");
    }
}

//! The primary status of campaigns and ads, which Google concludes itself, with its reasons.
//!
//! Google Ads API reference v26: `CampaignPrimaryStatus`, `CampaignPrimaryStatusReason`, `AdGroupAdPrimaryStatus`,
//! `AdGroupAdPrimaryStatusReason`. Not verified: the status of a campaign whose ads are all in review, and that a
//! suspended customer changes none.

use super::campaign::{Campaign, Status};
use crate::ads::{Ad, AdState, Hold, UNHEARD_OF};
use jiff::civil::DateTime;

/// A primary status and its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Primary {
    pub(crate) status: String,
    pub(crate) reasons: Vec<String>,
}

impl Primary {
    fn new(status: &str, reasons: &[&str]) -> Self {
        Self { status: status.to_owned(), reasons: reasons.iter().map(|&reason| reason.to_owned()).collect() }
    }

    /// The status and the reason that no document has.
    pub(crate) fn unheard_of() -> Self {
        Self::new(UNHEARD_OF, &[UNHEARD_OF])
    }

    /// The status, then its reasons.
    pub(crate) fn words(self) -> Vec<String> {
        [vec![self.status], self.reasons].concat()
    }

    pub(crate) fn of_words(mut words: Vec<String>) -> Self {
        let reasons = words.split_off(words.len().min(1));
        // The word of an unknown status is its reason, too.
        let status = words.concat();
        let reasons = if status == UNHEARD_OF { vec![status.clone()] } else { reasons };
        Self { status, reasons }
    }
}

/// What the campaign itself says, without its ads; `None` for a campaign that runs.
fn of_switch(campaign: &Campaign, now: DateTime) -> Option<Primary> {
    Some(match campaign.status {
        Status::Removed => Primary::new("REMOVED", &["CAMPAIGN_REMOVED"]),
        Status::Paused => Primary::new("PAUSED", &["CAMPAIGN_PAUSED"]),
        Status::Enabled if campaign.ends().is_some_and(|end| end < now) => Primary::new("ENDED", &["CAMPAIGN_ENDED"]),
        Status::Enabled if campaign.starts().is_some_and(|start| start > now) => {
            Primary::new("PENDING", &["CAMPAIGN_PENDING"])
        }
        Status::Enabled => return None,
    })
}

/// The primary status of a campaign. Its ads stand for asset groups in Performance Max, which has no ads.
pub(crate) fn of_campaign(campaign: &Campaign, ads: &[Ad], hold: Option<Hold>, now: DateTime) -> Primary {
    if let Some(off) = of_switch(campaign, now) {
        return off;
    }
    let has_ads = campaign.has_ads();
    let word = |of_ads: &'static str, of_asset_groups| if has_ads { of_ads } else { of_asset_groups };
    let count = |state| ads.iter().filter(|ad| ad.state == state).count();
    let (approved, in_review, rejected) =
        (count(AdState::Approved), count(AdState::InReview), count(AdState::Rejected));
    let mut reasons = Vec::new();
    if ads.is_empty() {
        reasons.push(word("NO_AD_GROUPS", "NO_ASSET_GROUPS"));
    } else if approved + in_review + rejected == 0 {
        reasons.push(word("AD_GROUP_ADS_PAUSED", "ASSET_GROUPS_PAUSED"));
    } else if approved + in_review == 0 {
        // "None" means none that is eligible.
        reasons.push(word("NO_AD_GROUP_ADS", "NO_ASSET_GROUPS"));
    }
    if rejected > 0 {
        reasons.push(word("HAS_ADS_DISAPPROVED", "HAS_ASSET_GROUPS_DISAPPROVED"));
    }
    if in_review * 2 > approved + in_review + rejected {
        reasons.push(word("MOST_ADS_UNDER_REVIEW", "MOST_ASSET_GROUPS_UNDER_REVIEW"));
    }
    match hold {
        Some(Hold::BudgetSpent) => reasons.push("BUDGET_CONSTRAINED"),
        Some(Hold::Audience) => reasons.push("SEARCH_VOLUME_LIMITED"),
        Some(Hold::Suspended | Hold::Billing) | None => {}
    }
    let status = match (approved, in_review) {
        (0, 0) => "NOT_ELIGIBLE",
        (0, _) => "PENDING",
        _ if reasons.is_empty() => "ELIGIBLE",
        _ => "LIMITED",
    };
    Primary::new(status, &reasons)
}

/// The primary status of an ad.
pub(crate) fn of_ad(campaign: &Campaign, ad: Ad, now: DateTime) -> Primary {
    let own = match ad.state {
        AdState::Approved => Primary::new("ELIGIBLE", &[]),
        AdState::InReview => Primary::new("PENDING", &["AD_GROUP_AD_UNDER_REVIEW"]),
        AdState::Rejected => Primary::new("NOT_ELIGIBLE", &["AD_GROUP_AD_DISAPPROVED"]),
        AdState::Paused => Primary::new("PAUSED", &["AD_GROUP_AD_PAUSED"]),
    };
    let Some(off) = of_switch(campaign, now) else { return own };
    // An ad has no status ENDED.
    let status = if off.status == "ENDED" { "NOT_ELIGIBLE".to_owned() } else { off.status };
    Primary { status, reasons: [off.reasons, own.reasons].concat() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_a_status_and_its_reasons() {
        let primary = Primary::new("LIMITED", &["HAS_ADS_DISAPPROVED", "BUDGET_CONSTRAINED"]);
        assert_eq!(Primary::of_words(primary.clone().words()), primary);
        assert_eq!(Primary::of_words(vec![UNHEARD_OF.to_owned()]), Primary::unheard_of());
    }
}

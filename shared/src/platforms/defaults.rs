//! Checks of campaign defaults that more than one platform needs.

use super::field_errors::FieldErrors;
use crate::domain::{CampaignDefaults, ChoiceRule, Platform};

/// Refuses every value that is set.
pub(super) fn not_offered(platform: Platform, defaults: &CampaignDefaults) -> FieldErrors {
    let mut errors = FieldErrors::default();
    for field in defaults.field_names() {
        let rule = ChoiceRule::Offered { platform, instead: None };
        errors.add(&format!("{}.{field}", CampaignDefaults::NAME), rule);
    }
    errors
}

/// Refuses every category but the political one, where the platform asks for that alone.
pub(super) fn check_politics(errors: &mut FieldErrors, platform: Platform, defaults: &CampaignDefaults) {
    let categories = defaults.special_ad_categories.as_deref().unwrap_or_default();
    if !categories.is_empty() && categories != [CampaignDefaults::POLITICS] {
        let (politics, name) = (CampaignDefaults::POLITICS, platform.display_name());
        let message = format!("must be empty or have only {politics}, once: {name} asks for no other category");
        errors.add("campaign_defaults.special_ad_categories", message);
    }
}

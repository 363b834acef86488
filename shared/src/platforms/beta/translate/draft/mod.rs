//! A new campaign: checks a draft, translates it, and reads the campaign that was created.

use super::write_budget;
use crate::platforms::beta::money::Units;
use crate::platforms::beta::wire::{self, CampaignParameters};
use crate::platforms::beta::{Beta, CAPABILITIES, api};
use crate::platforms::prelude::*;

impl Create for Beta {
    /// Two defaults of the platform would cost money: it creates campaigns ACTIVE, and with a bid cap, under which it
    /// refuses every ad set without a bid.
    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
        let CreateInput { account, draft, .. } = *input;
        let mut errors = CAPABILITIES.draft_errors(Some(account.currency), draft);
        let units = Units::of(draft.budget_amount, Some(draft.budget_period), account.currency);
        let units = errors.check("budget_amount", units);
        let CampaignDefaults { country, special_ad_categories, .. } = draft.defaults.clone().unwrap_or_default();
        let parameters = CampaignParameters {
            name: Some(draft.name.clone()),
            objective: Some(objective(draft.goal)),
            status: Some("PAUSED"),
            special_ad_categories: Some(special_ad_categories.unwrap_or_default()),
            special_ad_category_country: country.map(|country| [country]),
            bid_strategy: Some("LOWEST_COST_WITHOUT_CAP"),
            ..CampaignParameters::default()
        };
        let parameters = units.and_then(|units| {
            errors.offered(Platform::Beta, "budget_period", write_budget(parameters, draft.budget_period, units))
        });
        let (Some(parameters), true) = (parameters, errors.is_empty()) else {
            return Err(errors.into_error(Platform::Beta));
        };
        PreparedCreate::new(Platform::Beta, input, api::campaigns(&account.id)?, &parameters)
    }

    /// The campaign as it was drafted. The response to a create is the id alone.
    fn read_created(
        &self,
        _: &AdAccount,
        prepared: &PreparedCreate,
        response: &OutboundResponse,
    ) -> Result<PlatformCampaign, Error> {
        let created: wire::Created = read_object(Platform::Beta, &response.body)?;
        let id = created.id.filter(|id| wire::is_id(id));
        let id = id.ok_or_else(|| unreadable(Platform::Beta, "a new campaign without an id"))?;
        // The id consists of digits, so it needs no escape.
        let raw = format!("{{\"id\":\"{id}\"}}");
        Ok(prepared.created(id, raw))
    }

    /// A refusal with an error of the platform's own may come with status 200.
    fn create_failure(&self, response: &OutboundResponse, error: Error) -> CreateFailure {
        let is_clear = response.status.is_client_error() || response.status.is_success();
        let is_failure = error.kind == Kind::PlatformFailed && !error.is_for_operator;
        if !is_clear || is_failure {
            return CreateFailure::of(response, error);
        }
        CreateFailure::NotCreated(errors::account_error(Platform::Beta, error))
    }
}

/// Objectives of new campaigns (Marketing API: Campaign, `objective`).
fn objective(goal: Goal) -> &'static str {
    match goal {
        Goal::BrandAwareness | Goal::Reach => "OUTCOME_AWARENESS",
        Goal::WebsiteTraffic => "OUTCOME_TRAFFIC",
        Goal::Leads => "OUTCOME_LEADS",
        Goal::Sales | Goal::Conversions => "OUTCOME_SALES",
        Goal::AppPromotion => "OUTCOME_APP_PROMOTION",
    }
}

#[cfg(test)]
mod tests;

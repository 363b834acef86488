//! A new campaign: checks a draft, translates it, and reads the campaign that was created.

use super::with_budget;
use crate::domain::{Campaign, CampaignDraft, Goal, Platform};
use crate::error::{Error, FieldError};
use crate::outbound::Answer;
use crate::platforms::answers::read_object;
use crate::platforms::beta::fault::unreadable;
use crate::platforms::beta::money::Units;
use crate::platforms::beta::{CAPABILITIES, NAME, api, wire};
use crate::platforms::capabilities::fault;
use crate::platforms::engine::create::{CreateInput, PreparedCreate};

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

/// Checks a draft, reports all of its faults together, and translates it.
pub(in crate::platforms::beta) fn prepare(input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
    let CreateInput { account, draft, settings, .. } = *input;
    let mut faults = CAPABILITIES.draft_faults(account, draft);
    if draft.name.trim().is_empty() {
        faults.push(fault("name", "must not be blank"));
    }
    let budget = Units::of_budget(draft.budget_amount, Some(draft.budget_period), account.currency);
    let budget = budget.map_err(|fault| add(&mut faults, fault)).ok();
    faults.extend(draft.start_at.map(|_| date_fault("start_at")));
    faults.extend(draft.end_at.map(|_| date_fault("end_at")));
    let parameters = parameters(draft, &settings.beta_ads.special_ad_categories);
    let parameters = budget.and_then(|budget| with_budget(parameters, draft.budget_period, budget));
    let Some(parameters) = parameters.filter(|_| faults.is_empty()) else {
        return Err(Error::fields(faults).on(Platform::Beta));
    };
    PreparedCreate::new(Platform::Beta, input, api::campaigns(&account.id)?, &parameters)
}

/// Two defaults of the platform would cost money: it creates campaigns ACTIVE, and with a bid cap, under which it
/// refuses every ad set without a bid. It requires the special categories even when there are none.
fn parameters(draft: &CampaignDraft, special_ad_categories: &[String]) -> wire::CampaignParameters {
    wire::CampaignParameters {
        name: Some(draft.name.clone()),
        objective: Some(objective(draft.goal)),
        status: Some("PAUSED"),
        special_ad_categories: Some(special_ad_categories.to_vec()),
        bid_strategy: Some("LOWEST_COST_WITHOUT_CAP"),
        daily_budget: None,
        lifetime_budget: None,
    }
}

/// The campaign as it was drafted. The answer to a create is the id alone.
pub(in crate::platforms::beta) fn created(prepared: &PreparedCreate, answer: &Answer) -> Result<Campaign, Error> {
    let created: wire::Created = read_object(Platform::Beta, &answer.body)?;
    let id = created.id.filter(|id| wire::is_id(id)).ok_or_else(|| unreadable("a new campaign without an id"))?;
    // The id consists of digits, so it needs no escape.
    let raw = format!("{{\"id\":\"{id}\"}}");
    Ok(prepared.created(id, raw))
}

/// The campaign as it was drafted, with the fields that the platform added.
pub(in crate::platforms::beta) fn with_additions(created: Campaign, read: Campaign) -> Campaign {
    let Campaign { start_at, end_at, created_at, updated_at, raw, .. } = read;
    Campaign { start_at, end_at, created_at, updated_at, raw, ..created }
}

/// Adds a fault, unless its field has the same one already.
fn add(faults: &mut Vec<FieldError>, fault: FieldError) {
    if !faults.contains(&fault) {
        faults.push(fault);
    }
}

fn date_fault(field: &str) -> FieldError {
    let message = format!("cannot be set on {NAME}: a campaign there has no schedule, its ad sets have; leave it out");
    fault(field, message)
}

#[cfg(test)]
mod tests;

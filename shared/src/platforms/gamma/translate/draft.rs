//! A new campaign: checks a draft and translates it.

use super::budget_mode;
use super::name::name_fault;
use crate::domain::{AdAccount, Campaign, CampaignDraft, CampaignStatus, Goal, Platform};
use crate::error::{Error, FieldError};
use crate::platforms::capabilities::fault;
use crate::platforms::engine::create::{CreateInput, PreparedCreate};
use crate::platforms::gamma::family::ApiFamily;
use crate::platforms::gamma::fault::unreadable;
use crate::platforms::gamma::wire::{self, Amount, Operation, instant};
use crate::platforms::gamma::{CAPABILITIES, NAME, api};
use serde_json::value::RawValue;

/// Checks a draft, reports all of its faults together, and translates it. The platform keeps the marker: of all creates
/// with the same one, one succeeds.
pub(in crate::platforms::gamma) fn prepare(input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
    let faults = faults(input.account, input.draft);
    let (Some(budget_mode), true) = (budget_mode(input.draft.budget_period), faults.is_empty()) else {
        return Err(Error::fields(faults).on(Platform::Gamma));
    };
    let url = api::address(ApiFamily::for_goal(input.draft.goal).create());
    PreparedCreate::new(Platform::Gamma, input, url, &new_campaign(input, budget_mode))
}

/// Reads a new campaign. Only the id is necessary: a campaign that exists is never lost over another field. A campaign
/// is active unless the answer says that it is not.
pub(in crate::platforms::gamma) fn created(prepared: &PreparedCreate, data: &RawValue) -> Result<Campaign, Error> {
    let created: wire::Created = serde_json::from_str(data.get()).map_err(unreadable)?;
    let state: wire::CampaignState = serde_json::from_str(data.get()).unwrap_or_default();
    let is_off = state.operation_status.as_deref() == Some(Operation::Disable.as_str());
    Ok(Campaign {
        status: if is_off { CampaignStatus::Paused } else { CampaignStatus::Active },
        created_at: state.create_time.as_deref().and_then(instant),
        updated_at: state.modify_time.as_deref().and_then(instant),
        ..prepared.created(created.campaign_id.to_string(), data.get().to_owned())
    })
}

fn faults(account: &AdAccount, draft: &CampaignDraft) -> Vec<FieldError> {
    let mut faults = CAPABILITIES.draft_faults(account, draft);
    faults.extend(name_fault(&draft.name));
    faults.extend(draft.start_at.map(|_| date_fault("start_at")));
    faults.extend(draft.end_at.map(|_| date_fault("end_at")));
    faults
}

fn date_fault(field: &str) -> FieldError {
    fault(field, format!("cannot be set on {NAME}: a campaign there has no dates, its ad groups have; leave it out"))
}

/// The content, for both families. The fields with a default of on (status) or of either (the budget's owner) are
/// always sent. A daily budget that the campaign holds as a limit over its ad groups is a strict cap for each day.
fn new_campaign<'a>(input: &CreateInput<'a>, budget_mode: &'static str) -> wire::CampaignCreate<'a> {
    let CreateInput { account, draft, marker, .. } = *input;
    let objective_type = objective(draft.goal);
    let is = |objective| objective_type == objective;
    wire::CampaignCreate {
        advertiser_id: &account.id,
        request_id: marker.number().to_string(),
        campaign_name: &draft.name,
        objective_type,
        app_promotion_type: is("APP_PROMOTION").then_some("APP_INSTALL"),
        sales_destination: is("WEB_CONVERSIONS").then_some("WEBSITE"),
        budget_mode,
        budget: Amount(draft.budget_amount),
        budget_optimize_on: false,
        operation_status: Operation::Disable,
    }
}

fn objective(goal: Goal) -> &'static str {
    match goal {
        Goal::WebsiteTraffic => "TRAFFIC",
        Goal::BrandAwareness | Goal::Reach => "REACH",
        Goal::Conversions | Goal::Sales => "WEB_CONVERSIONS",
        Goal::Leads => "LEAD_GENERATION",
        Goal::AppPromotion => "APP_PROMOTION",
    }
}

#[cfg(test)]
mod tests;

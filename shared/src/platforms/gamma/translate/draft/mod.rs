//! A new campaign: checks a draft and translates it.

use super::{campaign, write_period};
use crate::platforms::engine::create::as_seen;
use crate::platforms::gamma::family::ApiFamily;
use crate::platforms::gamma::wire::{self, Amount};
use crate::platforms::gamma::{CAPABILITIES, Gamma, api, error};
use crate::platforms::prelude::*;

impl Create for Gamma {
    /// The platform keeps the marker: of all creates with the same one, one succeeds.
    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
        let mut errors = CAPABILITIES.draft_errors(Some(input.account.currency), input.draft);
        let mode = write_period(input.draft.budget_period);
        let mode = errors.offered(Platform::Gamma, "budget_period", mode);
        let (Some(mode), true) = (mode, errors.is_empty()) else {
            return Err(errors.into_error(Platform::Gamma));
        };
        let url = api::address(&ApiFamily::for_goal(input.draft.goal).path("create"));
        PreparedCreate::new(Platform::Gamma, input, url, &new_campaign(input, mode))
    }

    /// Only the id is necessary: a campaign that exists is never lost over another field. A campaign is active unless
    /// the response says that it is not.
    fn read_created(
        &self,
        account: &AdAccount,
        prepared: &PreparedCreate,
        response: &OutboundResponse,
    ) -> Result<PlatformCampaign, Error> {
        let data: Box<RawValue> = api::read_data(response)?;
        let created: wire::CampaignKey = api::parse(data.get())?;
        let drafted = prepared.created(created.campaign_id.to_string(), data.get().to_owned());
        let seen = campaign(account, data.get(), false).ok();
        // A campaign that is not said to be off may run.
        let is_off = seen.as_ref().is_some_and(|seen| seen.status == CampaignStatus::Paused);
        let status = if is_off { CampaignStatus::Paused } else { CampaignStatus::Active };
        Ok(PlatformCampaign { status, ..as_seen(drafted, seen) })
    }

    fn create_failure(&self, response: &OutboundResponse, error: Error) -> CreateFailure {
        error::create_failure(response, error)
    }
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
        operation_status: wire::DISABLE,
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

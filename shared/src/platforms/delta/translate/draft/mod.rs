//! A new campaign: checks a draft, translates it, and reads the id of the created campaign.

use super::{immediate_start, instant, money, write_budget};
use crate::domain::DefaultsRule;
use crate::platforms::delta::audience::Audience;
use crate::platforms::delta::{CAPABILITIES, Delta, api, query, wire};
use crate::platforms::prelude::*;

/// The platform's terms for a goal: the objective, and the target of the automatic bidding.
///
/// Without a target the platform bids manually, which needs a bid: with none the campaign is RUNNABLE and is never
/// shown. Third parties report this (2026-11); it is not verified.
struct Objective {
    objective_type: &'static str,
    optimization_target_type: &'static str,
}

impl Objective {
    fn of(goal: Goal) -> Option<Objective> {
        let (objective_type, optimization_target_type) = match goal {
            Goal::BrandAwareness => ("BRAND_AWARENESS", "MAX_IMPRESSION"),
            Goal::Reach => ("BRAND_AWARENESS", "MAX_REACH"),
            Goal::WebsiteTraffic => ("WEBSITE_VISIT", "MAX_CLICK"),
            Goal::Leads => ("LEAD_GENERATION", "MAX_CLICK"),
            Goal::Sales | Goal::Conversions => ("WEBSITE_CONVERSION", "MAX_CLICK"),
            Goal::AppPromotion => return None,
        };
        Some(Objective { objective_type, optimization_target_type })
    }
}

impl Create for Delta {
    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
        let CreateInput { account, draft, now, .. } = *input;
        let mut errors = CAPABILITIES.draft_errors(Some(account.currency), draft);
        let schedule = schedule(draft, now, &mut errors);
        let money = money(draft.budget_amount, Some(draft.budget_period), account.currency);
        let money = money.map_err(|error| errors.extend([error])).ok();
        let budget = money.and_then(|money| {
            errors.offered(Platform::Delta, "budget_period", write_budget(draft.budget_period, money))
        });
        let platform = Platform::Delta;
        let audience = draft.defaults.as_ref().and_then(Audience::of).ok_or(DefaultsRule::Set { platform });
        let audience = errors.check(CampaignDefaults::NAME, audience);
        let (Some(objective), Some(budget), Some(audience), true) =
            (Objective::of(draft.goal), budget, audience, errors.is_empty())
        else {
            return Err(errors.into_error(Platform::Delta));
        };
        let url = query::within(&account.id, "adCampaigns")?;
        let campaign = new_campaign(input, objective, budget, schedule, audience);
        let mut prepared = PreparedCreate::new(Platform::Delta, input, url, &campaign)?;
        prepared.campaign.start_at = instant(schedule.start);
        prepared.campaign.end_at = schedule.end.and_then(instant);
        Ok(prepared)
    }

    /// The campaign as it was drafted, under its id: the response contains nothing else.
    fn read_created(
        &self,
        _: &AdAccount,
        prepared: &PreparedCreate,
        response: &OutboundResponse,
    ) -> Result<PlatformCampaign, Error> {
        let id = api::created_id(response)?;
        let raw = format!(r#"{{"id":{id}}}"#);
        Ok(prepared.created(id, raw))
    }

    /// A client error with a reason proves that nothing was created, also where it is no fault of the caller's, such as
    /// a retired version.
    fn create_failure(&self, response: &OutboundResponse, error: Error) -> CreateFailure {
        let is_clear = error.platform_error.is_some() && !error.retryable && response.status.is_client_error();
        match error.kind {
            Kind::PlatformFailed if is_clear => CreateFailure::NotCreated(error),
            _ => CreateFailure::of(response, error),
        }
    }
}

/// The start and the end of a draft, in UTC. A campaign without a start begins a little after `now`.
fn schedule(draft: &CampaignDraft, now: Timestamp, errors: &mut FieldErrors) -> wire::RunSchedule {
    let (start, end) = (errors.start(draft, &TimeZone::UTC), errors.end(draft, &TimeZone::UTC));
    let start = start.or_else(|| instant(immediate_start(now)));
    CAPABILITIES.check_new_dates(errors, start, end, now);
    let start = start.map_or_else(|| immediate_start(now), Timestamp::as_millisecond);
    wire::RunSchedule { start, end: end.map(Timestamp::as_millisecond) }
}

/// The request states each choice that the platform would otherwise make itself: the campaign is paused, and it buys no
/// placements elsewhere.
///
/// Not verified: that a campaign is shown only with `optimizationTargetType`, `associatedEntity` and, with a total
/// budget, `pacingStrategy`, which can be set only now. Third parties report it (2026-11). None of them can spend more
/// than the budget.
///
/// <https://learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure/create-and-manage-campaigns>
fn new_campaign<'a>(
    input: &CreateInput<'a>,
    objective: Objective,
    budget: wire::Budget,
    run_schedule: wire::RunSchedule,
    audience: Audience,
) -> wire::NewCampaign<'a> {
    let Objective { objective_type, optimization_target_type } = objective;
    wire::NewCampaign {
        account: wire::account_urn(&input.account.id),
        name: &input.draft.name,
        kind: "SPONSORED_UPDATES",
        objective_type,
        // Automatic bidding is billed by impressions for every target: live rows have MAX_CLICK with CPM (recorded,
        // 2023-10), and public integrations send that. CPC with MAX_CLICK is not verified.
        cost_type: "CPM",
        optimization_target_type,
        pacing_strategy: matches!(budget, wire::Budget::Total(_)).then_some("LIFETIME"),
        status: "PAUSED",
        budget,
        run_schedule,
        locale: audience.locale,
        targeting_criteria: audience.criteria(),
        offsite_delivery_enabled: false,
        political_intent: if input.draft.is_political() { "POLITICAL" } else { "NOT_POLITICAL" },
    }
}

#[cfg(test)]
mod tests;

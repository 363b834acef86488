//! A new campaign: checks a draft and translates it.

use super::{campaign, write_period};
use crate::platforms::engine::create::as_seen;
use crate::platforms::prelude::*;
use crate::platforms::zeta::{CAPABILITIES, Zeta, api, wire};
use jiff::SignedDuration;

/// A campaign without a start begins this much after the request, because the start has to lie in the future when it
/// arrives.
const LEAD: SignedDuration = SignedDuration::from_secs(60);

/// The platform's terms for a goal.
#[derive(Clone, Copy, Debug)]
struct Objective {
    name: &'static str,
    bid_type: &'static str,
    optimization_goal: Option<&'static str>,
    view_through: Option<&'static str>,
}

impl Objective {
    fn of(goal: Goal) -> Option<Objective> {
        let (name, bid_type, optimization_goal, view_through) = match goal {
            Goal::BrandAwareness => ("BRAND_AWARENESS", "CPM", None, None),
            Goal::Reach => ("IMPRESSIONS", "CPM", None, None),
            Goal::WebsiteTraffic => ("CLICKS", "CPC", Some("CLICKS"), None),
            Goal::Leads => ("LEAD_GENERATION", "CPC", Some("LEAD"), None),
            Goal::Sales | Goal::Conversions => {
                ("CONVERSIONS", "CPM", Some("PURCHASE"), Some("SEVEN_DAY_CLICKS_ONE_DAY_VIEW"))
            }
            // Needs the id of an app, and a draft has none.
            Goal::AppPromotion => return None,
        };
        Some(Objective { name, bid_type, optimization_goal, view_through })
    }
}

impl Create for Zeta {
    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
        let CreateInput { account, draft, now, .. } = *input;
        let zone = errors::time_zone(Platform::Zeta, account)?;
        let mut errors = CAPABILITIES.draft_errors(Some(account.currency), draft);
        let micros = errors.check("budget_amount", Micros::from_amount(draft.budget_amount));
        let (start, end) = (errors.start(draft, &zone).unwrap_or(now + LEAD), errors.end(draft, &zone));
        CAPABILITIES.check_new_dates(&mut errors, Some(start), end, now);
        let goal_type = errors.offered(Platform::Zeta, "budget_period", write_period(draft.budget_period));
        let (Some(objective), Some(goal_type), Some(micros), true) =
            (Objective::of(draft.goal), goal_type, micros, errors.is_empty())
        else {
            return Err(errors.into_error(Platform::Zeta));
        };
        let content = new_campaign(input, &objective, goal_type, micros, start, end);
        let url = api::of_account(&account.id, "campaigns")?;
        PreparedCreate::new(Platform::Zeta, input, url, &wire::Data { data: content })
    }

    fn read_created(
        &self,
        account: &AdAccount,
        prepared: &PreparedCreate,
        response: &OutboundResponse,
    ) -> Result<PlatformCampaign, Error> {
        let seen = campaign(account, &api::read_data(response)?)?;
        let drafted = prepared.created(seen.remote_id.clone(), seen.raw.clone());
        Ok(as_seen(drafted, Some(seen)))
    }
}

fn new_campaign<'a>(
    input: &CreateInput<'a>,
    objective: &Objective,
    goal_type: &'static str,
    micros: Micros,
    start: Timestamp,
    end: Option<Timestamp>,
) -> wire::NewCampaign<'a> {
    wire::NewCampaign {
        name: &input.draft.name,
        invoice_label: input.marker.label(),
        objective: objective.name,
        configured_status: "PAUSED",
        is_campaign_budget_optimization: true,
        goal_type,
        goal_value: micros.0,
        start_time: format!("{start:.0}"),
        end_time: end.map(|end| format!("{end:.0}")),
        bid_strategy: "BIDLESS",
        bid_type: objective.bid_type,
        optimization_goal: objective.optimization_goal,
        view_through_conversion_type: objective.view_through,
    }
}

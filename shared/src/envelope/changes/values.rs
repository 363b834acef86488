//! The values of a campaign in a change, in either shape.

use crate::domain::{Action, BudgetPeriod, CampaignChanges, CampaignDraft, CampaignStatus, CampaignValues};
use crate::envelope::campaign_defaults::WireDefaults;
use crate::envelope::names::{goal_name, status_name};
use crate::envelope::wire::{Number, iso_seconds};
use crate::envelope::{Shape, flat};
use serde::Serialize;
use serde_with::skip_serializing_none;

/// The requested fields; none for a removal.
#[skip_serializing_none]
#[derive(Default, Serialize)]
pub(super) struct WireRequested<'a> {
    name: Option<&'a str>,
    status: Option<&'static str>,
    goal: Option<&'static str>,
    budget_amount: Option<Number>,
    budget_period: Option<&'static str>,
    /// The date, or null where an update takes it away.
    start_at: Option<Option<String>>,
    end_at: Option<Option<String>>,
    /// What the connection or the operator had set for new campaigns.
    campaign_defaults: Option<WireDefaults<'a>>,
}

impl<'a> WireRequested<'a> {
    pub(super) fn new(action: &'a Action, shape: Shape) -> WireRequested<'a> {
        match action {
            Action::Create(new) => {
                let CampaignDraft { name, goal, budget_amount, budget_period, start_at, end_at, defaults } = &new.draft;
                let monthly = new.monthly.map(|monthly| (monthly.amount, BudgetPeriod::Monthly));
                let (budget_amount, budget_period) = monthly.unwrap_or((*budget_amount, *budget_period));
                WireRequested {
                    name: Some(name),
                    status: status_name(shape, CampaignStatus::Paused),
                    goal: goal_name(shape, *goal),
                    budget_amount: Some(Number(budget_amount)),
                    budget_period: Some(period_name(budget_period, shape)),
                    start_at: start_at.map(|moment| Some(moment.to_string())),
                    end_at: end_at.map(|moment| Some(moment.to_string())),
                    campaign_defaults: defaults.as_ref().map(WireDefaults::from),
                }
            }
            Action::Update(CampaignChanges { name, status, budget_amount, budget_period, start_at, end_at }) => {
                WireRequested {
                    name: name.as_deref(),
                    status: status.and_then(|status| status_name(shape, status)),
                    budget_amount: budget_amount.map(Number),
                    budget_period: budget_period.map(|period| period_name(period, shape)),
                    start_at: start_at.map(|change| change.date().map(iso_seconds)),
                    end_at: end_at.map(|change| change.date().map(iso_seconds)),
                    ..WireRequested::default()
                }
            }
            Action::Delete => WireRequested::default(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct WireValues<'a> {
    name: &'a str,
    status: Option<&'static str>,
    budget_amount: Option<Number>,
    budget_period: Option<&'static str>,
    currency: &'static str,
    start_at: Option<String>,
    end_at: Option<String>,
}

impl<'a> WireValues<'a> {
    pub(super) fn new(values: &'a CampaignValues, shape: Shape) -> WireValues<'a> {
        let CampaignValues { name, status, budget_amount, budget_period, currency, start_at, end_at } = values;
        WireValues {
            name,
            status: status_name(shape, *status),
            budget_amount: budget_amount.map(Number),
            budget_period: budget_period.map(|period| period_name(period, shape)),
            currency: currency.code(),
            start_at: start_at.map(iso_seconds),
            end_at: end_at.map(iso_seconds),
        }
    }
}

/// The name of a budget period. A change names a monthly budget also in the flat shape.
fn period_name(period: BudgetPeriod, shape: Shape) -> &'static str {
    match shape {
        Shape::Flat => flat::period_name(period),
        Shape::Enveloped => period.as_str(),
    }
}

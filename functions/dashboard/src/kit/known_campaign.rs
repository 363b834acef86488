//! Campaigns as they are known from records while their platforms do not answer.

use crate::kit::campaign::CampaignSummary;
use jiff::Timestamp;
use shared::domain::{Campaign, CampaignId, CampaignValues, ConnectionId, Signals};

/// A campaign as it was read last.
#[derive(Clone, Debug)]
pub(crate) struct SeenCampaign {
    pub(crate) campaign: CampaignSummary,
    pub(crate) at: Timestamp,
    /// Whether its platform has not answered since.
    pub(crate) is_silent: bool,
}

/// A campaign with the values that a change has found. What no record has is not known.
pub(crate) fn of_values(
    id: CampaignId,
    account_id: String,
    connection: ConnectionId,
    values: CampaignValues,
) -> Campaign {
    let CampaignValues { name, status, budget_amount, budget_period, currency, start_at, end_at } = values;
    Campaign {
        id,
        connection,
        account_id,
        remote_id: String::new(),
        name,
        status,
        goal: None,
        budget_amount,
        budget_period,
        monthly: None,
        currency,
        total_spend_amount: None,
        start_at,
        start_held_by: None,
        end_at,
        end_held_by: None,
        created_at: None,
        updated_at: None,
        raw: String::new(),
        signals: Signals::default(),
        delivery: None,
        reference: None,
    }
}

/// A campaign as a list has kept it.
pub(crate) fn of_summary(summary: CampaignSummary, connection: ConnectionId) -> Campaign {
    let CampaignSummary { id, account_id, name, status, budget_amount, budget_period, currency, end_at, .. } = summary;
    let values = CampaignValues { name, status, budget_amount, budget_period, currency, start_at: None, end_at };
    let (monthly, end_held_by) = (summary.monthly, summary.end_held_by);
    Campaign { monthly, end_held_by, ..of_values(id, account_id, connection, values) }
}

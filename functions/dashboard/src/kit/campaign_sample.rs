//! Campaigns for tests.

use rust_decimal::Decimal;
use shared::domain::{
    BudgetPeriod, Campaign, CampaignId, CampaignStatus, CampaignValues, ConnectionId, Currency, Goal, Signals,
};

/// A paused campaign with a budget of 10 USD a day.
pub(crate) fn campaign(id: &str) -> Campaign {
    let id = CampaignId::parse(id).unwrap();
    let account_id = id.possible_accounts().next().unwrap().to_owned();
    Campaign {
        id,
        account_id,
        connection: ConnectionId("conn_1".to_owned()),
        remote_id: String::new(),
        name: "Spring".to_owned(),
        status: CampaignStatus::Paused,
        goal: Some(Goal::Leads),
        budget_amount: Some(Decimal::TEN),
        budget_period: Some(BudgetPeriod::Daily),
        monthly: None,
        currency: Currency::from_code("USD").unwrap(),
        total_spend_amount: None,
        start_at: None,
        start_held_by: None,
        end_at: None,
        end_held_by: None,
        created_at: None,
        updated_at: None,
        raw: String::new(),
        signals: Signals::default(),
        delivery: None,
        reference: None,
    }
}

/// Its values.
pub(crate) fn values() -> CampaignValues {
    let Campaign { name, status, budget_amount, budget_period, currency, .. } = campaign("alpha_1_2");
    CampaignValues { name, status, budget_amount, budget_period, currency, start_at: None, end_at: None }
}

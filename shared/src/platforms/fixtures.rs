//! For tests: an ad account of each platform, and a campaign to create.

use super::settings::Settings;
use crate::domain::{AdAccount, BudgetPeriod, CampaignDraft, Currency, Goal, Platform};
use rust_decimal::Decimal;

/// An ad account of a platform.
pub(in crate::platforms) fn account(platform: Platform, currency: &str, time_zone: &str) -> AdAccount {
    let id = match platform {
        Platform::Alpha => "1234567890",
        Platform::Beta => "111222333",
        Platform::Gamma => "7000000000000000001",
        Platform::Delta => "512345678",
        Platform::Epsilon => "549755885175",
        Platform::Zeta => "a2_example",
    };
    AdAccount {
        id: id.into(),
        name: String::new(),
        currency: Currency::from_code(currency).unwrap(),
        time_zone: time_zone.into(),
        manager_id: None,
    }
}

/// A campaign with a daily budget and without dates.
pub(in crate::platforms) fn draft(goal: Goal, budget_amount: &str) -> CampaignDraft {
    let amount = Decimal::from_str_exact(budget_amount).unwrap();
    CampaignDraft::new("Winter".into(), goal, amount, BudgetPeriod::Daily)
}

/// The same for English speakers in the United States, which LinkedIn has to know.
pub(in crate::platforms) fn aimed_draft(goal: Goal, budget_amount: &str) -> CampaignDraft {
    let defaults = Settings::local().delta_ads.campaign_defaults;
    CampaignDraft { defaults, ..draft(goal, budget_amount) }
}

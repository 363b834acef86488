//! For tests: a session with a fake Pinterest, and campaigns as it would have them.

use crate::domain::Platform;
use crate::platforms::AccountSession;
use crate::platforms::fake::Fake;
use crate::platforms::fixtures;
use serde_json::{Value, json};

/// A session of a euro account.
pub(in crate::platforms::epsilon) fn session(fake: &Fake) -> AccountSession {
    let account = fixtures::account(Platform::Epsilon, "EUR", "UTC");
    fake.session_of(Platform::Epsilon, account)
}

/// A campaign as the platform has it.
pub(in crate::platforms::epsilon) fn campaign(id: u64, status: &str) -> Value {
    json!({"id": id.to_string(), "ad_account_id": "549755885175", "name": format!("c{id}"), "status": status,
        "is_campaign_budget_optimization": true, "daily_spend_cap": 1_000_000, "lifetime_spend_cap": null,
        "objective_type": "AWARENESS", "created_time": 1_763_600_000, "updated_time": 1_763_600_000})
}

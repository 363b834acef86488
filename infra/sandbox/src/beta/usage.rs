//! What the platform says when there were too many calls.
//!
//! Graph API: Rate Limiting; Marketing API: Rate Limiting. How long to wait stands in a usage
//! header, in minutes; there is no `Retry-After`.

use serde_json::json;

use super::Beta;
use super::address::{Address, address};
use super::error::GraphError;
use crate::http::{Reply, Request};

/// Minutes until calls are taken again.
const MINUTES: u32 = 5;

/// The refusal of a call, by what it is about.
pub(crate) fn throttled(beta: &Beta, request: &Request) -> Reply {
    let (account, code, kind) = match address(&request.path) {
        Ok(Address::Campaigns(act) | Address::Account(act)) => (number(act), 80_004, "ads_management"),
        Ok(Address::AccountInsights(act)) => (number(act), 80_000, "ads_insights"),
        Ok(Address::Node(id)) => (holder(beta, id), 80_004, "ads_management"),
        Ok(Address::NodeInsights(id)) => (holder(beta, id), 80_000, "ads_insights"),
        _ => return app_limit(),
    };
    let why = format!("(#{code}) There have been too many calls to this ad-account. Wait a bit and try again.");
    let usage = json!({ account: [{
        "type": kind,
        "call_count": 100,
        "total_cputime": 21,
        "total_time": 24,
        "estimated_time_to_regain_access": MINUTES,
        "ads_api_access_tier": "standard_access",
    }] });
    let error = GraphError::new(400, code, why).with_subcode(2_446_079);
    error.reply().with("x-business-use-case-usage", usage.to_string())
}

/// Calls that are about no ad account count for the whole app.
fn app_limit() -> Reply {
    let usage = json!({ "call_count": 100, "total_time": 25, "total_cputime": 23 });
    let error = GraphError::new(400, 4, "(#4) Application request limit reached");
    error.reply().with("x-app-usage", usage.to_string())
}

fn number(act: &str) -> String {
    act.trim_start_matches("act_").to_owned()
}

fn holder(beta: &Beta, campaign: &str) -> String {
    let at = campaign.parse().ok().and_then(|number| beta.holder(number));
    let account = at.and_then(|at| beta.accounts.get(at)).or_else(|| beta.accounts.first());
    account.map(|account| account.id.to_string()).unwrap_or_default()
}

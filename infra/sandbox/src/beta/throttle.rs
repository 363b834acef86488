//! Rate limit errors.
//!
//! Graph API: Rate Limiting; Marketing API: Rate Limiting. A usage header gives the wait in minutes. There is no
//! `Retry-After`.

use super::error::GraphError;
use super::route::Route;
use super::state::Beta;
use crate::http::{Request, Response};
use serde_json::json;

/// Minutes until the limit resets.
const WAIT_MINUTES: u32 = 5;

/// The error of a throttled call. Code and header depend on the endpoint.
pub(crate) fn response(beta: &Beta, request: &Request) -> Response {
    let (account, code, kind) = match Route::parse(&request.path) {
        Ok(Route::Campaigns(act) | Route::AccountAds(act) | Route::Account(act)) => {
            (account_id(act), 80_004, "ads_management")
        }
        Ok(Route::AccountInsights(act)) => (account_id(act), 80_000, "ads_insights"),
        Ok(Route::Node(id) | Route::NodeAds(id)) => (account_of(beta, id), 80_004, "ads_management"),
        Ok(Route::NodeInsights(id)) => (account_of(beta, id), 80_000, "ads_insights"),
        _ => return app_limit(),
    };
    let why = format!("(#{code}) There have been too many calls to this ad-account. Wait a bit and try again.");
    let usage = json!({ account: [{
        "type": kind,
        "call_count": 100,
        "total_cputime": 21,
        "total_time": 24,
        "estimated_time_to_regain_access": WAIT_MINUTES,
        "ads_api_access_tier": "standard_access",
    }] });
    let error = GraphError::new(400, code, why).with_subcode(2_446_079);
    error.response().with("x-business-use-case-usage", usage.to_string())
}

/// Calls without an ad account count against the app's limit.
fn app_limit() -> Response {
    let usage = json!({ "call_count": 100, "total_time": 25, "total_cputime": 23 });
    let error = GraphError::new(400, 4, "(#4) Application request limit reached");
    error.response().with("x-app-usage", usage.to_string())
}

fn account_id(act: &str) -> String {
    act.trim_start_matches("act_").to_owned()
}

fn account_of(beta: &Beta, campaign: &str) -> String {
    let index = campaign.parse().ok().and_then(|number| beta.account_of(number));
    let account = index.and_then(|index| beta.accounts.get(index)).or_else(|| beta.accounts.first());
    account.map(|account| account.id.to_string()).unwrap_or_default()
}

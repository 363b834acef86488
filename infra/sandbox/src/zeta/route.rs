//! The routes of the API.
//!
//! Reddit Ads API v3 reference: "Businesses", "Ad Accounts", "Pixels", "Campaigns", "Ads", "Reports".

use super::error::ApiError;
use crate::faults::Operation;
use crate::http::Request;
use serde_json::Value;

/// A route, with the ids of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route<'r> {
    Businesses,
    Accounts(&'r str),
    Account(&'r str),
    Pixels(&'r str),
    List(&'r str),
    Ads(&'r str),
    Create(&'r str),
    Get(&'r str),
    Update(&'r str),
    Report(&'r str),
}

/// The route of a request. A wrong method is 404, like a wrong path.
pub(crate) fn parse(request: &Request) -> Result<Route<'_>, ApiError> {
    let path = request.path.strip_prefix("/api/v3/").unwrap_or_default();
    let segments: Vec<&str> = path.split('/').collect();
    Ok(match (segments.as_slice(), request.method.as_str()) {
        (["me", "businesses"], "GET") => Route::Businesses,
        (["businesses", business, "ad_accounts"], "GET") => Route::Accounts(business),
        (["ad_accounts", account], "GET") => Route::Account(account),
        (["ad_accounts", account, "pixels"], "GET") => Route::Pixels(account),
        (["ad_accounts", account, "campaigns"], "GET") => Route::List(account),
        (["ad_accounts", account, "ads"], "GET") => Route::Ads(account),
        (["ad_accounts", account, "campaigns"], "POST") => Route::Create(account),
        (["ad_accounts", account, "reports"], "POST") => Route::Report(account),
        (["campaigns", id], "GET") => Route::Get(id),
        (["campaigns", id], "PATCH") => Route::Update(id),
        _ => return Err(ApiError::not_found()),
    })
}

/// The operation that faults match; `None` for an unknown route, and for pixels, so that a fault on the accounts hits
/// those.
pub(crate) fn operation(request: &Request) -> Option<Operation> {
    Some(match parse(request).ok()? {
        Route::Businesses | Route::Accounts(_) | Route::Account(_) => Operation::Accounts,
        Route::List(_) => Operation::List,
        Route::Ads(_) => Operation::Ads,
        Route::Create(_) => Operation::Create,
        Route::Get(_) => Operation::Get,
        Route::Update(_) => {
            let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
            let status = body["data"]["configured_status"].as_str();
            if matches!(status, Some("ARCHIVED" | "DELETED")) { Operation::Delete } else { Operation::Update }
        }
        Route::Report(_) => Operation::Report,
        Route::Pixels(_) => return None,
    })
}

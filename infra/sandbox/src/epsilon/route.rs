//! The routes of the API.
//!
//! Pinterest API v5 reference: `ad_accounts`, `campaigns`, `ad_groups`, `ads`.

use super::campaign::Status;
use super::campaign_input::{self, WriteKind};
use super::error::ApiError;
use crate::faults::Operation;
use crate::http::Request;

/// A route, with the ids of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route<'r> {
    Accounts,
    Account(&'r str),
    List(&'r str),
    AdGroups(&'r str),
    Ads(&'r str),
    Get(&'r str, &'r str),
    Analytics(&'r str),
    Write(&'r str, WriteKind),
}

/// The route of a request: 404 for an unknown path, 405 for another method of a known one.
pub(crate) fn parse(request: &Request) -> Result<Route<'_>, ApiError> {
    let path = request.path.strip_prefix("/v5/").unwrap_or_default();
    let segments: Vec<&str> = path.split('/').collect();
    let method = request.method.as_str();
    let route = match (segments.as_slice(), method) {
        (["ad_accounts"], "GET") => Route::Accounts,
        (["ad_accounts", account], "GET") if !account.is_empty() => Route::Account(account),
        (["ad_accounts", account, "campaigns"], "GET") => Route::List(account),
        (["ad_accounts", account, "ad_groups"], "GET") => Route::AdGroups(account),
        (["ad_accounts", account, "ads"], "GET") => Route::Ads(account),
        (["ad_accounts", account, "campaigns"], "POST") => Route::Write(account, WriteKind::Create),
        (["ad_accounts", account, "campaigns"], "PATCH") => Route::Write(account, WriteKind::Update),
        (["ad_accounts", account, "campaigns", "analytics"], "GET") => Route::Analytics(account),
        (["ad_accounts", account, "campaigns", id], "GET") if !id.is_empty() => Route::Get(account, id),
        (["ad_accounts"] | ["ad_accounts", _, "campaigns" | "ad_groups" | "ads"], _) => {
            return Err(ApiError::new(405, 405, format!("{method} is not allowed on this path.")));
        }
        _ => return Err(ApiError::new(404, 404, "There is no such path.")),
    };
    Ok(route)
}

/// The operation that faults match; `None` for a malformed request.
pub(crate) fn operation(request: &Request) -> Option<Operation> {
    Some(match parse(request).ok()? {
        Route::Accounts | Route::Account(_) => Operation::Accounts,
        Route::List(_) => Operation::List,
        Route::Get(..) => Operation::Get,
        Route::AdGroups(_) | Route::Ads(_) => Operation::Ads,
        Route::Analytics(_) => Operation::Report,
        Route::Write(_, WriteKind::Create) => Operation::Create,
        Route::Write(_, WriteKind::Update) => {
            let inputs = campaign_input::parse(&request.body, WriteKind::Update).ok()?;
            let deletes = inputs.iter().any(|input| input.status.is_some_and(Status::is_final));
            if deletes { Operation::Delete } else { Operation::Update }
        }
    })
}

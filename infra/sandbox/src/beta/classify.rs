//! The operation of a request, which faults match.

use super::oauth;
use super::params::Params;
use super::route::Route;
use crate::faults::{Operation, RequestKind};
use crate::http::Request;

/// Classifies a request.
pub(crate) fn request_kind(request: &Request) -> RequestKind {
    match Route::parse(&request.path) {
        Ok(Route::Dialog) => RequestKind::Page,
        Ok(route) => operation(request, route).map_or(RequestKind::Other, RequestKind::Operation),
        Err(_) => RequestKind::Other,
    }
}

fn operation(request: &Request, route: Route<'_>) -> Option<Operation> {
    let params = || Params::read(request).unwrap_or_default();
    Some(match (request.method.as_str(), route) {
        // The first exchange of a short-lived token is still part of connecting an account.
        ("GET" | "POST", Route::Token) if !renews(&params()) => Operation::Token,
        ("GET" | "POST", Route::Token) => Operation::Refresh,
        ("DELETE", Route::MyPermissions) => Operation::Revoke,
        ("GET", Route::MyPermissions) => Operation::Permissions,
        ("GET", Route::MyAccounts | Route::Account(_)) => Operation::Accounts,
        ("GET", Route::Campaigns(_)) => Operation::List,
        ("POST", Route::Campaigns(_)) => Operation::Create,
        ("GET", Route::Node(_)) => Operation::Get,
        ("GET", Route::AccountInsights(_) | Route::NodeInsights(_)) => Operation::Report,
        ("GET", Route::AccountAds(_) | Route::NodeAds(_)) => Operation::Ads,
        ("DELETE", Route::Node(_)) => Operation::Delete,
        ("POST", Route::Node(_)) if params().string("status") == Some("DELETED") => Operation::Delete,
        ("POST", Route::Node(_)) => Operation::Update,
        _ => return None,
    })
}

/// Whether a token request exchanges a long-lived token.
fn renews(params: &Params) -> bool {
    oauth::is_long_lived(params.string("fb_exchange_token").unwrap_or_default())
}

//! The routes under `/rest/`, and the scopes and the method header of each.
//!
//! Marketing API: "Create and Manage Campaigns", "Search For Creatives", "Getting Access" (scopes); LinkedIn API guide:
//! "Rest.li methods".

use super::error::error_response;
use crate::faults::Operation;
use crate::http::{Request, Response};
use serde_json::Value;

/// A route, with the ids of the account and of the resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    Users,
    Accounts,
    Account(i64),
    FindGroups(i64),
    CreateGroup(i64),
    Group(i64, i64),
    FindCampaigns(i64),
    CreateCampaign(i64),
    Campaign(i64, i64),
    FindCreatives(i64),
    Update(i64, i64),
    Delete(i64, i64),
    Report,
}

/// The route of a request; `None` for a path or method that the sandbox does not support.
pub(crate) fn parse(request: &Request) -> Option<Route> {
    let path: Vec<&str> = request.path.strip_prefix("/rest/")?.split('/').collect();
    let id = |text: &str| text.parse::<i64>().ok().filter(|id| *id > 0);
    Some(match (request.method.as_str(), path.as_slice()) {
        ("GET", ["adAccountUsers"]) => Route::Users,
        ("GET", ["adAccounts"]) => Route::Accounts,
        ("GET", ["adAnalytics"]) => Route::Report,
        ("GET", ["adAccounts", account]) => Route::Account(id(account)?),
        ("GET", ["adAccounts", account, "adCampaignGroups"]) => Route::FindGroups(id(account)?),
        ("POST", ["adAccounts", account, "adCampaignGroups"]) => Route::CreateGroup(id(account)?),
        ("GET", ["adAccounts", account, "adCampaignGroups", group]) => Route::Group(id(account)?, id(group)?),
        ("GET", ["adAccounts", account, "adCampaigns"]) => Route::FindCampaigns(id(account)?),
        ("POST", ["adAccounts", account, "adCampaigns"]) => Route::CreateCampaign(id(account)?),
        ("GET", ["adAccounts", account, "adCampaigns", one]) => Route::Campaign(id(account)?, id(one)?),
        ("GET", ["adAccounts", account, "creatives"]) => Route::FindCreatives(id(account)?),
        ("POST", ["adAccounts", account, "adCampaigns", one]) => Route::Update(id(account)?, id(one)?),
        ("DELETE", ["adAccounts", account, "adCampaigns", one]) => Route::Delete(id(account)?, id(one)?),
        _ => return None,
    })
}

/// Whether an update deletes: it archives the campaign or marks it for deletion.
fn is_deletion(request: &Request) -> bool {
    let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
    matches!(body["patch"]["$set"]["status"].as_str(), Some("ARCHIVED" | "PENDING_DELETION"))
}

impl Route {
    /// The operation that faults match. A campaign that was launched is deleted by archiving it.
    pub(crate) fn operation(self, request: &Request) -> Option<Operation> {
        match self {
            Self::Users | Self::Accounts | Self::Account(_) => Some(Operation::Accounts),
            Self::FindCampaigns(_) => Some(Operation::List),
            Self::CreateCampaign(_) => Some(Operation::Create),
            Self::Campaign(..) => Some(Operation::Get),
            Self::FindCreatives(_) => Some(Operation::Ads),
            Self::Update(..) if is_deletion(request) => Some(Operation::Delete),
            Self::Update(..) => Some(Operation::Update),
            Self::Delete(..) => Some(Operation::Delete),
            Self::Report => Some(Operation::Report),
            Self::FindGroups(_) | Self::CreateGroup(_) | Self::Group(..) => None,
        }
    }

    /// The accepted scopes; one of them suffices.
    pub(crate) fn scopes(self) -> &'static [&'static str] {
        match self {
            Self::Report => &["r_ads_reporting"],
            _ if self.writes() => &["rw_ads"],
            _ => &["r_ads", "rw_ads"],
        }
    }

    /// Whether the route changes state.
    pub(crate) fn writes(self) -> bool {
        matches!(self, Self::CreateGroup(_) | Self::CreateCampaign(_) | Self::Update(..) | Self::Delete(..))
    }

    /// Checks `X-RestLi-Method`: the HTTP method does not identify an update, and the finder of creatives demands it.
    pub(crate) fn check_restli_method(self, request: &Request) -> Result<(), Response> {
        let given = request.header("x-restli-method").map(str::to_ascii_uppercase);
        let is_valid = match self {
            Self::Update(..) => given.as_deref() == Some("PARTIAL_UPDATE"),
            Self::FindCreatives(_) => given.as_deref() == Some("FINDER"),
            Self::CreateGroup(_) | Self::CreateCampaign(_) => matches!(given.as_deref(), None | Some("CREATE")),
            _ => true,
        };
        if is_valid {
            Ok(())
        } else {
            Err(error_response(400, "BAD_REQUEST", "X-RestLi-Method does not match this call"))
        }
    }

    /// The account in the path.
    pub(crate) fn account(self) -> Option<i64> {
        match self {
            Self::Users | Self::Accounts | Self::Report => None,
            Self::Account(account)
            | Self::FindGroups(account)
            | Self::CreateGroup(account)
            | Self::Group(account, _)
            | Self::FindCampaigns(account)
            | Self::CreateCampaign(account)
            | Self::Campaign(account, _)
            | Self::FindCreatives(account)
            | Self::Update(account, _)
            | Self::Delete(account, _) => Some(account),
        }
    }
}

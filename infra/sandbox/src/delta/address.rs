//! The addresses under `/rest/`, and what each of them needs.
//!
//! Marketing API: "Create and Manage Campaigns", "Getting Access" (scopes); LinkedIn API guide:
//! "Rest.li methods".

use serde_json::Value;

use super::error::refused;
use crate::faults::Operation;
use crate::http::{Reply, Request};

/// What an address and a method ask for; numbers are account and id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    Users,
    Accounts,
    Account(i64),
    FindGroups(i64),
    CreateGroup(i64),
    Group(i64, i64),
    FindCampaigns(i64),
    CreateCampaign(i64),
    Campaign(i64, i64),
    Update(i64, i64),
    Delete(i64, i64),
    Report,
}

/// The call of a request, if the sandbox has it.
pub(crate) fn call(request: &Request) -> Option<Call> {
    let path: Vec<&str> = request.path.strip_prefix("/rest/")?.split('/').collect();
    let id = |text: &str| text.parse::<i64>().ok().filter(|id| *id > 0);
    Some(match (request.method.as_str(), path.as_slice()) {
        ("GET", ["adAccountUsers"]) => Call::Users,
        ("GET", ["adAccounts"]) => Call::Accounts,
        ("GET", ["adAnalytics"]) => Call::Report,
        ("GET", ["adAccounts", account]) => Call::Account(id(account)?),
        ("GET", ["adAccounts", account, "adCampaignGroups"]) => Call::FindGroups(id(account)?),
        ("POST", ["adAccounts", account, "adCampaignGroups"]) => Call::CreateGroup(id(account)?),
        ("GET", ["adAccounts", account, "adCampaignGroups", group]) => Call::Group(id(account)?, id(group)?),
        ("GET", ["adAccounts", account, "adCampaigns"]) => Call::FindCampaigns(id(account)?),
        ("POST", ["adAccounts", account, "adCampaigns"]) => Call::CreateCampaign(id(account)?),
        ("GET", ["adAccounts", account, "adCampaigns", one]) => Call::Campaign(id(account)?, id(one)?),
        ("POST", ["adAccounts", account, "adCampaigns", one]) => Call::Update(id(account)?, id(one)?),
        ("DELETE", ["adAccounts", account, "adCampaigns", one]) => Call::Delete(id(account)?, id(one)?),
        _ => return None,
    })
}

fn archives(request: &Request) -> bool {
    let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
    matches!(body["patch"]["$set"]["status"].as_str(), Some("ARCHIVED" | "PENDING_DELETION"))
}

impl Call {
    /// What faults know it as. Archiving is how a campaign that was launched is deleted.
    pub(crate) fn operation(self, request: &Request) -> Option<Operation> {
        match self {
            Self::Users | Self::Accounts | Self::Account(_) => Some(Operation::Accounts),
            Self::FindCampaigns(_) => Some(Operation::List),
            Self::CreateCampaign(_) => Some(Operation::Create),
            Self::Campaign(..) => Some(Operation::Get),
            Self::Update(..) if archives(request) => Some(Operation::Delete),
            Self::Update(..) => Some(Operation::Update),
            Self::Delete(..) => Some(Operation::Delete),
            Self::FindGroups(_) | Self::CreateGroup(_) | Self::Group(..) | Self::Report => None,
        }
    }

    /// Scopes of which one is needed.
    pub(crate) fn scopes(self) -> &'static [&'static str] {
        match self {
            Self::Report => &["r_ads_reporting"],
            _ if self.writes() => &["rw_ads"],
            _ => &["r_ads", "rw_ads"],
        }
    }

    /// Whether it changes what the platform holds.
    pub(crate) fn writes(self) -> bool {
        matches!(self, Self::CreateGroup(_) | Self::CreateCampaign(_) | Self::Update(..) | Self::Delete(..))
    }

    /// The method that the client has to name, as it cannot be told from the verb alone.
    pub(crate) fn check_method(self, request: &Request) -> Result<(), Reply> {
        let named = request.header("x-restli-method").map(str::to_ascii_uppercase);
        let right = match self {
            Self::Update(..) => named.as_deref() == Some("PARTIAL_UPDATE"),
            Self::CreateGroup(_) | Self::CreateCampaign(_) => matches!(named.as_deref(), None | Some("CREATE")),
            _ => true,
        };
        if right { Ok(()) } else { Err(refused(400, "BAD_REQUEST", "X-RestLi-Method is not the one of this call")) }
    }

    /// The account that it is about.
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
            | Self::Update(account, _)
            | Self::Delete(account, _) => Some(account),
        }
    }
}

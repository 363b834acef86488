//! The addresses of the platform and what each is for.
//!
//! TikTok API for Business v1.3: "API reference". The slash at the end belongs to each of them.

use serde::Deserialize;

use super::campaign::Kind;
use super::list::Filtering;
use crate::faults::{Call, Operation};
use crate::http::{Pairs, Request};

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    Consent,
    Token,
    Revoke,
    Advertisers,
    Info,
    Create(Kind),
    /// Nothing stands for all kinds.
    List(Option<Kind>),
    Update(Kind),
    Status(Kind),
    Report,
}

/// The consent page, under its address and its older one.
const CONSENT: &[&str] = &["/portal/auth", "/marketing_api/auth"];

impl Route {
    /// Where a request goes; nothing for an address that is none.
    pub(crate) fn of(request: &Request) -> Option<Self> {
        if CONSENT.contains(&request.path.as_str()) {
            return Some(Self::Consent);
        }
        let path = request.path.strip_prefix("/open_api/v1.3")?;
        Some(match (request.method.as_str(), path) {
            ("POST", "/oauth2/access_token/") => Self::Token,
            ("POST", "/oauth2/revoke_token/") => Self::Revoke,
            ("GET", "/oauth2/advertiser/get/") => Self::Advertisers,
            ("GET", "/advertiser/info/") => Self::Info,
            ("POST", "/campaign/create/") => Self::Create(Kind::Manual),
            ("POST", "/smart_plus/campaign/create/") => Self::Create(Kind::SmartPlus),
            ("GET", "/campaign/get/") => Self::List(None),
            ("GET", "/smart_plus/campaign/get/") => Self::List(Some(Kind::SmartPlus)),
            ("POST", "/campaign/update/") => Self::Update(Kind::Manual),
            ("POST", "/smart_plus/campaign/update/") => Self::Update(Kind::SmartPlus),
            ("POST", "/campaign/status/update/") => Self::Status(Kind::Manual),
            ("POST", "/smart_plus/campaign/status/update/") => Self::Status(Kind::SmartPlus),
            ("GET", "/report/integrated/get/") => Self::Report,
            _ => return None,
        })
    }

    /// What it counts as for faults.
    pub(crate) fn call(self, request: &Request) -> Call {
        Call::Known(match self {
            Self::Consent => return Call::Consent,
            Self::Report => return Call::Other,
            Self::Token => Operation::Token,
            Self::Revoke => Operation::Revoke,
            Self::Advertisers | Self::Info => Operation::Accounts,
            Self::Create(_) => Operation::Create,
            Self::List(_) if asks_for_one(request) => Operation::Get,
            Self::List(_) => Operation::List,
            Self::Status(_) if deletes(request) => Operation::Delete,
            Self::Update(_) | Self::Status(_) => Operation::Update,
        })
    }
}

/// Whether a list is filtered down to one id.
fn asks_for_one(request: &Request) -> bool {
    let query = Pairs::parse(&request.query);
    let filtering = query.get("filtering").and_then(|text| serde_json::from_str::<Filtering>(text).ok());
    filtering.and_then(|filtering| filtering.campaign_ids).is_some_and(|ids| ids.len() == 1)
}

fn deletes(request: &Request) -> bool {
    #[derive(Deserialize)]
    struct Asked {
        operation_status: String,
    }
    serde_json::from_str::<Asked>(&request.body).is_ok_and(|asked| asked.operation_status == "DELETE")
}

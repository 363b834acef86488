//! Routes of the platform.
//!
//! TikTok API for Business v1.3: "API reference". Every path of the API ends with a slash.

use super::campaign::Kind;
use super::list::Filtering;
use crate::faults::{Operation, RequestKind};
use crate::http::{Pairs, Request};
use serde::Deserialize;

/// The endpoint of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    Consent,
    Token,
    Revoke,
    Advertisers,
    AdvertiserInfo,
    Create(Kind),
    /// `None` lists every kind.
    List(Option<Kind>),
    Update(Kind),
    Status(Kind),
    Report,
    /// Ads of every kind, or those of Upgraded Smart+ campaigns.
    Ads(Kind),
    Review(Kind),
}

/// Paths of the consent page, current and legacy.
const CONSENT: &[&str] = &["/portal/auth", "/marketing_api/auth"];

impl Route {
    /// Matches a request; `None` for an unknown path.
    pub(crate) fn parse(request: &Request) -> Option<Self> {
        if CONSENT.contains(&request.path.as_str()) {
            return Some(Self::Consent);
        }
        let path = request.path.strip_prefix("/open_api/v1.3")?;
        Some(match (request.method.as_str(), path) {
            ("POST", "/oauth2/access_token/") => Self::Token,
            ("POST", "/oauth2/revoke_token/") => Self::Revoke,
            ("GET", "/oauth2/advertiser/get/") => Self::Advertisers,
            ("GET", "/advertiser/info/") => Self::AdvertiserInfo,
            ("POST", "/campaign/create/") => Self::Create(Kind::Manual),
            ("POST", "/smart_plus/campaign/create/") => Self::Create(Kind::SmartPlus),
            ("GET", "/campaign/get/") => Self::List(None),
            ("GET", "/smart_plus/campaign/get/") => Self::List(Some(Kind::SmartPlus)),
            ("POST", "/campaign/update/") => Self::Update(Kind::Manual),
            ("POST", "/smart_plus/campaign/update/") => Self::Update(Kind::SmartPlus),
            ("POST", "/campaign/status/update/") => Self::Status(Kind::Manual),
            ("POST", "/smart_plus/campaign/status/update/") => Self::Status(Kind::SmartPlus),
            ("GET", "/report/integrated/get/") => Self::Report,
            ("GET", "/ad/get/") => Self::Ads(Kind::Manual),
            ("GET", "/smart_plus/ad/get/") => Self::Ads(Kind::SmartPlus),
            ("GET", "/ad/review_info/") => Self::Review(Kind::Manual),
            ("GET", "/smart_plus/ad/review_info/") => Self::Review(Kind::SmartPlus),
            _ => return None,
        })
    }

    /// The operation that faults match.
    pub(crate) fn request_kind(self, request: &Request) -> RequestKind {
        RequestKind::Operation(match self {
            Self::Consent => return RequestKind::Page,
            Self::Report => Operation::Report,
            Self::Ads(_) | Self::Review(_) => Operation::Ads,
            Self::Token => Operation::Token,
            Self::Revoke => Operation::Revoke,
            Self::Advertisers | Self::AdvertiserInfo => Operation::Accounts,
            Self::Create(_) => Operation::Create,
            Self::List(_) if is_filtered_to_one_id(request) => Operation::Get,
            Self::List(_) => Operation::List,
            Self::Status(_) if is_delete(request) => Operation::Delete,
            Self::Update(_) | Self::Status(_) => Operation::Update,
        })
    }
}

fn is_filtered_to_one_id(request: &Request) -> bool {
    let query = Pairs::parse(&request.query);
    let filtering = query.get("filtering").and_then(|text| serde_json::from_str::<Filtering>(text).ok());
    filtering.and_then(|filtering| filtering.campaign_ids).is_some_and(|ids| ids.len() == 1)
}

fn is_delete(request: &Request) -> bool {
    #[derive(Deserialize)]
    struct StatusChange {
        operation_status: String,
    }
    serde_json::from_str::<StatusChange>(&request.body).is_ok_and(|change| change.operation_status == "DELETE")
}

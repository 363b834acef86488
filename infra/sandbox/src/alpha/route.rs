//! Routes of the platform.
//!
//! Google Ads API: REST interface overview, HTTP annotations.

use super::operation::Service;
use crate::http::Request;
use std::ops::RangeInclusive;

/// Path of the authorization endpoint.
pub(crate) const AUTHORIZE: &str = "/o/oauth2/v2/auth";
/// Path of the token endpoint.
pub(crate) const TOKEN: &str = "/token";
/// Path of the revocation endpoint.
pub(crate) const REVOKE: &str = "/revoke";

/// Supported versions. Older ones are shut down.
const VERSIONS: RangeInclusive<u32> = 23..=26;

/// A method of the API, with the customer id as sent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Method<'r> {
    ListAccessible,
    Search(&'r str),
    SearchStream(&'r str),
    Mutate(&'r str, Service),
}

/// A version and a method.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Route<'r> {
    pub(crate) version: u32,
    pub(crate) method: Method<'r>,
}

impl<'r> Route<'r> {
    /// Matches a request; `None` for an unknown path.
    pub(crate) fn parse(request: &'r Request) -> Option<Self> {
        let (version, path) = request.path.strip_prefix("/v")?.split_once('/')?;
        let version: u32 = version.parse().ok().filter(|number| (1..=*VERSIONS.end()).contains(number))?;
        if path == "customers:listAccessibleCustomers" {
            return (request.method == "GET").then_some(Self { version, method: Method::ListAccessible });
        }
        let (customer, method) = path.strip_prefix("customers/")?.split_once('/')?;
        let method = match method {
            "googleAds:search" => Method::Search(customer),
            "googleAds:searchStream" => Method::SearchStream(customer),
            "googleAds:mutate" => Method::Mutate(customer, Service::GoogleAds),
            "campaigns:mutate" => Method::Mutate(customer, Service::Campaigns),
            "campaignBudgets:mutate" => Method::Mutate(customer, Service::Budgets),
            _ => return None,
        };
        (request.method == "POST").then_some(Self { version, method })
    }

    pub(crate) fn is_supported(&self) -> bool {
        VERSIONS.contains(&self.version)
    }
}

/// The version that error details name: that of the path, or the newest.
pub(crate) fn error_version(request: &Request) -> String {
    let route = Route::parse(request).filter(Route::is_supported);
    format!("v{}", route.map_or(*VERSIONS.end(), |route| route.version))
}

//! The index page: the platforms, their ad accounts, and the control addresses.

use crate::account::AccountSummary;
use crate::html;
use crate::http::{Request, Response};
use crate::oauth::OAuthClient;
use crate::oidc::CLIENT as OIDC_CLIENT;
use crate::registry::PLATFORMS;
use crate::state::State;
use crate::stripe::Overview;
use askama::Template;

#[derive(Template)]
#[template(path = "index.html")]
struct IndexPage<'a> {
    title: &'static str,
    platforms: Vec<PlatformSection>,
    payments: Overview<'a>,
    issuer_client: OAuthClient,
}

/// A platform with its ad accounts.
struct PlatformSection {
    name: &'static str,
    title: &'static str,
    accounts: Vec<AccountSummary>,
}

/// Handles a request for the index page.
pub(crate) fn page(request: &Request, state: &State) -> Response {
    if request.method != "GET" && request.method != "HEAD" {
        return Response::new(405, "text/plain", "this page takes GET").with("allow", "GET, HEAD");
    }
    let section = |name: &&'static str| {
        let platform = state.platforms.ad_platform(name)?;
        Some(PlatformSection { name, title: platform.title(), accounts: platform.accounts() })
    };
    html::page(
        200,
        &IndexPage {
            title: "Ad platform sandbox",
            platforms: PLATFORMS.iter().filter_map(section).collect(),
            payments: Overview::new(&state.platforms.stripe),
            issuer_client: OIDC_CLIENT,
        },
    )
}

//! The pages of the authorization address.

use crate::account::AccountSummary;
use crate::html::page;
use crate::http::Reply;
use askama::Template;

/// The page on which a person grants access. Its form posts to the page's own address.
#[derive(Template)]
#[template(path = "consent.html")]
struct ConsentTemplate<'a> {
    title: &'a str,
    platform: &'a str,
    client: &'a str,
    redirect_uri: &'a str,
    scopes: &'a [String],
    accounts: &'a [AccountSummary],
}

/// What a consent page asks.
pub(crate) struct ConsentPage<'a> {
    pub(crate) platform: &'a str,
    pub(crate) client: &'a str,
    pub(crate) redirect_uri: &'a str,
    /// What is asked for, in words.
    pub(crate) scopes: Vec<String>,
    pub(crate) accounts: Vec<AccountSummary>,
}

/// The page on which a person lets a client in.
pub(crate) fn consent_page(asked: &ConsentPage<'_>) -> Reply {
    let ConsentPage { platform, client, redirect_uri, scopes, accounts } = asked;
    let title = &format!("Sign in with {platform} (sandbox)");
    page(200, &ConsentTemplate { title, platform, client, redirect_uri, scopes, accounts })
}

/// An error page. It does not redirect, because the client or its redirect URI is not verified.
#[derive(Template)]
#[template(path = "oauth_error.html")]
pub(crate) struct ErrorPage<'a> {
    pub(crate) title: &'a str,
    pub(crate) status: u16,
    pub(crate) error: Option<&'a str>,
    pub(crate) message: &'a str,
}

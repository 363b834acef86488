//! Messages about tokens and ad accounts.

use super::Id;
use crate::platforms::rows::text_or_none;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_with::apply;

/// A request with the credentials of the app.
#[derive(Serialize)]
pub(in crate::platforms::gamma) struct TokenRequest<'a> {
    pub(in crate::platforms::gamma) app_id: &'a str,
    pub(in crate::platforms::gamma) secret: &'a str,
    #[serde(flatten)]
    pub(in crate::platforms::gamma) credential: Credential<'a>,
}

/// The field of a [`TokenRequest`] beside the app's.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::platforms::gamma) enum Credential<'a> {
    /// To exchange. <https://business-api.tiktok.com/portal/docs?id=1738373164380162>
    AuthCode(&'a str),
    /// To revoke (TikTok API for Business: Revoke a long-term access token).
    AccessToken(&'a str),
}

/// <https://business-api.tiktok.com/portal/docs?id=1738373164380162>
#[derive(Deserialize)]
pub(in crate::platforms::gamma) struct AccessToken {
    pub(in crate::platforms::gamma) access_token: SecretString,
}

/// One of the accounts that a token reaches. <https://business-api.tiktok.com/portal/docs?id=1738455508553729>
#[derive(Debug, Deserialize)]
pub(in crate::platforms::gamma) struct Advertiser {
    pub(in crate::platforms::gamma) advertiser_id: Id,
}

/// <https://business-api.tiktok.com/portal/docs?id=1739593083610113>
#[apply(Option<String> => #[serde(default, deserialize_with = "text_or_none")])]
#[derive(Debug, Deserialize)]
pub(in crate::platforms::gamma) struct AdvertiserInfo {
    pub(in crate::platforms::gamma) advertiser_id: Id,
    pub(in crate::platforms::gamma) name: Option<String>,
    pub(in crate::platforms::gamma) currency: Option<String>,
    pub(in crate::platforms::gamma) timezone: Option<String>,
    pub(in crate::platforms::gamma) display_timezone: Option<String>,
}

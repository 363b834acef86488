//! Messages about tokens and ad accounts.

use super::Id;
use crate::platforms::rows::text_or_none;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

/// <https://business-api.tiktok.com/portal/docs?id=1738373164380162>
#[derive(Serialize)]
pub(in crate::platforms::gamma) struct AccessTokenRequest<'a> {
    pub(in crate::platforms::gamma) app_id: &'a str,
    pub(in crate::platforms::gamma) secret: &'a str,
    pub(in crate::platforms::gamma) auth_code: &'a str,
}

/// TikTok API for Business: Revoke a long-term access token.
#[derive(Serialize)]
pub(in crate::platforms::gamma) struct RevokeTokenRequest<'a> {
    pub(in crate::platforms::gamma) app_id: &'a str,
    pub(in crate::platforms::gamma) secret: &'a str,
    pub(in crate::platforms::gamma) access_token: &'a str,
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
#[derive(Debug, Deserialize)]
pub(in crate::platforms::gamma) struct AdvertiserInfo {
    pub(in crate::platforms::gamma) advertiser_id: Id,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::gamma) name: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::gamma) currency: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::gamma) timezone: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    pub(in crate::platforms::gamma) display_timezone: Option<String>,
}

//! Return codes and the error type.
//!
//! TikTok API for Business v1.3: "Return codes". The code alone identifies an error; HTTP status is always 200.

use super::envelope::{Data, envelope};
use crate::http::Response;
use serde_json::json;

pub(crate) const NO_PERMISSION: u32 = 40001;
/// A parameter is missing or invalid. Only the message names it.
pub(crate) const PARAMETER: u32 = 40002;
pub(crate) const NO_SUCH_OBJECT: u32 = 40007;
pub(crate) const NO_UPDATE: u32 = 40012;
pub(crate) const DUPLICATE_REQUEST: u32 = 40050;
pub(crate) const TOO_FREQUENT: u32 = 40100;
/// App id and secret do not match. The quirk `auth_code_40101` also uses it for an invalid auth code.
pub(crate) const WRONG_APP: u32 = 40101;
pub(crate) const TOKEN_EXPIRED: u32 = 40102;
pub(crate) const TOKEN_EMPTY: u32 = 40104;
pub(crate) const TOKEN_INVALID: u32 = 40105;
pub(crate) const AUTH_CODE: u32 = 40110;
pub(crate) const NO_SUCH_ADVERTISER: u32 = 40300;
pub(crate) const SYSTEM: u32 = 50000;

/// A return code with its message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) code: u32,
    pub(crate) message: String,
}

impl ApiError {
    pub(crate) fn new(code: u32, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// An invalid parameter. The message starts with its name.
    pub(crate) fn parameter(field: &str, why: &str) -> Self {
        Self::new(PARAMETER, format!("{field}: {why}"))
    }

    /// A required parameter is missing.
    pub(crate) fn missing(field: &str) -> Self {
        Self::parameter(field, "Missing data for required field.")
    }

    pub(crate) fn response(&self) -> Response {
        envelope(self.code, &self.message, &Data::Plain(json!({})))
    }
}

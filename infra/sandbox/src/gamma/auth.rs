//! Access tokens and the advertisers that they grant access to.
//!
//! TikTok API for Business v1.3: "Authentication", "Return codes".

use super::error::{ApiError, NO_PERMISSION, NO_SUCH_ADVERTISER, TOKEN_EMPTY, TOKEN_EXPIRED, TOKEN_INVALID};
use super::state::Gamma;
use crate::http::Request;
use crate::oauth::{Consent, TokenError};

/// Header of the access token. The token has no `Bearer` prefix.
pub(crate) const HEADER: &str = "access-token";

/// Returns the consent behind the access token of a request.
pub(crate) fn authenticate(gamma: &Gamma, request: &Request, now: i64) -> Result<Consent, ApiError> {
    let token = request.header(HEADER).unwrap_or_default();
    if token.is_empty() {
        let why = "Access token is null, you should set it in http header with key Access-Token.";
        return Err(ApiError::new(TOKEN_EMPTY, why));
    }
    gamma.grants.find_by_access_token(token, now).map(|grant| grant.consent.clone()).map_err(|dead| match dead {
        TokenError::Expired => ApiError::new(TOKEN_EXPIRED, "Access token is expired."),
        TokenError::Unknown | TokenError::Revoked => invalid_token(),
    })
}

/// Error for an unknown or revoked token.
pub(crate) fn invalid_token() -> ApiError {
    ApiError::new(TOKEN_INVALID, "Access token is incorrect or has been revoked.")
}

/// Returns the index of an advertiser that the consent covers.
pub(crate) fn authorize(gamma: &Gamma, consent: &Consent, advertiser: &str) -> Result<usize, ApiError> {
    let index = gamma.accounts.iter().position(|account| account.id == advertiser);
    let missing = || ApiError::new(NO_SUCH_ADVERTISER, format!("Advertiser {advertiser} does not exist."));
    let index = index.ok_or_else(missing)?;
    if consent.accounts.iter().any(|chosen| chosen == advertiser) {
        return Ok(index);
    }
    Err(ApiError::new(NO_PERMISSION, format!("No permission to operate advertiser {advertiser}.")))
}

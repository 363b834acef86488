//! Refusals of the token endpoint that mean the end of a code or of a grant, but have another name than in RFC 6749.

use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::platforms::answers;

/// The error of an exchange. For a code that was used or has expired the platform says `invalid_redirect_uri` or
/// `invalid_request`, with 400 or 401. A wrong redirect URI gets the same codes; they stay in the error for the operator.
///
/// <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>
pub(super) fn exchange_error(error: Error) -> Error {
    expired_where(error, |fault| matches!(fault.code.as_deref(), Some("invalid_redirect_uri" | "invalid_request")))
}

/// The error of a refresh. The platform also says `invalid_request` for a refresh token that has ended.
///
/// <https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens>
pub(super) fn refresh_error(error: Error) -> Error {
    expired_where(error, |fault| {
        fault.code.as_deref() == Some("invalid_request") && fault.message.contains("refresh token")
    })
}

fn expired_where(error: Error, is_expired: impl Fn(&PlatformFault) -> bool) -> Error {
    match error.platform_fault {
        Some(fault) if error.kind == Kind::Forbidden && is_expired(&fault) => {
            answers::token_expired(Platform::Delta).with_fault(fault)
        }
        fault => Error { platform_fault: fault, ..error },
    }
}

//! Refusals of the token endpoint that mean the end of a code or of a grant, though the standard has another word for
//! it.

use crate::domain::Platform;
use crate::error::{Error, Kind, PlatformFault};
use crate::platforms::answers;

/// A code that was used or has expired. The platform says `invalid_redirect_uri` or `invalid_request` for it, with 400
/// or 401. A service that sends a wrong redirect URI gets the same words, which stay in the error for its operator.
///
/// <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>
pub(super) fn dead_code(error: Error) -> Error {
    expired_where(error, |fault| matches!(fault.code.as_deref(), Some("invalid_redirect_uri" | "invalid_request")))
}

/// The platform also says `invalid_request` for a refresh token that has ended.
///
/// <https://learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens>
pub(super) fn dead_grant(error: Error) -> Error {
    expired_where(error, |fault| {
        fault.code.as_deref() == Some("invalid_request") && fault.message.contains("refresh token")
    })
}

fn expired_where(error: Error, is_dead: impl Fn(&PlatformFault) -> bool) -> Error {
    match error.platform_fault {
        Some(fault) if error.kind == Kind::Forbidden && is_dead(&fault) => {
            answers::token_expired(Platform::Delta).with_fault(fault)
        }
        fault => Error { platform_fault: fault, ..error },
    }
}

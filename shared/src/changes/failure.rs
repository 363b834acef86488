//! The stored form of an error.

use crate::domain::{ChangeError, Platform};
use crate::error::{Error, Kind, PlatformError};

/// The error as the change keeps it.
pub fn change_error(error: &Error) -> ChangeError {
    let reported = error.platform_error.clone();
    let (platform_code, field) =
        reported.as_ref().map_or((None, None), |reported| (reported.code.clone(), reported.field.clone()));
    ChangeError {
        code: error.kind.code().to_owned(),
        reason: Some(error.reason()),
        message: message(error),
        is_refusal: error.kind == Kind::PlatformRefused,
        platform_code,
        platform_message: reported.map(|reported| reported.message),
        field,
    }
}

/// The message, with the invalid fields if there are any.
fn message(error: &Error) -> String {
    if error.details.is_empty() {
        return error.message.clone();
    }
    let errors: Vec<String> = error.details.iter().map(|error| format!("{} {}", error.field, error.message)).collect();
    errors.join("; ")
}

/// The error of a stored refusal, equal to that of the first response.
pub fn refusal(platform: Platform, refusal: &ChangeError) -> Error {
    let ChangeError { code: _, reason: _, message, is_refusal: _, platform_code, platform_message, field } =
        refusal.clone();
    let error = Error::new(Kind::PlatformRefused, message).on(platform);
    match platform_message {
        Some(message) => error.with_platform_error(PlatformError { code: platform_code, message, field }),
        None => error,
    }
}

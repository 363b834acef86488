//! The errors that all platforms share.

use crate::domain::{
    Accepted, AdAccount, BudgetPeriod, CampaignStatus, ChoiceRule, ConnectionStatement, FieldError, Platform, Reason,
};
use crate::error::{Error, Kind};
use crate::outbound::{Failure, OpenBreaker, Protected};
use crate::platforms::capabilities::Capabilities;
use http::StatusCode;
use jiff::tz::TimeZone;
use std::error::Error as StdError;
use std::time::Duration;

/// Longest message of a platform that is passed on, in characters.
pub const MAX_MESSAGE_CHARS: usize = 1_000;

/// A success response that cannot be read. Retryable for reads and changes; a create wraps it in [`unknown_outcome`],
/// which is not.
pub fn unreadable(platform: Platform, why: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    let message = format!("{} sent a response that cannot be read.", platform.display_name());
    Error::new(Kind::PlatformFailed, message).on(platform).retryable().caused_by(why)
}

/// No response. Retryable for reads, changes, and creates that were not sent. A create that was sent wraps it in
/// [`unknown_outcome`], which is not retryable.
pub fn no_response(platform: Platform, failure: Failure) -> Error {
    let name = platform.display_name();
    let (kind, message) = match failure {
        Failure::NotSent => {
            (Kind::PlatformFailed, format!("{name} could not be reached. Nothing was sent; try again."))
        }
        Failure::BreakerOpen(what) => return open_breaker(platform, what).caused_by(failure),
        Failure::TimedOut => (Kind::PlatformTimeout, format!("{name} did not answer in time; try again.")),
        Failure::Broken => (Kind::PlatformFailed, format!("The response of {name} broke off; try again.")),
    };
    Error::new(kind, message).on(platform).retryable().caused_by(failure)
}

/// A circuit breaker is open. Nothing was sent, whether a read or a write.
fn open_breaker(platform: Platform, OpenBreaker { protected, wait }: OpenBreaker) -> Error {
    let name = platform.display_name();
    let what = match protected {
        Protected::Account => format!("This ad account on {name}"),
        Protected::Platform => name.to_owned(),
    };
    let message = format!(
        "{what} is left alone for another {}, because calls failed repeatedly. Nothing was sent; try again then.",
        seconds(wait)
    );
    let error = Error::new(Kind::PlatformFailed, message).because(Reason::PlatformLeftAlone);
    error.on(platform).retryable().retry_after(wait)
}

/// A wait in words, as `Retry-After` has it: `30 seconds`.
fn seconds(wait: Duration) -> String {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    format!("{seconds} {}", if seconds == 1 { "second" } else { "seconds" })
}

/// Pages that do not end. Retryable, because a list that repeats itself or stays empty is a failure of the platform.
pub fn endless(platform: Platform) -> Error {
    let name = platform.display_name();
    let message = format!("{name} continues a list or report without end, so the rest of it is not known; try again.");
    Error::new(Kind::PlatformFailed, message).on(platform).retryable()
}

/// A cursor that this service did not return, or that the platform no longer accepts.
pub fn invalid_cursor() -> Error {
    Error::field("cursor", "is invalid, has expired or belongs to another filter; start again without it")
}

/// The refusal of a read. This service alone composes reads, so a caller cannot change what is refused (D90).
pub fn refused_read(refusal: Error) -> Error {
    let name = refusal.platform.map_or("The platform", Platform::display_name);
    let message = format!("{name} refuses a request that this service composed; its operator has to look into it.");
    refusal.with_meaning(Error::new(Kind::PlatformFailed, message).for_operator())
}

/// A report that a request has no time to read. Retryable, because the platform may be faster at another time.
pub fn slow_report(platform: Platform) -> Error {
    let message = format!("The report of {} took too long; ask for fewer days.", platform.display_name());
    Error::new(Kind::PlatformTimeout, message).on(platform).retryable()
}

/// A create of unknown outcome. It is not retryable. Callers get the message of `intents`, which knows what happens
/// next.
pub fn unknown_outcome(platform: Platform, campaign: &str, reason: Error) -> Error {
    let kind = if reason.kind == Kind::PlatformTimeout { Kind::PlatformTimeout } else { Kind::PlatformFailed };
    let message = format!(
        "It is not known whether {} created the campaign \"{campaign}\": there was no clear answer.",
        platform.display_name()
    );
    Error { kind, message: message.into(), ..reason }.on(platform).of_unknown_outcome()
}

/// The grant has ended, or a token of it was refused.
pub fn token_expired(platform: Platform) -> Error {
    Error::new(Kind::TokenExpired, ConnectionStatement::AuthorizationEnded(platform)).on(platform)
}

/// The ad account cannot be accessed, with the step for its owner.
pub fn no_access(platform: Platform) -> Error {
    let name = platform.display_name();
    let message = format!(
        "{name} refuses access to this ad account: see there whether the user who authorized still has a role in it \
         that may manage campaigns, then authorize again."
    );
    Error::new(Kind::Forbidden, message).because(Reason::PlatformAccessDenied).on(platform)
}

/// The message for an ad account that the user who granted access no longer reaches.
pub fn not_shown(platform: Platform) -> String {
    format!(
        "{} no longer shows this ad account to the user who granted access: the account was closed or disabled, or \
         the user lost access to it.",
        platform.display_name()
    )
}

/// A check that the platform may have carried out as a write.
pub fn carried_out(platform: Platform) -> Error {
    let name = platform.display_name();
    let message = format!("{name} was only asked to check a write and may have carried it out. Look there for it.");
    Error::new(Kind::PlatformFailed, message).on(platform).of_unknown_outcome()
}

/// The error of a call on a whole ad account: a 404 becomes [`no_access`], because the account is what was not found.
pub fn account_error(platform: Platform, error: Error) -> Error {
    match error.kind {
        Kind::NotFound => error.with_meaning(no_access(platform)),
        _ => error,
    }
}

/// Something that a create refers to was not found, so the create is refused.
pub fn referenced_error(error: Error) -> Error {
    if error.kind == Kind::NotFound { Error { kind: Kind::PlatformRefused, ..error } } else { error }
}

/// The time zone of an ad account, in which its days begin.
pub fn time_zone(platform: Platform, account: &AdAccount) -> Result<TimeZone, Error> {
    known_zone(platform, &account.time_zone)
}

/// The time zone with a name that a platform gave.
pub fn known_zone(platform: Platform, name: &str) -> Result<TimeZone, Error> {
    TimeZone::get(name).map_err(|error| {
        let name = platform.display_name();
        let message = format!("The ad account's time zone on {name} is not known here, so its dates cannot be read.");
        Error::new(Kind::PlatformFailed, message).on(platform).caused_by(error)
    })
}

/// The token endpoint refuses our OAuth client, which a new authorization does not repair.
pub fn client_refused(platform: Platform) -> Error {
    let name = platform.display_name();
    let message = format!("{name} refuses this service's client; its operator has to look into it.");
    // No token can be refreshed, so the connection does not work either.
    Error { is_for_operator: true, ..Error::new(Kind::Forbidden, message).on(platform) }
}

/// The token endpoint failed. Sending again is safe.
pub fn token_endpoint_failed(platform: Platform) -> Error {
    let name = platform.display_name();
    let message = format!("The token endpoint of {name} failed. Nothing was changed; try again.");
    Error::new(Kind::PlatformFailed, message).on(platform).retryable()
}

/// The platform is throttling.
pub fn throttled(platform: Platform, wait: Duration) -> Error {
    let wait = wait.min(crate::outbound::LONGEST_WAIT);
    let name = platform.display_name();
    let message = format!("{name} is throttling: it asks us to wait for {}.", seconds(wait));
    Error::new(Kind::RateLimited, message).because(Reason::PlatformThrottled).on(platform).retryable().retry_after(wait)
}

/// The platform failed. The adapter adds that sending again is safe, where it is.
pub fn failed(platform: Platform) -> Error {
    let message = format!("{} failed to answer properly.", platform.display_name());
    Error::new(Kind::PlatformFailed, message).on(platform)
}

/// The error of a gateway in front of the platform, which has no code of the platform in its body.
pub fn gateway_failed(platform: Platform, status: StatusCode, wait: Duration) -> Error {
    match status.as_u16() {
        401 => token_expired(platform),
        429 => throttled(platform, wait),
        408 | 499 | 500.. => failed(platform).retryable(),
        _ => failed(platform),
    }
}

/// The refusal of a create by a client error without a reason in the platform's form, such as the page of a gateway.
/// Nothing was created.
pub fn refused_by_status(status: StatusCode, error: Error) -> Error {
    let name = error.platform.map_or("The platform", Platform::display_name);
    let code = status.as_u16();
    let (kind, next_step) = match code {
        401 | 403 => (
            Kind::Forbidden,
            "See there whether the user who authorized still has a role in the ad account that may manage campaigns, \
             then authorize again.",
        ),
        // About the address or the moment, not about the content.
        404 | 405 | 410 | 421 | 425 => (Kind::PlatformFailed, "Try again."),
        _ => (Kind::PlatformRefused, "Change it before you send it again."),
    };
    let message =
        format!("{name} refused the request with HTTP status {code} and no reason. Nothing was created. {next_step}")
            .into();
    let retryable = kind == Kind::PlatformFailed;
    // This reason has an effect only for `FORBIDDEN`; other codes use their own default.
    let reason = Some(Reason::PlatformAccessDenied);
    Error { kind, reason, message, retryable, retry_after: None, keeps_connection_status: true, ..error }
}

/// The platform refused the content, with its own message.
pub fn refused(platform: Platform, message: &str) -> Error {
    let message = format!("{} refused the request: {message}", platform.display_name());
    Error::new(Kind::PlatformRefused, bounded(&message)).on(platform)
}

/// The platform has no operation for a field. The message follows the field's name.
pub fn not_supported(platform: Platform, field: &str, why: &str) -> Error {
    unsupported(platform, FieldError::new(field, format!("{why} on {}", platform.display_name())))
}

/// The platform has no operation for a value of a field, unlike for the accepted ones.
pub fn value_not_supported(platform: Platform, field: &str, instead: Accepted) -> Error {
    unsupported(platform, FieldError::new(field, ChoiceRule::Settable { platform, instead }))
}

fn unsupported(platform: Platform, detail: FieldError) -> Error {
    let error = Error::new(Kind::NotSupported, format!("{detail}."));
    Error { details: vec![detail], ..error }.on(platform)
}

/// Refuses a new name that the platform does not take.
pub fn check_name(capabilities: &Capabilities, name: Option<&str>) -> Result<(), Error> {
    match name.and_then(|name| capabilities.name_error(name)) {
        Some(error) => Err(Error::fields(vec![error]).on(capabilities.platform)),
        None => Ok(()),
    }
}

/// Refuses another budget period on a platform whose campaigns keep theirs.
pub fn check_period_change(capabilities: &Capabilities, period: Option<BudgetPeriod>) -> Result<(), Error> {
    match period {
        Some(_) if !capabilities.has_period_change => {
            Err(not_supported(capabilities.platform, "budget_period", "cannot be changed"))
        }
        _ => Ok(()),
    }
}

/// A budget cannot be set, because it is shared or held elsewhere. `why` says where: `its ad groups have theirs`.
pub fn no_budget(platform: Platform, why: &str) -> Error {
    let name = platform.display_name();
    let message = format!("This campaign has no budget of its own on {name}: {why}. Change it on {name}.");
    Error::new(Kind::Conflict, message).because(Reason::BudgetNotOwn).on(platform)
}

/// The platform's name for a state that callers can write, of those for active, paused and archived.
pub fn writable<T>(
    capabilities: &Capabilities,
    status: CampaignStatus,
    [active, paused, archived]: [T; 3],
) -> Result<T, Error> {
    match status {
        CampaignStatus::Active => Ok(active),
        CampaignStatus::Paused => Ok(paused),
        CampaignStatus::Archived => Ok(archived),
        CampaignStatus::Ended
        | CampaignStatus::Draft
        | CampaignStatus::ScheduledForDeletion
        | CampaignStatus::Unspecified => {
            let accepted = Accepted::Statuses(capabilities.writable_statuses.to_vec());
            Err(value_not_supported(capabilities.platform, "status", accepted))
        }
    }
}

/// A platform's message without control characters, cut at [`MAX_MESSAGE_CHARS`].
pub fn bounded(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(MAX_MESSAGE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_outcome_is_never_retryable_and_names_the_campaign() {
        let silence = |failure| no_response(Platform::Alpha, failure);
        let unreadable = unreadable(Platform::Alpha, "test");
        for reason in [silence(Failure::TimedOut), silence(Failure::Broken), unreadable] {
            let kind = reason.kind;
            let error = unknown_outcome(Platform::Alpha, "Winter", reason);
            assert_eq!((error.kind, error.retryable, error.retry_after), (kind, false, None));
            assert!(error.message.contains("\"Winter\""), "{}", error.message);
        }
    }
}

//! What the reason of an error means to a person, and what comes next: the one table for errors whose text is written for
//! programs.

use super::statements::message;
use shared::domain::{ChangeError, ChangeStatement, Platform, Reason, Statement};
use shared::error::Error;
use std::time::Duration;

/// The end of a sentence about an access that a person mends on the page of connections.
const UNDER_CONNECTIONS: &str = "under Connections.";

/// What an error was about, for a sentence.
struct Case<'a> {
    platform: Option<Platform>,
    /// `None` in a record from before reasons existed.
    reason: Option<Reason>,
    /// How long to wait before another try.
    wait: Option<Duration>,
    statement: &'a Statement,
}

/// The sentences of an error without fields, after a person has asked for something.
pub(crate) fn refused(error: &Error) -> String {
    let Error { platform, retry_after, message, .. } = error;
    let (platform, wait) = (*platform, *retry_after);
    said(&Case { platform, reason: Some(error.reason()), wait, statement: message })
}

/// The sentences of the error of a change, in the history and on the pages of outcomes.
pub(crate) fn of_change(platform: Platform, error: &ChangeError) -> String {
    let ChangeError { reason, message, .. } = error;
    said(&Case { platform: Some(platform), reason: *reason, wait: None, statement: message })
}

/// Why an ad account could not be read, and when it is asked again. Lists name it beside what they show.
pub(crate) fn unread(platform: Platform, error: &Error) -> String {
    unread_because(platform, error.reason()).unwrap_or_else(|| super::error(error))
}

/// The same by the reason alone; `None` where the text of the error says more.
pub(crate) fn unread_because(platform: Platform, reason: Reason) -> Option<String> {
    let name = platform.display_name();
    Some(match reason {
        Reason::PlatformThrottled => format!("{name} asks us to slow down. We try again in a few minutes."),
        Reason::PlatformLeftAlone => {
            format!("{name} has failed several times in a row. We try again in a minute.")
        }
        Reason::PlatformTimeout => format!("{name} did not answer in time. We try again in a minute."),
        Reason::PlatformFailed => format!("{name} answers with an error. We try again in a minute."),
        Reason::AuthorizationEnded | Reason::ConnectionRevoked => {
            format!("{name} ended our access. Reconnect it {UNDER_CONNECTIONS}")
        }
        Reason::PlatformAccessDenied | Reason::ConnectionBroken => {
            format!("{name} does not let us into this ad account. Look at it {UNDER_CONNECTIONS}")
        }
        Reason::Internal => "This is our fault. We try again in a minute.".to_owned(),
        Reason::RateLimit | Reason::RequestsInFlight | Reason::Busy => {
            "Too many requests at once. We try again in a minute.".to_owned()
        }
        _ => return None,
    })
}

/// The sentences of an error without fields, after a page has read something. A reading sends nothing that could be lost.
pub(crate) fn not_read(error: &Error) -> String {
    match error.reason() {
        Reason::PlatformLeftAlone => {
            let name = error.platform.map_or("The platform", Platform::display_name);
            format!("{name} has failed several times in a row. Try again in a minute.")
        }
        Reason::Internal => "This is our fault. Try again in a minute.".to_owned(),
        _ => refused(error),
    }
}

/// Whether a sentence of [`unread`] is about an access that only a person mends.
pub(crate) fn is_about_access(unread: &str) -> bool {
    unread.ends_with(UNDER_CONNECTIONS)
}

/// Why a platform refuses calls in an ad account, from the reason that is stored with its connection: our own text, or
/// that of the platform.
pub(crate) fn no_access(platform: Platform, stored: Option<&str>) -> String {
    let name = platform.display_name();
    match stored {
        Some(theirs) if is_of_platform(platform, stored) => format!("{name} says: {theirs}"),
        Some(ours) if ours.contains("no longer shows") => {
            format!("{name} no longer shows this account: it is closed, or the person who connected it lost access.")
        }
        _ => format!(
            "{name} does not let us into this ad account: the person who connected it may no longer manage its campaigns."
        ),
    }
}

/// The refusal of a platform in our words, and what it says itself; another text as it is.
pub(crate) fn in_our_words(text: String) -> (String, Option<String>) {
    let theirs = text.split_once(" refused the request: ");
    match theirs.filter(|(name, _)| Platform::ALL.iter().any(|platform| platform.display_name() == *name)) {
        Some((name, theirs)) => {
            let ours = format!("{name} refused this. Change what it names, and send it again.");
            (ours, Some(format!("{name} says: {theirs}")))
        }
        None => (text, None),
    }
}

/// Whether the stored reason of [`no_access`] is the platform's own text: a person mends it there.
pub(crate) fn is_of_platform(platform: Platform, stored: Option<&str>) -> bool {
    stored.is_some_and(|text| !text.starts_with(platform.display_name()))
}

fn said(case: &Case<'_>) -> String {
    let own = || of_reason(case);
    match case.statement {
        Statement::Text(text) => own().unwrap_or_else(|| without_calls(text)),
        Statement::Change(change) => match (change.as_ref(), own()) {
            (ChangeStatement::NotNow(_), Some(own)) => format!("This is not possible now: {own}"),
            _ => message(case.statement),
        },
        _ => message(case.statement),
    }
}

/// The sentence for a reason; `None` where the text of the error is for people, too.
fn of_reason(case: &Case<'_>) -> Option<String> {
    let name = case.platform.map_or("The platform", Platform::display_name);
    let again = || match case.wait {
        Some(wait) => format!("Try again in {}.", wait_words(wait)),
        None => "Try again in a minute.".to_owned(),
    };
    Some(match case.reason? {
        Reason::PlatformThrottled => format!("{name} asks us to slow down. {}", again()),
        Reason::PlatformLeftAlone => {
            format!("{name} has failed several times in a row, so nothing was sent. {}", again())
        }
        Reason::PlatformAccessDenied => format!(
            "{name} does not let us into this ad account. See there whether the person who connected it may still manage \
             its campaigns, then reconnect it under Connections."
        ),
        Reason::OperatorRequired => {
            format!("{name} refuses our service, which only we can fix. There is nothing for you to do.")
        }
        // One that names no request of the API is for people already.
        Reason::UserPaused if case.statement.contains("/v1/") => {
            "The user of this ad account is paused. Resume the user first. Nothing was done.".to_owned()
        }
        Reason::UserErased => {
            "The user of this ad account is being erased, so nothing is changed in it any more.".to_owned()
        }
        Reason::QuotaUsedUp => {
            "The requests of your plan are used up in this period. Billing has larger plans.".to_owned()
        }
        Reason::RateLimit | Reason::RequestsInFlight | Reason::Busy => {
            format!("Too many requests at once. {}", again())
        }
        // The text of the others is for people, too.
        _ => return None,
    })
}

/// `a minute`, `5 minutes`: a person does not count seconds.
fn wait_words(wait: Duration) -> String {
    match wait.as_secs().div_ceil(60) {
        0 | 1 => "a minute".to_owned(),
        minutes if minutes <= 90 => format!("{minutes} minutes"),
        minutes => format!("{} hours", minutes.div_ceil(60)),
    }
}

/// A text without what it says in brackets about requests of the API.
fn without_calls(text: &str) -> String {
    let Some((before, rest)) = text.split_once(" (GET /v1/") else { return text.to_owned() };
    rest.split_once(')').map_or_else(|| text.to_owned(), |(_, after)| format!("{before}{}", without_calls(after)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::error::Kind;

    fn throttled(seconds: u64) -> Error {
        let error = Error::new(Kind::RateLimited, "TikTok is throttling: it asks us to wait for 59 seconds.");
        error.because(Reason::PlatformThrottled).on(Platform::Gamma).retry_after(Duration::from_secs(seconds))
    }

    fn left_alone() -> Error {
        let text = "This ad account on TikTok is left alone for another 59 seconds, because calls failed repeatedly.";
        let error = Error::new(Kind::PlatformFailed, text).because(Reason::PlatformLeftAlone);
        error.on(Platform::Gamma).retry_after(Duration::from_secs(59))
    }

    #[test]
    fn a_refusal_says_what_to_do_and_counts_no_seconds() {
        for (error, told) in [
            (throttled(59), "TikTok asks us to slow down. Try again in a minute."),
            (throttled(300), "TikTok asks us to slow down. Try again in 5 minutes."),
            (throttled(7_200), "TikTok asks us to slow down. Try again in 2 hours."),
            (left_alone(), "TikTok has failed several times in a row, so nothing was sent. Try again in a minute."),
            (Error::new(Kind::Conflict, "The campaign was removed."), "The campaign was removed."),
            (
                Error::new(
                    Kind::RateLimited,
                    "Cancel one of them (GET /v1/changes?state=scheduled lists them), or wait.",
                ),
                "Too many requests at once. Try again in a minute.",
            ),
            (
                Error::new(Kind::Conflict, "Cancel one (GET /v1/changes?state=scheduled lists them), or wait."),
                "Cancel one, or wait.",
            ),
        ] {
            assert_eq!(super::super::error(&error), told);
        }
        let later = Error { message: ChangeStatement::NotNow("TikTok is throttling.".into()).into(), ..throttled(30) };
        let told = "This is not possible now: TikTok asks us to slow down. Try again in a minute.";
        assert_eq!(super::super::error(&later), told);
    }

    #[test]
    fn an_account_that_is_not_read_says_when_it_is_asked_again() {
        let unread = |error: &Error| unread(Platform::Gamma, error);
        assert_eq!(unread(&throttled(59)), "TikTok asks us to slow down. We try again in a few minutes.");
        assert!(unread(&left_alone()).ends_with("We try again in a minute."));
        let ended = unread(&Error::new(Kind::TokenExpired, "Authorize the account again."));
        assert_eq!(ended, "TikTok ended our access. Reconnect it under Connections.");
        let denied = Error::new(Kind::Forbidden, "No.").because(Reason::PlatformAccessDenied);
        assert!(is_about_access(&ended) && is_about_access(&unread(&denied)), "{}", unread(&denied));
        assert!(!is_about_access(&unread(&left_alone())), "a platform that does not answer ends no access");
        assert_eq!(not_read(&left_alone()), "TikTok has failed several times in a row. Try again in a minute.");
        assert_eq!(not_read(&Error::internal("no table")), "This is our fault. Try again in a minute.");
    }

    #[test]
    fn a_platform_that_refuses_has_its_own_words_second() {
        let refused = "TikTok refused the request: Budget must be at least 20: raise it.".to_owned();
        let (ours, theirs) = in_our_words(refused);
        assert_eq!(ours, "TikTok refused this. Change what it names, and send it again.");
        assert_eq!(theirs.as_deref(), Some("TikTok says: Budget must be at least 20: raise it."));
        for other in ["Too much.", "“Spring” is not paused. TikTok refused the request: No."] {
            assert_eq!(in_our_words(other.to_owned()), (other.to_owned(), None));
        }
    }

    #[test]
    fn a_user_that_is_paused_is_told_without_a_request_of_the_api() {
        let paused = Error::user_paused("2026-11-30T02:58:00Z".parse().unwrap());
        assert!(super::super::error(&paused).starts_with("The user of this ad account is paused. Resume"));
        let early = Error::new(Kind::Forbidden, "It is looked at once more.").because(Reason::UserPaused);
        assert_eq!(super::super::error(&early), "It is looked at once more.");
    }

    #[test]
    fn a_stored_reason_is_the_platforms_own_or_ours_in_other_words() {
        let told = |stored| no_access(Platform::Beta, stored);
        assert_eq!(told(Some("The account is suspended.")), "Meta says: The account is suspended.");
        assert!(
            told(Some("Meta refuses access to this ad account: authorize again.")).contains("may no longer manage")
        );
        assert!(told(Some("Meta no longer shows this ad account to the user.")).contains("it is closed"));
        assert!(told(None).starts_with("Meta does not let us"));
    }
}

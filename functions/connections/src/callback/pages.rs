//! The pages that the callback shows.

use crate::connect::ConnectedAccounts;
use shared::domain::{AdAccount, Customer, Platform, SkipReason};
use shared::envelope::{Page, PageOutcome};
use shared::error::{Error, Kind};

/// Lists the connected ad accounts, and those that were not connected.
pub(super) fn connected(platform: Platform, connected: &ConnectedAccounts, owner: &Customer) -> Page {
    let ConnectedAccounts { connections, skipped, id: _ } = connected;
    let name = |account: &AdAccount| {
        format!("{}: {} ({}, {})", platform.display_name(), account.name, account.id, account.currency.code())
    };
    let mut paragraphs = vec![format!("Now connected to the Unified Ads customer {}:", owner.email)];
    paragraphs.extend(connections.iter().map(|new| name(&new.account)));
    for (reason, why) in [
        (SkipReason::PlanLimit, format!("plan {} allows no more connections", owner.plan.as_str())),
        (SkipReason::OtherUser, "somebody else has connected them".to_owned()),
    ] {
        let mut of_reason = skipped.iter().filter(|one| one.reason == reason).peekable();
        if of_reason.peek().is_some() {
            paragraphs.push(format!("Not connected, because {why}:"));
            paragraphs.extend(of_reason.map(|one| name(&one.account)));
        }
    }
    paragraphs
        .push("If that is not you, revoke the access at the platform. Otherwise you can close this page.".to_owned());
    Page { outcome: PageOutcome::Done, title: "Connected".to_owned(), paragraphs }
}

/// Confirms a denial.
pub(super) fn denied(platform: Platform) -> Page {
    let paragraphs = vec![format!(
        "You did not give access to {}. Nothing was connected; you can close this page.",
        platform.display_name()
    )];
    Page { outcome: PageOutcome::Done, title: "Not connected".to_owned(), paragraphs }
}

/// Says that nothing is connected yet. Nobody sees it: such an authorization has a page of its own to return to.
pub(super) fn held(platform: Platform) -> Page {
    let paragraphs = vec![format!("{} has your consent. Nothing is connected yet.", platform.display_name())];
    Page { outcome: PageOutcome::Done, title: "Not connected yet".to_owned(), paragraphs }
}

/// Explains a failed authorization.
pub(super) fn error(error: &Error) -> Page {
    let outcome = match error.kind {
        Kind::Internal => PageOutcome::Failed,
        Kind::PlatformFailed | Kind::PlatformTimeout => PageOutcome::PlatformFailed,
        _ => PageOutcome::Refused,
    };
    let reason = reason(error);
    let next_step = if error.is_for_operator {
        "Nothing was connected. A new attempt helps only when that is done."
    } else {
        "Nothing was connected. Ask for a new authorization link and try again."
    };
    Page { outcome, title: "Not connected".to_owned(), paragraphs: vec![reason, next_step.to_owned()] }
}

/// Why an authorization failed, for the user.
pub(super) fn reason(error: &Error) -> String {
    match error.kind {
        Kind::Validation if !error.details.is_empty() => {
            "This URL is not a valid callback of a consent page.".to_owned()
        }
        // The code is used, expired, or issued for another client.
        Kind::TokenExpired => "The platform did not accept the authorization code.".to_owned(),
        _ => error.message.to_string(),
    }
}

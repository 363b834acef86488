//! After an unclear response to an update or removal, or a partial refusal, the campaign is read back, and the error
//! names the fields that were applied (D34).

use crate::domain::{
    CampaignChanges, CampaignStatus, ChangeStatement, ChangedFields, EditedFields, Platform, PlatformCampaign, Reason,
    Statement,
};
use crate::error::{Error, Kind};
use crate::outbound::Failure;
use crate::platforms::{AccountSession, AdPlatform};
use std::fmt;
use tokio::time::Instant;

/// Returns `true` if the platform may have applied the change, fully or partly, despite this error.
pub(super) fn may_have_taken_effect(error: &Error) -> bool {
    match error.kind {
        // The call is repeated with a refreshed token, and then reads the current state.
        Kind::TokenExpired => false,
        _ if error.unknown_outcome => true,
        // It refuses this service, and so the call.
        _ if error.is_for_operator => false,
        Kind::PlatformFailed | Kind::PlatformTimeout => !was_never_sent(error),
        _ => false,
    }
}

/// Whether the failed call never reached a platform.
pub(super) fn was_never_sent(error: &Error) -> bool {
    let source = error.source.as_ref().and_then(|source| source.downcast_ref::<Failure>());
    source.is_some_and(|failure| failure.is_unsent())
}

/// The platform has confirmed a write, but no read has shown it.
#[derive(Debug)]
struct UnconfirmedWrite;

impl fmt::Display for UnconfirmedWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("confirmed, and not seen")
    }
}

impl std::error::Error for UnconfirmedWrite {}

/// The reason to read a campaign back after a write that its platform has only confirmed.
pub(super) fn unconfirmed_write(platform: Platform) -> Error {
    let message = "The change was confirmed, but it has not been seen.";
    let error = Error::new(Kind::PlatformFailed, message).on(platform).caused_by(UnconfirmedWrite);
    Error { retryable: true, unknown_outcome: true, ..error }
}

/// The result of reading a campaign back.
pub(super) enum ReadBack {
    /// The current campaign.
    Found(Box<PlatformCampaign>),
    /// The platform does not know the campaign.
    NotFound,
    /// No time left, or no response.
    Unavailable,
}

/// Reads a campaign back once, if there is time left, after a write that may have given it a status.
pub(super) async fn read_back(
    adapter: &dyn AdPlatform,
    session: &AccountSession,
    before: &PlatformCampaign,
    status: Option<CampaignStatus>,
) -> ReadBack {
    if session.call.deadline <= Instant::now() {
        return ReadBack::Unavailable;
    }
    let expected = PlatformCampaign { status: status.unwrap_or(before.status), ..before.clone() };
    match adapter.read_again(session, &expected).await {
        Ok(campaign) => ReadBack::Found(Box::new(campaign)),
        Err(error) if error.kind == Kind::NotFound => ReadBack::NotFound,
        Err(error) => {
            tracing::warn!(campaign = %before.id, %error, source = error.source, "campaign not read back");
            ReadBack::Unavailable
        }
    }
}

/// Whether the platform reports the campaign as removed.
pub(super) async fn is_removed(adapter: &dyn AdPlatform, session: &AccountSession, before: &PlatformCampaign) -> bool {
    match read_back(adapter, session, before, Some(CampaignStatus::Archived)).await {
        ReadBack::Found(read) => read.status.is_final(),
        ReadBack::NotFound => true,
        ReadBack::Unavailable => false,
    }
}

/// The error for an update that is not fully applied.
pub(super) fn edit_error(fields: &EditedFields, platform: Platform, reason: Error) -> Error {
    let mut message = describe(platform, &reason);
    if fields.has_applied() {
        message = message.and(format!("Applied: {}.", fields.applied.join(", ")));
    }
    message = message.and(format!("Not applied{}: {}.", so_far(&reason), fields.missing.join(", ")));
    message = match (fields.has_applied(), reason.retryable) {
        (true, true) => message.and("Repeat the request: fields already applied are skipped."),
        (true, false) => message.and("Applied fields keep their new value: correct the others, and send them again."),
        (false, true) => message.and("Repeat the request."),
        (false, false) => message,
    };
    let EditedFields { applied, missing } = fields.clone();
    let (not_applied, unknown) = if may_still_happen(&reason) { (Vec::new(), missing) } else { (missing, Vec::new()) };
    let outcomes = ChangedFields { applied, not_applied, unknown };
    Error { message, unknown_outcome: false, ..reason }.on(platform).with_outcomes(outcomes)
}

/// The error for a change that could not be read back.
pub(super) fn unknown_outcome_error(requested: &CampaignChanges, platform: Platform, reason: Error) -> Error {
    let fields = requested.field_names();
    let unknown = fields.iter().map(|&field| field.to_owned()).collect();
    let message = describe(platform, &reason).and(ChangeStatement::FieldsUnknown(unknown));
    let outcomes = ChangedFields { unknown: fields, ..ChangedFields::default() };
    Error { message, ..reason }.on(platform).with_outcomes(outcomes)
}

/// The error for a removal that failed, or has an unknown outcome.
pub(super) fn removal_error(exists: bool, platform: Platform, reason: Error) -> Error {
    let outcome = if exists {
        format!("The campaign is not removed{}. Repeat the request.", so_far(&reason)).into()
    } else {
        Statement::from(ChangeStatement::RemovalUnknown)
    };
    let message = describe(platform, &reason).and(outcome);
    let error = Error { message, unknown_outcome: false, ..reason }.on(platform);
    if exists { error } else { error.because(Reason::OutcomeUnknown) }
}

/// Describes the failed call, without a claim about the campaign.
fn describe(platform: Platform, reason: &Error) -> Statement {
    let name = platform.display_name();
    let words = match reason.kind {
        Kind::PlatformTimeout => format!("{name} did not answer in time."),
        _ if reason.source.as_ref().is_some_and(|source| source.is::<UnconfirmedWrite>()) => {
            format!("{name} has confirmed the change, but it has not been seen.")
        }
        _ if was_never_sent(reason) => format!("A further call to {name} could not be sent."),
        Kind::PlatformFailed if reason.retryable => format!("{name} gave no clear answer."),
        _ if reason.message.to_string().ends_with(['.', '!', '?']) => return reason.message.clone(),
        _ => format!("{}.", reason.message),
    };
    words.into()
}

fn so_far(reason: &Error) -> &'static str {
    if may_still_happen(reason) { " so far" } else { "" }
}

/// Whether the platform may still apply what it has not refused.
fn may_still_happen(reason: &Error) -> bool {
    matches!(reason.kind, Kind::PlatformFailed | Kind::PlatformTimeout) && !was_never_sent(reason)
}

#[cfg(test)]
mod tests;

//! After an unclear response to an update or removal, or a partial refusal, the campaign is read back, and the error
//! names the fields that were applied (D34 in docs/decisions.md).

use shared::domain::{CampaignChanges, CampaignStatus, Platform, PlatformCampaign};
use shared::error::{Error, Kind};
use shared::outbound::Failure;
use shared::platforms::{AccountSession, AdPlatform};
use tokio::time::Instant;

/// Returns `true` if the platform may have applied the change, fully or partly, despite this error.
pub(crate) fn may_have_taken_effect(error: &Error) -> bool {
    match error.kind {
        // The call is repeated with a refreshed token, and then reads the current state.
        Kind::TokenExpired => false,
        _ if error.unknown_outcome => true,
        Kind::PlatformFailed | Kind::PlatformTimeout => !was_never_sent(error),
        _ => false,
    }
}

fn was_never_sent(error: &Error) -> bool {
    let source = error.source.as_ref().and_then(|source| source.downcast_ref::<Failure>());
    source.is_some_and(|failure| failure.is_unsent())
}

/// The result of reading a campaign back.
pub(crate) enum ReadBack {
    /// The current campaign.
    Found(Box<PlatformCampaign>),
    /// The platform does not know the campaign.
    NotFound,
    /// No time left, or no response.
    Unavailable,
}

/// Reads a campaign back once, if there is time left.
pub(crate) async fn read_back(adapter: &dyn AdPlatform, session: &AccountSession, remote_id: &str) -> ReadBack {
    if session.call.deadline <= Instant::now() {
        return ReadBack::Unavailable;
    }
    match adapter.get_campaign(session, remote_id).await {
        Ok(campaign) => ReadBack::Found(Box::new(campaign)),
        Err(error) if error.kind == Kind::NotFound => ReadBack::NotFound,
        Err(error) => {
            tracing::warn!(campaign = remote_id, %error, source = error.source, "campaign not read back");
            ReadBack::Unavailable
        }
    }
}

/// Whether the platform reports the campaign as removed.
pub(crate) async fn is_removed(adapter: &dyn AdPlatform, session: &AccountSession, remote_id: &str) -> bool {
    match read_back(adapter, session, remote_id).await {
        ReadBack::Found(read) => read.status.is_final(),
        ReadBack::NotFound => true,
        ReadBack::Unavailable => false,
    }
}

/// The requested fields, by whether the campaign has their new value.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct AppliedFields {
    applied: Vec<&'static str>,
    missing: Vec<&'static str>,
}

impl AppliedFields {
    /// Compares the requested changes with the campaign.
    pub(crate) fn of(requested: &CampaignChanges, read: &PlatformCampaign) -> AppliedFields {
        let missing = requested.clone().against(read);
        let status = requested.status.filter(|status| !satisfies(*status, read.status));
        let mut fields = AppliedFields::default();
        for (field, is_requested, is_missing) in [
            ("name", requested.name.is_some(), missing.name.is_some()),
            ("status", requested.status.is_some(), status.is_some()),
            ("budget_amount", requested.budget_amount.is_some(), missing.budget_amount.is_some()),
            ("budget_period", requested.budget_period.is_some(), missing.budget_period.is_some()),
        ] {
            match (is_requested, is_missing) {
                (false, _) => {}
                (true, false) => fields.applied.push(field),
                (true, true) => fields.missing.push(field),
            }
        }
        fields
    }

    /// Whether all requested fields are applied.
    pub(crate) fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// Whether any requested field is applied.
    pub(crate) fn has_applied(&self) -> bool {
        !self.applied.is_empty()
    }

    /// The error for a change that is not fully applied.
    pub(crate) fn error(&self, platform: Platform, reason: Error) -> Error {
        let mut message = describe(platform, &reason);
        if self.has_applied() {
            message.push_str(&format!(" Applied: {}.", self.applied.join(", ")));
        }
        message.push_str(&format!(" Not applied{}: {}.", so_far(&reason), self.missing.join(", ")));
        message.push_str(match (self.has_applied(), reason.retryable) {
            (true, true) => " Repeat the request: fields already applied are skipped.",
            (true, false) => " Applied fields keep their new value: correct the others, and send them again.",
            (false, true) => " Repeat the request.",
            (false, false) => "",
        });
        Error { message, unknown_outcome: false, ..reason }.on(platform)
    }
}

/// Whether a campaign's status fulfils the requested one. A campaign that is activated after its end reads as ENDED,
/// and there are several final statuses.
fn satisfies(requested: CampaignStatus, read: CampaignStatus) -> bool {
    requested == read
        || requested == CampaignStatus::Active && read == CampaignStatus::Ended
        || requested.is_final() && read.is_final()
}

/// The error for a change that could not be read back.
pub(crate) fn unknown_outcome_error(requested: &CampaignChanges, platform: Platform, reason: Error) -> Error {
    let fields = [
        requested.name.as_ref().map(|_| "name"),
        requested.status.map(|_| "status"),
        requested.budget_amount.map(|_| "budget_amount"),
        requested.budget_period.map(|_| "budget_period"),
    ];
    let fields: Vec<&str> = fields.into_iter().flatten().collect();
    let which = if fields.len() == 1 { "whether this was applied" } else { "which of these were applied" };
    let message = format!(
        "{} It is not known {which}: {}. It is safe to repeat the request: fields already applied are skipped.",
        describe(platform, &reason),
        fields.join(", ")
    );
    Error { message, ..reason }.on(platform)
}

/// The error for a removal that failed, or has an unknown outcome.
pub(crate) fn removal_error(exists: bool, platform: Platform, reason: Error) -> Error {
    let outcome = if exists {
        format!("The campaign is not removed{}. Repeat the request.", so_far(&reason))
    } else {
        "It is not known whether the campaign was removed. It is safe to repeat the request: 404 means that it was."
            .to_owned()
    };
    Error { message: format!("{} {outcome}", describe(platform, &reason)), unknown_outcome: false, ..reason }
        .on(platform)
}

/// Describes the failed call, without a claim about the campaign.
fn describe(platform: Platform, reason: &Error) -> String {
    let name = platform.display_name();
    match reason.kind {
        Kind::PlatformTimeout => format!("{name} did not answer in time."),
        _ if was_never_sent(reason) => format!("A further call to {name} could not be sent."),
        Kind::PlatformFailed if reason.retryable => format!("{name} gave no clear answer."),
        _ if reason.message.ends_with(['.', '!', '?']) => reason.message.clone(),
        _ => format!("{}.", reason.message),
    }
}

/// After a timeout the platform may still apply the change.
fn so_far(reason: &Error) -> &'static str {
    if reason.kind == Kind::PlatformTimeout { " so far" } else { "" }
}

#[cfg(test)]
mod tests;

//! A change that was sent and not clearly answered, or of which only a part was refused: the campaign is read once
//! more, and the truth about it is told (D34 in docs/decisions.md).

use shared::domain::{Campaign, CampaignChanges, CampaignStatus, Platform};
use shared::error::{Error, Kind};
use shared::outbound::Failure;
use shared::platforms::{AdPlatform, Session};
use tokio::time::Instant;

/// Whether a change, or a part of it, may have been made although it ended in this error.
pub(crate) fn may_have_happened(error: &Error) -> bool {
    match error.kind {
        // A refused token calls for another one first; then the work is repeated and finds what is there.
        Kind::TokenExpired => false,
        _ if error.unknown_outcome => true,
        Kind::PlatformFailed | Kind::PlatformTimeout => !was_never_sent(error),
        _ => false,
    }
}

fn was_never_sent(error: &Error) -> bool {
    let source = error.source.as_ref().and_then(|source| source.downcast_ref::<Failure>());
    source == Some(&Failure::NotSent)
}

/// What is seen when a campaign is read back.
pub(crate) enum Sight {
    /// The campaign, as it is.
    Campaign(Box<Campaign>),
    /// The platform knows it no more.
    Gone,
    /// Nothing: there was no time left, or no answer.
    Nothing,
}

/// Reads a campaign back, once, if there is time.
pub(crate) async fn look(adapter: &dyn AdPlatform, session: &Session, remote_id: &str) -> Sight {
    if session.call.deadline <= Instant::now() {
        return Sight::Nothing;
    }
    match adapter.get_campaign(session, remote_id).await {
        Ok(campaign) => Sight::Campaign(Box::new(campaign)),
        Err(error) if error.kind == Kind::NotFound => Sight::Gone,
        Err(error) => {
            tracing::warn!(campaign = remote_id, %error, source = error.source, "a change was not read back");
            Sight::Nothing
        }
    }
}

/// Whether a campaign is removed by now, as far as the platform says.
pub(crate) async fn is_removed(adapter: &dyn AdPlatform, session: &Session, remote_id: &str) -> bool {
    match look(adapter, session, remote_id).await {
        Sight::Campaign(read) => read.status.is_final(),
        Sight::Gone => true,
        Sight::Nothing => false,
    }
}

/// What of a change is there and what is not, by the names of our fields.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    applied: Vec<&'static str>,
    missing: Vec<&'static str>,
}

impl Tally {
    /// Holds what was asked for against the campaign as it was read.
    pub(crate) fn of(asked: &CampaignChanges, read: &Campaign) -> Tally {
        let left = asked.clone().against(read);
        let status = asked.status.filter(|status| !comes_to(*status, read.status));
        let mut tally = Tally::default();
        for (field, is_asked, is_left) in [
            ("name", asked.name.is_some(), left.name.is_some()),
            ("status", asked.status.is_some(), status.is_some()),
            ("budget_amount", asked.budget_amount.is_some(), left.budget_amount.is_some()),
            ("budget_period", asked.budget_period.is_some(), left.budget_period.is_some()),
        ] {
            match (is_asked, is_left) {
                (false, _) => {}
                (true, false) => tally.applied.push(field),
                (true, true) => tally.missing.push(field),
            }
        }
        tally
    }

    /// Whether everything that was asked for is there.
    pub(crate) fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// Whether anything that was asked for is there.
    pub(crate) fn has_applied(&self) -> bool {
        !self.applied.is_empty()
    }

    /// The error for a change that is not complete.
    pub(crate) fn told(&self, platform: Platform, reason: Error) -> Error {
        let mut message = why(platform, &reason);
        if self.has_applied() {
            message.push_str(&format!(" Applied: {}.", self.applied.join(", ")));
        }
        message.push_str(&format!(" Not applied{}: {}.", so_far(&reason), self.missing.join(", ")));
        message.push_str(match (self.has_applied(), reason.retryable) {
            (true, true) => " Send the same again: what is applied already is not written twice.",
            (true, false) => " What is applied stays: correct the rest, and send it again.",
            (false, true) => " Send the same again.",
            (false, false) => "",
        });
        Error { message, unknown_outcome: false, ..reason }.on(platform)
    }
}

/// Whether a status that was asked for is what the platform now says. A campaign that was switched on after its end
/// has ended, and what is removed may be called more than one thing.
fn comes_to(asked: CampaignStatus, read: CampaignStatus) -> bool {
    asked == read
        || asked == CampaignStatus::Active && read == CampaignStatus::Ended
        || asked.is_final() && read.is_final()
}

/// The error for a change that could not be read back.
pub(crate) fn not_known(asked: &CampaignChanges, platform: Platform, reason: Error) -> Error {
    let fields = [
        asked.name.as_ref().map(|_| "name"),
        asked.status.map(|_| "status"),
        asked.budget_amount.map(|_| "budget_amount"),
        asked.budget_period.map(|_| "budget_period"),
    ];
    let fields: Vec<&str> = fields.into_iter().flatten().collect();
    let which = if fields.len() == 1 { "whether this was applied" } else { "which of these were applied" };
    let message = format!(
        "{} It is not known {which}: {}. To send the same again is safe: what is applied already is not written twice.",
        why(platform, &reason),
        fields.join(", ")
    );
    Error { message, ..reason }.on(platform)
}

/// The error for a removal after which the campaign is still there, or nobody knows.
pub(crate) fn not_removed(is_there: bool, platform: Platform, reason: Error) -> Error {
    let what = if is_there {
        format!("The campaign is not removed{}. Send the same again.", so_far(&reason))
    } else {
        "It is not known whether the campaign was removed. To send the same again is safe: 404 then says that it was."
            .to_owned()
    };
    Error { message: format!("{} {what}", why(platform, &reason)), unknown_outcome: false, ..reason }.on(platform)
}

/// What went wrong, in a sentence that claims nothing about the campaign.
fn why(platform: Platform, reason: &Error) -> String {
    let name = platform.display_name();
    match reason.kind {
        Kind::PlatformTimeout => format!("{name} did not answer in time."),
        Kind::PlatformFailed if reason.retryable => format!("{name} gave no clear answer."),
        _ if reason.message.ends_with(['.', '!', '?']) => reason.message.clone(),
        _ => format!("{}.", reason.message),
    }
}

/// Who does not answer may still be at it.
fn so_far(reason: &Error) -> &'static str {
    if reason.kind == Kind::PlatformTimeout { " so far" } else { "" }
}

#[cfg(test)]
mod tests;

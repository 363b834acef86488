//! What is said of a create whose outcome is not known, and what is done about it.

use super::CreateSender;
use crate::domain::{Campaign, Intent};
use crate::error::{Error, Kind};
use jiff::Timestamp;
use std::time::Duration;

/// Nobody need ask again before this.
pub(super) const LEAST_WAIT: Duration = Duration::from_secs(5);

impl CreateSender<'_> {
    /// Leaves an intent to maintenance, from now on, and answers what to say.
    pub(super) async fn leave_unknown(&self, intent: &Intent, reason: Option<Error>) -> Error {
        let now = self.put_forward(intent).await;
        self.outcome_unknown(&Intent { until: now.min(intent.until), ..intent.clone() }, reason)
    }

    /// Makes an intent due now, and answers when that is.
    async fn put_forward(&self, intent: &Intent) -> Timestamp {
        let now = self.context.app.clock.now();
        if let Err(error) = self.context.app.store.mark_outcome_unknown(intent, now).await {
            // It becomes due all the same, only later.
            tracing::warn!(intent = %intent.id, %error, source = error.source, "a doubtful create was not put forward");
        }
        now
    }

    /// The error of a create of which it is not known what became.
    pub(super) fn outcome_unknown(&self, intent: &Intent, reason: Option<Error>) -> Error {
        let (platform, name, request) = (intent.platform.display_name(), &intent.draft.name, intent.id.request);
        let next = if self.is_keyed {
            "send the same request again with the same Idempotency-Key, and nothing is made twice."
        } else {
            "do not send the create again before that says not_created."
        };
        let message = format!(
            "It is not known yet whether {platform} created the campaign \"{name}\". This is being found out, within a \
             minute as a rule: see GET /v1/campaigns/intents/{request}; {next}"
        );
        self.unknown_outcome(intent, reason, &message)
    }

    /// Leaves it to maintenance to switch off a campaign that its platform made switched on.
    pub(super) async fn leave_switched_on(&self, intent: &Intent, campaign: &Campaign, reason: Error) -> Error {
        let (platform, request) = (intent.platform.display_name(), intent.id.request);
        let message = format!(
            "{platform} created the campaign \"{}\" switched on, and it could not be switched off yet: it may be running. \
             Its id is {}. It is being switched off, within a minute as a rule: see GET /v1/campaigns/intents/{request}. \
             Do not create it again.",
            campaign.name, campaign.id
        );
        self.put_forward(intent).await;
        self.unknown_outcome(intent, Some(reason), &message)
    }

    fn unknown_outcome(&self, intent: &Intent, reason: Option<Error>, message: &str) -> Error {
        let reason = reason.unwrap_or_else(|| Error::new(Kind::PlatformTimeout, ""));
        let asked = reason.retry_after;
        // Without a new authorization nothing can be found out.
        let message = match reason.kind {
            Kind::TokenExpired | Kind::Forbidden => format!("{message} At present it cannot be: {}", reason.message),
            _ => message.to_owned(),
        };
        let error = Error { kind: Kind::PlatformTimeout, message, ..reason }.on(intent.platform).of_unknown_outcome();
        if !self.is_keyed {
            return error;
        }
        let wait = Duration::try_from(intent.believed_from().duration_since(self.context.app.clock.now()));
        error.retryable().retry_after(wait.unwrap_or_default().max(LEAST_WAIT).max(asked.unwrap_or_default()))
    }
}

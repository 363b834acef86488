//! What is said of a create whose outcome is not known, and what is done about it.

use super::Orders;
use crate::domain::Intent;
use crate::error::{Error, Kind};
use std::time::Duration;

/// Nobody need ask again before this.
const LEAST_WAIT: Duration = Duration::from_secs(5);

impl Orders<'_> {
    /// Leaves an intent to upkeep, from now on, and answers what to say.
    pub(super) async fn leave_in_doubt(&self, intent: &Intent, reason: Option<Error>) -> Error {
        let now = self.caller.app.clock.now();
        if let Err(error) = self.caller.app.store.doubt_intent(intent, now).await {
            // It becomes due all the same, only later.
            tracing::warn!(intent = %intent.id, %error, source = error.source, "a doubtful create was not put forward");
        }
        self.in_doubt(&Intent { until: now.min(intent.until), ..intent.clone() }, reason)
    }

    /// The error of a create of which it is not known what became.
    pub(super) fn in_doubt(&self, intent: &Intent, reason: Option<Error>) -> Error {
        let (platform, name, request) = (intent.platform.display_name(), &intent.draft.name, intent.id.request);
        let next = if self.is_keyed {
            "send the same request again with the same Idempotency-Key, and nothing is made twice."
        } else {
            "do not send the create again before that says not_created."
        };
        let message = format!(
            "It is not known yet whether {platform} created the campaign \"{name}\". This is being found out, within a \
             minute as a rule: see GET /v1/campaigns/intents/{request}, or list the campaigns; {next}"
        );
        let reason = reason.unwrap_or_else(|| Error::new(Kind::PlatformTimeout, ""));
        let error = Error { kind: Kind::PlatformTimeout, message, ..reason }.on(intent.platform).of_unknown_outcome();
        if !self.is_keyed {
            return error;
        }
        let wait = Duration::try_from(intent.believed_from().duration_since(self.caller.app.clock.now()));
        error.retryable().retry_after(wait.unwrap_or_default().max(LEAST_WAIT))
    }
}

//! Creates with an unknown outcome: the error for the caller, and the hand-over to maintenance.

use super::CreateSender;
use crate::changes::failure::unknown_outcome;
use crate::domain::maintenance_schedule::INTERVAL_TEXT;
use crate::domain::{Attempt, CampaignId, Change, Create, PlatformCampaign};
use crate::error::Error;
use jiff::Timestamp;

impl CreateSender<'_> {
    /// Leaves a create to maintenance and returns the error for the caller.
    pub(super) async fn defer(&self, create: &Create, reason: Option<Error>) -> Error {
        let now = self.make_due(create, None).await;
        let until = now.min(create.send_deadline);
        let attempt = Attempt { number: create.attempt, at: create.sent_at.unwrap_or(now), until };
        self.unknown_outcome_error(&create.sending(attempt), reason)
    }

    /// Leaves it to maintenance to pause a campaign that its platform created active.
    pub(super) async fn defer_pause(&self, create: &Create, campaign: &PlatformCampaign, reason: Error) -> Error {
        let platform = create.platform.display_name();
        let request = create.request;
        let message = format!(
            "{platform} created the campaign \"{}\" as active, and pausing it failed: it may be running. Its id is {}. \
             The service usually pauses it within {INTERVAL_TEXT}; see GET /v1/campaigns/intents/{request}. Do not \
             create it again.",
            campaign.name, campaign.id
        );
        if let Err(error) = self.context.app.store.claim_campaign(create, &campaign.remote_id).await {
            tracing::warn!(create = %create.id, campaign = %campaign.id, %error, source = error.source, "a new campaign was not claimed");
        }
        self.make_due(create, Some(&campaign.id)).await;
        self.error_with_message(create, Some(reason), message)
    }

    /// Ends the attempt and makes its create due for maintenance, with the campaign if it is known. Returns the time at which
    /// it is due.
    async fn make_due(&self, create: &Create, known: Option<&CampaignId>) -> Timestamp {
        let now = self.context.app.clock.now();
        let doubted = |latest: &Change| {
            let latest = latest.in_attempt(create.attempt)?;
            let campaign = known.or(latest.campaign.as_ref()).cloned();
            Change { campaign, ..latest.clone() }.doubted(None, now)
        };
        if let Err(error) = self.context.app.store.transition(create, doubted).await {
            // The create becomes due at the attempt's deadline instead.
            tracing::warn!(create = %create.id, %error, source = error.source, "a create was not made due");
        }
        now
    }

    /// The error of a create whose outcome is unknown.
    pub(super) fn unknown_outcome_error(&self, create: &Create, reason: Option<Error>) -> Error {
        let platform = create.platform.display_name();
        let name = &create.draft().name;
        let request = create.request;
        let next_step = if self.is_keyed {
            "Send the same request again with the same Idempotency-Key; it creates nothing twice."
        } else {
            "Do not send the create again before that page shows not_created."
        };
        let message = format!(
            "It is not known yet whether {platform} created the campaign \"{name}\". The service usually finds out \
             within {INTERVAL_TEXT}; see GET /v1/campaigns/intents/{request}. {next_step}"
        );
        self.error_with_message(create, reason, message)
    }

    fn error_with_message(&self, create: &Create, reason: Option<Error>, message: String) -> Error {
        unknown_outcome(create, message, reason, self.is_keyed.then(|| self.context.app.clock.now()))
    }
}

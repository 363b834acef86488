//! Creates with an unknown outcome: the error for the caller, and the hand-over to maintenance.

use super::CreateSender;
use crate::changes::failure::unknown_outcome;
use crate::domain::{Attempt, CampaignId, Change, ChangeStatement, Create, PlatformCampaign};
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
        let (name, id) = (campaign.name.clone(), campaign.id.clone());
        let message = ChangeStatement::CreatedActive { name, campaign: id, request: create.request };
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
        let unknown = |latest: &Change| {
            let latest = latest.in_attempt(create.attempt)?;
            let campaign = known.or(latest.campaign.as_ref()).cloned();
            Change { campaign, ..latest.clone() }.left_unknown(None, now)
        };
        if let Err(error) = self.context.app.store.transition(create, unknown).await {
            // The create becomes due at the attempt's deadline instead.
            tracing::warn!(create = %create.id, %error, source = error.source, "a create was not made due");
        }
        now
    }

    /// The error of a create whose outcome is unknown.
    pub(super) fn unknown_outcome_error(&self, create: &Create, reason: Option<Error>) -> Error {
        let message = ChangeStatement::CreateUnknown {
            platform: create.platform,
            name: create.draft().name.clone(),
            request: create.request,
            is_keyed: self.is_keyed,
        };
        self.error_with_message(create, reason, message)
    }

    fn error_with_message(&self, create: &Create, reason: Option<Error>, message: ChangeStatement) -> Error {
        unknown_outcome(create, message, reason, self.is_keyed.then(|| self.context.app.clock.now()))
    }
}

//! The request to change a campaign, as the shared library takes it.

use crate::CAMPAIGN;
use shared::changes::request::number::EDIT;
use shared::changes::request::{ChangeRequest, Condition};
use shared::changes::{self, ChangePlan};
use shared::domain::{
    Action, Attempt, Campaign, CampaignId, Change, ChangeState, Connection, PlatformCampaign, Reference, WaitRequest,
};
use shared::envelope::{Reply, Shape};
use shared::error::Error;
use shared::serve::Call;

/// The campaign in the path of a request, in a connected ad account.
pub(crate) struct CampaignInPath<'a> {
    pub(crate) id: CampaignId,
    pub(crate) connection: &'a Connection,
    pub(crate) remote_id: String,
}

impl<'a> CampaignInPath<'a> {
    /// Finds the campaign. 404 if the path names none of a connected ad account.
    pub(crate) fn of(call: &'a Call) -> Result<CampaignInPath<'a>, Error> {
        let not_found = || Error::not_found(CAMPAIGN);
        let id = CampaignId::parse(&call.request.parameter).ok_or_else(not_found)?;
        let (connection, remote_id) = call.connected.find_campaign(&id).ok_or_else(not_found)?;
        let remote_id = remote_id.to_owned();
        Ok(CampaignInPath { id, connection, remote_id })
    }

    /// Reads the campaign from its platform, and its stored record.
    pub(crate) async fn read(&self, call: &Call) -> Result<Campaign, Error> {
        let context = call.platform_context();
        let read = async { Ok((context.get_campaign(self.connection, &self.remote_id).await?, ())) };
        self.with_record(call, read).await.map(|(campaign, ())| campaign)
    }

    /// Completes the campaign that `read` reads from its platform, from its stored record, which is read concurrently. If
    /// that read fails, the platform's data stands alone. 404 if the caller may not see the campaign.
    pub(crate) async fn with_record<T>(
        &self,
        call: &Call,
        read: impl Future<Output = Result<(PlatformCampaign, T), Error>>,
    ) -> Result<(Campaign, T), Error> {
        // join!, not try_join!: a failed record read must not cancel a token refresh, nor hide the campaign.
        let (read, record) = tokio::join!(read, call.store().record(call.customer.id, &self.id));
        let (campaign, more) = read?;
        let record = record.unwrap_or_else(|error| {
            tracing::error!(campaign = %campaign.id, %error, source = error.source, "campaign record not read");
            None
        });
        Ok((call.require_visible(campaign.complete(&self.connection.id, record), CAMPAIGN)?, more))
    }

    /// A request for an action now. The attempts under one `Idempotency-Key` are attempts at one change.
    pub(crate) fn request(
        &self,
        call: &Call,
        action: Action,
        reference: Option<Reference>,
        condition: Option<&'a Condition<'a>>,
    ) -> Result<ChangeRequest<'a>, Error> {
        let CampaignInPath { id, connection, remote_id } = self;
        let (_, first_at) = call.first_request();
        let now = call.request.now;
        Ok(ChangeRequest {
            customer: call.customer.id,
            connection,
            account: ChangeRequest::account_of(connection)?,
            campaign: id.clone(),
            remote_id: remote_id.clone(),
            action,
            apply_at: None,
            pending: None,
            origin: call.origin(reference)?,
            first_at,
            number: EDIT,
            attempt: Attempt { number: call.attempt(), at: now, until: call.request.ends_at()? },
            is_flat: call.request.shape == Shape::Flat,
            condition,
            only_if: None,
        })
    }
}

/// Stores the change of a plan, which waits for its time or for a person.
pub(crate) async fn schedule(call: &Call, planned: Result<ChangePlan, Error>) -> Result<Reply, Error> {
    let missing = || Error::internal("a change for a later time is missing");
    store_waiting(call, planned.and_then(|plan| plan.change.ok_or_else(missing))).await
}

/// Stores a change that waits for its time or for a person.
pub(crate) async fn store_waiting(call: &Call, change: Result<Change, Error>) -> Result<Reply, Error> {
    let checked = async {
        let change = change?;
        require_capacity(call, &change).await?;
        Ok(change)
    };
    match checked.await {
        Ok(change) => call.schedule(change).await,
        Err(refusal) => call.earlier_schedule_or_refuse(refusal).await,
    }
}

/// Refuses one more waiting change if the customer, a key with a spending limit, or the user has too many.
async fn require_capacity(call: &Call, change: &Change) -> Result<(), Error> {
    let limited = call.key_spending().filter(|spending| spending.limit.is_some());
    let limited = limited.and_then(|spending| spending.spender.key());
    let awaits_person = change.state == ChangeState::AwaitingApproval;
    let request = WaitRequest { limited, user: change.external_ref.as_ref(), awaits_person, is_waiting: false };
    // A request for one user learns nothing about keys of others.
    let keys = call.user().is_none().then_some(&call.keys);
    changes::require_capacity(call.store(), call.customer.id, keys, request).await
}

/// Refuses a change whose preview is not valid any more. A change that an earlier request with the same key has made is
/// still replayed.
pub(crate) fn require_confirmed(call: &Call) -> Result<(), Error> {
    match &call.request.confirmation {
        Some(confirmation) => confirmation.require_valid(),
        None => Ok(()),
    }
}

/// Refuses an action on a campaign that has changed since the preview that an agent confirms. Requests without a preview
/// pass.
pub(crate) fn require_unchanged_since_preview(call: &Call, action: &Action, campaign: &Campaign) -> Result<(), Error> {
    let Some(confirmation) = &call.request.confirmation else { return Ok(()) };
    match action {
        Action::Update(changes) => confirmation.require_seen(campaign, changes),
        Action::Delete | Action::Create(_) => confirmation.require_seen_for_removal(campaign),
    }
}

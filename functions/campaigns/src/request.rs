//! The request to change a campaign, as the shared library takes it.

use crate::CAMPAIGN;
use shared::changes::request::number::EDIT;
use shared::changes::request::{ChangeRequest, Condition};
use shared::changes::{self, ChangePlan};
use shared::domain::{Action, Attempt, Campaign, CampaignId, Change, ChangeOrigin, ChangeState, Connection};
use shared::envelope::{Reply, Shape};
use shared::error::Error;
use shared::serve::Call;

/// The campaign that the path of a request names, in a connected ad account.
pub(crate) struct Named<'a> {
    pub(crate) id: CampaignId,
    pub(crate) connection: &'a Connection,
    pub(crate) remote_id: String,
}

impl<'a> Named<'a> {
    /// 404 in every other case.
    pub(crate) fn of(call: &'a Call) -> Result<Named<'a>, Error> {
        let not_found = || Error::not_found(CAMPAIGN);
        let id = CampaignId::parse(&call.request.parameter).ok_or_else(not_found)?;
        let (connection, remote_id) = call.connected.find_campaign(&id).ok_or_else(not_found)?;
        let remote_id = remote_id.to_owned();
        Ok(Named { id, connection, remote_id })
    }

    /// Reads the campaign from its platform, and concurrently its stored record. If that read fails, the platform's data
    /// stands alone.
    pub(crate) async fn read(&self, call: &Call) -> Result<Reply, Error> {
        let Named { id, connection, remote_id } = self;
        let (context, record) = (call.platform_context(), call.store().record(call.customer.id, id));
        // join!, not try_join!: a failed record read must not cancel a token refresh, nor hide the campaign.
        let (campaign, record) = tokio::join!(context.get_campaign(connection, remote_id), record);
        let campaign = campaign?;
        let record = record.unwrap_or_else(|error| {
            tracing::error!(campaign = %campaign.id, %error, source = error.source, "campaign record not read");
            None
        });
        let campaign = call.require_visible(campaign.complete(&connection.id, record), CAMPAIGN)?;
        Ok(Reply::Campaign(Box::new(campaign)))
    }

    /// A request for an action now. The attempts under one `Idempotency-Key` are attempts at one change.
    pub(crate) fn request(
        &self,
        call: &Call,
        action: Action,
        condition: Option<&'a Condition<'a>>,
    ) -> Result<ChangeRequest<'a>, Error> {
        let Named { id, connection, remote_id } = self;
        let (request, first_at) = call.first_request();
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
            origin: ChangeOrigin { request, requested_by: call.requester()? },
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
    let_wait(call, planned.and_then(|plan| plan.change.ok_or_else(missing))).await
}

/// Stores a change that waits for its time or for a person.
pub(crate) async fn let_wait(call: &Call, change: Result<Change, Error>) -> Result<Reply, Error> {
    let checked = async {
        let change = change?;
        require_capacity(call, change.state == ChangeState::AwaitingApproval).await?;
        Ok(change)
    };
    match checked.await {
        Ok(change) => call.schedule(change).await,
        Err(refusal) => call.scheduled_or(refusal).await,
    }
}

/// Refuses another change that waits, for its time or for a person, if there are too many: of the customer, or of a key
/// with a spending limit.
async fn require_capacity(call: &Call, awaits_person: bool) -> Result<(), Error> {
    let limited = call.key_spending().filter(|spending| spending.limit.is_some());
    let limited = limited.map(|spending| &spending.key);
    changes::require_capacity(call.store(), call.customer.id, &call.keys, limited, awaits_person).await
}

/// Refuses a change whose preview confirms nothing any more. An earlier request with the same key is replayed all the
/// same.
pub(crate) fn require_confirmed(call: &Call) -> Result<(), Error> {
    call.request.confirmation.as_ref().map_or(Ok(()), |confirmation| confirmation.require_valid())
}

/// Refuses an action on a campaign that is not as the preview of an agent has shown it. Any other request depends on
/// nothing.
pub(crate) fn require_seen(call: &Call, action: &Action, campaign: &Campaign) -> Result<(), Error> {
    let Some(confirmation) = &call.request.confirmation else { return Ok(()) };
    match action {
        Action::Update(changes) => confirmation.require_seen(campaign, changes),
        Action::Delete | Action::Create(_) => confirmation.require_seen_for_removal(campaign),
    }
}

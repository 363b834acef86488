//! `PATCH /v1/campaigns/{id}` (spec 4.1).

use crate::read_back::{Sight, Tally, is_removed, look, may_have_happened, not_known};
use crate::{complete, named_campaign};
use shared::domain::{Campaign, CampaignChanges, CampaignId, CampaignStatus};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{Reply, UpdateRequest, read_update};
use shared::error::{Error, Kind};
use shared::platforms::{AdPlatform, Session};
use shared::serve::Call;
use std::sync::atomic::{AtomicBool, Ordering};

/// Changes name, state or budget. What the campaign already has is not written again.
pub(crate) async fn update(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    let UpdateRequest { changes, organization_id } = read_update(call.request.shape, call.request.json_body()?)?;
    check_target_status(&changes)?;
    let (id, connection, remote_id) = named_campaign(call)?;
    if organization_id.is_some_and(|account| account != connection.account_id()) {
        return Err(Error::not_found("campaign"));
    }

    let change = &Change { call, id: &id, remote_id: &remote_id, asked: &changes, is_begun: AtomicBool::new(false) };
    let caller = call.platform_context();
    let changed = caller.in_account(connection, |adapter, session| change.make(adapter, session));
    // Joined, not tried: a record that cannot be read must not cut off a change that is on its way.
    let (changed, record) = tokio::join!(changed, call.store().record(call.customer.id, &id));
    let (mut campaign, written) = changed.map_err(|error| change.cut_off(error))?;
    complete(&mut campaign, record);
    if written {
        change.note(&mut campaign).await;
    }
    Ok(Reply::Campaign(Box::new(campaign)))
}

/// A change of one campaign.
struct Change<'a> {
    call: &'a Call,
    id: &'a CampaignId,
    remote_id: &'a str,
    asked: &'a CampaignChanges,
    /// Whether a call of several was carried out before another one failed.
    is_begun: AtomicBool,
}

impl Change<'_> {
    /// Makes it. Answers the campaign as it now is, and whether anything was written.
    async fn make(&self, adapter: &dyn AdPlatform, session: Session) -> Result<(Campaign, bool), Error> {
        let current = adapter.get_campaign(&session, self.remote_id).await?;
        let changes = changes_for(self.asked, &current)?;
        if changes.is_empty() {
            return Ok((current, false));
        }
        match adapter.update_campaign(&session, &current, &changes).await {
            Err(error) if may_have_happened(&error) => {
                Ok((self.read_back(adapter, &session, current, error).await?, true))
            }
            // Another request removed it meanwhile: the platform refuses to remove it twice.
            Err(error)
                if self.asks_for_removal()
                    && matches!(error.kind, Kind::PlatformRefused | Kind::NotFound)
                    && is_removed(adapter, &session, self.remote_id).await =>
            {
                Err(already_removed(&current))
            }
            Err(error) => {
                self.is_begun.store(error.unknown_outcome, Ordering::Relaxed);
                Err(error)
            }
            Ok(campaign) => Ok((campaign, true)),
        }
    }

    fn asks_for_removal(&self) -> bool {
        self.asked.status.is_some_and(CampaignStatus::is_final)
    }

    /// The campaign when all that was asked for is there after all, else the error that says what is and what is not.
    async fn read_back(
        &self,
        adapter: &dyn AdPlatform,
        session: &Session,
        before: Campaign,
        reason: Error,
    ) -> Result<Campaign, Error> {
        let platform = before.platform();
        let mut read = match look(adapter, session, self.remote_id).await {
            Sight::Campaign(read) => *read,
            Sight::Gone if self.asks_for_removal() => {
                return Ok(Campaign { status: CampaignStatus::Archived, ..before });
            }
            Sight::Gone => return Err(Error::not_found("campaign").on(platform)),
            Sight::Nothing => return Err(not_known(self.asked, platform, reason)),
        };
        let tally = Tally::of(self.asked, &read);
        if tally.is_complete() {
            return Ok(read);
        }
        if Tally::of(self.asked, &before) != tally {
            self.note(&mut read).await;
        }
        Err(tally.told(platform, reason))
    }

    /// Keeps that the campaign was changed now.
    async fn note(&self, campaign: &mut Campaign) {
        let now = self.call.request.app.clock.now();
        campaign.updated_at = Some(now);
        // The change is made and spends money: a note that cannot be kept must not turn into a failed request.
        if let Err(error) = self.call.store().touch_record(self.call.customer.id, self.id, now).await {
            tracing::error!(campaign = %self.id, %error, "a changed campaign's record was not kept");
        }
    }

    /// With a dead grant nothing can be read back; that something was done is told all the same.
    fn cut_off(&self, error: Error) -> Error {
        if error.kind != Kind::TokenExpired || !self.is_begun.load(Ordering::Relaxed) {
            return error;
        }
        let message = format!(
            "{} Before that, part of the change was made; send the same again then: what is applied already is not \
             written twice.",
            error.message
        );
        Error { message, ..error }
    }
}

/// States that no platform lets anybody write.
fn check_target_status(changes: &CampaignChanges) -> Result<(), Error> {
    match changes.status {
        Some(CampaignStatus::Ended | CampaignStatus::Draft | CampaignStatus::Unspecified) => {
            Err(Error::field("status", "is read and never written; ACTIVE and PAUSED can be set"))
        }
        _ => Ok(()),
    }
}

/// What is left to change; a campaign in a final state takes nothing more.
fn changes_for(changes: &CampaignChanges, current: &Campaign) -> Result<CampaignChanges, Error> {
    if current.status.is_final() {
        return Err(already_removed(current));
    }
    Ok(changes.clone().against(current))
}

fn already_removed(current: &Campaign) -> Error {
    let message = "The campaign has been removed; nothing about it can be changed any more.";
    Error::new(Kind::Conflict, message).on(current.platform())
}

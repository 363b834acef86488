//! `updateCampaign`.

use crate::dry_run;
use crate::read_back::{AppliedFields, ReadBack, is_removed, may_have_taken_effect, read_back, unknown_outcome_error};
use crate::{complete, named_campaign};
use jiff::Timestamp;
use shared::domain::{CampaignChanges, CampaignId, CampaignStatus, Connection, PlatformCampaign};

use shared::envelope::{Reply, UpdateRequest, read_update};
use shared::error::{Error, Kind};
use shared::platforms::{AccountSession, AdPlatform};
use shared::serve::Call;
use std::sync::atomic::{AtomicBool, Ordering};

/// An update request, and the campaign that it names.
struct Requested<'a> {
    changes: CampaignChanges,
    id: CampaignId,
    connection: &'a Connection,
    remote_id: String,
}

/// Changes name, status or budget. Fields that already have the requested value are not written.
pub(crate) async fn update(call: &Call) -> Result<Reply, Error> {
    let is_dry_run = call.request.is_dry_run()?;
    let requested = read(call);
    if is_dry_run {
        return dry_run_change(call, requested?).await;
    }
    let requested = match requested {
        Ok(requested) => requested,
        Err(refusal) => return call.replay_or(refusal).await,
    };
    match call.claim_change().await? {
        Some(replay) => Ok(replay),
        None => apply(call, requested).await,
    }
}

fn read(call: &Call) -> Result<Requested<'_>, Error> {
    let UpdateRequest { changes, organization_id } = read_update(call.request.shape, call.request.json_body()?)?;
    check_target_status(&changes)?;
    let (id, connection, remote_id) = named_campaign(call)?;
    if organization_id.is_some_and(|account| account != connection.account_id()) {
        return Err(Error::not_found("campaign"));
    }
    Ok(Requested { changes, id, connection, remote_id })
}

async fn apply(call: &Call, requested: Requested<'_>) -> Result<Reply, Error> {
    let Requested { changes, id, connection, remote_id } = requested;
    let is_partly_applied = AtomicBool::new(false);
    let update = &Update { call, id: &id, remote_id: &remote_id, requested: &changes, is_partly_applied };
    let context = call.platform_context();
    let updated = context.in_account(connection, |adapter, session| update.apply(adapter, session));
    // join!, not try_join!: a failed record read must not cancel an update in progress.
    let (updated, record) = tokio::join!(updated, call.store().record(call.customer.id, &id));
    let (campaign, written) = updated.map_err(|error| update.mention_partial_update(error))?;
    let mut campaign = complete(campaign, record);
    if written {
        campaign.updated_at = Some(update.touch_record().await);
    }
    Ok(Reply::Campaign(Box::new(campaign)))
}

/// The dry run of an update.
async fn dry_run_change(call: &Call, requested: Requested<'_>) -> Result<Reply, Error> {
    dry_run::reject_key(call)?;
    let Requested { changes, connection, remote_id, .. } = &requested;
    let context = call.platform_context();
    let current = context.get_campaign(connection, remote_id).await?;
    let changes = changes_for(changes, &current)?;
    dry_run::update(call, connection, &current, &changes).await
}

/// An update of one campaign.
struct Update<'a> {
    call: &'a Call,
    id: &'a CampaignId,
    remote_id: &'a str,
    requested: &'a CampaignChanges,
    /// Whether part of the update was applied before it failed.
    is_partly_applied: AtomicBool,
}

impl Update<'_> {
    /// Applies the update. Returns the updated campaign, and whether anything was written.
    async fn apply(
        &self,
        adapter: &dyn AdPlatform,
        session: AccountSession,
    ) -> Result<(PlatformCampaign, bool), Error> {
        let current = adapter.get_campaign(&session, self.remote_id).await?;
        let changes = changes_for(self.requested, &current)?;
        if changes.is_empty() {
            return Ok((current, false));
        }
        match adapter.update_campaign(&session, &current, &changes).await {
            Err(error) if may_have_taken_effect(&error) => {
                Ok((self.confirm(adapter, &session, current, error).await?, true))
            }
            // Another request removed it first: the platform refuses a second removal.
            Err(error)
                if self.is_removal()
                    && matches!(error.kind, Kind::PlatformRefused | Kind::NotFound)
                    && is_removed(adapter, &session, self.remote_id).await =>
            {
                Err(already_removed(&current))
            }
            Err(error) => {
                self.is_partly_applied.store(error.unknown_outcome, Ordering::Relaxed);
                Err(error)
            }
            Ok(campaign) => Ok((campaign, true)),
        }
    }

    fn is_removal(&self) -> bool {
        self.requested.status.is_some_and(CampaignStatus::is_final)
    }

    /// Reads the campaign back after an unclear response. Returns an error unless every requested field was applied.
    async fn confirm(
        &self,
        adapter: &dyn AdPlatform,
        session: &AccountSession,
        before: PlatformCampaign,
        reason: Error,
    ) -> Result<PlatformCampaign, Error> {
        let platform = before.platform();
        let read = match read_back(adapter, session, self.remote_id).await {
            ReadBack::Found(read) => *read,
            ReadBack::NotFound if self.is_removal() => {
                return Ok(PlatformCampaign { status: CampaignStatus::Archived, ..before });
            }
            ReadBack::NotFound => return Err(Error::not_found("campaign").on(platform)),
            ReadBack::Unavailable => return Err(unknown_outcome_error(self.requested, platform, reason)),
        };
        let fields = AppliedFields::of(self.requested, &read);
        if fields.is_complete() {
            return Ok(read);
        }
        if AppliedFields::of(self.requested, &before) != fields {
            self.touch_record().await;
        }
        Err(fields.error(platform, reason))
    }

    /// Stores the time of the update, and returns it.
    async fn touch_record(&self) -> Timestamp {
        let now = self.call.request.app.clock.now();
        // The update is live at the platform, so failing to store its time must not fail the request.
        if let Err(error) = self.call.store().touch_record(self.call.customer.id, self.id, now).await {
            tracing::error!(campaign = %self.id, %error, "record of an updated campaign not written");
        }
        now
    }

    /// Without a valid grant we cannot read the campaign back, so the message says that part of the update was
    /// applied.
    fn mention_partial_update(&self, error: Error) -> Error {
        if error.kind != Kind::TokenExpired || !self.is_partly_applied.load(Ordering::Relaxed) {
            return error;
        }
        let message = format!(
            "{} Part of the change was applied first. After you authorize again, repeat the request; fields already \
             applied are skipped.",
            error.message
        );
        Error { message, ..error }
    }
}

/// Rejects statuses that no platform can set.
fn check_target_status(changes: &CampaignChanges) -> Result<(), Error> {
    match changes.status {
        Some(CampaignStatus::Ended | CampaignStatus::Draft | CampaignStatus::Unspecified) => {
            Err(Error::field("status", "cannot be set to this value; use ACTIVE or PAUSED"))
        }
        _ => Ok(()),
    }
}

/// The requested changes that are not in effect yet. A campaign in a final status cannot change.
fn changes_for(changes: &CampaignChanges, current: &PlatformCampaign) -> Result<CampaignChanges, Error> {
    if current.status.is_final() {
        return Err(already_removed(current));
    }
    Ok(changes.clone().against(current))
}

fn already_removed(current: &PlatformCampaign) -> Error {
    let message = "The campaign has been removed and cannot be changed.";
    Error::new(Kind::Conflict, message).on(current.platform())
}

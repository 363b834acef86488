//! An update at the platform.

use super::Edit;
use super::progress::Effect;
use super::read_back::{
    ReadBack, edit_error, is_removed, may_have_taken_effect, read_back, unconfirmed_write, unknown_outcome_error,
    was_never_sent,
};
use crate::changes::held_dates::require_no_late_start;
use crate::domain::{
    Action, CampaignChanges, CampaignStatus, CampaignValues, ChangedFields, EditedFields, PlatformCampaign, Reason,
};
use crate::error::{Error, Kind};
use crate::platforms::{AccountSession, AdPlatform};
use jiff::Timestamp;

impl Edit<'_> {
    /// Writes the fields that do not have the requested value yet.
    pub(super) async fn update(
        &self,
        adapter: &dyn AdPlatform,
        session: AccountSession,
        current: PlatformCampaign,
        requested: &CampaignChanges,
    ) -> Result<PlatformCampaign, Error> {
        let changes = changes_for(requested, &current, self.context.app.clock.now())?;
        if changes.is_empty() {
            return Ok(current);
        }
        self.begin_sending();
        let error = match self.send_update(adapter, &session, &current, &changes).await {
            Ok(Some(seen)) if EditedFields::of(requested, &CampaignValues::of(&seen)).is_complete() => return Ok(seen),
            // A confirmed write is not always applied.
            Ok(_) => unconfirmed_write(current.platform()),
            Err(error) => error,
        };
        if may_have_taken_effect(&error) {
            return self.confirm_update(adapter, &session, current, requested, error).await;
        }
        // Another request removed it first: the platform refuses a second removal.
        if is_removal(requested)
            && matches!(error.kind, Kind::PlatformRefused | Kind::NotFound)
            && is_removed(adapter, &session, &current).await
        {
            self.progress.note(Effect::Complete(archived_values(&current)));
            return Err(already_removed(&current));
        }
        self.progress.note(if error.unknown_outcome {
            // A part was written before the token ended, and reading needs a token.
            Effect::Unknown
        } else if was_never_sent(&error) || is_refused_here(&error) {
            Effect::Unsent
        } else {
            Effect::None
        });
        Err(error)
    }

    /// Sends the changes. A budget that has to be lower before the campaign runs is sent, and seen, first.
    async fn send_update(
        &self,
        adapter: &dyn AdPlatform,
        session: &AccountSession,
        current: &PlatformCampaign,
        changes: &CampaignChanges,
    ) -> Result<Option<PlatformCampaign>, Error> {
        let Some(lowered) = self.lower_first(adapter, session, current, changes).await? else {
            return adapter.update_campaign(&self.writing(session), current, changes).await;
        };
        let rest = changes.clone().against(&CampaignValues::of(&lowered));
        let written = adapter.update_campaign(&self.writing(session), &lowered, &rest).await;
        written.map_err(|error| Error { unknown_outcome: true, ..error })
    }

    /// Lowers the budget of a campaign before it runs, on platforms that set the status in a separate request: a budget
    /// that is confirmed but not applied would run too high. Returns the campaign as it is seen then; `None` where
    /// nothing has to be lowered first.
    async fn lower_first(
        &self,
        adapter: &dyn AdPlatform,
        session: &AccountSession,
        current: &PlatformCampaign,
        changes: &CampaignChanges,
    ) -> Result<Option<PlatformCampaign>, Error> {
        let is_lower = changes.budget_amount.is_some_and(|new| current.budget_amount.is_none_or(|was| new < was));
        if !adapter.sets_status_apart() || !is_lower || changes.status != Some(CampaignStatus::Active) {
            return Ok(None);
        }
        let lower = CampaignChanges { status: None, ..changes.clone() };
        let is_seen = |seen: &PlatformCampaign| EditedFields::of(&lower, &CampaignValues::of(seen)).is_complete();
        match adapter.update_campaign(&self.writing(session), current, &lower).await? {
            Some(seen) if is_seen(&seen) => Ok(Some(seen)),
            _ => match read_back(adapter, session, current, None).await {
                ReadBack::Found(read) if is_seen(&read) => Ok(Some(*read)),
                ReadBack::Found(_) | ReadBack::NotFound | ReadBack::Unavailable => {
                    Err(unconfirmed_write(current.platform()))
                }
            },
        }
    }

    /// Reads the campaign back after an unclear response, or one that shows nothing of it. Returns an error unless every
    /// requested field was applied.
    async fn confirm_update(
        &self,
        adapter: &dyn AdPlatform,
        session: &AccountSession,
        before: PlatformCampaign,
        requested: &CampaignChanges,
        reason: Error,
    ) -> Result<PlatformCampaign, Error> {
        let platform = before.platform();
        self.progress.note(Effect::Unknown);
        let read = match read_back(adapter, session, &before, requested.status).await {
            ReadBack::Found(read) => *read,
            ReadBack::NotFound if is_removal(requested) => {
                return Ok(PlatformCampaign { status: CampaignStatus::Archived, ..before });
            }
            ReadBack::NotFound => return Err(Error::not_found("campaign").on(platform)),
            ReadBack::Unavailable => return Err(unknown_outcome_error(requested, platform, reason)),
        };
        let values = CampaignValues::of(&read);
        let fields = EditedFields::of(requested, &values);
        if fields.is_complete() {
            return Ok(read);
        }
        // The platform may still carry out what it has not refused.
        if reason.kind == Kind::PlatformRefused {
            let is_changed = EditedFields::of(requested, &CampaignValues::of(&before)) != fields;
            self.progress.note(if is_changed { Effect::Partial(values) } else { Effect::None });
        }
        Err(edit_error(&fields, platform, reason))
    }

    /// Without a valid grant we cannot read the campaign back, so the message says that part of the update was
    /// applied.
    pub(super) fn mention_partial_update(&self, error: Error) -> Error {
        if error.kind != Kind::TokenExpired || !matches!(self.progress.effect(), Effect::Unknown) {
            return error;
        }
        let Action::Update(requested) = &self.change.action else { return error };
        let message = error.message.and(
            "Part of the change was applied first. After you authorize again, repeat the request; fields already applied \
             are skipped.",
        );
        let outcomes = ChangedFields { unknown: requested.field_names(), ..ChangedFields::default() };
        Error { message, ..error }.with_outcomes(outcomes)
    }
}

/// The requested changes that are not in effect yet. A campaign in a final status cannot change, and one that runs
/// cannot start later.
pub(in crate::changes) fn changes_for(
    changes: &CampaignChanges,
    current: &PlatformCampaign,
    now: Timestamp,
) -> Result<CampaignChanges, Error> {
    if current.status.is_final() {
        return Err(already_removed(current));
    }
    let values = CampaignValues::of(current);
    let changes = changes.clone().against(&values);
    require_no_late_start(&values, &changes, now)?;
    Ok(changes)
}

fn is_removal(requested: &CampaignChanges) -> bool {
    requested.status.is_some_and(CampaignStatus::is_final)
}

/// The values of a campaign once it is removed.
pub(super) fn archived_values(campaign: &PlatformCampaign) -> CampaignValues {
    CampaignValues { status: CampaignStatus::Archived, ..CampaignValues::of(campaign) }
}

/// Whether the adapter has refused the update itself, such as an amount with too many decimals.
fn is_refused_here(error: &Error) -> bool {
    matches!(error.kind, Kind::Validation | Kind::NotSupported | Kind::Conflict)
        && error.platform_error.is_none()
        && error.source.is_none()
}

fn already_removed(current: &PlatformCampaign) -> Error {
    let message = "The campaign has been removed and cannot be changed.";
    Error::new(Kind::Conflict, message).because(Reason::CampaignRemoved).on(current.platform())
}

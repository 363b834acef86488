//! A removal at the platform.

use super::Edit;
use super::progress::Effect;
use super::read_back::{
    ReadBack, is_removed, may_have_taken_effect, read_back, removal_error, unconfirmed_write, was_never_sent,
};
use super::update::archived_values;
use crate::domain::{CampaignStatus, PlatformCampaign};
use crate::error::{Error, Kind};
use crate::platforms::{AccountSession, AdPlatform};

impl Edit<'_> {
    /// Removes the campaign. A campaign that is removed already is 404.
    pub(super) async fn remove(
        &self,
        adapter: &dyn AdPlatform,
        session: AccountSession,
        current: PlatformCampaign,
    ) -> Result<PlatformCampaign, Error> {
        if current.status.is_final() {
            return Err(Error::not_found("campaign"));
        }
        self.begin_sending();
        let error = match adapter.delete_campaign(&self.writing(&session), &current).await {
            Ok(Some(seen)) if seen.status.is_final() => return Ok(seen),
            Ok(_) => unconfirmed_write(current.platform()),
            Err(error) => error,
        };
        if may_have_taken_effect(&error) {
            return self.confirm_removal(adapter, &session, current, error).await;
        }
        if error.kind == Kind::PlatformRefused && is_removed(adapter, &session, &current).await {
            // Another request removed it first: the platform refuses a second removal.
            self.progress.note(Effect::Complete(archived_values(&current)));
            return Err(Error::not_found("campaign"));
        }
        self.progress.note(if was_never_sent(&error) { Effect::Unsent } else { Effect::None });
        Err(error)
    }

    /// Reads the campaign back after an unclear response, or one that shows nothing of it. An error unless the campaign is
    /// removed.
    async fn confirm_removal(
        &self,
        adapter: &dyn AdPlatform,
        session: &AccountSession,
        before: PlatformCampaign,
        reason: Error,
    ) -> Result<PlatformCampaign, Error> {
        self.progress.note(Effect::Unknown);
        let exists = match read_back(adapter, session, &before, Some(CampaignStatus::Archived)).await {
            ReadBack::Found(read) if read.status.is_final() => return Ok(*read),
            ReadBack::NotFound => return Ok(PlatformCampaign { status: CampaignStatus::Archived, ..before }),
            ReadBack::Found(_) => true,
            ReadBack::Unavailable => false,
        };
        Err(removal_error(exists, before.platform(), reason))
    }
}

//! Settles an edit whose process has ended, or whose campaign could not be read back.

use super::settle::touch_record;
use crate::changes::failure::change_error;
use crate::domain::{
    Action, CampaignStatus, CampaignValues, Change, ChangeState, Connection, EditedFields, Platform, PlatformCampaign,
};
use crate::error::{Error, Kind};
use crate::store::Settlement;
use crate::tokens::PlatformContext;
use jiff::SignedDuration;

/// Reads the campaign of an edit without an outcome, and stores what became of the edit. `false` if it is too early to
/// tell: the platform may still carry it out.
pub async fn settle_unknown(
    context: PlatformContext<'_>,
    connection: &Connection,
    change: &Change,
) -> Result<bool, Error> {
    let Some(campaign) = &change.campaign else { return Err(Error::internal("an edit has no campaign")) };
    let remote_id = campaign.remote_in(&change.account_id).unwrap_or_default();
    let began = context.app.clock.now();
    let read = match context.get_campaign(connection, remote_id).await {
        Ok(read) => Some(read),
        Err(error) if error.kind == Kind::NotFound => None,
        Err(error) => return Err(error),
    };
    let state = state_of(&change.action, read.as_ref(), change.platform);
    if state != ChangeState::Applied && began < change.conclusive_from() {
        return Ok(false);
    }
    // Its attempt had no full effect, so the next one follows.
    if state != ChangeState::Applied && change.is_retried(began) && read.is_some() {
        return context.app.store.reschedule_change(change, change.next_attempt(began, SignedDuration::ZERO)).await;
    }
    let after = read.as_ref().map(CampaignValues::of);
    let at = context.app.clock.now();
    if matches!(state, ChangeState::Applied | ChangeState::PartlyApplied(_)) {
        touch_record(&context.app.store, change, at).await;
    }
    let settlement = Settlement { state, campaign: None, before: None, after, at };
    context.app.store.settle_change(change, &settlement).await?;
    Ok(true)
}

/// What a read of the campaign tells about an edit. `None` is a campaign that its platform does not know.
fn state_of(action: &Action, read: Option<&PlatformCampaign>, platform: Platform) -> ChangeState {
    let is_removed = read.is_none_or(|read| read.status.is_final());
    let changes = match action {
        Action::Update(changes) => changes,
        Action::Delete if is_removed => return ChangeState::Applied,
        Action::Delete | Action::Create(_) => return ChangeState::Failed(change_error(&not_applied(platform))),
    };
    let Some(read) = read else {
        return match changes.status.is_some_and(CampaignStatus::is_final) {
            true => ChangeState::Applied,
            false => ChangeState::Failed(change_error(&Error::not_found("campaign"))),
        };
    };
    let fields = EditedFields::of(changes, &CampaignValues::of(read));
    let error = || change_error(&not_applied(platform));
    match (fields.is_complete(), fields.has_applied()) {
        (true, _) => ChangeState::Applied,
        (false, true) => ChangeState::PartlyApplied(error()),
        (false, false) => ChangeState::Failed(error()),
    }
}

fn not_applied(platform: Platform) -> Error {
    let platform = platform.display_name();
    let message =
        format!("{platform} gave no clear answer. The campaign was read later: it does not have this change.");
    Error::new(Kind::PlatformFailed, message)
}

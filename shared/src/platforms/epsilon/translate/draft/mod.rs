//! A new campaign: checks a draft, translates it, and reads the created campaign.

use super::{found, write_budget};
use crate::domain::Moment;
use crate::platforms::engine::create::as_seen;
use crate::platforms::epsilon::error::{self, read_written};
use crate::platforms::epsilon::wire::{self, number};
use crate::platforms::epsilon::{CAPABILITIES, Epsilon, api};
use crate::platforms::prelude::*;

impl Create for Epsilon {
    fn prepare_create(&self, input: &CreateInput<'_>) -> Result<PreparedCreate, Error> {
        let CreateInput { account, draft, now, .. } = *input;
        let mut errors = CAPABILITIES.draft_errors(Some(account.currency), draft);
        let micros = errors.check("budget_amount", Micros::from_amount(draft.budget_amount));
        let start = errors.start(draft, &zone(account, draft.start_at));
        let start = after_1970(&mut errors, "start_at", start);
        let end = errors.end(draft, &zone(account, draft.end_at));
        let end = after_1970(&mut errors, "end_at", end);
        CAPABILITIES.check_new_dates(&mut errors, start, end, now);
        let caps = micros.and_then(|micros| {
            errors.offered(Platform::Epsilon, "budget_period", write_budget(draft.budget_period, micros))
        });
        let (Some(objective), Some(caps), true) = (objective(draft.goal), caps, errors.is_empty()) else {
            return Err(errors.into_error(Platform::Epsilon));
        };
        let (daily_spend_cap, lifetime_spend_cap) = caps;
        let create = wire::CampaignCreate {
            ad_account_id: &account.id,
            name: &draft.name,
            objective_type: objective,
            status: "PAUSED",
            is_campaign_budget_optimization: true,
            daily_spend_cap,
            lifetime_spend_cap,
            start_time: start.map(Timestamp::as_second),
            end_time: end.map(Timestamp::as_second),
        };
        // One item, although the platform takes up to thirty: an error is then about it.
        let mut prepared = PreparedCreate::new(Platform::Epsilon, input, api::campaigns(&account.id)?, &[create])?;
        (prepared.campaign.start_at, prepared.campaign.end_at) = (start, end);
        Ok(prepared)
    }

    /// Requires an id. Takes only the start, creation and update time from the rest.
    fn read_created(
        &self,
        account: &AdAccount,
        prepared: &PreparedCreate,
        response: &OutboundResponse,
    ) -> Result<PlatformCampaign, Error> {
        let data = read_written(response)?;
        let new: Result<wire::NewId, _> = serde_json::from_str(data.get());
        let new = new.map_err(|error| unreadable(Platform::Epsilon, error))?;
        let remote_id = new.id.and_then(|id| serde_json::from_str(id.get()).ok());
        let remote_id = remote_id.filter(|id: &String| number(id).is_some());
        let remote_id = remote_id.ok_or_else(|| unreadable(Platform::Epsilon, "a new campaign without an id"))?;
        // The time decides only whether a campaign has ended, and a new one has not.
        let seen = found(account, data.get(), Timestamp::MIN).ok().flatten();
        Ok(as_seen(prepared.created(remote_id, data.get().to_owned()), seen))
    }

    /// With a 2xx `is_certain_refusal` decides, and anything else is unknown. With other statuses the default decides,
    /// and a 404 means the ad account.
    fn create_failure(&self, response: &OutboundResponse, error: Error) -> CreateFailure {
        if !response.status.is_success() {
            return CreateFailure::of(response, errors::account_error(Platform::Epsilon, error));
        }
        if error::is_certain_refusal(response) {
            CreateFailure::NotCreated(error)
        } else {
            CreateFailure::Unknown(error)
        }
    }
}

/// `APP_INSTALL` is not sent: it needs the id of an app, and a draft has none.
fn objective(goal: Goal) -> Option<&'static str> {
    match goal {
        Goal::BrandAwareness | Goal::Reach => Some("AWARENESS"),
        Goal::WebsiteTraffic => Some("CONSIDERATION"),
        Goal::Sales | Goal::Conversions => Some("SALES"),
        Goal::Leads => Some("LEADS"),
        Goal::AppPromotion => None,
    }
}

/// The account's zone for a plain date. An instant is sent unchanged, also in the hour that the account's zone repeats.
fn zone(account: &AdAccount, moment: Option<Moment>) -> TimeZone {
    match moment {
        Some(Moment::Day(_)) => TimeZone::get(&account.time_zone).unwrap_or(TimeZone::UTC),
        Some(Moment::Instant(_)) | None => TimeZone::UTC,
    }
}

/// The instant if the platform can hold it.
pub(super) fn after_1970(errors: &mut FieldErrors, field: &str, instant: Option<Timestamp>) -> Option<Timestamp> {
    let is_held = |instant: &Timestamp| instant.as_second() > 0;
    errors.check(field, Some(instant?).filter(is_held).ok_or("must be after 1970 on Pinterest"))
}

#[cfg(test)]
mod tests;

//! What a key did, and the campaigns that it has changed.

use super::plan::{RevertPlan, Touched};
use super::since::Since;
use super::touched;
use crate::client::api::Api;
use crate::client::changes;
use crate::client::readings::kept_with_times;
use crate::client::session::SignedIn;
use crate::kit::changes::requester_text;
use crate::kit::effects::Effects;
use jiff::Timestamp;
use shared::domain::{ChangeStatus, KeyId, MAX_BULK_IDS};
use shared::serve::WebRequest;
use tokio::time::Instant;

/// What was read of it.
#[derive(Default)]
pub(super) struct Read {
    effects: Effects,
    /// Whether there are more changes than are read.
    is_cut: bool,
    /// The name that it had then.
    pub(super) name: Option<String>,
    /// What a revert would do; `None` if the page does not show it, or while a platform has not answered.
    pub(super) plan: Option<RevertPlan>,
    /// Whether a campaign was not read in time.
    pub(super) is_late: bool,
    /// Why the changes, or the campaigns, are not shown.
    refusal: Option<String>,
}

/// What it did, for people.
pub(super) struct DidView {
    /// `+4,275.00 USD a day`
    pub(super) sums: Vec<String>,
    /// `57 changes of 19 campaigns`; `None` for nothing.
    pub(super) counts: Option<String>,
    pub(super) asides: Vec<String>,
    pub(super) is_cut: bool,
    /// `Of this, +225.00 USD a day still runs.`
    pub(super) left: Option<String>,
    /// `12 of these campaigns run now, with budgets of 2,310.00 USD a day.`
    pub(super) running: Option<String>,
    pub(super) refusal: Option<String>,
}

/// The times of a reading.
#[derive(Clone, Copy)]
pub(super) struct Times {
    pub(super) now: Timestamp,
    /// Until when campaigns are read; `None` if the page does not show them.
    pub(super) until: Option<Instant>,
    /// Whether the page shows what was read until then, or else waits for the rest.
    pub(super) is_last: bool,
}

impl Read {
    pub(super) async fn of(request: &WebRequest, person: &SignedIn, key: &KeyId, since: Since, times: Times) -> Read {
        let api = &Api::new(request, person);
        let (changes, is_cut) = match changes::of_key(api, &key.0, since.from(times.now)).await {
            Ok(read) => read,
            Err(refusal) => return Read { refusal: Some(refusal.in_full()), ..Read::default() },
        };
        let mut effects = Effects::default();
        let is_applied = |status| matches!(status, ChangeStatus::Applied | ChangeStatus::PartlyApplied);
        changes.iter().filter(|change| !change.is_step && is_applied(change.status(times.now))).for_each(|change| {
            effects.add(change);
        });
        let read = Read {
            effects,
            is_cut,
            name: changes.first().map(|change| requester_text(&change.requested_by)),
            ..Read::default()
        };
        match times.until {
            Some(_) if is_cut => Read { refusal: Some(too_many()), ..read },
            Some(until) => match touched::read(api, key, &changes, &[], until).await {
                Ok(touched) => {
                    let is_late = touched.iter().any(Touched::is_late);
                    read.with_plan(&from_records(request, person, touched).await, is_late, times)
                }
                Err(refusal) => Read { refusal: Some(refusal.in_full()), ..read },
            },
            None => read,
        }
    }

    /// The plan is shown at once if it is known of all campaigns.
    fn with_plan(self, touched: &[Touched], is_late: bool, times: Times) -> Read {
        let is_known = !touched.iter().any(Touched::is_late);
        let plan = (times.is_last || is_known).then(|| RevertPlan::of(touched, times.now));
        Read { plan, is_late, ..self }
    }

    pub(super) fn view(&self) -> DidView {
        DidView {
            sums: self.effects.sums(),
            counts: (self.effects.changes() > 0).then(|| self.effects.counts()),
            asides: self.effects.asides(),
            is_cut: self.is_cut,
            left: self.plan.as_ref().filter(|_| !self.effects.sums().is_empty()).and_then(|plan| plan.left.words()),
            running: self.plan.as_ref().and_then(|plan| plan.running.words()),
            refusal: self.refusal.clone(),
        }
    }
}

/// Campaigns whose platforms have not answered have the values of our records.
async fn from_records(request: &WebRequest, person: &SignedIn, touched: Vec<Touched>) -> Vec<Touched> {
    if !touched.iter().any(Touched::is_silent) {
        return touched;
    }
    let kept = kept_with_times(request, person).await;
    touched.into_iter().map(|one| one.or_from_records(&kept)).collect()
}

fn too_many() -> String {
    format!(
        "It has made more than {MAX_BULK_IDS} changes in this time, which is the most at once. Choose a shorter time."
    )
}

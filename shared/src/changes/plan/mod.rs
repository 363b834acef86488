//! What a request to change a campaign does, given the facts: a pure function that requests, previews and maintenance share.
//! Nothing here reads, waits or writes.

mod attempt;
mod condition;
mod create;
mod dates;
mod due;
mod immediate;
#[cfg(test)]
mod laws;
mod limit;
mod monthly_budget;
mod review;
mod scheduled;

pub use create::{CampaignRequest, CreatePlan, all_or_none, count_creates, plan_create, preview_creates};
pub(super) use create::{plan_approved, prepare};
pub(super) use due::{DueAction, due};
pub(super) use limit::{at_rest, observe};
pub(super) use review::review;
pub use scheduled::require_time;

use super::facts::Facts;
use super::held_dates::are_dates_held;
use super::request::ChangeRequest;
use crate::domain::spending::Spendings;
use crate::domain::{Action, CampaignChanges, CampaignRecord, Change, ChangeError, ChangeId};
use crate::error::Error;
use crate::store::Turn;
use condition::{require_seen, require_values};

/// What a request does.
#[derive(Clone, Debug)]
pub struct ChangePlan {
    pub verdict: Verdict,
    /// The action for the platform, without the values that the campaign has already. Of a waiting change: the action as it
    /// would be sent now.
    pub send: Option<Action>,
    /// Changes that the platform has to accept before the plan is stored, because they are sent later or never.
    pub checked: Option<CampaignChanges>,
    /// The change that is sent now, or that waits for its time or for approval.
    pub change: Option<Change>,
    /// The record of the campaign after the request; in the next revision if it changes.
    pub record: CampaignRecord,
    /// Other changes that are stored with it.
    pub store: Vec<Change>,
    /// Waiting changes that are canceled, and why.
    pub cancel: Vec<(Change, Option<ChangeError>)>,
    /// The spendings that change, with the reservation.
    pub reserve: Spendings,
    /// The turn of the campaign that the change takes: as it was read, with the raise of this change.
    pub turn: Option<Turn>,
    /// Whether a campaign that does not run may run after it, now or later.
    pub activates: bool,
}

/// When a request is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Never: the campaign has all requested values.
    Nothing,
    /// Now. A change of the record alone is applied by storing it.
    Now,
    /// Later: this change waits for its time, or for the start of the campaign.
    Waits(ChangeId),
    /// Once a person has approved it.
    AwaitsApproval,
}

impl ChangePlan {
    /// A plan that does nothing.
    fn nothing(facts: &Facts) -> ChangePlan {
        ChangePlan {
            verdict: Verdict::Nothing,
            send: None,
            checked: None,
            change: None,
            record: facts.record.clone(),
            store: Vec::new(),
            cancel: Vec::new(),
            reserve: Spendings::default(),
            turn: None,
            activates: false,
        }
    }

    /// Whether the record of the campaign changes.
    pub fn changes_record(&self, facts: &Facts) -> bool {
        self.record.revision != facts.record.revision
    }

    /// The changes for the platform.
    pub fn updates(&self) -> CampaignChanges {
        match &self.send {
            Some(Action::Update(changes)) => changes.clone(),
            _ => CampaignChanges::default(),
        }
    }
}

/// Plans a request. An error refuses it.
pub(super) fn plan(request: &ChangeRequest<'_>, facts: &Facts) -> Result<ChangePlan, Error> {
    if request.action == Action::Delete && facts.current.status.is_final() {
        return Err(Error::not_found("campaign"));
    }
    require_values(request, facts)?;
    if let Some(pending) = &request.pending {
        return attempt::plan(request, facts, pending);
    }
    match (&request.action, request.apply_at) {
        (Action::Create(_), _) => Err(Error::internal("a create is no edit")),
        (_, Some(at)) => scheduled::plan(request, facts, at),
        (Action::Delete, None) => immediate::plan(request, facts, ChangePlan::nothing(facts), &Action::Delete),
        (Action::Update(changes), None) => update(request, facts, changes),
    }
}

/// Plans an update for now: first the dates and the monthly budget that the service holds, then the rest for the platform.
fn update(request: &ChangeRequest<'_>, facts: &Facts, changes: &CampaignChanges) -> Result<ChangePlan, Error> {
    let is_held = are_dates_held(request.connection.platform);
    if is_held {
        dates::check(facts.record.held, changes, request)?;
    }
    let monthly_budget::MonthlyPlan { mut plan, rest } = monthly_budget::plan(request, facts, changes)?;
    if !is_held {
        return immediate::plan(request, facts, plan, &Action::Update(rest));
    }
    match dates::plan(request, facts, &mut plan, &rest)? {
        Some(rest) => immediate::plan(request, facts, plan, &Action::Update(rest)),
        // The whole update waits for the start.
        None => Ok(plan),
    }
}

/// The changes without the dates that the service holds.
fn of_platform(request: &ChangeRequest<'_>, changes: &CampaignChanges) -> CampaignChanges {
    if are_dates_held(request.connection.platform) {
        CampaignChanges { start_at: None, end_at: None, ..changes.clone() }
    } else {
        changes.clone()
    }
}

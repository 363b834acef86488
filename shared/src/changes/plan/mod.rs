//! What happens by a request to change a campaign, given the facts: one pure question, asked by every entrance. Nothing
//! here reads, waits or writes.

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
pub(super) use limit::observe;
pub(super) use review::review;
pub use scheduled::require_time;

use super::facts::Facts;
use super::held_dates::are_dates_held;
use super::request::ChangeRequest;
use crate::domain::{Action, CampaignChanges, CampaignRecord, Change, ChangeError, ChangeId, KeySpending};
use crate::error::Error;
use crate::store::Turn;
use condition::{require_seen, require_values};

/// What happens.
#[derive(Clone, Debug)]
pub struct ChangePlan {
    pub verdict: Verdict,
    /// What the platform hears now or, of a change that waits for its time or for a person, would hear; what the campaign
    /// has already is left out.
    pub send: Option<Action>,
    /// What the platform has to accept before anything is stored, because it hears of it later or never.
    pub checked: Option<CampaignChanges>,
    /// The change that tells what is sent now, or that waits for its time or for a person.
    pub change: Option<Change>,
    /// The record from now on; of the next revision if it moves.
    pub record: CampaignRecord,
    /// Changes that are stored beside it.
    pub store: Vec<Change>,
    /// Waiting changes that are canceled, and why.
    pub cancel: Vec<(Change, Option<ChangeError>)>,
    /// The spending of the key with what this reserves; `None` if it stays.
    pub reserve: Option<KeySpending>,
    /// The turn of the campaign that it takes, as it was read but for what it raises.
    pub turn: Option<Turn>,
    /// Whether it makes a campaign run that does not, now or later.
    pub activates: bool,
}

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The campaign is as it is asked for.
    Nothing,
    /// It is made now. What only this service holds is made when it is stored.
    Now,
    /// It waits for its time, or for the start of the campaign.
    Waits(ChangeId),
    /// It waits for a person.
    AwaitsApproval,
}

impl ChangePlan {
    /// Nothing is to be done.
    fn nothing(facts: &Facts) -> ChangePlan {
        ChangePlan {
            verdict: Verdict::Nothing,
            send: None,
            checked: None,
            change: None,
            record: facts.record.clone(),
            store: Vec::new(),
            cancel: Vec::new(),
            reserve: None,
            turn: None,
            activates: false,
        }
    }

    /// Whether the record of the campaign moves.
    pub fn moves(&self, facts: &Facts) -> bool {
        self.record.revision != facts.record.revision
    }

    /// What the platform would hear.
    pub fn updates(&self) -> CampaignChanges {
        match &self.send {
            Some(Action::Update(changes)) => changes.clone(),
            _ => CampaignChanges::default(),
        }
    }
}

/// What happens by a request.
pub(super) fn plan(request: &ChangeRequest<'_>, facts: &Facts) -> Result<ChangePlan, Error> {
    if request.action == Action::Delete && facts.current.status.is_final() {
        return Err(Error::not_found("campaign"));
    }
    require_values(request, facts)?;
    if let Some(waited) = &request.waited {
        return attempt::plan(request, facts, waited);
    }
    match (&request.action, request.apply_at) {
        (Action::Create(_), _) => Err(Error::internal("a create is no edit")),
        (_, Some(at)) => scheduled::plan(request, facts, at),
        (Action::Delete, None) => immediate::plan(request, facts, ChangePlan::nothing(facts), &Action::Delete),
        (Action::Update(changes), None) => update(request, facts, changes),
    }
}

/// An update that is asked for now: first what the service holds itself, then the rest at the platform.
fn update(request: &ChangeRequest<'_>, facts: &Facts, changes: &CampaignChanges) -> Result<ChangePlan, Error> {
    let is_held = are_dates_held(request.connection.platform);
    if is_held {
        dates::check(facts.record.held, changes, request)?;
    }
    let MonthlyPlan { mut plan, rest } = monthly_budget::plan(request, facts, changes)?;
    if !is_held {
        return immediate::plan(request, facts, plan, &Action::Update(rest));
    }
    match dates::plan(request, facts, &mut plan, &rest)? {
        Some(rest) => immediate::plan(request, facts, plan, &Action::Update(rest)),
        // The whole update waits for the start.
        None => Ok(plan),
    }
}

/// The changes of which the platform hears.
fn of_platform(request: &ChangeRequest<'_>, changes: &CampaignChanges) -> CampaignChanges {
    if are_dates_held(request.connection.platform) {
        CampaignChanges { start_at: None, end_at: None, ..changes.clone() }
    } else {
        changes.clone()
    }
}

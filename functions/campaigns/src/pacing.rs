//! Updates of a monthly budget, which this service holds (D81 in docs/decisions.md): they move its record, and maintenance
//! moves the daily budget at the platform within a minute or two.

use crate::confirmation::require_seen;
use crate::edit::edit_of;
use crate::schedule::{Named, check};
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::changes::{daily_budget, limited_values, pacing_zone, require_amount, require_open, without_canceled};
use shared::domain::pacing::{Ledger, day_in};
use shared::domain::{
    Action, BudgetPeriod, CampaignChanges, CampaignRecord, CampaignStatus, CampaignValues, Change, ChangeId,
    ChangeState, Currency, LimitRefusal, Pacing, PlatformCampaign, Reason,
};
use shared::envelope::Shape;
use shared::error::{Error, Kind};
use shared::platforms::adapter;
use shared::platforms::errors::no_budget;
use shared::serve::Call;
use shared::store::PacingWrite;
use std::time::Duration;

/// Number of the change of a monthly budget among those of its request. The update itself has 0.
const MONTHLY: usize = 3;

/// What an update does to the monthly budget of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    /// Nothing.
    None,
    /// It begins, or has another amount from now on.
    Amount(Decimal),
    /// The campaign has another period from now on.
    End,
    /// Nobody is to activate the campaign when the month ends.
    StaysPaused,
}

/// What is left of an update after its monthly budget.
pub(crate) struct AfterBudget<R> {
    /// The changes for the platform.
    pub(crate) changes: CampaignChanges,
    /// The record with the new monthly budget.
    pub(crate) record: R,
    /// Whether the monthly budget was moved, or would be.
    pub(crate) is_moved: bool,
    /// The campaign as its platform tells it, if it was read.
    pub(crate) campaign: Option<PlatformCampaign>,
}

/// Refuses a monthly budget to a key with a spending limit, which knows daily budgets and whole runs only.
pub(crate) fn require_unlimited(call: &Call, currency: Currency) -> Result<(), Error> {
    match &call.spending {
        Some(state) => Err(Error::refused(&state.spending, LimitRefusal::monthly(currency))),
        None => Ok(()),
    }
}

/// Whether an update is about the monthly budget of its campaign, or asks for one.
pub(crate) fn concerns_month(record: Option<&CampaignRecord>, changes: &CampaignChanges) -> bool {
    let is_paced = record.is_some_and(|record| record.pacing.is_some());
    let names_budget = changes.budget_amount.is_some() || changes.budget_period.is_some();
    changes.budget_period == Some(BudgetPeriod::Monthly) || is_paced && (names_budget || changes.status.is_some())
}

/// Moves the monthly budget that an update names. `is_dry` only checks it.
pub(crate) async fn move_month(
    call: &Call,
    named: &Named<'_>,
    changes: CampaignChanges,
    record: Option<CampaignRecord>,
    is_dry: bool,
) -> Result<AfterBudget<Option<CampaignRecord>>, Error> {
    if !concerns_month(record.as_ref(), &changes) {
        return Ok(AfterBudget { changes, record, is_moved: false, campaign: None });
    }
    let now = call.request.now;
    let mut record = record.unwrap_or_default();
    let pacing = record.pacing.as_ref();
    if call.request.shape == Shape::Flat && changes.budget_amount.is_some() && changes.budget_period.is_none() {
        return Err(another_period());
    }
    let what = move_of(pacing, &changes)?;
    let waiting = waiting_of(call, what, pacing).await?;
    let what = if what == Move::StaysPaused && waiting.is_empty() { Move::None } else { what };
    if changes.status == Some(CampaignStatus::Active) && (pacing.is_some() || what != Move::None) {
        require_unlimited(call, currency_of(named)?)?;
        require_open(pacing, &named.id, now)?;
    }
    let rest = match what {
        Move::End => changes.clone(),
        _ => CampaignChanges { budget_amount: None, budget_period: None, ..changes.clone() },
    };
    let campaign = match what {
        Move::None => None,
        _ => {
            let current = check_month(call, named, what, &rest, now).await?;
            require_seen(call, named.connection, &current, Some(&record), &changes)?;
            if !is_dry {
                record = carry_out(call, named, (what, &waiting), record, &current).await?;
            }
            Some(current)
        }
    };
    Ok(AfterBudget { changes: rest, record: Some(record), is_moved: what != Move::None, campaign })
}

fn move_of(pacing: Option<&Pacing>, changes: &CampaignChanges) -> Result<Move, Error> {
    let CampaignChanges { budget_amount, budget_period, status, .. } = changes;
    let may_be_resumed = pacing.is_some_and(|pacing| pacing.resume.or(pacing.step).is_some());
    match (pacing, budget_period, budget_amount) {
        (None, _, None) => Err(Error::field("budget_amount", "is required with a MONTHLY budget_period")),
        (_, Some(BudgetPeriod::Daily | BudgetPeriod::Lifetime | BudgetPeriod::Total), _) => Ok(Move::End),
        (Some(pacing), _, Some(amount)) if pacing.amount == *amount => Ok(Move::None),
        (_, _, Some(amount)) => Ok(Move::Amount(*amount)),
        (Some(_), _, None) if may_be_resumed && *status == Some(CampaignStatus::Paused) => Ok(Move::StaysPaused),
        (Some(_), _, None) => Ok(Move::None),
    }
}

/// Refuses what would be refused now, and returns the campaign as it is.
async fn check_month(
    call: &Call,
    named: &Named<'_>,
    what: Move,
    rest: &CampaignChanges,
    now: Timestamp,
) -> Result<PlatformCampaign, Error> {
    let Move::Amount(amount) = what else { return check(call, named, &Action::Update(rest.clone())).await };
    let currency = currency_of(named)?;
    require_unlimited(call, currency)?;
    let adapter = adapter(named.connection.platform);
    let rule = adapter.pacing_rule(currency);
    require_amount(adapter, &rule, amount, currency)?;
    let account = named.connection.account.as_ref().ok_or_else(|| Error::not_found("campaign"))?;
    let today = day_in(&pacing_zone(adapter, account)?, now);
    let daily = daily_budget(&rule, amount, today);
    let with_daily = CampaignChanges { budget_amount: daily, ..rest.clone() };
    let current = check(call, named, &Action::Update(with_daily)).await?;
    if limited_values(&current).budget_amount.is_none() {
        return Err(no_budget(current.platform(), "a MONTHLY budget is held by moving a daily one"));
    }
    if current.budget_period != Some(BudgetPeriod::Daily) {
        let message = "A MONTHLY budget takes the place of a DAILY one, and this campaign has a budget for its whole run. \
                       Create another campaign for a MONTHLY budget.";
        return Err(Error::new(Kind::NotSupported, message).on(current.platform()));
    }
    Ok(current)
}

/// Stores the move together with its change, and cancels the steps that wait.
async fn carry_out(
    call: &Call,
    named: &Named<'_>,
    (what, waiting): (Move, &[Change]),
    record: CampaignRecord,
    current: &PlatformCampaign,
) -> Result<CampaignRecord, Error> {
    let at = call.request.now;
    let after = after_move(call, named, (what, waiting), record.pacing.as_ref(), current)?;
    let change = change_of(call, named, what, record.pacing.as_ref(), current)?;
    let write = PacingWrite {
        campaign: &named.id,
        before: record.pacing.as_ref(),
        after: after.as_ref(),
        cancel: waiting,
        reason: None,
        put: change.as_slice(),
        changed_at: Some(at),
        at,
    };
    if !call.store().write_pacing(call.customer.id, &write).await? {
        return Err(in_progress());
    }
    change.iter().chain(waiting.iter().filter(|_| change.is_none())).for_each(|change| call.recorded.add(change.id));
    Ok(CampaignRecord { pacing: after, updated_at: at.max(record.updated_at), ..record })
}

/// The monthly budget after a move; due at once, so that maintenance moves the daily one.
fn after_move(
    call: &Call,
    named: &Named<'_>,
    (what, canceled): (Move, &[Change]),
    before: Option<&Pacing>,
    current: &PlatformCampaign,
) -> Result<Option<Pacing>, Error> {
    let (request, now) = (&call.request, call.request.now);
    let asked = (call.requester()?, request.request_id);
    Ok(match (what, before) {
        (Move::Amount(amount), None) => {
            let account = named.connection.account.as_ref().ok_or_else(|| Error::not_found("campaign"))?;
            let today = day_in(&pacing_zone(adapter(current.platform()), account)?, now);
            let daily = current.budget_amount.unwrap_or_default();
            let pacing = Pacing::new(amount, asked, Ledger::begin(today, daily, daily), now);
            // Above those of an earlier monthly budget of the campaign.
            Some(Pacing { revision: now.as_millisecond(), ..pacing })
        }
        (Move::Amount(amount), Some(before)) => {
            let (requested_by, request) = asked;
            let revision = before.revision + 1;
            // The last step may have been made since the last look.
            let daily = current.budget_amount.unwrap_or(before.daily);
            // Whoever asks for an amount leaves it to pacing whether the campaign runs; the activation at the month's end
            // stays.
            Some(Pacing { amount, requested_by, request, daily, step: None, revision, due_at: now, ..before.clone() })
        }
        (Move::StaysPaused, Some(before)) => Some(without_canceled(before, canceled)),
        (Move::None, before) => before.cloned(),
        (Move::End | Move::StaysPaused, _) => None,
    })
}

/// The change that tells the move, with its outcome; none for a pause, which is told by what it cancels.
fn change_of(
    call: &Call,
    named: &Named<'_>,
    what: Move,
    before: Option<&Pacing>,
    current: &PlatformCampaign,
) -> Result<Option<Change>, Error> {
    let now = call.request.now;
    let had = CampaignValues::of(current);
    let monthly = |amount, had: &CampaignValues| CampaignValues {
        budget_amount: Some(amount),
        budget_period: Some(BudgetPeriod::Monthly),
        ..had.clone()
    };
    let period = |period| CampaignChanges { budget_period: Some(period), ..CampaignChanges::default() };
    let (changes, after) = match what {
        Move::None | Move::StaysPaused => return Ok(None),
        Move::Amount(amount) => {
            let changes = CampaignChanges { budget_amount: Some(amount), ..period(BudgetPeriod::Monthly) };
            (changes, monthly(amount, &had))
        }
        Move::End => (period(BudgetPeriod::Daily), had.clone()),
    };
    let before = before.map_or_else(|| had.clone(), |before| monthly(before.amount, &had));
    let edit = edit_of(call, named.connection, &named.id, Action::Update(changes))?;
    Ok(Some(Change {
        id: ChangeId::new(now, call.request.request_id, MONTHLY),
        state: ChangeState::Applied,
        before: Some(before),
        after: Some(after),
        settled_at: Some(now),
        ..edit
    }))
}

/// The changes that wait and that a move cancels. After a move of the amount the activation at the month's end stays; a
/// pause leaves what activates nothing.
async fn waiting_of(call: &Call, what: Move, pacing: Option<&Pacing>) -> Result<Vec<Change>, Error> {
    let Some(pacing) = pacing.filter(|_| what != Move::None) else { return Ok(Vec::new()) };
    let resume = pacing.resume.filter(|_| !matches!(what, Move::Amount(_)));
    let ids: Vec<ChangeId> = pacing.step.into_iter().chain(resume).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut changes = call.store().changes_by_id(call.customer.id, &ids, Timestamp::MIN).await?;
    changes.retain(|change| what != Move::StaysPaused || change.activates());
    if changes.iter().any(|change| change.state == ChangeState::Sending) {
        return Err(in_progress());
    }
    Ok(changes.into_iter().filter(Change::is_open).collect())
}

fn currency_of(named: &Named<'_>) -> Result<Currency, Error> {
    named.connection.account.as_ref().map(|account| account.currency).ok_or_else(|| Error::not_found("campaign"))
}

/// The flat shape shows the daily budget of the moment, which is none that a caller sets.
fn another_period() -> Error {
    let message = "is the daily budget of the moment, which follows from a monthly one. Set the amount of a month with \
                   X-API-Shape: enveloped, or on the dashboard; with budget_period DAILY the monthly budget ends";
    Error::field("budget_amount", message)
}

fn in_progress() -> Error {
    let message = "The monthly budget of the campaign is being moved. Read the campaign, and send this request again in a \
                   moment if it is still right.";
    Error::new(Kind::Conflict, message)
        .because(Reason::ChangedMeanwhile)
        .retryable()
        .retry_after(Duration::from_secs(2))
}

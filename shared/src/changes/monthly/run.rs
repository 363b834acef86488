//! Reviews one campaign with a monthly budget: reads its spend, decides on the next step, and stores the step and the
//! record in one transaction. So a step is stored once even if a process crashes, and of two concurrent reviews one has
//! an effect.

use super::facts::{Observation, PendingSteps, account_days, own_budget, read_spend};
use super::halt::named_changes;
use super::steps::Target;
use crate::app::App;
use crate::changes::record_update::{RecordUpdate, RecordWriter, cancellations};
use crate::domain::monthly::{BudgetStep, Ledger, Month, ReportState, RunState, begin_of};
use crate::domain::{
    CampaignId, CampaignRecord, Change, Connection, CustomerId, MonthlyBudget, PlatformCampaign, Reason,
};
use crate::error::{Error, Kind};
use crate::store::{ConnectionRef, Store};
use crate::tokens::PlatformContext;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Time limit of a review.
const TIMEOUT: Duration = Duration::from_secs(60);
/// A step that is due gets this time before the next decision.
const STEP_TIME: SignedDuration = SignedDuration::from_mins(2);
/// The wait after a failed review, or a report that could not be read.
const RETRY: SignedDuration = SignedDuration::from_mins(15);
/// The wait while the ad account is not connected.
const NOT_CONNECTED: SignedDuration = SignedDuration::from_hours(6);
/// The wait after a step, to see what became of it.
const AFTER_STEP: SignedDuration = SignedDuration::from_mins(10);
/// The wait when little is left of the month.
const NEAR_THE_END: SignedDuration = SignedDuration::from_hours(1);
/// Little is left from this part of the amount on, in percent.
const NEARLY_SPENT: i64 = 90;

/// The result of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjustment {
    /// The campaign was reviewed, this long after it was due; or it has no monthly budget any more.
    Done(SignedDuration),
    /// It waits for another review, because its platform, its report or its connection does not work. How long after it
    /// was due.
    Waits(SignedDuration),
}

/// A campaign whose monthly budget is due for a review.
struct DueBudget<'a> {
    store: &'a Store,
    customer: CustomerId,
    campaign: &'a CampaignId,
    record: &'a CampaignRecord,
    /// The monthly budget of the record.
    monthly: &'a MonthlyBudget,
    now: Timestamp,
}

/// Reviews a campaign whose monthly budget is due. After an error it is due again a quarter of an hour later.
pub async fn adjust_daily_budget(
    app: &Arc<App>,
    customer: CustomerId,
    campaign: &CampaignId,
) -> Result<Adjustment, Error> {
    let now = app.clock.now();
    let record = &app.store.latest_record(customer, campaign).await?.unwrap_or_default();
    // The list of due records comes from an index, which is eventually consistent.
    let monthly = record.monthly.as_ref().filter(|monthly| monthly.due_at <= now);
    let Some(monthly) = monthly else { return Ok(Adjustment::Done(SignedDuration::ZERO)) };
    let due_budget = DueBudget { store: &app.store, customer, campaign, record, monthly, now };
    let lateness = now.duration_since(monthly.due_at);
    let connected = &app.store.named_connections(customer, &ConnectionRef::of_campaign(campaign), now).await?;
    let Some((connection, remote_id)) = connected.find_campaign(campaign) else {
        due_budget.postpone(NOT_CONNECTED).await?;
        return Ok(Adjustment::Waits(lateness));
    };
    let deadline = Instant::now() + TIMEOUT;
    let context = PlatformContext { app, outbound: &app.outbound, customer, connected, now, deadline };
    match due_budget.run(context, connection, remote_id).await {
        Ok(true) => Ok(Adjustment::Done(lateness)),
        Ok(false) => Ok(Adjustment::Waits(lateness)),
        Err(error) => {
            let is_revoked = error.kind == Kind::TokenExpired;
            due_budget.postpone(if is_revoked { NOT_CONNECTED } else { RETRY }).await?;
            Err(error)
        }
    }
}

impl DueBudget<'_> {
    /// `false` if the report could not be read.
    async fn run(&self, context: PlatformContext<'_>, connection: &Connection, remote_id: &str) -> Result<bool, Error> {
        let (zone, rule, today) = account_days(connection, self.now)?;
        let waiting = &self.waiting().await?;
        if waiting.is_under_way() || waiting.is_imminent(self.now, STEP_TIME) {
            return self.postpone(STEP_TIME).await.map(|()| true);
        }
        let (campaign, spend) = tokio::join!(
            context.get_campaign(connection, remote_id),
            read_spend(context, connection, remote_id, today)
        );
        let campaign = match campaign {
            Ok(campaign) if campaign.status.is_final() => return self.end(waiting, Vec::new()).await.map(|()| true),
            Ok(campaign) => campaign,
            Err(error) if error.kind == Kind::NotFound => return self.end(waiting, Vec::new()).await.map(|()| true),
            Err(error) => return Err(error),
        };
        let target = self.target(connection, &campaign);
        let Some(daily) = own_budget(&campaign, self.monthly, waiting) else {
            return self.end(waiting, vec![target.ended_by(&campaign)]).await.map(|()| true);
        };
        if let Err(error) = &spend {
            let (campaign, source) = (self.campaign, error.source.as_ref());
            tracing::warn!(%campaign, %error, source, "the spend of a campaign with a monthly budget was not read");
        }
        let rows = spend.as_deref().ok();
        let (monthly, now, status) = (self.monthly, self.now, campaign.status);
        let seen = &Observation { monthly, waiting, status, daily, rule, zone: &zone, today, now, spend: rows };
        self.decide(seen, target).await?;
        Ok(rows.is_some())
    }

    /// Stores the decision with its changes.
    async fn decide(&self, seen: &Observation<'_>, target: Target<'_>) -> Result<(), Error> {
        let Observation { monthly, waiting, daily, rule, zone, today, now, .. } = seen;
        let ledger = seen.ledger();
        let situation = &seen.situation(&ledger);
        let (step, may_run) = (rule.decide(situation), rule.may_run(situation));
        let is_left_paused = situation.run_state == RunState::Paused && situation.report == ReportState::Read;
        let next_month = Month::of(*today).next();
        let month_end = begin_of(next_month.first(), zone);
        // Nothing is under way.
        let mut after = MonthlyBudget { daily: *daily, ledger, overtaken: Vec::new(), ..(*monthly).clone() };
        let (mut put, mut cancel): (Vec<Change>, Vec<Change>) = (Vec::new(), Vec::new());
        // Cancel a waiting step: it was decided on older facts. Keep a pause that is still right, because it may have
        // been sent.
        let still_pauses = step == BudgetStep::Pause && waiting.still_pauses();
        if !still_pauses {
            cancel.extend(waiting.waiting_step().cloned());
        }
        let is_closed = seen.is_closed();
        let runs_on = is_closed && seen.is_running() && step != BudgetStep::Pause;
        if runs_on || !is_closed && monthly.closed_until.is_some() {
            (after.closed_until, after.resume) = (None, None);
        }
        if seen.is_paused_by_others() {
            after.resume = None;
        }
        // Whoever has paused the campaign may activate it while the month has an amount left.
        if is_left_paused {
            after.closed_until = if may_run { None } else { month_end };
        }
        match step {
            BudgetStep::Keep => {}
            BudgetStep::Pause if still_pauses => {}
            BudgetStep::Set(budget) => put.push(target.set(budget)),
            BudgetStep::Pause => {
                put.push(target.pause());
                after.closed_until = month_end;
            }
            // The month is open once the campaign is seen running: this attempt may fail.
            BudgetStep::Resume(budget) => put.push(target.activate(budget, *now)),
        }
        after.step = match put.first() {
            Some(step) => Some(step.id),
            None if cancel.is_empty() => monthly.step,
            None => None,
        };
        let share = rule.even_share(monthly.amount, next_month);
        let is_outdated = after.resume.is_some() && waiting.resume_has_other_budget(share);
        let resumes = step == BudgetStep::Pause && !is_closed && !monthly.is_halted;
        if let (true, Some(end)) = (resumes || is_outdated, month_end) {
            let resume = target.activate(share, end);
            after.resume = Some(resume.id);
            put.push(resume);
        }
        if after.resume != monthly.resume {
            cancel.extend(waiting.waiting_resume().cloned());
        }
        after.due_at = next_review(&after, seen, !put.is_empty() || still_pauses);
        self.write(Some(after), cancel, put).await
    }

    /// Ends the monthly budget. The campaign stays as it is.
    async fn end(&self, waiting: &PendingSteps, put: Vec<Change>) -> Result<(), Error> {
        let cancel: Vec<Change> = waiting.waiting_step().into_iter().chain(waiting.waiting_resume()).cloned().collect();
        self.write(None, cancel, put).await
    }

    async fn postpone(&self, wait: SignedDuration) -> Result<(), Error> {
        let monthly = self.monthly;
        let after = MonthlyBudget { due_at: self.now + wait, ..monthly.clone() };
        self.write(Some(after), Vec::new(), Vec::new()).await
    }

    /// A write that conflicts with another one has no effect: the other review has decided.
    async fn write(&self, after: Option<MonthlyBudget>, cancel: Vec<Change>, store: Vec<Change>) -> Result<(), Error> {
        let newer = Error::new(Kind::Conflict, "A newer step of the monthly budget takes its place.")
            .because(Reason::Superseded);
        let after = CampaignRecord { monthly: after, ..self.record.next() };
        let moved = RecordUpdate { after, cancel: cancellations(cancel, &newer), store };
        let record = RecordWriter { store: self.store, customer: self.customer, campaign: self.campaign, at: self.now };
        if !record.commit(self.record, moved).await? {
            tracing::info!(campaign = %self.campaign, "another request or run has moved the record of the campaign");
        }
        Ok(())
    }

    async fn waiting(&self) -> Result<PendingSteps, Error> {
        let mut waiting = PendingSteps::default();
        for change in self.store.changes_by_id(self.customer, &named_changes(self.monthly), Timestamp::MIN).await? {
            match change.id {
                id if self.monthly.resume == Some(id) => waiting.resume = Some(change),
                id if self.monthly.step == Some(id) => waiting.step = Some(change),
                _ => waiting.overtaken.push(change),
            }
        }
        Ok(waiting)
    }

    fn target<'a>(&'a self, connection: &'a Connection, campaign: &PlatformCampaign) -> Target<'a> {
        let DueBudget { customer, campaign: id, monthly, now, .. } = *self;
        Target { customer, campaign: id, connection, currency: campaign.currency, monthly, now }
    }
}

/// The time of the next review: after the next midnight of the account, or earlier.
fn next_review(after: &MonthlyBudget, seen: &Observation<'_>, has_step: bool) -> Timestamp {
    let tomorrow: Option<Date> = seen.today.tomorrow().ok();
    let midnight =
        tomorrow.and_then(|day| begin_of(day, seen.zone)).unwrap_or(seen.now + SignedDuration::from_hours(24));
    let wait = match seen.spend {
        None => Some(RETRY),
        Some(_) if has_step => Some(AFTER_STEP),
        Some(_) if is_nearly_spent(&after.ledger, after.amount) => Some(NEAR_THE_END),
        Some(_) => None,
    };
    wait.map_or(midnight, |wait| midnight.min(seen.now + wait))
}

fn is_nearly_spent(ledger: &Ledger, amount: Decimal) -> bool {
    ledger.spent * Decimal::ONE_HUNDRED >= amount * Decimal::from(NEARLY_SPENT)
}
